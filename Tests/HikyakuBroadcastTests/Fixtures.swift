import Hikyaku

struct Dish: Codable, Sendable, Equatable {
    let id: Int
    var name: String

    static let sample = Dish(id: 1, name: "Ramen")
}

struct ShopError: ServiceFailure, Decodable, Equatable {
    let message: String
}

enum Shop {
    protocol Request: APIRequest where Failure == ShopError {}

    struct Dishes: Request, PagedRequest {
        typealias Response = [Dish]
        var page = 1
        var path: RequestPath { "/dishes" }
        var query: RequestQuery { ["page": page] }
        var paging: Paging<Self> { .number(\.page) }
    }

    struct DishByID: Request {
        typealias Response = Dish
        var id: String
        var path: RequestPath { "/dishes/\(id)" }
    }
}

extension Shop.Request {
    var environment: APIEnvironment { "https://shop.example/v1" }
}

/// A request for a shape.
struct Shaped<D: ResponseDefinition>: APIRequest where D.Result: Sendable {
    typealias Response = D.Result
    typealias Definition = D
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
}
