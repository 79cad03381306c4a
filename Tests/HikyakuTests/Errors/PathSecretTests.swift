import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Marks a value of a path as a secret, and searches all that shows a path or a URL.
@Suite struct PathSecretTests {
    /// It needs percent-encoding, and is searched for by a part that doesn't.
    private static let secret = "hunter2/ü x"
    private static let marker = "hunter2"

    private struct Hook: APIRequest {
        typealias Response = Int
        typealias Access = AuthorizedIfPossible
        var environment: APIEnvironment = "https://a.example/v1"
        var path: RequestPath { "/hooks/bot\(secret: PathSecretTests.secret)/send" }
        var query: RequestQuery { ["page": 1] }
    }

    private static func texts<Value>(of value: Value) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    private static func check(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        for text in texts { #expect(!text.contains(marker), "\(text)", sourceLocation: sourceLocation) }
    }

    private static func check(
        _ error: APIError<ProblemDetails>,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) {
        check(
            texts(of: error) + texts(of: error.context) + [
                error.localizedDescription, error.errorDescription ?? "", error.failureReason ?? "",
                error.recoverySuggestion ?? "", error.context.url ?? "",
            ] + error.context.redirects.flatMap(texts),
            sourceLocation: sourceLocation,
        )
    }

    @Test func aPathShowsAllButItsSecret() {
        let path = Hook().path
        #expect("\(path)" == "/hooks/bot…/send")
        Self.check(Self.texts(of: path))
        let hidden: RequestPath = "/\(secret: Secret(Self.secret))/\(secret: 12345)"
        #expect("\(hidden)" == "/…/…")
    }

    @Test func theRequestIsSentWithItAndShownWithoutIt() throws {
        let request = try Hook().httpRequest()
        #expect(request.url.absoluteString == "https://a.example/v1/hooks/bothunter2%2F%C3%BC%20x/send?page=1")
        #expect("\(request)" == "GET https://a.example/v1/hooks/bot…/send?page=…")
        Self.check(Self.texts(of: request) + [request.curlCommand(), try Hook().curlCommand()])
        #expect(try Hook().curlCommand(revealingSecrets: true).contains("bothunter2%2F%C3%BC%20x"))
    }

    private static let answers: [@Sendable () throws -> HTTPResponse] = [
        { .json("{}", status: 400) },
        { .json("[]") },
        { throw TransportError(.connectionReset, "broke off") },
        { HTTPResponse(status: 302, headers: ["Location": "/v1/hooks/bothunter2%2F%C3%BC%20x/send?page=1"]) },
        { HTTPResponse(status: 302, headers: ["Location": "http://a.example/hooks/hunter2%2f%c3%bc%20x"]) },
        { HTTPResponse(status: 302, headers: ["Location": "ftp://a.example/hooks/hunter2%2f%c3%bc%20x"]) },
        { HTTPResponse(status: 302, headers: ["Location": "https://u@a.example/hooks/hunter2%2F%c3%bc%20x"]) },
        { HTTPResponse(status: 302, headers: ["Location": "http://[/hunter2%2F%c3%bc%20x"]) },
    ]

    @Test(arguments: answers.indices)
    func noErrorAndNoLogShowsIt(index: Int) async throws {
        for level in [LoggingLevel.line, .headers, .bodies] {
            let log = Lock("")
            let client = APIClient(transport: MockTransport { _ in try Self.answers[index]() })
                .logging(level) { text in log.withLock { $0 += text } }
            let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Hook()) }
            Self.check(error)
            #expect(error.context.url?.contains("/hooks/") == true)
            let text = log.withLock { $0 }
            #expect(text.contains("/hooks/bot…/send"))
            Self.check([text])
        }
    }

    @Test func noHopShowsItHoweverItIsEncodedThere() async throws {
        let places = [
            "/a/hunter2%2F%C3%BC%20x/b", "/b/hunter2/%c3%bc%20x", "/c/%68unter2%2f%C3%BC%20x",
            "/d/hunter2%252F%25C3%25BC%2520x/e", "/f?next=hunter2%2F%C3%BC%20x",
            "https://b.example/hunter2%2F%C3%BC%20x",
        ]
        let transport = MockTransport()
        for place in places { transport.enqueue(HTTPResponse(status: 302, headers: ["Location": place])) }
        transport.enqueue(.json("1"))
        let shown = Lock([String]())
        let policy = RedirectPolicy.ask { hop in
            shown.withLock { $0 += Self.texts(of: hop) }
            return .follow
        }
        let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: policy))
        let response = try await client.bind(Hook()).response()
        #expect(response.redirects.count == places.count)
        Self.check(shown.withLock { $0 } + response.redirects.flatMap(Self.texts))
        let first = "302 Found: GET https://a.example/v1/hooks/bot…/send?page=… → GET https://a.example/a/…/b"
        #expect(response.redirects.first?.description == first)
    }

    @Test func theRedirectLimitErrorHidesTheSecret() async throws {
        let count = Lock(0)
        let client = APIClient(
            transport: MockTransport { _ in
                let number = count.withLock { number in
                    number += 1
                    return number
                }
                return HTTPResponse(status: 302, headers: ["Location": "/\(number)/hunter2%2F%C3%BC%20x"])
            }
        )
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Hook()) }
        #expect(error.reason == .tooManyRedirects)
        Self.check(error)
    }

    @Test func aCredentialForAnotherOriginIsRejectedWithoutShowingIt() async throws {
        struct Elsewhere: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.url = URL(string: request.url.absoluteString.replacing("a.example", with: "b.example"))!
                return try await next(request)
            }
        }
        let client = APIClient(transport: MockTransport { _ in .json("1") }, middleware: [Elsewhere()])
            .authorized(by: .bearer("t0ken"), for: "https://a.example/v1")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Hook()) }
        #expect(error.reason == .otherOrigin)
        Self.check(error)
    }

    @Test(arguments: [LoggingLevel.line, .headers, .bodies], [nil, "/elsewhere"])
    func aMiddlewareThatMakesAnotherRequestLosesNothing(level: LoggingLevel, target: String?) async throws {
        struct Anew: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                try await next(HTTPRequest(method: request.method, url: request.url, headers: request.headers))
            }
        }
        let log = Lock("")
        let transport = MockTransport { request in
            guard let target, request.url.path() != target else { return .json("{}", status: 500) }
            return HTTPResponse(status: 307, headers: [.location: target])
        }
        let client = APIClient(transport: transport, middleware: [Anew()])
            .logging(level) { text in log.withLock { $0 += text } }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Hook()) }
        Self.check(error)
        Self.check([log.withLock { $0 }])
    }

    @Test func aRequestMadeAnewInPrepareLosesNothing() throws {
        struct Anew: APIRequest {
            typealias Response = Int
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/\(secret: PathSecretTests.secret)" }
            func prepare(_ request: inout HTTPRequest) throws { request = HTTPRequest(url: request.url) }
        }
        #expect("\(try Anew().httpRequest())" == "GET https://a.example/…")
    }

    @Test func aCookieStoreSeesNoneOfItInAScope() async throws {
        final class Store: CookieStore {
            let texts = Lock([String]())
            func cookies(for scope: CookieScope) async throws -> [Cookie] {
                texts.withLock { $0 += PathSecretTests.texts(of: scope) }
                return []
            }
            func store(_ setCookies: [String], from scope: CookieScope) async throws {
                texts.withLock { $0 += PathSecretTests.texts(of: scope) }
            }
            func removeCookies(for url: URL) async throws {}
        }
        let store = Store()
        let transport = MockTransport { _ in .json("1", headers: ["Set-Cookie": "a=b"]) }
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
        _ = try await client.send(Hook())
        let texts = store.texts.withLock { $0 }
        #expect(texts.count == 6)
        Self.check(texts)
    }

    @Test func anErrorAfterTheSecretHidesIt() async throws {
        struct Broken: APIRequest {
            typealias Response = Int
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/hooks/\(secret: PathSecretTests.secret)/\("")" }
        }
        let error = try await failure { () throws(APIError<ProblemDetails>) in try Broken().httpRequest() }
        #expect(error.reason == .path)
        #expect(error.description.contains("/hooks/…/"))
        Self.check(error)
        Self.check(Self.texts(of: Broken().path))
    }

    @Test func aProxyAndAStubKeepIt() async throws {
        let proxied = try Hook().authorized(by: AccessToken("t0ken")).httpRequest()
        Self.check(Self.texts(of: proxied))
        let log = Lock("")
        let client = APIClient().stubbing(Hook.self) { _ in 1 }.logging(.bodies) { text in log.withLock { $0 += text } }
        _ = try await client.send(Hook())
        Self.check([log.withLock { $0 }])
    }
}
