import Hikyaku

/// Explicitly isolated, whatever the module's default.
@MainActor struct Dish: @MainActor Decodable, Sendable { var name: String }

nonisolated struct Dishes: APIRequest {  // error: type 'Dishes' does not conform to protocol 'APIRequest'
    // error: in its own declaration an APIModel if the module isolates to the main actor
    typealias Response = [Dish]
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/dishes" }
}
