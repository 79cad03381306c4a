import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

struct OAuthSessionTests {
    private static let api: APIEnvironment = "https://api.example"

    private struct Dishes: APIRequest {
        typealias Definition = RawResponse
        typealias Access = Authorized
        var environment: APIEnvironment { api }
        var path: RequestPath { "/dishes" }
    }

    /// A store in memory that may refuse.
    private final class Store: TokenStore {
        struct Refusal: Error {}
        private let state: Lock<(token: IssuedToken?, refuses: Bool)>

        init(_ token: IssuedToken? = nil, refuses: Bool = false) {
            state = Lock((token, refuses))
        }

        var token: IssuedToken? { state.withLock(\.token) }

        private func change(_ token: IssuedToken?) throws {
            try state.withLock { state in
                guard !state.refuses else { throw Refusal() }
                state.token = token
            }
        }

        func save(_ token: IssuedToken) async throws { try change(token) }
        func load() async throws -> IssuedToken? { token }
        func remove() async throws { try change(nil) }
    }

    private static let old = IssuedToken(token: Secret("a1"), refreshToken: Secret("r1"), expiresAt: Bench.now)
    private static let fresh = IssuedToken(token: Secret("a9"), refreshToken: Secret("r9"))
    private static let options = RefreshOptions(now: { Bench.now })

    /// A client whose calls are answered with the token that they came with.
    private func client(_ session: OAuthSession) -> APIClient<Authorized> {
        let transport = MockTransport { request in
            HTTPResponse(status: 200, body: HTTPBody(request.headers[.authorization] ?? "none"))
        }
        return APIClient(transport: transport).authorized(by: session, for: Self.api)
    }

    private func sent(by client: APIClient<Authorized>) async throws -> String {
        String(decoding: try await client.send(Dishes()), as: UTF8.self)
    }

    @Test
    func endedTokenIsRefreshedOnceAndSaved() async throws {
        let bench = Bench(json: #"{"access_token":"a2","refresh_token":"r2","expires_in":3600}"#)
        let store = Store(Self.old)
        let client = client(OAuthSession(bench.oauth, store: store, options: Self.options))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await sent(by: client) } }
            for try await field in group { #expect(field == "Bearer a2") }
        }
        #expect(bench.transport.requests.count == 1)
        #expect(store.token?.refreshToken?.reveal() == "r2")
    }

    @Test
    func refusedRefreshAsksToSignInAgain() async throws {
        let bench = Bench(json: #"{"error":"invalid_grant"}"#, status: 400)
        let session = OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options)
        let client = client(session)
        for _ in 0..<2 {
            let error = try await thrown { try await client.send(Dishes()) }
            #expect((error as? APIError<ProblemDetails>)?.reason == .expiredToken)
            #expect((error as? APIError<ProblemDetails>)?.phase == .unauthorized)
            #expect(OAuthError(in: error)?.code == .invalidGrant)
        }
        #expect(bench.transport.requests.count == 1)
        try await session.signIn(Self.fresh)
        #expect(try await sent(by: client) == "Bearer a9")
    }

    @Test
    func otherRefusalIsNoReasonToSignInAgain() async throws {
        let bench = Bench(json: #"{"error":"invalid_client"}"#, status: 401)
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options))
        let error = try await thrown { try await client.send(Dishes()) }
        #expect((error as? APIError<ProblemDetails>)?.reason == .other)
        #expect(OAuthError(in: error)?.code == .invalidClient)
    }

    @Test
    func withoutSignInThereIsNoToken() async throws {
        let bench = Bench()
        let error = try await thrown { try await client(OAuthSession(bench.oauth, store: Store())).send(Dishes()) }
        #expect((error as? APIError<ProblemDetails>)?.reason == .missingToken)
        #expect(bench.transport.requests.isEmpty)
    }

    @Test
    func applicationAsksForItsTokenByItself() async throws {
        let bench = Bench(json: #"{"access_token":"a2","expires_in":3600}"#)
        let session = OAuthSession.clientCredentials(bench.oauth, scopes: ["read"], options: Self.options)
        let client = client(session)
        #expect(try await sent(by: client) == "Bearer a2")
        #expect(try await sent(by: client) == "Bearer a2")
        #expect(try bench.forms == [["client_id=reader", "grant_type=client_credentials", "scope=read"]])
    }

    @Test(arguments: [false, true])
    func signingOutRevokesWhatWasIssuedLast(isSavingRefused: Bool) async throws {
        let bench = Bench(json: "", "")
        let store = Store(Self.old, refuses: isSavingRefused)
        let session = OAuthSession(bench.oauth, store: store)
        try? await session.signIn(Self.fresh)
        let error = isSavingRefused ? try await thrown { try await session.signOut() } : nil
        if !isSavingRefused { try await session.signOut() }
        #expect((error is Store.Refusal) == isSavingRefused)
        let revoked = [
            ["client_id=reader", "token=r9", "token_type_hint=refresh_token"],
            ["client_id=reader", "token=a9", "token_type_hint=access_token"],
        ]
        #expect(try bench.forms == revoked)
        #expect((store.token == nil) == !isSavingRefused)
    }

    @Test
    func tokenThatNobodyHasUsedIsRevokedToo() async throws {
        let bench = Bench(json: "", "")
        let store = Store(Self.old)
        try await OAuthSession(bench.oauth, store: store).signOut()
        #expect(bench.transport.requests.count == 2)
        #expect(store.token == nil)
    }

    @Test
    func failedRevocationIsToldAndTheTokenForgotten() async throws {
        let bench = Bench(json: #"{"error":"server_error"}"#, "", status: 503)
        let store = Store(Self.old)
        let session = OAuthSession(bench.oauth, store: store)
        #expect(try await code { try await session.signOut() } == .serverError)
        #expect(store.token == nil)
    }

    @Test
    func serverWithoutTheEndpointIsNotAsked() async throws {
        let bench = Bench(OAuthServer(tokenEndpoint: "https://auth.example/token"))
        try await OAuthSession(bench.oauth, store: Store(Self.old)).signOut()
        #expect(bench.transport.requests.isEmpty)
    }

    @Test
    func sessionPrintsNoToken() async throws {
        let session = OAuthSession(Bench().oauth, store: Store(Self.old))
        var text = "\(session) \(String(reflecting: session))"
        dump(session, to: &text)
        #expect(text.contains("reader"))
        #expect(!text.contains("a1") && !text.contains("r1"))
    }
}
