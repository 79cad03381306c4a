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

func slug(_ text: String) -> String { text }

struct Dishes: APIRequest {
    typealias Response = [String]
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/\(slug("a"))" }
    // error: call to main actor-isolated global function 'slug' in a synchronous nonisolated context
}
