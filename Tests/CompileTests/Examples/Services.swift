// The services that examples in doc comments call. An example that is about such a declaration has its own instead.
import Foundation
import Hikyaku
import HikyakuBroadcast

// Qiita, whose calls share a failure

extension APIEnvironment {
    static let qiita: Self = "https://qiita.com/api/v2"
}

struct Item: Codable, Sendable, Identifiable {
    var id: String
    var title: String
    static let sample = Item(id: "1", title: "Sample")
}

struct User: Codable, Sendable {
    var id: String
    var avatarURL: String
}

struct QiitaError: ServiceFailure, Decodable {
    let message: String
    let type: String
}

enum Qiita {
    protocol Request: APIRequest where Failure == QiitaError {}

    struct Items: Request {
        typealias Response = [Item]
        var page = 1
        var path: RequestPath { "/items" }
        var query: RequestQuery { ["page": page] }
    }

    struct ItemByID: Request {
        typealias Response = Item
        var id: String
        var path: RequestPath { "/items/\(id)" }
    }

    struct MyItems: Request {
        typealias Response = [Item]
        typealias Access = Authorized
        var path: RequestPath { "/authenticated_user/items" }
    }

    struct AuthenticatedUser: Request {
        typealias Response = User
        typealias Access = Authorized
        var path: RequestPath { "/authenticated_user" }
    }

    struct Rename: Request {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var id: String
        var title: String
        var method: HTTPMethod { .patch }
        var path: RequestPath { "/items/\(id)" }
        var body: RequestBody? { .json(["title": title]) }
    }
}

extension Qiita.Request {
    var environment: APIEnvironment { .qiita }
}

// A restaurant's shop, whose models a hub publishes

extension APIEnvironment {
    static let shop: Self = "https://shop.example/v1"
    static let mirror: Self = "https://mirror.example/v1"
}

struct Dish: KeyedModel, Codable, Sendable, Identifiable, Equatable, HubModel {
    var id: Int
    var name: String
    var isLiked = false
    static let sample = Dish(id: 1, name: "Ramen")
}

struct Info: KeyedModel, Codable, Sendable {
    var season: String
}

struct Photo: Codable, Sendable {
    var url: String
}

struct Price: Codable, Sendable {
    var dishID: Int
    var yen: Int
}

struct Order: Codable, Sendable, Identifiable {
    var id: Int
    var dishIDs: [Int] = []
}

struct ShopError: ServiceFailure, Decodable {
    let message: String
}

enum Shop {
    protocol Request: APIRequest where Failure == ShopError {}

    struct Dishes: Request, PagedRequest {
        typealias Response = [Dish]
        var page = 1
        var path: RequestPath { "/dishes" }
        var query: RequestQuery { ["page": page] }
        var paging: Paging<Self> { .link }
    }

    struct DishByID: Request {
        typealias Response = Dish
        var id: Int
        var path: RequestPath { "/dishes/\(id)" }
    }

    struct Rename: Request {
        typealias Response = Dish
        var id: Int
        var name: String
        var method: HTTPMethod { .patch }
        var path: RequestPath { "/dishes/\(id)" }
        var body: RequestBody? { .json(["name": name]) }
    }

    struct Search: Request {
        typealias Response = [Dish]
        var text: String
        var path: RequestPath { "/search" }
        var query: RequestQuery { ["q": text] }
    }

    struct Like: Request {
        typealias Response = Dish
        var id: Int
        var method: HTTPMethod { .put }
        var path: RequestPath { "/dishes/\(id)/like" }
    }

    struct MyOrders: Request {
        typealias Response = [Order]
        typealias Access = Authorized
        var path: RequestPath { "/me/orders" }
    }

    struct PlaceOrder: Request {
        typealias Response = Order
        var dishIDs: [Int]
        var method: HTTPMethod { .post }
        var path: RequestPath { "/orders" }
        var body: RequestBody? { .json(dishIDs) }
    }

    struct Prices: EventStreamRequest {
        typealias Event = Price
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/prices" }
    }

    struct Export: FileRequest {
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/export.csv" }
        var destination: FileDestination { .file(at: "/tmp/menu.csv") }
    }

    struct Avatar: Request {
        typealias Definition = ImageResponse
        var path: RequestPath { "/me/avatar" }
    }

    struct PutVideo: Request {
        typealias Definition = EmptyResponse
        var path: RequestPath { "/videos/1" }
        var method: HTTPMethod { .put }
        var body: RequestBody? { .file("/videos/1.mov") }
    }
}

extension Shop.Request {
    var environment: APIEnvironment { .shop }
}
