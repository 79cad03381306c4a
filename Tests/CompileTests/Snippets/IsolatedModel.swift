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

struct Draft: Encodable, Sendable { var name: String }
enum DataKey: ResponseKey { static let path = "data" }
struct Page: Codable, Sendable, ItemPage { var pageItems: [String] }

nonisolated struct Create: Shop {
    typealias Response = String
    var draft: Draft
    var body: RequestBody? { .json(draft) }
    // error: main actor-isolated conformance of 'Draft' to 'Encodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
}

nonisolated struct Inner: Shop {  // error: type 'Inner' does not conform to protocol 'APIRequest'
    // error: main actor-isolated conformance of 'DataKey' to 'ResponseKey' cannot satisfy conformance
    typealias Definition = KeyedResponse<DataKey, Decoded<String>>
}

nonisolated struct Pages: Shop, PagedRequest {  // error: type 'Pages' does not conform to protocol 'PagedRequest'
    // error: type 'Pages' does not conform to protocol 'APIRequest'
    // error: main actor-isolated conformance of 'Page' to 'ItemPage' cannot satisfy conformance
    // error: nonisolated in a module that is isolated to the main actor
    typealias Response = Page
    var paging: Paging<Self> { .link }
}
