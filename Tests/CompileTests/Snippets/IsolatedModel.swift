// compiles where nothing is isolated by default
import Hikyaku

struct Dish: Codable, Sendable { var name: String }
struct Plate: Codable { var dish: Dish }

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

struct Dishes: Shop {  // error: type 'Dishes' does not conform to protocol 'APIRequest'
    // error: in its own declaration an APIModel if the module isolates to the main actor
    typealias Response = [Dish]
}

struct OnePlate: Shop {  // error: type 'OnePlate' does not conform to protocol 'APIRequest'
    // error: in its own declaration an APIModel if the module isolates to the main actor
    typealias Response = Plate
}

func sends(_ client: APIClient<Public>) async throws {
    let dishes = try await client.send(Dishes())
    print(dishes)
}

struct Draft: Encodable, Sendable { var name: String }

struct Create: Shop {
    typealias Response = String
    var draft: Draft
    var body: RequestBody? { .json(draft) }
    // error: main actor-isolated conformance of 'Draft' to 'Encodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
}

// The compiler looks at the declaration of a type alone.
struct Late: Codable, Sendable { var name: String }
extension Late: APIModel {}

struct LateOne: Shop {  // error: type 'LateOne' does not conform to protocol 'APIRequest'
    // error: in its own declaration an APIModel if the module isolates to the main actor
    typealias Response = Late
}
