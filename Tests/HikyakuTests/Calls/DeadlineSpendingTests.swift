import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

/// What the error of a call that reached its deadline says about the time.
@Suite(.timeLimit(.minutes(10))) struct DeadlineSpendingTests {
    private typealias Part = DeadlineSpending.Part

    private let clock = ManualClock()

    private func client(
        _ transport: MockTransport,
        _ middleware: [any HTTPMiddleware] = [],
        retryPolicy: RetryPolicy = .never,
    ) -> APIClient<Public> {
        var options = ClientOptions(timeout: .seconds(10), retryPolicy: retryPolicy, clock: clock)
        options.random = { 0.9 }
        return APIClient(transport: transport, middleware: middleware, options: options)
    }

    /// Shows that the type's responses are read by default, so that a later call may work in its caller's task.
    private func sendOnce() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 200) }
        _ = try await APIClient(transport: transport).send(AnyRequest())
        _ = try await APIClient(transport: transport).authorized(by: .bearer("t"), for: "https://a.example")
            .send(AuthorizedRequest())
    }

    /// Sends a request, and lets the clock reach the deadline when the transport has received `requests` of them.
    private func lateError<R: APIRequest>(
        of request: BoundRequest<R>,
        _ transport: MockTransport,
        requests: Int = 1,
        after rest: Duration,
    ) async throws -> APIError<R.Failure> {
        async let advanced: Void = {
            try #require(try await holds { transport.requests.count >= requests })
            clock.advance(by: rest)
        }()
        let error = try await failure { () async throws(APIError<R.Failure>) in try await request.send() }
        try await advanced
        #expect(error.reason == .deadline)
        return error
    }

    /// Answers nothing.
    private var silent: MockTransport { MockTransport { _ in try await untilCancelled() } }

    @Test(arguments: [true, false]) func theAttempt(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = silent
        let client = client(transport, [Delaying(clock: clock, before: .zero, promises: !inOwnTask)])
        let error = try await lateError(of: client.bind(AnyRequest()), transport, after: .seconds(10))
        let spending = try #require(error.context.spending)
        #expect(spending.parts == [Part(.attempt, .seconds(10))] && spending.longest == .attempt)
        #expect(error.failureReason == "the call took longer than 10 s: 10 s in attempt 1")
        #expect(error.description.contains(": the call took longer than 10 s: 10 s in attempt 1 (hint: "))
    }

    @Test func theAttemptOfAPlainClient() async throws {
        try await sendOnce()
        let transport = silent
        let error = try await lateError(of: client(transport).bind(AnyRequest()), transport, after: .seconds(10))
        #expect(error.context.spending == DeadlineSpending([Part(.attempt, .seconds(10))]))
    }

    @Test(arguments: [true, false]) func middleware(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = silent
        let client = client(transport, [Delaying(clock: clock, before: .seconds(7), promises: !inOwnTask)])
        let error = try await lateError(of: client.bind(AnyRequest()), transport, after: .seconds(3))
        let spending = try #require(error.context.spending)
        #expect(spending.parts == [Part(.other, .seconds(7)), Part(.attempt, .seconds(3))])
        #expect("\(spending)" == "7 s in middleware and other steps, 3 s in attempt 1")
    }

    @Test(arguments: [true, false]) func theQueueOfALimit(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = silent
        let client = client(transport, [Delaying(clock: clock, queue: .milliseconds(9150), promises: !inOwnTask)])
        let error = try await lateError(of: client.bind(AnyRequest()), transport, after: .milliseconds(850))
        let spending = try #require(error.context.spending)
        #expect(spending.longest == .queueing && spending[.queueing] == .milliseconds(9150))
        #expect("\(spending)" == "9.15 s in the queue, 850 ms in attempt 1")
    }

    @Test(arguments: [true, false]) func theTokenProvider(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = silent
        let provider = SlowToken(clock: clock, times: [.seconds(8)], promises: !inOwnTask)
        let client = client(transport).authorized(by: provider, for: "https://a.example")
        let error = try await lateError(of: client.bind(AuthorizedRequest()), transport, after: .seconds(2))
        #expect(error.context.spending?.parts == [Part(.authorization, .seconds(8)), Part(.attempt, .seconds(2))])
        #expect(error.failureReason?.hasSuffix(": 8 s in authorization, 2 s in attempt 1") == true)
    }

    /// The deadline passes while the provider works, so that nothing is sent.
    @Test(arguments: [true, false]) func theTokenProviderAlone(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = silent
        let provider = SlowToken(clock: clock, times: [.seconds(11)], promises: !inOwnTask)
        let client = client(transport).authorized(by: provider, for: "https://a.example")
        let error = try await lateError(of: client.bind(AuthorizedRequest()), transport, requests: 0, after: .zero)
        #expect(error.context.spending?.longest == .authorization && error.context.attempt == 0)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [true, false]) func theRefreshAfterARejection(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = MockTransport { [clock] request in
            guard request.headers[.authorization] == "Bearer 1" else { try await untilCancelled() }
            clock.advance(by: .seconds(1))
            return HTTPResponse(status: 401)
        }
        let provider = SlowToken(clock: clock, times: [.zero, .seconds(6)], promises: !inOwnTask)
        let client = client(transport).authorized(by: provider, for: "https://a.example")
        let request = AuthorizedRequest()
        let error = try await lateError(of: client.bind(request), transport, requests: 2, after: .seconds(3))
        #expect(error.context.spending?.parts == [Part(.authorization, .seconds(6)), Part(.attempt, .seconds(4))])
        #expect(error.context.spending?.attempts == 2)
    }

    @Test func aSigner() async throws {
        let transport = silent
        let client = client(transport).authorized(by: SlowSigner(clock: clock), for: "https://a.example")
        let error = try await lateError(of: client.bind(AuthorizedRequest()), transport, after: .seconds(3))
        #expect(error.context.spending?.parts == [Part(.authorization, .seconds(7)), Part(.attempt, .seconds(3))])
    }

    @Test(arguments: [true, false]) func aPause(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = silent
        transport.enqueue(HTTPResponse(status: 503))
        let policy = RetryPolicy(delay: .seconds(100), delayMax: .seconds(100))
        let step = Delaying(clock: clock, before: .zero, promises: !inOwnTask)
        let client = client(transport, [step], retryPolicy: policy)
        async let paused: Void = {
            try #require(try await holds { clock.pendingCount >= 2 })
            clock.advance(by: .seconds(9))
        }()
        let error = try await lateError(of: client.bind(AnyRequest()), transport, requests: 2, after: .seconds(1))
        try await paused
        #expect(error.context.spending?.parts == [Part(.pause, .seconds(9)), Part(.attempt, .seconds(1))])
        #expect(error.failureReason?.hasSuffix(": 9 s in pauses between attempts, 1 s in 2 attempts") == true)
    }

    @Test(arguments: [true, false]) func aRedirect(inOwnTask: Bool) async throws {
        try await sendOnce()
        let transport = MockTransport { [clock] request in
            guard request.url.path() == "/p" else { try await untilCancelled() }
            clock.advance(by: .seconds(1))
            return HTTPResponse(status: 302, headers: [.location: "/q"])
        }
        let client = client(transport, inOwnTask ? [Delaying(clock: clock, promises: false)] : [])
        let error = try await lateError(of: client.bind(AnyRequest()), transport, requests: 2, after: .seconds(9))
        #expect(error.context.spending?.parts == [Part(.redirects, .seconds(9)), Part(.attempt, .seconds(1))])
        #expect("\(error)".contains("9 s in redirects, 1 s in attempt 1"))
    }

    @Test(arguments: [true, false]) func theBody(inOwnTask: Bool) async throws {
        try await sendOnce()
        let (source, clock) = (StuckSource(), clock)
        let transport = MockTransport { _ in
            clock.advance(by: .seconds(1))
            return HTTPResponse(status: 200, body: HTTPBody(pulling: source, count: nil))
        }
        let client = client(transport, inOwnTask ? [Delaying(clock: clock, promises: false)] : [])
        async let advanced: Void = {
            try await source.waitUntilRead()
            clock.advance(by: .seconds(9))
        }()
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest())
        }
        try await advanced
        #expect(error.context.spending?.parts == [Part(.body, .seconds(9)), Part(.attempt, .seconds(1))])
        #expect(error.failureReason?.hasSuffix(": 9 s in the response's body, 1 s in attempt 1") == true)
    }

    private struct Export: APIRequest {
        typealias Definition = StreamedResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
    }

    @Test func aStreamedBody() async throws {
        let (source, clock) = (StuckSource(), clock)
        let transport = MockTransport { _ in
            clock.advance(by: .seconds(4))
            return HTTPResponse(status: 200, body: HTTPBody(pulling: source, count: nil))
        }
        let body = try await client(transport).send(Export())
        async let advanced: Void = {
            try await source.waitUntilRead()
            clock.advance(by: .seconds(6))
        }()
        let error = try await #require(throws: APIError<ProblemDetails>.self) { _ = try await body.collect() }
        try await advanced
        #expect(error.reason == .deadline)
        #expect(
            error.failureReason == "the call took longer than 10 s: 6 s in the response's body, 4 s in attempt 1"
        )
    }

    @Test func readingByARequestsOwnCode() async throws {
        struct Slow: APIRequest {
            typealias Response = Int
            let clock: ManualClock
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
            func response(from response: BufferedResponse) async throws -> Int {
                clock.advance(by: .seconds(10))
                return 1
            }
        }
        let transport = MockTransport { _ in .json("1") }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(transport).send(Slow(clock: clock))
        }
        #expect(error.context.spending?.parts == [Part(.other, .seconds(10))])
    }

    @Test func aCallWithoutTimeSpendsNone() async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(silent).send(AnyRequest(timeout: .zero))
        }
        #expect(error.context.spending?.parts.isEmpty == true && error.context.spending?.longest == nil)
        #expect(error.failureReason == "the call took longer than 0 ms")
    }

    @Test func otherErrorsSayNothingAboutIt() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 404) }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(transport).send(AnyRequest())
        }
        #expect(error.context.spending == nil)
    }

    @Test func theLogSaysItTooAndNothingShowsASecret() async throws {
        let lines = Lock<[String]>([])
        let transport = silent
        let step = Delaying(clock: clock, before: .seconds(6), promises: true)
        let client = client(transport, [step]).logging(.line) { line in lines.withLock { $0.append(line) } }
        let request = AnyRequest(path: "/\(secret: "hunter2")", query: ["token": "hunter2"])
        let error = try await lateError(of: client.bind(request), transport, after: .seconds(4))
        let text = "the call took longer than 10 s: 6 s in middleware and other steps, 4 s in attempt 1"
        #expect(lines.withLock { $0.count == 1 && $0[0].contains(text) })
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!(dumped + lines.withLock { $0.joined() } + "\(error)").contains("hunter2"))
        #expect(dumped.contains("middleware and other steps"))
    }

    @Test func aTextOmitsWhatIsTooShortUnlessThereIsNothingElse() {
        let parts = [Part(.body, .microseconds(20)), Part(.pause, .seconds(2)), Part(.attempt, .zero)]
        #expect("\(DeadlineSpending(parts))" == "2 s in pauses between attempts")
        #expect("\(DeadlineSpending([Part(.body, .microseconds(20))]))" == "0 ms in the response's body")
        #expect(DeadlineSpending(parts).parts.map(\.phase) == [.pause, .body])
        #expect("\(DeadlineSpending([]))".isEmpty)
    }
}

