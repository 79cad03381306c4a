import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
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

    /// A store in memory that may fail.
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

    /// A secret that was replaced is the app's problem: nobody has to sign in again.
    @Test(arguments: ["invalid_client", "unauthorized_client"], [true, false])
    func aRejectedApplicationIsUnauthorized(code: String, isUser: Bool) async throws {
        let bench = Bench(json: "{\"error\":\"\(code)\"}", status: isUser ? 401 : 400)
        let session =
            isUser
            ? OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options)
            : .clientCredentials(bench.oauth, options: Self.options)
        let error = try await thrown { try await client(session).send(Dishes()) } as? APIError<ProblemDetails>
        #expect(error?.reason == .rejectedClient && error?.phase == .unauthorized && error?.isRetryable == false)
        let text = error?.description ?? ""
        #expect(text.contains(code) && text.components(separatedBy: "(hint:").count == 2, "\(text)")
        #expect(error?.hint == "Compare the client ID and secret with the application's registration.")
        #expect(error.flatMap { OAuthError(in: $0)?.code.rawValue } == code)
    }

    /// A provider of an app's own that lets the error of its call pass.
    @Test func theErrorOfAProvidersOwnCallIsUnauthorized() async throws {
        struct Provider: TokenProvider {
            let oauth: OAuthClient
            func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
                try await oauth.clientCredentials().accessToken
            }
        }
        let bench = Bench(json: #"{"error":"invalid_client"}"#, status: 401)
        let transport = MockTransport()
        let client = APIClient(transport: transport).authorized(by: Provider(oauth: bench.oauth), for: Self.api)
        let error = try await thrown { try await client.send(Dishes()) } as? APIError<ProblemDetails>
        #expect(error?.reason == .rejectedClient && transport.requests.isEmpty)
    }

    @Test
    func aRejectedRefreshRequiresSigningInAgain() async throws {
        try await requiresSigningInAgain("invalid_grant", 400)
    }

    /// The words of GitHub, of Slack and of OpenID Connect.
    @Test(arguments: ["bad_refresh_token", "invalid_refresh_token", "token_revoked", "login_required"])
    func aRejectedRefreshIsOneInTheWordsOfServices(_ code: String) async throws {
        try await requiresSigningInAgain(code, 200)
    }

    /// Some servers answer so by a fault of their own.
    @Test(arguments: ["invalid_grant", "token_revoked", "invalid_client"])
    func aVerdictWithAStatusOf500IsFinal(_ code: String) async throws {
        let answers = Array(
            repeating: MockTransport.Answer.response(.json("{\"error\":\"\(code)\"}", status: 500)),
            count: 3,
        )
        let bench = Bench(answers: answers)
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options))
        let error = try await thrown { try await client.send(Dishes()) } as? APIError<ProblemDetails>
        #expect(error?.reason == (code == "invalid_client" ? .rejectedClient : .expiredToken))
        #expect(error?.isRetryable == false && error.map(OAuthSession.isTransient) == false)
    }

    private func requiresSigningInAgain(_ code: String, _ status: HTTPStatus) async throws {
        let bench = Bench(json: "{\"ok\":false,\"error\":\"\(code)\"}", status: status)
        let session = OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options)
        let client = client(session)
        for _ in 0..<2 {
            let error = try await thrown { try await client.send(Dishes()) }
            #expect((error as? APIError<ProblemDetails>)?.reason == .expiredToken)
            #expect((error as? APIError<ProblemDetails>)?.phase == .unauthorized)
            #expect(OAuthError(in: error)?.code == OAuthError.Code(code))
        }
        #expect(bench.transport.requests.count == 1)
        try await session.signIn(Self.fresh)
        #expect(try await sent(by: client) == "Bearer a9")
    }

    /// The network answers in place of the server.
    @Test func aPortalBeforeTheServerIsNotAFaultOfTheApp() async throws {
        let bench = Bench(answers: [.response(Self.page)])
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options))
        let error = try await thrown { try await client.send(Dishes()) } as? APIError<ProblemDetails>
        #expect(error?.recoverySuggestion?.contains("Open a web page in a browser") == true, "\(error as Any)")
        #expect(error?.hint?.contains("JSON object") == false)
    }

    /// The hint is that of the code, and not of a request that the app has written.
    @Test(arguments: [
        ("access_denied", 403, "denied the request"), ("invalid_client", 401, "client ID and secret"),
        ("incorrect_client_credentials", 200, "client ID and secret"), ("own_word", 400, "gave no details"),
    ])
    func anOAuthErrorIsAdvisedByItsCode(_ code: String, _ status: Int, _ hint: String) async throws {
        let bench = Bench(json: "{\"error\":\"\(code)\"}", status: HTTPStatus(status))
        let error = try await thrown { try await bench.oauth.clientCredentials() } as? APIError<OAuthError>
        #expect(error?.hint?.contains(hint) == true, "\(error as Any)")
        #expect(error?.hint?.contains("Access is Public") == false && error?.hint?.contains("curlCommand") == false)
    }

    @Test
    func aRejectionOfTheApplicationIsTheUnderlyingError() async throws {
        let bench = Bench(json: #"{"error":"invalid_client"}"#, status: 401)
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options))
        let error = try await thrown { try await client.send(Dishes()) }
        #expect((error as? APIError<ProblemDetails>)?.reason == .rejectedClient)
        #expect(OAuthError(in: error)?.code == .invalidClient)
    }

    @Test(arguments: ["temporarily_unavailable", "server_error"])
    func aFaultOfTheServerIsNotTheApps(_ code: String) async throws {
        let bench = Bench(json: "{\"error\":\"\(code)\"}", status: 400)
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options))
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Dishes()) }
        #expect(error.reason != .rejectedClient && error.isRetryable, "\(error)")
        #expect(error.recoverySuggestion?.contains("later") == true, "\(error.recoverySuggestion ?? "")")
    }

    /// The policy of redirects is not an app's to choose.
    @Test func anEndpointThatHasMovedIsToBeGiven() async throws {
        let bench = Bench(answers: [.response(HTTPResponse(status: 301, headers: [.location: "/new"]))])
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: Self.options))
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Dishes()) }
        #expect(error.hint?.contains("give the OAuthServer the address") == true, "\(error)")
    }

    private static let page = HTTPResponse(
        status: 200,
        headers: [.contentType: "text/html"],
        body: "<html>Sign in to the network</html>",
    )

    /// The error instead of a token, and whether the next call after a pause may try again.
    private static let answers: [(HTTPResponse, Bool)] = [
        (.json(#"{"error":"temporarily_unavailable"}"#, status: 400), true),
        (.json(#"{"error":"server_error"}"#, status: 400), true),
        (.json(#"{"error":"slow_down"}"#, status: 400), true),
        (.json(#"{"error":"server_error"}"#), true), (page, true), (.json("{}"), true),
        (HTTPResponse(status: 302, headers: [.location: "https://portal.example/"]), true),
        (HTTPResponse(status: 404), true), (.json(#"{"error":"invalid_request"}"#, status: 503), true),
        (.json(#"{"error":"invalid_grant"}"#, status: 400), false), (.json(#"{"error":"invalid_grant"}"#), false),
        (.json(#"{"error":"invalid_client"}"#, status: 401), false),
        (.json(#"{"error":"own_word"}"#, status: 400), false), (.json("[", status: 400), false),
        (HTTPResponse(status: 401), false), (HTTPResponse(status: 400, body: "no"), false),
        (HTTPResponse(status: 401, headers: [.contentType: "text/html"], body: "<html>Sign in</html>"), true),
    ]

    @Test(arguments: answers.indices)
    func onlyTheServersVerdictIsFinal(index: Int) async throws {
        let (answer, isTransient) = Self.answers[index]
        let bench = Bench(answers: [.response(answer), .response(.json(#"{"access_token":"a2","expires_in":3600}"#))])
        let clock = ManualClock()
        let options = RefreshOptions(clock: clock, now: { Bench.now })
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: options))
        _ = try await thrown { try await client.send(Dishes()) }
        clock.advance(by: .seconds(10))
        if isTransient {
            #expect(try await sent(by: client) == "Bearer a2")
        } else {
            _ = try await thrown { try await client.send(Dishes()) }
            #expect(bench.transport.requests.count == 1)
        }
    }

    @Test(arguments: [("120", 120.0), ("3", 10), ("99999", 3600)])
    func theServersRetryAfterProlongsThePause(_ retryAfter: String, _ seconds: Double) async throws {
        let busy = HTTPResponse(status: 503, headers: ["Retry-After": retryAfter])
        let token = HTTPResponse.json(#"{"access_token":"a2","expires_in":3600}"#)
        let bench = Bench(answers: [.response(busy), .response(token)])
        let clock = ManualClock()
        let options = RefreshOptions(clock: clock, now: { Bench.now })
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: options))
        _ = try await thrown { try await client.send(Dishes()) }
        clock.advance(by: .seconds(seconds) - .milliseconds(1))
        _ = try await thrown { try await client.send(Dishes()) }
        #expect(bench.transport.requests.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await sent(by: client) == "Bearer a2")
    }

    @Test
    func theOptionDecidesWhichFailuresAreTransient() async throws {
        let bench = Bench(answers: [.response(Self.page)])
        let clock = ManualClock()
        let options = RefreshOptions(isTransient: { _ in false }, clock: clock, now: { Bench.now })
        let client = client(OAuthSession(bench.oauth, store: Store(Self.old), options: options))
        for _ in 0..<2 {
            _ = try await thrown { try await client.send(Dishes()) }
            clock.advance(by: .seconds(1000))
        }
        #expect(bench.transport.requests.count == 1)
    }

    @Test
    func withoutSignInThereIsNoToken() async throws {
        let bench = Bench()
        let error = try await thrown { try await client(OAuthSession(bench.oauth, store: Store())).send(Dishes()) }
        #expect((error as? APIError<ProblemDetails>)?.reason == .missingToken)
        #expect(bench.transport.requests.isEmpty)
    }

    @Test
    func theApplicationRequestsItsOwnToken() async throws {
        let bench = Bench(json: #"{"access_token":"a2","expires_in":3600}"#)
        let session = OAuthSession.clientCredentials(bench.oauth, scopes: ["read"], options: Self.options)
        let client = client(session)
        #expect(try await sent(by: client) == "Bearer a2")
        #expect(try await sent(by: client) == "Bearer a2")
        #expect(try bench.forms == [["client_id=reader", "grant_type=client_credentials", "scope=read"]])
    }

    @Test(arguments: [false, true])
    func signingOutRevokesWhatWasIssuedLast(isSavingRefused: Bool) async throws {
        let bench = Bench(json: "", "", "", "")
        let store = Store(Self.old, refuses: isSavingRefused)
        let session = OAuthSession(bench.oauth, store: store)
        try? await session.signIn(Self.fresh)
        let error = isSavingRefused ? try await thrown { try await session.signOut() } : nil
        if !isSavingRefused { try await session.signOut() }
        #expect((error is Store.Refusal) == isSavingRefused)
        #expect(try bench.forms == Self.revocations(isSavingRefused ? ["9", "1"] : ["9"]), "and what is kept yet")
        #expect((store.token == nil) == !isSavingRefused)
    }

    private static func revocations(_ numbers: [String]) -> [[String]] {
        numbers.flatMap { number in
            [
                ["client_id=reader", "token=r\(number)", "token_type_hint=refresh_token"],
                ["client_id=reader", "token=a\(number)", "token_type_hint=access_token"],
            ]
        }
    }

    @Test
    func whatAnotherProcessHasKeptIsRevoked() async throws {
        let bench = Bench(json: "", "", "", "")
        let store = Store()
        let session = OAuthSession(bench.oauth, store: store)
        try await session.signIn(Self.old)
        try await store.save(Self.fresh)
        try await session.signOut()
        #expect(try bench.forms == Self.revocations(["1", "9"]))
        #expect(store.token == nil)
    }

    @Test(.timeLimit(.minutes(10)))
    func whatARefreshBringsAfterSigningOutIsRevoked() async throws {
        let (wasRequested, mayAnswer) = (Lock(false), Lock(false))
        let transport = MockTransport { request in
            guard request.url.path() == "/token" else { return .json("") }
            wasRequested.withLock { $0 = true }
            // It goes on when its caller is cancelled.
            try #require(try await Task { try await holds { mayAnswer.withLock(\.self) } }.value)
            try Task.checkCancellation()
            return .json(#"{"access_token":"a2","refresh_token":"r2","expires_in":3600}"#)
        }
        var bench = Bench()
        // The mock transport's timeouts are on the real clock.
        let patient = ClientOptions(timeout: nil, timeouts: TransportTimeouts(firstByte: .seconds(86_400)))
        bench.oauth = OAuthClient(
            server: Bench.server,
            application: bench.oauth.application,
            client: APIClient(transport: transport, options: patient),
            date: { Bench.now },
        )
        let store = Store(Self.old)
        let session = OAuthSession(bench.oauth, store: store, options: Self.options)
        let client = client(session)
        async let error = thrown { try await client.send(Dishes()) }
        try #require(try await holds { wasRequested.withLock(\.self) })
        let signOut = Task { try await session.signOut() }
        #expect((try await error as? APIError<ProblemDetails>)?.reason == .missingToken, "calls don't wait for it")
        mayAnswer.withLock { $0 = true }
        try await signOut.value
        let tokens = try transport.requests.dropFirst().map { request in
            let text = String(decoding: try #require(request.body?.bytes), as: UTF8.self)
            return try #require(FormText.items(of: text)?.first { $0.name == "token" }).value
        }
        #expect(tokens == ["r1", "a1", "r2", "a2"])
        #expect(store.token == nil)
    }

    @Test
    func anUnusedTokenIsRevokedToo() async throws {
        let bench = Bench(json: "", "")
        let store = Store(Self.old)
        try await OAuthSession(bench.oauth, store: store).signOut()
        #expect(bench.transport.requests.count == 2)
        #expect(store.token == nil)
    }

    @Test
    func aFailedRevocationIsReportedAndTheTokenRemoved() async throws {
        let bench = Bench(json: #"{"error":"server_error"}"#, "", status: 503)
        let store = Store(Self.old)
        let session = OAuthSession(bench.oauth, store: store)
        #expect(try await code { try await session.signOut() } == .serverError)
        #expect(store.token == nil)
    }

    @Test
    func aServerWithoutTheEndpointGetsNoRequest() async throws {
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
