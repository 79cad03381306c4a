// compiles where nothing is isolated by default
import Hikyaku

extension APIEnvironment {
    static let shop: Self = "https://shop.example"
}

nonisolated struct Specials: APIRequest {
    typealias Response = [String]
    var environment: APIEnvironment { .shop }
    // error: main actor-isolated static property 'shop' can not be referenced from a nonisolated context
    var path: RequestPath { "/specials" }
}
