import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Whether an error's advice fits what went wrong.
@Suite struct AdviceTests {
    private struct Public<Response: Decodable & Sendable>: APIRequest {
        var environment: APIEnvironment = "https://a.example"
        var path: RequestPath { "/p" }
        var accepted: HTTPStatus?
        var redirectPolicy: RedirectPolicy?
        var method: HTTPMethod = .get
        var headers: HTTPHeaders = [:]
        func accepts(_ status: HTTPStatus) -> Bool { accepted.map { $0 == status } ?? status.isSuccess }
    }

    private func error(
        _ request: Public<Dish> = Public(),
        options: ClientOptions = ClientOptions(retryPolicy: .never),
        middleware: [any HTTPMiddleware] = [],
        answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    ) async throws -> APIError<ProblemDetails> {
        let client = APIClient(transport: MockTransport(answer), middleware: middleware, options: options)
        return try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(request) }
    }

    // MARK: - Statuses

    @Test func anUnexpectedSuccessNamesTheAcceptedStatuses() async throws {
        let error = try await error(Public(accepted: 201)) { _ in .json("{}") }
        #expect(error.phase == .unacceptableStatus)
        #expect(error.hint?.hasPrefix("200 isn't among the accepted statuses: 201.") == true, "\(error.hint ?? "")")
        #expect("\(error)".contains("accepted statuses: 201"))
        #expect(error.recoverySuggestion?.contains("accept") == false, "people can't accept a status")
    }

    @Test func aRedirectWithoutAnAddressSaysSo() async throws {
        let error = try await error { _ in HTTPResponse(status: 302) }
        #expect(error.hint?.contains("no Location field") == true)
        let refused = try await self.error(Public(redirectPolicy: .never)) { _ in
            HTTPResponse(status: 302, headers: ["Location": "/q"])
        }
        #expect(refused.hint?.contains("redirectPolicy") == true)
    }

    @Test func aConditionThatHeldSaysHowToAcceptIt() async throws {
        let error = try await error(Public(headers: ["If-None-Match": "\"1\""])) { _ in HTTPResponse(status: 304) }
        #expect(error.hint?.contains("accept 304 in accepts(_:)") == true)
    }

    @Test func aPageInPlaceOfAModelIsDescribed() async throws {
        let page = Data("<html><title>Secret 42</title></html>".utf8)
        let error = try await error { _ in
            HTTPResponse(status: 404, headers: ["Content-Type": "text/html"], body: HTTPBody(page))
        }
        let reason = try #require(error.failureReason)
        #expect(reason.hasPrefix("404 Not Found, text/html, 37 bytes: an HTML page with a title masked as "))
        #expect(reason.contains("Aaaaaa 99") && !reason.contains("Secret"))
    }

    @Test func aForeignFailureIsShownByItsShape() async throws {
        let error = try await error { _ in .json(#"{"error":{"code":1234,"who":"Mei"}}"#, status: 404) }
        let shape = #"`{"error":{"code":9999,"who":"Aaa"}}` (values masked)"#
        #expect(error.failureReason == "404 Not Found, application/json, 35 bytes: \(shape)")
        #expect("\(error)".contains(shape))
        let client = APIClient(transport: MockTransport { _ in .json(#"{"a":"Mei"}"#, status: 404) })
        let log = Lock("")
        _ = try? await client.logging(.line, to: { line in log.withLock { $0 += line } }).send(Public<Dish>())
        #expect(log.withLock { $0.contains(#"`{"a":"Aaa"}` (values masked)"#) })
    }

    /// A key can't be distinguished from a value after the first error, and isn't shown.
    @Test func nothingOfAMalformedBodyIsShown() async throws {
        let error = try await error { _ in .json(#"{"a":hunter2,"hunter2":1}"#, status: 500) }
        #expect(!"\(error)".contains("hunter"))
        let binary = try await self.error { _ in
            HTTPResponse(status: 500, body: HTTPBody(Data([0x89, 0x50, 0x4E, 0x47, 0, 1])))
        }
        #expect(binary.failureReason?.hasSuffix("6 bytes") == true)
    }

    private struct Wrong: ServiceFailure, Decodable {
        let kode: String
        var list: [Int]?
    }

    private struct WithWrong: APIRequest {
        typealias Response = Dish
        typealias Failure = Wrong
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
    }

    private func wrong(_ response: HTTPResponse) async throws -> APIError<Wrong> {
        let client = APIClient(transport: MockTransport { _ in response }, options: ClientOptions(retryPolicy: .never))
        return try await failure { () async throws(APIError<Wrong>) in try await client.send(WithWrong()) }
    }

    @Test func aFailureThatDoesNotFitSaysWhere() async throws {
        let error = try await wrong(.json(#"{"code":"hunter2"}"#, status: 400))
        #expect(error.hint?.hasPrefix("The body could not be read as Wrong: ") == true)
        #expect(error.hint?.contains(#"the key "kode""#) == true && !"\(error)".contains("hunter2"))
        let read = "To read all of it, let Failure be ProblemDetails."
        // A hint is not worth decoding megabytes once more.
        let long = String(repeating: "a", count: 64 * 1024)
        #expect(try await wrong(.json("{\"code\":\"\(long)\"}", status: 400)).hint?.hasPrefix("Compare") == true)
        let problem = HTTPResponse(status: 400, headers: ["Content-Type": "application/problem+json"], body: "{}")
        // The masked body is in the reason, once.
        #expect("\(error)".ranges(of: #"`{"code":"#).count == 1, "\(error)")
        let inside = try await wrong(.json(#"{"kode":"a","list":[{"n":1234}]}"#, status: 422))
        #expect(inside.hint?.contains("/list/0") == true && "\(inside)".ranges(of: #"{"n":"#).count == 1, "\(inside)")
        #expect(try await wrong(problem).hint == "The body is a problem by RFC 9457. \(read)")
        let titled = HTTPResponse(
            status: 400,
            headers: problem.headers,
            body: #"{"title":"Too hot","detail":"hunter2"}"#,
        )
        let hint = #"The body is a problem by RFC 9457 with the title "Too hot". \#(read)"#
        #expect(try await wrong(titled).hint == hint)
        #expect(
            try await wrong(HTTPResponse(status: 400, body: "no")).hint?.hasPrefix("Read error.response?.text") == true
        )
    }

    @Test func aPublicRequestThatNeedsACredentialSaysSo() async throws {
        let bare = "The client added no credential, since the request's Access is Public"
        let write = "If the service needs one here, write typealias Access = Authorized"
        let both = "\(bare), and the client has none. \(write), and authorize the client: "
        let error = try await error { _ in HTTPResponse(status: 401) }
        #expect(error.hint?.hasPrefix(both) == true)
        let forbidden = try await self.error { _ in HTTPResponse(status: 403) }
        #expect(forbidden.hint == error.hint)
        let problem = HTTPResponse(
            status: 401,
            headers: [.contentType: "application/problem+json"],
            body: #"{"title":"Who are you?"}"#,
        )
        let read = try await self.error { _ in problem }
        #expect(read.phase == .service && read.hint == error.hint)
        let authorized = APIClient(transport: MockTransport { _ in problem })
            .authorized(by: .bearer("t"), for: "https://a.example")
        let known = try await failure { () async throws(APIError<ProblemDetails>) in
            try await authorized.send(Public<Dish>())
        }
        #expect(known.hint == "\(bare). \(write).")
        let method = try await self.error { _ in HTTPResponse(status: 405, headers: ["Allow": "GET, PUT"]) }
        #expect(method.hint == "The service allows other methods here: GET, PUT.")
        let nothing = try await self.error { _ in HTTPResponse(status: 405, headers: ["Allow": ""]) }
        #expect(nothing.hint?.hasPrefix("Check the request's method") == true)
    }

    @Test func aPauseThatTheServiceAsksForIsNamed() async throws {
        for status in [429, 503] as [HTTPStatus] {
            let busy = HTTPResponse(status: status, headers: ["Retry-After": "120"])
            let error = try await error { _ in busy }
            let end = error.context.retryEnd.map { "; \($0)" } ?? ""
            let quota = status == 429 ? " Limits in the client's options keep calls below a quota." : ""
            #expect(error.hint == "The service asks for a pause of 120 s\(end).\(quota)")
            let now = HTTPResponse(status: status, headers: ["Retry-After": "0"])
            #expect(try await self.error { _ in now }.hint?.contains("pause") == false)
        }
        let client = APIClient(
            transport: MockTransport { _ in HTTPResponse(status: 429, headers: ["Retry-After": "3600"]) }
        )
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest())
        }
        #expect(
            error.hint?.hasPrefix("The service asks for a pause of 3600 s; Retry-After is too long. Limits") == true
        )
    }

    /// What the body says isn't hidden by what the status says.
    @Test func aProblemWithARejectedCredentialIsNamedToo() async throws {
        let problem = HTTPResponse(
            status: 401,
            headers: [.contentType: "application/problem+json"],
            body: #"{"title":"IP blocked"}"#,
        )
        let client = APIClient(transport: MockTransport { _ in problem })
            .authorized(by: .bearer("t"), for: "https://a.example")
        let error = try await failure { () async throws(APIError<Wrong>) in try await client.send(WithWrong()) }
        #expect(error.hint?.contains("IP blocked") == true && error.hint?.hasPrefix("The client added no") == true)
    }

    @Test func aMethodInLowerCaseNamesTheRightOne() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("{}") })
        for method in ["post", "Post", "GEt"] {
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(AnyRequest(method: HTTPMethod(method)))
            }
            #expect(error.reason == .method && error.hint == "Write .\(method.lowercased()).")
        }
        _ = try await client.send(AnyRequest(method: "purge"))
    }

    @Test func aURLOfAFileIsNotAPath() async throws {
        let body = RequestBody.file(URL(filePath: "/etc/hostname").absoluteString)
        let error = try await failure { () throws(APIError<ProblemDetails>) in
            try AnyRequest(method: .post, body: body).httpRequest()
        }
        #expect(error.hint == "This is the text of a URL: give the URL of a file, or a path.")
    }

    @Test func aCredentialStaysAtItsOrigin() async throws {
        struct Next: APIRequest {
            typealias Definition = RawResponse
            typealias Access = Authorized
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { .url("https://other.example/2") }
        }
        let client = APIClient(transport: MockTransport { _ in .json("{}") })
            .authorized(by: .bearer("t"), for: "https://a.example")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Next()) }
        #expect(error.reason == .otherOrigin)
        #expect(error.hint?.hasPrefix("A credential is sent to its own origin only.") == true)
    }

    /// It may be wrong, but it was there.
    @Test func aCredentialOfTheRequestItselfWasSent() async throws {
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: 401) })
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest(headers: [.authorization: "Bearer t"]))
        }
        #expect(error.hint?.hasPrefix("The service rejects the credential that was sent") == true)
        let none = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(IfPossible())
        }
        #expect(none.hint?.hasPrefix("The client added no credential, since it has none: authorize") == true)
        let session = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest(headers: [.cookie: "session=1"]))
        }
        #expect(session.hint?.hasPrefix("The service rejects the credential") == true)
    }

    private struct IfPossible: APIRequest {
        typealias Definition = RawResponse
        typealias Access = AuthorizedIfPossible
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
    }

    // MARK: - Deadlines and limits

    @Test func aPassedCallDeadlineIsNotTheRequestsTimeout() async throws {
        let clock = ManualClock()
        let options = ClientOptions(retryPolicy: .never, clock: clock)
        let outer = try await CallDeadline.within(.zero, clock: clock) {
            try await error(options: options) { _ in .json("{}") }
        }
        #expect(outer.reason == .deadline)
        #expect(outer.hint?.hasPrefix("Allow more time in CallDeadline.within") == true, "\(outer.hint ?? "")")
        let own = try await error(options: ClientOptions(timeout: .zero)) { _ in .json("{}") }
        #expect(own.hint?.hasPrefix("Raise timeout in the client's options") == true)
    }

    /// A call that starts too late has no duration to speak of.
    @Test func aCallDeadlineThatPassedBeforeTheCallSaysSo() async throws {
        let clock = ManualClock()
        let late = try await CallDeadline.within(.seconds(1), clock: clock) {
            clock.advance(by: .milliseconds(1_200))
            return try await error(options: ClientOptions(retryPolicy: .never, clock: clock)) { _ in .json("{}") }
        }
        #expect(late.failureReason == "the deadline had passed before the call began")
        #expect(late.hint?.hasPrefix("Allow more time in CallDeadline.within") == true && late.context.attempt == 0)
    }

    /// What is left of it when the call starts is a bit less than what was set.
    @Test func aPassedCallDeadlineSaysRoundlyHowMuchWasLeft() async throws {
        let clock = ManualClock()
        let late = try await CallDeadline.within(.milliseconds(300), clock: clock) {
            clock.advance(by: .microseconds(100))
            return try await error(options: ClientOptions(retryPolicy: .never, clock: clock)) { _ in
                clock.advance(by: .milliseconds(300))
                return .json("{}")
            }
        }
        #expect(late.failureReason?.hasPrefix("the call took longer than about 300 ms") == true)
    }

    @Test func aFilesOwnLimitIsNamed() async throws {
        struct Fetch: FileRequest {
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/f" }
            var destination: FileDestination { .temporary(bytesMax: 3) }
        }
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: .ok, body: "12345") })
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Fetch()) }
        #expect(error.reason == .bodyTooLarge)
        #expect(error.hint?.contains("FileDestination") == true && error.hint?.contains("bodyBytesMax") == false)
    }

    // MARK: - Parts of the app

    private struct Broken: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws
            -> HTTPResponse
        { throw NothingThrown() }
    }

    private struct PassingOn: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws
            -> HTTPResponse
        { try await next(request) }
    }

    @Test func theStepThatThrewIsNamed() async throws {
        let error = try await error(middleware: [PassingOn(), Broken()]) { _ in .json("{}") }
        #expect(error.failureReason == "the middleware AdviceTests.Broken threw a NothingThrown")
        let transport = try await self.error(middleware: [PassingOn()]) { _ in throw URLError(.badURL) }
        #expect(transport.failureReason?.hasPrefix("the transport MockTransport threw a URLError: ") == true)
        let direct = try await self.error { _ in throw NothingThrown() }
        #expect(direct.failureReason == "the transport MockTransport threw a NothingThrown")
    }

    private struct Closed: LocalizedError {
        var errorDescription: String? { "The kitchen\n is closed." }
    }

    private struct Leaking: LocalizedError {
        var errorDescription: String? { "no answer from https://a.example/?key=hunter2" }
    }

    private struct Holding: Error { let token = "hunter2" }

    private struct OfService: ServiceFailure, LocalizedError {
        init() {}
        init?(response: BufferedResponse) { nil }
        var errorDescription: String? { "hunter2" }
    }

    private enum Described: Error, CustomStringConvertible {
        case one
        var description: String { "hunter2" }
    }

    private enum Streamed: Error, TextOutputStreamable {
        case one
        func write(to target: inout some TextOutputStream) { target.write("hunter2") }
    }

    private enum Oven: Error { case cold, broken(by: String) }

    private struct Throwing: HTTPMiddleware {
        let error: any Error

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws
            -> HTTPResponse
        { throw error }
    }

    /// Not the values in an error, which the runtime would print.
    @Test(arguments: [
        (Closed() as any Error, "Closed: The kitchen is closed."), (Oven.cold, "Oven: cold"),
        (Oven.broken(by: "hunter2"), "Oven: broken"), (Holding(), "Holding"), (Leaking(), "Leaking"),
        (Described.one, "Described"), (OfService(), "OfService"), (Streamed.one, "Streamed"),
        (CocoaError(.fileNoSuchFile, userInfo: ["NSFilePath": "/hunter2"]), "CocoaError: NSCocoaErrorDomain 4"),
        (DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "hunter2")), "DecodingError"),
    ])
    func anErrorOfTheAppSpeaksForItself(thrown: any Error, words: String) async throws {
        let error = try await error(middleware: [Throwing(error: thrown)]) { _ in .json("{}") }
        #expect(error.failureReason?.hasPrefix("the middleware AdviceTests.Throwing threw a \(words)") == true)
        #expect("\(error)".ranges(of: words).count == 1 && !"\(error)".contains("hunter2"), "\(error)")
    }

    @Test func anErrorOfFoundationNamesItsCode() async throws {
        let link = try #require(URL(string: "https://a.example/?key=hunter2"))
        let thrown = URLError(.notConnectedToInternet, userInfo: ["NSErrorFailingURLKey": link])
        let error = try await error(middleware: [Throwing(error: thrown)]) { _ in .json("{}") }
        #expect(error.failureReason?.hasSuffix("threw a URLError: NSURLErrorDomain -1009") == true)
        #expect(!"\(error)".contains("hunter2"))
    }

    private struct Preparing: APIRequest {
        typealias Definition = RawResponse
        var error: any Error
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
        func prepare(_ request: inout HTTPRequest) throws { throw error }
    }

    private struct Spoken: ServiceFailure, LocalizedError {
        var errorDescription: String? { "hunter2" }
        init?(response: BufferedResponse) {}
    }

    private struct Refused: APIRequest {
        typealias Response = Dish
        typealias Failure = Spoken
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/inner" }
    }

    @Test func anErrorOfPrepareSpeaksForItself() async throws {
        let reasons = [
            (Closed() as any Error, "prepare(_:) threw a Closed: The kitchen is closed."),
            (TransportError(.deadline, "too late"), "prepare(_:) threw a TransportError: too late"),
            (NothingThrown(), "prepare(_:) threw a NothingThrown"),
        ]
        for (thrown, reason) in reasons {
            let request = Preparing(error: thrown)
            let error = try await failure { () throws(APIError<ProblemDetails>) in try request.httpRequest() }
            #expect(error.reason == .prepare && error.failureReason == reason)
        }
        let hinted = Preparing(error: TransportError(.deadline, "too late", hint: "Begin earlier."))
        let error = try await failure { () throws(APIError<ProblemDetails>) in try hinted.httpRequest() }
        #expect(error.hint == "Begin earlier.")
    }

    /// The words of a service are for people, and never reach the log.
    @Test func anErrorOfAnotherCallHidesTheWordsOfItsService() async throws {
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: 400) })
        let inner = try await failure { () async throws(APIError<Spoken>) in try await client.send(Refused()) }
        #expect(inner.localizedDescription == "hunter2")
        let request = Preparing(error: inner)
        let error = try await failure { () throws(APIError<ProblemDetails>) in try request.httpRequest() }
        #expect(error.failureReason?.hasPrefix("prepare(_:) threw the error of another call: GET ") == true)
        #expect(!"\(error)".contains("hunter2"), "\(error)")
    }

    private struct Recovering: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws
            -> HTTPResponse
        {
            do { return try await next(request) } catch { return try await next(request) }
        }
    }

    private struct Spoiling: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws
            -> HTTPResponse
        {
            _ = try await next(request)
            throw NothingThrown()
        }
    }

    /// An error that was caught inside says nothing of the one outside.
    @Test func aThrowerIsForgottenWithItsError() async throws {
        let calls = Lock(0)
        let error = try await error(middleware: [Spoiling(), Recovering()]) { _ in
            guard
                calls.withLock({
                    $0 += 1; return $0 > 1
                })
            else { throw NothingThrown() }
            return .json("{}")
        }
        #expect(error.failureReason == "the middleware AdviceTests.Spoiling threw a NothingThrown")
    }

    @Test func theProviderThatThrewIsNamed() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("{}") })
            .authorized(by: AskedToken { throw NothingThrown() }, for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(error.failureReason == "the token provider AskedToken threw a NothingThrown")
    }

    @Test func aStubThatThrowsIsNamed() async throws {
        let client = APIClient().stubbing(Shop.Dishes.self) { _ in throw NothingThrown() }
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.failureReason == "the stub threw a NothingThrown")
    }

    // MARK: - Credentials

    private func authorizationError(_ provider: some TokenProvider) async throws -> APIError<ShopError> {
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: .ok) })
            .authorized(by: provider, for: .shop)
        return try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
    }

    @Test func aMissingVariableIsNamed() async throws {
        let error = try await authorizationError(.environmentVariable("HIKYAKU_NOT_SET"))
        #expect(error.reason == .missingToken)
        #expect(error.failureReason?.hasSuffix("the environment variable HIKYAKU_NOT_SET is not set") == true)
        setenv("HIKYAKU_BROKEN_TOKEN", "t0ken\n", 1)
        defer { unsetenv("HIKYAKU_BROKEN_TOKEN") }
        let broken = try await authorizationError(.environmentVariable("HIKYAKU_BROKEN_TOKEN"))
        #expect(broken.reason == .malformedCredential)
        let line = "the environment variable HIKYAKU_BROKEN_TOKEN: the token contains a line break"
        #expect(broken.failureReason?.contains(line) == true)
        setenv("HIKYAKU_BROKEN_TOKEN", " \n", 1)
        let empty = try await authorizationError(.environmentVariable("HIKYAKU_BROKEN_TOKEN"))
        #expect(empty.reason == .emptyToken && empty.failureReason?.contains("HIKYAKU_BROKEN_TOKEN") == true)
    }

    @Test func aTokenWithALineBreakIsACredentialsProblem() async throws {
        for provider in [BearerToken("t0ken\n"), BearerToken("a\r\nX-Injected: b")] {
            let error = try await authorizationError(provider)
            #expect(error.phase == .unauthorized && error.reason == .malformedCredential)
            #expect(error.failureReason?.contains("line break") == true)
            #expect(error.context.attempt == 0 && !"\(error)".contains("t0ken"))
        }
        struct Optional: APIRequest {
            typealias Definition = EmptyResponse
            typealias Access = AuthorizedIfPossible
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/p" }
        }
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: .ok) })
            .authorized(by: .bearer("t0ken\n"), for: .shop)
        let unnoticed = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Optional())
        }
        #expect(unnoticed.reason == .malformedCredential)
        let cookie = try await authorizationError(.apiKey("a\nb", in: .cookie("sid")))
        #expect(cookie.reason == .malformedCredential)
        // A query can carry any character, encoded.
        let keyed = APIClient(transport: MockTransport { _ in HTTPResponse(status: .ok) })
            .authorized(by: .apiKey("a\nb", in: .query("key")), for: .shop)
        try await keyed.send(Shop.AddDish(dish: .sample))
    }

    // MARK: - Bodies

    @Test func aFileIsNamedWithTheSystemsWords() async throws {
        let request = AnyRequest(method: .post, body: .file("/nowhere/report.pdf"))
        let error = try await failure { () throws(APIError<ProblemDetails>) in try request.httpRequest() }
        let file = #"the body's file "report.pdf" can't be opened: No such file or directory (errno 2)"#
        #expect(error.failureReason == file)
        #expect(error.hint?.contains("path") == true)
        let parts: [MultipartPart] = [.text("title", "a"), .file("photo", path: "/nowhere/report.pdf")]
        let form = AnyRequest(method: .post, body: .multipart(parts))
        let other = try await failure { () throws(APIError<ProblemDetails>) in try form.httpRequest() }
        #expect(other.failureReason == #"part "photo": \#(file)"#)
    }

    @Test func aPartWithAnInvalidFieldIsNamed() async throws {
        let part = MultipartPart.text("title", "a").adding(["X-A": "b\r\nc"])
        let form = AnyRequest(method: .post, body: .multipart([part]))
        let error = try await failure { () throws(APIError<ProblemDetails>) in try form.httpRequest() }
        #expect(error.failureReason?.hasPrefix(#"part "title": invalid header field"#) == true)
    }
}
