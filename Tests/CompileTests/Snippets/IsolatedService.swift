// compiles where nothing is isolated by default
import Hikyaku

protocol ShopRequest: APIRequest {}

extension ShopRequest {
    var environment: APIEnvironment { "https://shop.example" }
}

struct Dishes: ShopRequest {
    // error: conformance of 'Dishes' to protocol '_TargetSpelling' crosses into main actor-isolated code
    // error: conformance of 'Dishes' to protocol 'APIRequest' crosses into main actor-isolated code and can cause data races
    // note: main actor-isolated property 'environment' cannot satisfy nonisolated requirement
    typealias Response = [Int]
    var path: RequestPath { "/dishes" }
}

// A type that conforms to a Sendable protocol directly isn't isolated by default.
struct Specials: APIRequest {
    typealias Response = [Int]
    var environment: APIEnvironment { "https://shop.example" }
    var path: RequestPath { "/specials" }
}

struct ShopError: ServiceFailure, Decodable {
    var message: String
}

struct DeviceHeader: HTTPMiddleware {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        try await next(request)
    }
}

struct SessionToken: TokenProvider {
    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken("t0ken") }
}
