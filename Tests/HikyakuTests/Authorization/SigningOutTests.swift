import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@Suite struct SigningOutTests {
    private struct Stubborn: Error {}

    private final class Kept: TokenProvider, HTTPMiddleware {
        let token: Lock<String?>
        let environments = Lock<[String]>([])
        let error: (any Error)?

        init(_ token: String? = nil, error: (any Error)? = nil) {
            self.token = Lock(token)
            self.error = error
        }

        func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
            AccessToken(token.withLock(\.self))
        }

        func signOut() async throws {
            token.withLock { $0 = nil }
            if let error { throw error }
        }

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            try await next(request)
        }

        func signedOut(of environment: APIEnvironment) async throws {
            environments.withLock { $0.append(environment.baseURL) }
        }
    }

    private let transport = MockTransport { _ in HTTPResponse(status: 204) }

    private func cookies() throws -> MemoryCookieStore {
        let store = MemoryCookieStore()
        for (name, domain, isHostOnly) in [
            ("host", "shop.example", true), ("domain", "shop.example", false), ("parent", "example", false),
            ("deeper", "a.shop.example", false), ("other", "other.example", true),
        ] as [(String, String, Bool)] {
            try store.insert(Cookie(name: name, value: "v", domain: domain, isHostOnly: isHostOnly, path: "/deep"))
        }
        return store
    }

    @Test func tokensCookiesAndWhatMiddlewareKeepsAreForgotten() async throws {
        let (shop, other, cache) = (Kept("shop"), Kept("other"), Kept())
        let cookies = try cookies()
        let client = APIClient(transport: transport, middleware: [cache], options: ClientOptions(cookies: cookies))
            .authorized(by: shop, for: .shop).authorized(by: other, for: "https://other.example")
        try await client.signOut(of: .shop)
        #expect(shop.token.withLock(\.self) == nil && other.token.withLock(\.self) == "other")
        #expect(cookies.cookies.map(\.name) == ["deeper", "other"])
        #expect(cache.environments.withLock(\.self) == [APIEnvironment.shop.baseURL])
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .missingToken)
        try await client.signOut()
        #expect(other.token.withLock(\.self) == nil)
        #expect(cookies.cookies.map(\.name) == ["deeper"])
    }

    @Test func whatNeverChangesIsForgottenToo() async throws {
        for client in [
            APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop),
            APIClient(transport: transport).authorized(by: .basic(user: "u", password: "p"), for: .shop),
            APIClient(transport: transport).authorized(by: .apiKey("k", in: .query("key")), for: .shop),
        ] {
            try await client.send(Shop.AddDish(dish: .sample))
            try await client.signOut()
            let error = try await failure { () async throws(APIError<ShopError>) in
                try await client.send(Shop.AddDish(dish: .sample))
            }
            #expect(error.reason == .missingToken)
        }
        #expect(transport.requests.count == 3)
    }

    @Test func theCredentialIsFoundAsCallsFindIt() async throws {
        let staging: APIEnvironment = "https://staging.example"
        let (provider, other) = (Kept("t"), Kept("o"))
        let client = APIClient(transport: transport).substituting(staging, for: .shop).authorized(
            by: provider,
            for: staging,
        )
        try await client.signOut(of: .shop)
        #expect(provider.token.withLock(\.self) == nil)
        let sibling = APIClient(transport: transport).authorized(by: other, for: "https://shop.example/v2")
        try await sibling.signOut(of: .shop)
        #expect(other.token.withLock(\.self) == nil)
        let error = await #expect(throws: TransportError.self) { try await sibling.signOut(of: staging) }
        #expect(error?.reason == .otherOrigin)
    }

    @Test(.timeLimit(.minutes(10)))
    func aProviderThatTakesItsTimeHoldsNothingUp() async throws {
        final class Slow: TokenProvider {
            let gate = Gate()
            let isRequested = Lock(false)
            func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken("t") }
            func signOut() async throws {
                isRequested.withLock { $0 = true }
                await gate.wait()
            }
        }
        let (slow, other, cache) = (Slow(), Kept("other"), Kept())
        let cookies = try cookies()
        let client = APIClient(transport: transport, middleware: [cache], options: ClientOptions(cookies: cookies))
            .authorized(by: slow, for: .shop).authorized(by: other, for: "https://other.example")
        let signOut = Task { try await client.signOut() }
        try #require(try await holds { slow.isRequested.withLock(\.self) && other.token.withLock({ $0 == nil }) })
        #expect(cookies.cookies.map(\.name) == ["deeper"])
        #expect(cache.environments.withLock(\.self).count == 2)
        slow.gate.open()
        try await signOut.value
    }

    @Test func oneFailureKeepsNothingElse() async throws {
        let (shop, other, cache) = (Kept("shop", error: Stubborn()), Kept("other", error: Stubborn()), Kept())
        let cookies = try cookies()
        let client = APIClient(transport: transport, middleware: [cache], options: ClientOptions(cookies: cookies))
            .authorized(by: shop, for: .shop).authorized(by: other, for: "https://other.example")
        await #expect(throws: Stubborn.self) { try await client.signOut() }
        #expect(shop.token.withLock(\.self) == nil && other.token.withLock(\.self) == nil)
        #expect(cookies.cookies.map(\.name) == ["deeper"])
        #expect(cache.environments.withLock(\.self).count == 2)
    }
}
