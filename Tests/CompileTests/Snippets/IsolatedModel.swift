// compiles where nothing is isolated by default
import Hikyaku

struct Dish: Codable, Sendable { var name: String }
struct Plate: Codable { var dish: Dish }

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

nonisolated struct Dishes: Shop {  // error: type 'Dishes' does not conform to protocol 'APIRequest'
    // error: nonisolated in a module that is isolated to the main actor
    typealias Response = [Dish]
}

nonisolated struct OnePlate: Shop {  // error: type 'OnePlate' does not conform to protocol 'APIRequest'
    // error: nonisolated in a module that is isolated to the main actor
    typealias Response = Plate
}

func sends(_ client: APIClient<Public>) async throws {
    let dishes = try await client.send(Dishes())
    print(dishes)
}
