import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// What each provider puts on the wire, and where it doesn't.
@Suite struct CredentialProviderTests {
    private static let secret = "hunter2"
    private static let stored = MemoryTokenStore(IssuedToken(token: Secret(secret), scheme: "Token"))

    private struct Case: Sendable {
        let provider: any TokenProvider
        /// The field and its value, or the URL's query.
        let field: HTTPHeaderName?
        let value: String
    }

    private static let cases: [Case] = [
        Case(
            provider: .basic(user: "Aladdin", password: secret),
            field: .authorization,
            value: "Basic QWxhZGRpbjpodW50ZXIy",
        ),
        Case(provider: .apiKey(secret, in: .header("X-Api-Key")), field: "X-Api-Key", value: secret),
        Case(provider: .apiKey(secret, in: .query("api key")), field: nil, value: "api%20key=hunter2"),
        Case(provider: .apiKey(secret, in: .cookie("session")), field: .cookie, value: "session=\(secret)"),
        Case(provider: .apiKey(secret, in: .authorizationValue), field: .authorization, value: secret),
        Case(provider: .stored(in: stored), field: .authorization, value: "Token \(secret)"),
        Case(provider: .bearer(secret), field: .authorization, value: "Bearer \(secret)"),
    ]

    private static func isThere(_ credential: Case, in request: HTTPRequest) -> Bool {
        guard let field = credential.field else { return request.url.query() == credential.value }
        return request.headers[field] == credential.value
    }

    private struct Me: APIRequest {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/me" }
    }

    private static let repeated: [any TokenProvider] = [
        .bearer("bEARER \(secret)"), .apiKey("Token \(secret)", in: .authorization(scheme: "Token")),
        AskedToken { "Bearer \(secret)" }, .bearer(" Bearer \(secret)"), .bearer("Bearer\t\(secret)"),
        .bearer("\t bearer \(secret)"),
    ]

