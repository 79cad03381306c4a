import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Plants a word wherever a secret may be, lets calls fail in every phase, and searches all that can be printed.
@Suite struct PlantedSecretTests {
    private static let secret = "hunter2"

    private struct Carrier: APIRequest {
        struct Model: Decodable, Sendable { let id: Int; let since: Date }
        struct Failure: ServiceFailure, Decodable { let token: String }
        typealias Response = Model
        typealias Access = Authorized
        var environment: APIEnvironment
        var method: HTTPMethod { .post }
        var path: RequestPath { "/p" }
        var query: RequestQuery { ["token": secret, "key": .object(["a": secret])] }
        var headers: HTTPHeaders { ["Cookie": "sid=\(secret)", "X-Api-Key": secret] }
        var body: RequestBody? { .json(["password": secret]) }
    }

    private static let answers: [@Sendable () throws -> HTTPResponse] = [
        { .json(#"{"token":"\#(secret)"}"#, status: 400, headers: ["Set-Cookie": secret]) },
        { .json(#"{"id":"\#(secret)"}"#) },
        { .json(#"{"id":1,"since":"\#(secret)"}"#) },
        { .json(#"{"id":\#(secret)"#) },
        { .json("<html>\(secret)", status: 502, headers: ["Location": "https://x.example/?code=\(secret)"]) },
        { throw TransportError(.connectionReset, "broke off", underlyingError: Leaky()) },
        { throw Leaky() },
        { throw Spoken() },
        { throw Numbered() },
        { throw CocoaError(.fileReadNoSuchFile, userInfo: ["NSFilePath": "/\(secret)"]) },
    ]

    /// A provider as a user may write it, without a thought for printing.
    private struct OpenToken: TokenProvider {
        let token: String
        func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken(token) }
    }

    /// Its words have a URL in them, as those of many libraries do.
    private struct Spoken: LocalizedError {
        var errorDescription: String? { "no answer from https://a.example/?key=\(secret)" }
    }

    /// Foundation shows the text of its `userInfo`.
    private struct Numbered: CustomNSError {
        static let errorDomain = "a.example.store"
        let errorCode = 7
        var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: secret] }
    }

    private struct Leaky: Error, CustomStringConvertible { let description = secret }

    @Test(arguments: answers.indices)
    func noErrorAndNoLogShowsASecret(index: Int) async throws {
        let log = Lock("")
        let environment = APIEnvironment(baseURL: "https://a.example", headers: ["X-Env": Self.secret])
        let client = APIClient(transport: MockTransport { _ in try Self.answers[index]() })
            .authorized(by: OpenToken(token: Self.secret), for: environment)
            .logging(.bodies) { text in log.withLock { $0 += text } }
        let bound = client.bind(Carrier(environment: environment))
        let error = try await failure { () async throws(APIError<Carrier.Failure>) in try await bound.send() }

        var texts = Self.texts(of: error)
        texts.append(log.withLock { $0 })
        texts.append(try bound.httpRequest().curlCommand())
        texts += Self.texts(of: environment) + Self.texts(of: client) + Self.texts(of: bound)
        let mapped = client.mapError { _ in Leaky() }
        let call = mapped.bind(bound.request).call()
        _ = await call.result
        texts += Self.texts(of: mapped) + Self.texts(of: mapped.bind(bound.request)) + Self.texts(of: call)
        texts += Self.texts(of: bound.events())
        if let response = error.response { texts += Self.texts(of: response) }
        texts += Self.texts(of: error.context)
        texts += Self.texts(of: try #require(error.context.explanation)) + Self.texts(of: try await bound.explain())
        for text in texts { #expect(!text.contains(Self.secret), "\(text)") }
        #expect(log.withLock { $0.contains("X-Api-Key: ‹redacted›") }, "the name is shown")
    }

    @Test(arguments: ["https://user:hunter2@a.example", "https://a.example?token=hunter2", "https://hunter2 x"])
    func aMalformedBaseURLIsNotRepeated(baseURL: String) async throws {
        let request = Carrier(environment: APIEnvironment(baseURL: baseURL))
        let error = try await failure { () throws(APIError<Carrier.Failure>) in try request.httpRequest() }
        for text in Self.texts(of: error) + Self.texts(of: request.environment) {
            #expect(!text.contains(Self.secret), "\(text)")
        }
    }

    private static func texts<Value>(of value: Value) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var texts = ["\(value)", String(reflecting: value), dumped]
        if let failure = value as? any APIFailure {
            texts += [
                failure.localizedDescription, failure.errorDescription ?? "", failure.failureReason ?? "",
                failure.recoverySuggestion ?? "",
            ]
        }
        return texts
    }
}
