import Foundation
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

    /// The response to TRACE repeats the request, also to whoever reads it.
    @Test func traceCarriesNoCredentialAndNoCookie() async throws {
        struct Trace: APIRequest {
            typealias Definition = EmptyResponse
            typealias Access = Authorized
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/trace" }
            var method: HTTPMethod { .trace }
        }
        let store = MemoryCookieStore()
        store.store(["a=1"], from: CookieScope(url: try #require(URL(string: "https://shop.example/v1"))))
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
            .authorized(by: .bearer("t0ken"), for: .shop)
        try await client.send(Trace())
        let fields = try #require(transport.requests.last?.headers)
        #expect(!fields.contains(.authorization) && !fields.contains(.cookie))
    }

    @Test func anUnusableTokenNeverReachesTheWire() async throws {
        let missing = try await failureReason(.bearer(nil))
        #expect(missing.reason == .missingToken)
        #expect(missing.context.attempt == 0)
        #expect(missing.recoverySuggestion == "Sign in, then try again.")
        #expect(try await failureReason(.bearer("")).reason == .emptyToken)
        #expect(try await failureReason(AskedToken { nil }).reason == .missingToken)
        #expect(try await failureReason(.bearer("a\r\nX-Injected: b")).reason == .malformedCredential)
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

    /// A page whose URL came from a service, requested in each of the possible ways.
    private struct Page: APIRequest {
        struct Response: Decodable, Sendable { let next: URL }
        typealias Access = Authorized
        let url: URL
        let isEnvironmentKept: Bool
        var environment: APIEnvironment {
            isEnvironmentKept ? .shop : APIEnvironment(baseURL: "\(url.scheme ?? "")://\(url.host() ?? "")")
        }
        var path: RequestPath { "/ignored" }
        func prepare(_ request: inout HTTPRequest) throws { request.url = url }
    }

    @Test(arguments: [false, true], [false, true])
    func aLinkToAnotherOriginIsNotFollowedWithTheCredential(isInField: Bool, isEnvironmentKept: Bool) async throws {
        let elsewhere = "https://evil.example/dishes?page=2"
        let transport = MockTransport { _ in
            HTTPResponse(
                status: 200,
                headers: [.contentType: "application/json", .link: "<\(elsewhere)>; rel=\"next\""],
                body: HTTPBody(#"{"next":"\#(elsewhere)"}"#),
            )
        }
        let client = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
        let first = try #require(URL(string: "https://shop.example/v1/dishes"))
        let response = try await client.bind(Page(url: first, isEnvironmentKept: true)).response()
        let link = try #require(response.headers[.link]?.split(separator: ">").first?.dropFirst())
        let next = isInField ? try #require(URL(string: String(link))) : response.value.next
        #expect(next.absoluteString == elsewhere)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Page(url: next, isEnvironmentKept: isEnvironmentKept))
        }
        #expect(error.reason == .otherOrigin && error.phase == .unauthorized)
        #expect(transport.requests.map(\.url) == [first])
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

    @Test func tenantsOfOneOriginKeepTheirOwnCredentials() async throws {
        let client = APIClient(transport: transport)
            .authorized(by: .bearer("one"), for: "https://gw.example/tenant1")
            .authorized(by: .bearer("two"), for: "https://gw.example/tenant2")
        try await client.send(Elsewhere(environment: "https://gw.example/tenant1"))
        try await client.send(Elsewhere(environment: "https://gw.example/tenant2/"))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer one", "Bearer two"])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Elsewhere(environment: "https://gw.example/tenant3"))
        }
        #expect(error.reason == .otherOrigin, "which of two it should be would be a guess")
    }

    @Test func theProviderIsCalledForItsEnvironment() async throws {
        struct Naming: TokenProvider {
            func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
                AccessToken(environment.baseURL)
            }
        }
        try await APIClient(transport: transport).authorized(by: Naming(), for: "https://shop.example/")
            .send(Shop.AddDish(dish: .sample))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer https://shop.example/"])
    }

    private enum Admin: AccessLevel { typealias Includes = Authorized }
    private enum Owner: AccessLevel { typealias Includes = Admin }

    private struct Close: Shop.Request {
        typealias Definition = EmptyResponse
        typealias Access = Admin
        var path: RequestPath { "/close" }
    }

    @Test func aLevelOfOnesOwnIncludesThoseBelow() async throws {
        let owner = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop, as: Owner.self)
        try await owner.send(Close())
        try await owner.send(Shop.AddDish(dish: .sample))
        try await owner.send(Elsewhere(environment: .shop))
        #expect(transport.requests.count == 3)
    }

    /// A provider that sends a call of its own to refresh its token.
    private struct Refreshing: TokenProvider {
        let client: APIClient<Public>
        func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
            AccessToken(try await client.send(Shop.DishByID(id: "token")).name)
        }
    }

    @Test func whatFailsInARefreshIsNotTheCallsOwn() async throws {
        let refresh = MockTransport()
        refresh.enqueue(.json(#"{"message":"no"}"#, status: 503))
        refresh.enqueue(.failure(TransportError(.networkUnreachable, "")))
        refresh.enqueue(.failure(CancellationError()))
        let client = APIClient(transport: refresh, options: ClientOptions(retryPolicy: .never))
        let provider = Refreshing(client: client)
        let refused = try await failureReason(provider)
        #expect(refused.reason == .service && refused.service(as: ShopError.self) == nil)
        #expect(refused.context.method == .post && refused.context.attempt == 0)
        #expect((refused.context.underlyingError as? APIError<ShopError>)?.phase == .service)
        #expect(refused.isRetryable && refused.response == nil)
        #expect(try await failureReason(provider).isOffline)
        #expect(try await failureReason(provider).isCancelled)
        #expect(transport.requests.isEmpty)
    }
}