    @Test(arguments: repeated.indices)
    func aTokenThatBeginsWithItsSchemeIsNotSent(index: Int) async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        let client = APIClient(transport: transport).authorized(by: Self.repeated[index], for: .shop)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        #expect(error.reason == .malformedCredential && transport.requests.isEmpty)
        let scheme = index == 1 ? "Token" : "Bearer"
        #expect(error.failureReason?.contains("begins with the word \(scheme), which is added to it") == true)
        #expect(!"\(error)".contains(Self.secret))
    }

    @Test func aVariableThatBeginsWithItsSchemeIsNamed() async throws {
        setenv("HIKYAKU_TOKEN_WITH_SCHEME", " Bearer \(Self.secret)", 1)
        defer { unsetenv("HIKYAKU_TOKEN_WITH_SCHEME") }
        let client = APIClient(transport: MockTransport())
            .authorized(by: .environmentVariable("HIKYAKU_TOKEN_WITH_SCHEME"), for: .shop)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        let line = "the environment variable HIKYAKU_TOKEN_WITH_SCHEME: the token begins with the word Bearer"
        #expect(error.reason == .malformedCredential && error.failureReason?.contains(line) == true)
        #expect(!"\(error)".contains(Self.secret))
    }

    @Test(arguments: ["Bearer", "Bearerhunter2", "Basic hunter2", " hunter2", "\tBearerhunter2"])
    func aTokenWithoutItsSchemeIsSent(token: String) async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        try await APIClient(transport: transport).authorized(by: .bearer(token), for: .shop).send(Me())
        #expect(transport.requests.first?.headers[.authorization] == "Bearer \(token)")
        let whole = AccessToken(headerValue: "Bearer hunter2")
        #expect(throws: Never.self) { try whole.ready(for: Me()) }
    }

    @Test(arguments: cases.indices)
    func theCredentialIsOnTheWireAndStaysAtItsOrigin(index: Int) async throws {
        let credential = Self.cases[index]
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "/v1/here"]))
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "https://evil.example/there"]))
        transport.enqueue(HTTPResponse(status: 204))
        try await APIClient(transport: transport).authorized(by: credential.provider, for: .shop).send(Me())
        // A redirect names a whole URL: the query is what the service says, and nothing is added to it.
        let isKept = credential.field != nil
        #expect(transport.requests.map { Self.isThere(credential, in: $0) } == [true, isKept, false])
        let elsewhere = try #require(transport.requests.last)
        #expect(!"\(elsewhere.url) \(elsewhere.headers.map(\.value))".contains(credential.value))
        #expect(!"\(elsewhere.url) \(elsewhere.headers.map(\.value))".contains(Self.secret))
    }

    @Test func aKeyInACookieFollowsTheOtherCookies() async throws {
        struct WithCookies: APIRequest {
            typealias Definition = EmptyResponse
            typealias Access = Authorized
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/me" }
            var headers: HTTPHeaders {
                var headers: HTTPHeaders = [:]
                headers.append(.cookie, "a=1")
                headers.append(.cookie, "b=2; c=3")
                return headers
            }
        }
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        let client = APIClient(transport: transport)
            .authorized(by: .apiKey(Self.secret, in: .cookie("session")), for: .shop)
        try await client.send(WithCookies())
        let sent = try #require(transport.requests.first?.headers.values(for: .cookie))
        #expect(sent == ["a=1; b=2; c=3; session=\(Self.secret)"])
    }

    @Test(arguments: cases.indices)
    func noTextShowsTheCredential(index: Int) async throws {
        let credential = Self.cases[index]
        let log = Lock("")
        let transport = MockTransport { _ in throw TransportError(.connectionReset, "broke off") }
        let client = APIClient(transport: transport).authorized(by: credential.provider, for: .shop)
            .logging(.bodies) { text in log.withLock { $0 += text } }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        let request = try #require(transport.requests.first)
        let subjects: [Any] = [credential.provider, client, error, error.context, request]
        var text = log.withLock { $0 } + request.curlCommand() + error.localizedDescription
        for subject in subjects {
            text += "\(subject) \(String(reflecting: subject))"
            dump(subject, to: &text)
        }
        #expect(!text.contains(Self.secret), "\(text)")
        #expect(!text.contains("QWxhZGRpbjpodW50ZXIy"), "\(text)")
    }

    /// RFC 7617, section 2.1, and text beyond ASCII.
    @Test(arguments: [
        ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "dGVzdDoxMjPCow=="),
        ("", "", "Og=="), ("a", "b:c", "YTpiOmM="),
    ])
    func basicIsUTF8InBase64(user: String, password: String, expected: String) async throws {
        let token = try await BasicCredential(user: user, password: password).token(for: .shop).ready(for: Me())
        #expect(token.reveal() == expected)
        #expect(token.placement == .authorization(scheme: "Basic"))
    }

    @Test(arguments: [
        ("a:b", "c", "colon"), ("a\n", "c", "control"), ("a", "c\u{0}", "control"), ("a", "\u{7F}", "control"),
    ])
    func whatBasicCannotSayIsUnauthorized(user: String, password: String, word: String) async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport).authorized(
            by: .basic(user: user, password: password),
            for: .shop,
        )
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        #expect(error.reason == .malformedCredential)
        #expect(error.phase == .unauthorized)
        #expect("\(error)".contains(word))
        #expect(transport.requests.isEmpty)
    }

    @Test func anEnvironmentVariableIsReadEachTime() async throws {
        let name = "HIKYAKU_TEST_\(UInt64.random(in: 0 ... .max))"
        let provider: EnvironmentVariableToken = .environmentVariable(name)
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        let client = APIClient(transport: transport).authorized(by: provider, for: .shop)
        let missing = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        #expect(missing.reason == .missingToken)
        setenv(name, "", 1)
        let empty = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        #expect(empty.reason == .emptyToken)
        setenv(name, Self.secret, 1)
        defer { unsetenv(name) }
        try await client.send(Me())
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer \(Self.secret)"])
        var text = "\(provider)"
        dump(provider, to: &text)
        #expect(text.contains(name) && !text.contains(Self.secret))
    }

    @Test func aStoredTokenIsTheLatestAndGoesWithSigningOut() async throws {
        let store = MemoryTokenStore()
        let provider = StoredToken(in: store)
        let transport = MockTransport { request in
            HTTPResponse(status: request.headers[.authorization] == "Bearer new" ? 204 : 401)
        }
        transport.enqueue(HTTPResponse(status: 204))
        let client = APIClient(transport: transport).authorized(by: provider, for: .shop)
        await store.save(IssuedToken(token: Secret("old")))
        try await client.send(Me())
        await store.save(IssuedToken(token: Secret("new")))
        try await client.send(Me())
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
        try await provider.signOut()
        #expect(await store.load() == nil)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        #expect(error.reason == .missingToken)
    }

    @Test func aKeyThatIsMissingNeverReachesTheWire() async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport).authorized(by: .apiKey(nil, in: .query("key")), for: .shop)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Me()) }
        #expect(error.reason == .missingToken)
        #expect(transport.requests.isEmpty)
    }
}
