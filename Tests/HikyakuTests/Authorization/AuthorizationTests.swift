import FoundationEssentials
import Hikyaku
import HikyakuTesting
import Testing

private struct Elsewhere: APIRequest {
    typealias Definition = EmptyResponse
    typealias Access = Authorized
    var environment: APIEnvironment
    var path: RequestPath { "/me" }
}

@Suite struct AuthorizationTests {
    private let transport = MockTransport { _ in HTTPResponse(status: 204) }

    private func failureReason(_ provider: some TokenProvider) async throws -> APIError<ShopError> {
        let client = APIClient(transport: transport).authorized(by: provider, for: .shop)
        return try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
    }

    @Test func theCredentialGoesWithRequestsThatNeedItAlone() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("[]") })
            .authorized(by: .bearer("t0ken"), for: .shop)
        _ = try await client.send(Shop.Dishes())
        try await APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
            .send(Shop.AddDish(dish: .sample))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t0ken"])
    }

    @Test func anUnusableTokenNeverReachesTheWire() async throws {
        let missing = try await failureReason(.bearer(nil))
        #expect(missing.reason == .missingToken)
        #expect(missing.context.attempts == 0)
        #expect(missing.recoverySuggestion == "Sign in, then try again.")
        #expect(try await failureReason(.bearer("")).reason == .emptyToken)
        #expect(try await failureReason(AskedToken { nil }).reason == .missingToken)
        #expect(try await failureReason(.bearer("a\r\nX-Injected: b")).reason == .header)
        #expect(transport.requests.isEmpty)
    }

    @Test func whatAProviderThrowsIsKept() async throws {
        let error = try await failureReason(AskedToken { throw NothingThrown() })
        #expect(error.phase == .other)
        #expect(error.context.underlyingError is NothingThrown)
        #expect(try await failureReason(AskedToken { throw CancellationError() }).isCancelled)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        "http://shop.example/v1", "https://shop.example:8443/v1", "https://evil.example/v1",
        "https://shop.example.evil",
    ])
    func aRequestElsewhereIsUnauthorizedBeforeTheWire(baseURL: String) async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Elsewhere(environment: APIEnvironment(baseURL: baseURL)))
        }
        #expect(error.reason == .otherOrigin)
        #expect(transport.requests.isEmpty)
    }

    @Test func aMiddlewareThatSendsARequestElsewhereGetsNoCredentialThere() async throws {
        struct Diverting: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.url = try #require(URL(string: "https://evil.example/"))
                return try await next(request)
            }
        }
        let client = APIClient(transport: transport, middleware: [Diverting()])
            .authorized(by: .bearer("t"), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .otherOrigin)
        #expect(transport.requests.isEmpty)
    }

    @Test func aCredentialDoesNotFollowASubstitutedEnvironmentByItself() async throws {
        let staging: APIEnvironment = "https://staging.example"
        let client = APIClient(transport: transport).substituting(staging, for: .shop)
            .authorized(by: .bearer("production"), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .otherOrigin)
        #expect(error.failureReason?.contains("https://staging.example/dishes") == true)
        #expect(client.environment(for: .shop) == staging)
        try await client.authorized(by: .bearer("staging"), for: client.environment(for: .shop))
            .send(Shop.AddDish(dish: .sample))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer staging"])
    }

    @Test func oneClientHoldsCredentialsForSeveralServices() async throws {
        let client = APIClient(transport: transport)
            .authorized(by: .bearer("shop"), for: .shop)
            .authorized(by: AskedToken { "other" }, for: "https://other.example")
        try await client.send(Shop.AddDish(dish: .sample))
        try await client.send(Elsewhere(environment: "https://OTHER.example:443/v9"))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer shop", "Bearer other"])
    }
}
