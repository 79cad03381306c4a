import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct Close: APIRequest {
    typealias Definition = EmptyResponse
    typealias Access = Authorized
    var environment: APIEnvironment { .shop }
    var path: RequestPath { "/close" }
}

private struct Peek: APIRequest {
    typealias Definition = EmptyResponse
    typealias Access = AuthorizedIfPossible
    var environment: APIEnvironment { .shop }
    var path: RequestPath { "/peek" }
}

/// A token that is another one after each rejection.
private actor CountedToken: TokenProvider {
    private var count = 1

    func token(for environment: APIEnvironment) -> AccessToken<NotReady> { AccessToken("t\(count)") }

    func token(replacing rejected: AccessToken<Ready>, for environment: APIEnvironment) -> AccessToken<NotReady>? {
        count += rejected.reveal() == "t\(count)" ? 1 : 0
        return AccessToken("t\(count)")
    }
}

@Suite struct CombinedTokensTests {
    private let transport = MockTransport { _ in HTTPResponse(status: 204) }

    @Test func eachTokenIsInItsPlace() async throws {
        let client = APIClient(transport: transport).authorized(
            by: .all(
                .apiKey("k", in: .header("X-Key")),
                .bearer("t"),
                .apiKey("q", in: .query("key")),
                .apiKey("c", in: .cookie("sid")),
            ),
            for: .shop,
        )
        try await client.send(Close())
        let request = try #require(transport.requests.first)
        #expect(request.headers["X-Key"] == "k" && request.headers[.authorization] == "Bearer t")
        #expect(request.url.query() == "key=q" && request.headers[.cookie] == "sid=c")
    }

    @Test func aMissingTokenEndsTheCall() async throws {
        let client = APIClient(transport: transport).authorized(by: .all(.bearer("t"), .bearer(nil)), for: .shop)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Close()) }
        #expect(error.reason == .missingToken && transport.requests.isEmpty)
        try await client.send(Peek())
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test func noTokensAreAMissingOne() async throws {
        let client = APIClient(transport: transport).authorized(by: .all(), for: .shop)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Close()) }
        #expect(error.reason == .missingToken)
    }

    @Test func aRejectedTokenIsReplacedBesideTheOthers() async throws {
        let transport = MockTransport { request in
            HTTPResponse(status: request.headers[.authorization] == "Bearer t1" ? 401 : 204)
        }
        let client = APIClient(transport: transport)
            .authorized(by: .all(.apiKey("k", in: .header("X-Key")), CountedToken()), for: .shop)
        try await client.send(Close())
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t1", "Bearer t2"])
        #expect(transport.requests.allSatisfy { $0.headers["X-Key"] == "k" })
    }

    @Test func signingOutDeletesAllOfThem() async throws {
        let (key, token) = (APIKey("k", in: .header("X-Key")), BearerToken("t"))
        let client = APIClient(transport: transport).authorized(by: .all(key, token), for: .shop)
        try await client.signOut()
        #expect(try await key.token(for: .shop) == AccessToken(nil as String?, in: .header("X-Key")))
        #expect(try await token.token(for: .shop) == AccessToken(nil as String?))
    }
}