private struct AuthorizedRequest: APIRequest {
    typealias Definition = RawResponse
    typealias Access = Authorized
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/p" }
}

/// Lets time pass before it goes on, as itself or as the queue of a limit.
private struct Delaying: HTTPMiddleware {
    let clock: ManualClock
    var before = Duration.zero
    var queue = Duration.zero
    let promises: Bool
    var endsOnCancellation: Bool { promises }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        clock.advance(by: before)
        if queue > .zero { await context.spending(.queueing) { clock.advance(by: queue) } }
        return try await next(request)
    }
}

/// Takes the next of some times for each token, which is its number.
private final class SlowToken: TokenProvider {
    let endsOnCancellation: Bool
    private let clock: ManualClock
    private let times: Lock<[Duration]>
    private let count = Lock(0)

    init(clock: ManualClock, times: [Duration], promises: Bool) {
        (self.clock, endsOnCancellation, self.times) = (clock, promises, Lock(times))
    }

    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        clock.advance(by: times.withLock { $0.isEmpty ? .zero : $0.removeFirst() })
        return AccessToken("\(count.withLock { $0 += 1; return $0 })")
    }
}

private struct SlowSigner: RequestSigner {
    let clock: ManualClock
    var endsOnCancellation: Bool { true }

    func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
        clock.advance(by: .seconds(7))
    }
}

/// A body without bytes and without an end.
private final class StuckSource: BodySource {
    private let isRead = Lock(false)

    func waitUntilRead() async throws {
        try #require(try await holds { isRead.withLock(\.self) })
    }

    func next() async throws -> Data? {
        isRead.withLock { $0 = true }
        try await untilCancelled()
    }

    func cancel() {}
}
