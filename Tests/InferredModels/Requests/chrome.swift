import Foundation
import Hikyaku

nonisolated extension APIEnvironment {
    static let shop: Self = "https://shop.example/api/v2"
}

/// Authorized by `client.authorized(by: .bearer(token), for: .shop)`.
struct UpdateOrder: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var userID: UUID
    var orderID: Int
    var content: UpdateOrderBody
    var expand: String?
    var debug: Bool?
    var xCsrfToken: Secret<String>?
    var xClientName: String?

    var method: HTTPMethod { .patch }
    var environment: APIEnvironment { .shop }
    var path: RequestPath { "/users/\(userID)/orders/\(orderID)" }
    var query: RequestQuery { ["expand": expand, "debug": debug] }
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = [:]
        headers["x-csrf-token"] = xCsrfToken?.reveal()
        headers["x-client-name"] = xClientName
        return headers
    }
    var body: RequestBody? { .json(content) }
}

/// Inferred from one object, so that all that it has is required.
struct UpdateOrderBody: APIModel, Codable, Hashable {
    var note: String
    var lines: [Line]
    var dueOn: CalendarDate

    private enum CodingKeys: String, CodingKey {
        case note, lines
        case dueOn = "due_on"
    }
}

struct Line: APIModel, Codable, Hashable {
    var sku: String
    var count: Int
    var gift: Bool?
}
