import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Calls whose token the service rejects.
@Suite struct ResendTests {
    /// Returns one token after the other as replacements.
    private final class Rotating: TokenProvider {
        let tokens: Lock<[String]>
        let refused = Lock<[String?]>([])

        init(_ tokens: [String]) {
            self.tokens = Lock(tokens)
        }

        func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
            AccessToken(tokens.withLock { $0.first })
        }

        func token(
            replacing refused: AccessToken<Ready>,
            for environment: APIEnvironment,
        ) async throws -> AccessToken<NotReady>? {
            self.refused.withLock { $0.append(refused.reveal()) }
            return tokens.withLock { tokens in
                if tokens.count > 0 { tokens.removeFirst() }
                return tokens.first.map { AccessToken($0) }
            }
        }
    }

    private let transport = MockTransport { request in
        HTTPResponse(status: request.headers[.authorization] == "Bearer good" ? 204 : 401)
    }

    private func client(_ provider: some TokenProvider) -> APIClient<Authorized> {
        APIClient(transport: transport).authorized(by: provider, for: .shop)
    }

    private var authorizations: [String?] { transport.requests.map { $0.headers[.authorization] } }

    @Test func aRejectedCallIsSentOnceMoreWithAnotherToken() async throws {
        let provider = Rotating(["old", "good"])
        try await client(provider).send(Shop.AddDish(dish: .sample))
        #expect(authorizations == ["Bearer old", "Bearer good"])
        #expect(provider.refused.withLock(\.self) == ["old"])
        #expect(Set(transport.requests.map { $0.body?.bytes }).count == 1)
    }

    @Test func aCallIsSentTwiceAtMost() async throws {
        let provider = Rotating(["old", "older", "good"])
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(provider).send(Shop.AddDish(dish: .sample))
        }
        #expect(error.response?.status == 401 && error.context.attempt == 2)
        #expect(authorizations == ["Bearer old", "Bearer older"])
    }

    @Test func withoutAnotherTokenTheCallerGetsTheResponse() async throws {
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(.bearer("old")).send(Shop.AddDish(dish: .sample))
        }
        #expect(error.response?.status == 401)
        #expect(authorizations == ["Bearer old"])
    }

    @Test func aTokenThatWasReplacedMeanwhileIsSent() async throws {
        let token = Lock("old")
        let provider = AskedToken {
            token.withLock { token in
                defer { token = "good" }
                return token
            }
        }
        try await client(provider).send(Shop.AddDish(dish: .sample))
        #expect(authorizations == ["Bearer old", "Bearer good"])
    }

    private struct Upload: Shop.Request {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var method: HTTPMethod { .post }
        var path: RequestPath { "/upload" }
        var body: RequestBody? {
            let pieces = AsyncStream<Data> { continuation in
                continuation.yield(Data("x".utf8))
                continuation.finish()
            }
            return .stream(HTTPBody(pieces), type: "text/plain")
        }
    }

    @Test func aBodyThatIsGoneIsNotSentAgain() async throws {
        let provider = Rotating(["old", "good"])
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(provider).send(Upload())
        }
        #expect(error.response?.status == 401 && error.context.attempt == 1)
        #expect(provider.refused.withLock(\.self) == ["old"], "the next call has another token")
        try await client(provider).send(Upload())
        #expect(authorizations == ["Bearer old", "Bearer good"])
    }

    @Test func anErrorOfTheProviderDoesNotHideTheRejection() async throws {
        struct Unwilling: TokenProvider {
            func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken("old") }
            func token(
                replacing refused: AccessToken<Ready>,
                for environment: APIEnvironment,
            ) async throws -> AccessToken<NotReady>? { throw TokenError.expired }
        }
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(Unwilling()).send(Upload())
        }
        #expect(error.response?.status == 401)
    }

    private struct Needing<Base: APIRequest>: RequestProxy {
        typealias Access = Authorized
        var request: Base
    }

    @Test func aRejectedTokenOfTheRequestIsNotTheClients() async throws {
        let provider = Rotating(["old", "good"])
        let own = try Shop.AddDish(dish: .sample).authorized(by: AccessToken("mine"))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(provider).send(Needing(request: own))
        }
        #expect(error.response?.status == 401)
        #expect(authorizations == ["Bearer mine"])
        #expect(provider.refused.withLock(\.self).isEmpty)
    }

    @Test func aCredentialThatWasNotSentIsNotReplaced() async throws {
        let provider = Rotating(["old", "good"])
        struct Own: Shop.Request {
            typealias Definition = EmptyResponse
            typealias Access = Authorized
            var path: RequestPath { "/own" }
            var headers: HTTPHeaders { [.authorization: "Own 1"] }
        }
        _ = try await failure { () async throws(APIError<ShopError>) in try await client(provider).send(Own()) }
        _ = try await failure { () async throws(APIError<ShopError>) in try await client(provider).send(Shop.Dishes()) }
        #expect(authorizations == ["Own 1", nil])
        #expect(provider.refused.withLock(\.self).isEmpty)
    }

    @Test func a401FromAnotherOriginDoesNotRejectTheToken() async throws {
        let provider = Rotating(["old", "good"])
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "https://other.example/"]))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(provider).send(Shop.AddDish(dish: .sample))
        }
        #expect(error.response?.status == 401)
        #expect(authorizations == ["Bearer old", nil])
        #expect(provider.refused.withLock(\.self).isEmpty)
    }

    /// Sends each call three times.
    private struct Repeating: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            _ = try await next(request)
            _ = try await next(request)
            return try await next(request)
        }
    }

    @Test func aCallIsSentOnceMoreHoweverOftenItIsTried() async throws {
        let client = APIClient(transport: transport, middleware: [Repeating()])
            .authorized(by: Rotating(["a", "b", "c", "d", "e", "f"]), for: .shop)
        _ = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(authorizations == ["Bearer a", "Bearer b", "Bearer b", "Bearer b"])
    }

    @Test func anotherTokenIsLookedAtToo() async throws {
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(Rotating(["old", ""])).send(Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .emptyToken && error.context.attempt == 1)
    }
}
