import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A clock whose timers are due at once: a pause moves it to its end.
private final class JumpingClock: HTTPClock {
    private let state = Lock(ContinuousClock.now)

    var now: ContinuousClock.Instant { state.withLock(\.self) }

    func advance(by duration: Duration) { state.withLock { $0 += duration } }

    func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer {
        state.withLock { $0 = max($0, instant) }
        action()
        return HTTPClockTimer {}
    }
}

private struct Mine: APIRequest {
    typealias Definition = RawResponse
    typealias Access = Authorized
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/mine" }
}

/// What responses and errors say about their calls.
@Suite(.timeLimit(.minutes(10))) struct ExplainedCallTests {
    private let clock = JumpingClock()

    /// Answers one after the other, each after 10 ms.
    private func service(_ answers: [@Sendable () throws -> HTTPResponse]) -> MockTransport {
        let rest = Lock(answers)
        return MockTransport { [clock] _ in
            clock.advance(by: .milliseconds(10))
            guard let answer = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                throw TransportError(.connectionRefused, "no answer left")
            }
            return try answer()
        }
    }

    /// Without a deadline: its timer would be due at once.
    private func client(
        _ transport: MockTransport,
        middleware: [any HTTPMiddleware] = [],
        _ change: (inout ClientOptions) -> Void = { _ in },
    ) -> APIClient<Public> {
        var options = ClientOptions(timeout: nil, clock: clock)
        options.random = { 0.5 }
        change(&options)
        return APIClient(transport: transport, middleware: middleware, options: options)
    }

    /// The lines of the times.
    private func times(_ explanation: CallExplanation) -> [String] {
        let lines = "\(explanation)".split(separator: "\n").map(String.init)
        let start = lines.firstIndex { $0.contains("times: ") } ?? lines.endIndex
        return lines[start...].filter { !$0.contains("last exchange") }
    }

    private func rejection(_ status: HTTPStatus, _ headers: HTTPHeaders = [:]) -> @Sendable () throws -> HTTPResponse {
        { HTTPResponse(status: status, headers: headers) }
    }

    // MARK: - Attempts

    @Test func aCallThatSurvivesAFailingService() async throws {
        let transport = service([
            rejection(503, ["Retry-After": "1"]), { throw TransportError(.connectionReset, "reset") },
            { .json("[]") },
        ])
        let response = try await client(transport).bind(Shop.Dishes()).response()
        let explanation = try #require(response.explanation)
        #expect(
            times(explanation) == [
                "└─ times: 1.33 s in all",
                "   ├─ attempt 1, 0 ms to 10 ms: 503 Service Unavailable",
                "   ├─ paused, 10 ms to 1.11 s",
                "   ├─ attempt 2, 1.11 s to 1.12 s: transport.connectionReset",
                "   ├─ paused, 1.12 s to 1.32 s",
                "   ├─ attempt 3, 1.32 s to 1.33 s: 200 OK",
            ]
        )
        let times = try #require(explanation.times)
        #expect(times.elapsed == .milliseconds(1330) && times.attempts.map(\.number) == [1, 2, 3])
        #expect(times.waits.map(\.phase) == [.pause, .pause])
        #expect(times.attempts.map(\.status) == [503, nil, 200])
        #expect(times.attempts.map(\.reason) == [nil, .connectionReset, nil])
        #expect(explanation.retries.budgetLeft == 0 && explanation.retries.end == nil)
        #expect(times.lastExchange != nil)
    }

    @Test func aCallThatFails() async throws {
        let transport = service([rejection(503), rejection(502), rejection(500)])
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(transport) { $0.retryPolicy = RetryPolicy(delay: .zero) }.send(Shop.Dishes())
        }
        let explanation = try #require(error.context.explanation)
        #expect(
            times(explanation) == [
                "└─ times: 30 ms in all",
                "   ├─ attempt 1, 0 ms to 10 ms: 503 Service Unavailable",
                "   ├─ attempt 2, 10 ms to 20 ms: 502 Bad Gateway",
                "   └─ attempt 3, 20 ms to 30 ms: 500 Internal Server Error",
            ]
        )
        #expect(explanation.retries.end == .attemptsMax && explanation.times?.lastExchange == nil)
        #expect("\(explanation)".contains("the budget has 0 left; ended, since all attempts were made"))
        #expect(explanation.fields.map(\.source) == [.client, .client, .environment, .client])
    }

    @Test(arguments: [true, false]) func aSingleAttempt(succeeds: Bool) async throws {
        let transport = service([rejection(succeeds ? 200 : 404)])
        let client = client(transport)
        let explanation: CallExplanation?
        if succeeds {
            explanation = try await client.bind(AnyRequest()).response().explanation
        } else {
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(AnyRequest())
            }
            explanation = error.context.explanation
        }
        let last = succeeds ? "200 OK" : "404 Not Found"
        let attempt = try #require(explanation).times?.attempts
        #expect(attempt?.count == 1 && attempt?.first?.end == .milliseconds(10))
        #expect("\(try #require(explanation))".contains("attempt 1, 0 ms to 10 ms: \(last)"))
    }

    @Test func nothingSent() async throws {
        let transport = service([])
        let provider = AskedToken { nil }
        let client = client(transport).authorized(by: provider, for: "https://a.example")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Mine()) }
        let explanation = try #require(error.context.explanation)
        #expect(explanation.times?.attempts.isEmpty == true && transport.requests.isEmpty)
        #expect(explanation.access.credential == "AskedToken")
        #expect(CallContext().explanation == nil && APIResponse(value: 1).explanation == nil)
    }

    // MARK: - Waits

    @Test func aRejectedToken() async throws {
        let clock = clock
        let transport = service([rejection(401), rejection(200)])
        let count = Lock(0)
        let provider = AskedToken {
            let number = count.withLock {
                $0 += 1; return $0
            }
            if number > 1 { clock.advance(by: .seconds(2)) }
            return "hunter\(number)"
        }
        let client = client(transport).authorized(by: provider, for: "https://a.example")
        let explanation = try #require(try await client.bind(Mine()).response().explanation)
        #expect(
            times(explanation) == [
                "└─ times: 2.02 s in all",
                "   ├─ attempt 1, 0 ms to 10 ms: 401 Unauthorized",
                "   ├─ waited for the credential, 10 ms to 2.01 s",
                "   ├─ attempt 2, 2.01 s to 2.02 s: 200 OK",
            ]
        )
        #expect(explanation.fields.first { $0.name == .authorization }?.source == .credential)
        #expect(!"\(explanation)".contains("hunter"))
    }

    @Test func aRedirect() async throws {
        let transport = service([rejection(302, [.location: "https://b.example/q?code=hunter2"]), rejection(200)])
        let explanation = try #require(try await client(transport).bind(AnyRequest()).response().explanation)
        #expect(explanation.url == "https://b.example/q?code=…")
        let hop = "302 Found: GET https://a.example/p → GET https://b.example/q?code=…"
        #expect(explanation.redirects.followed == [hop])
        #expect(
            times(explanation) == [
                "└─ times: 20 ms in all",
                "   ├─ attempt 1, 0 ms to 20 ms: 200 OK",
                "   │  └─ followed a redirect, 10 ms to 20 ms",
            ]
        )
        #expect("\(explanation)".contains("│  └─ \(hop)\n"))
    }

    @Test func aDeadline() async throws {
        let clock = ManualClock()
        let transport = MockTransport { _ in
            clock.advance(by: .seconds(5))
            try await untilCancelled()
        }
        let client = APIClient(transport: transport, options: ClientOptions(clock: clock))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest(timeout: .seconds(5)))
        }
        let explanation = try #require(error.context.explanation)
        #expect(explanation.deadline == .init(duration: .seconds(5), source: .request))
        #expect(
            times(explanation) == [
                "└─ times: 5 s in all", "   └─ attempt 1, 0 ms to 5 s: \(FailureReason.deadline)",
            ]
        )
        #expect(error.context.spending != nil, "both are there")
    }

    @Test func theQueueOfALimit() async throws {
        let transport = service([rejection(200), rejection(200)])
        let client = client(transport) { $0.limits = [.origin: CallLimit(rate: .perSecond(1))] }
        _ = try await client.send(AnyRequest())
        let explanation = try #require(try await client.bind(AnyRequest()).response().explanation)
        #expect(
            times(explanation) == [
                "└─ times: 1 s in all",
                "   ├─ waited for a limit, 0 ms to 990 ms",
                "   ├─ attempt 1, 990 ms to 1 s: 200 OK",
            ]
        )
    }

    // MARK: - Who set a field

    @Test func stepsSetFields() async throws {
        struct Tagging: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.headers["X-Tag"] = "1"
                return try await next(request)
            }
        }
        struct Signer: RequestSigner {
            func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
                request.headers.setSecret("X-Signature", "hunter2")
            }
        }
        let transport = service([rejection(200)])
        let client = client(transport, middleware: [Tagging()]).authorized(by: Signer(), for: "https://a.example")
        let explanation = try #require(try await client.bind(Mine()).response().explanation)
        let sources = Dictionary(explanation.fields.map { ($0.name, $0.source) }) { first, _ in first }
        #expect(sources["X-Tag"] == .step && sources["X-Signature"] == .step)
        #expect(sources[.acceptEncoding] == .client && explanation.middleware == ["Tagging"])
        #expect(explanation.access.credential == "Signer" && explanation.access.placement == "a signature")
    }

    @Test func cookiesAndABody() async throws {
        let clock = ManualClock()
        let store = MemoryCookieStore()
        let transport = MockTransport { _ in HTTPResponse(status: 200, headers: [.setCookie: "sid=hunter2"]) }
        var options = ClientOptions(clock: clock)
        options.cookies = store
        let client = APIClient(transport: transport, options: options)
        _ = try await client.send(AnyRequest())
        let request = AnyRequest(method: .post, headers: ["X-Own": "1"], body: .text("hunter2"))
        let explanation = try #require(try await client.bind(request).response().explanation)
        let sources = Dictionary(explanation.fields.map { ($0.name, $0.source) }) { first, _ in first }
        #expect(sources[.cookie] == .cookies)
        #expect(sources[.contentType] == .body && sources["X-Own"] == .request)
        #expect(explanation.body?.count == 7 && !"\(explanation)".contains("hunter2"))
    }

    // MARK: - What it keeps

    @Test func anErrorKeepsNeitherTransportNorClient() async throws {
        final class Service: HTTPTransport {
            func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
                HTTPResponse(status: 404)
            }
        }
        weak var weakTransport: Service?
        weak var weakCore: ClientCore?
        func call() async throws -> APIError<ProblemDetails> {
            let transport = Service()
            weakTransport = transport
            let client = APIClient(transport: transport)
            weakCore = client.core
            return try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(AnyRequest(method: .post, body: .text("large")))
            }
        }
        let error = try await call()
        #expect(error.context.explanation?.transport == "Service")
        #expect(try await holds { weakTransport == nil && weakCore == nil })
    }
}

