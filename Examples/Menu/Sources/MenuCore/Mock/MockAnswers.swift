import Hikyaku
import MenuDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct TodayAnswer: APIModel, Encodable {
    var restaurant: Restaurant
    var specials: [Dish]
}

struct PageAnswer: APIModel, Encodable {
    var dishes: [Dish]
    var page: Int
    var pageCount: Int
}

struct FavouriteBody: APIModel, Decodable {
    var isFavourite: Bool
}

nonisolated extension HTTPResponse {
    /// A document as the service writes it.
    static func encoding(_ value: some Encodable, status: HTTPStatus = .ok) throws -> HTTPResponse {
        .json(String(decoding: try Menu.encoder.encode(value), as: UTF8.self), status: status)
    }

    /// The service's own error.
    static func error(_ status: HTTPStatus, _ code: String, _ message: String) throws -> HTTPResponse {
        try .encoding(MenuError(code: code, message: message), status: status)
    }

    static var noSuchDish: HTTPResponse {
        get throws { try .error(.notFound, "no_dish", "There is no such dish.") }
    }
}

nonisolated extension HTTPRequest {
    func queryItem(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
    }

    func decode<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        try Menu.decoder.decode(type, from: try await body?.collect() ?? Data())
    }
}
