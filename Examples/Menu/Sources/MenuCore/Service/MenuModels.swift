import Hikyaku
import HikyakuBroadcast
import MenuDomain

// What the service's answers are made of. The app's own types come from MenuDomain, where nobody knows of these
// protocols.

/// A dish is known by its `id` to all who watch it, and stands under `dish` and `dishes`.
nonisolated extension Dish: HubModel, KeyedModel {}

/// The house stands under `restaurant`.
nonisolated extension Restaurant: KeyedModel {}

/// Where the kitchen's recommendations are.
nonisolated enum Specials: ResponseKey {
    static let path = "specials"
}

/// What the service says of a page.
nonisolated struct PageInfo: Codable, Sendable {
    var page: Int
    var pageCount: Int
}

/// What the service answers when it refuses: `{"code": "sold_out", "message": "Udon is sold out."}`.
nonisolated struct MenuError: ServiceFailure, Codable {
    var code: String
    var message: String
}

nonisolated extension HikyakuJSONDecoder {
    static var snakeCase: HikyakuJSONDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

nonisolated extension HikyakuJSONEncoder {
    static var snakeCase: HikyakuJSONEncoder {
        var encoder = HikyakuJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}
