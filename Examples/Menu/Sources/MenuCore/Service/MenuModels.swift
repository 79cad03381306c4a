import Hikyaku
import HikyakuBroadcast
import MenuDomain

// The models in the service's responses. The app's own types come from MenuDomain, which does not use these
// protocols.

/// Subscribers identify a dish by its `id`; its keys in responses are `dish` and `dishes`.
nonisolated extension Dish: HubModel, KeyedModel {}

/// The key in responses is `restaurant`.
nonisolated extension Restaurant: KeyedModel {}

/// The path to the kitchen's recommendations.
enum Specials: ResponseKey {
    static let path = "specials"
}

/// The service's information about a page.
struct PageInfo: APIModel, Codable {
    var page: Int
    var pageCount: Int
}

/// The service's own error: `{"code": "sold_out", "message": "Udon is sold out."}`.
struct MenuError: ServiceFailure, Codable {
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