/// The journal of a call, without a clock.
@Suite struct CallJournalTests {
    private static let start = ContinuousClock.now

    private func instant(_ milliseconds: Int) -> ContinuousClock.Instant {
        Self.start.advanced(by: .milliseconds(milliseconds))
    }

    @Test func shortWaitsAreDropped() {
        var journal = CallJournal()
        journal.enter(.authorization, at: instant(0))
        journal.enter(.other, at: Self.start.advanced(by: .microseconds(999)))
        journal.enter(.pause, at: instant(2))
        journal.enter(.body, at: instant(3))
        #expect(journal.waits.map(\.phase) == [.pause, .body])
        #expect(journal.waits[0].end == instant(3) && journal.waits[1].end == nil)
    }

    @Test func anAttemptEndsOnce() {
        var journal = CallJournal()
        journal.beginAttempt(1, at: instant(0))
        journal.beginAttempt(2, at: instant(1))
        journal.endAttempt(1, .status(200), at: instant(2))
        journal.endAttempt(1, .failure(.cancelled), at: instant(9))
        journal.endAttempt(nil, .failure(.connectionReset), at: instant(0))
        #expect(journal.attempts.map(\.outcome) == [.status(200), .failure(.connectionReset)])
        #expect(journal.attempts.map(\.end) == [instant(2), instant(1)], "never before it began")
        journal.endAttempt(3, .status(200), at: instant(3))
        #expect(journal.attempts.count == 2)
    }

    @Test func itIsBounded() {
        var journal = CallJournal()
        for number in 1...300 {
            journal.beginAttempt(number, at: instant(number * 10))
            journal.enter(.pause, at: instant(number * 10 + 5))
        }
        #expect(journal.attempts.count == CallJournal.entriesMax && journal.waits.count == CallJournal.entriesMax)
    }
}
