import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import struct Hikyaku.APIClient
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10))) struct RetryingTests {
    private let transport = MockTransport()

    /// A client whose pauses take no time.
    private func client(
        _ policy: RetryPolicy = RetryPolicy(delay: .zero),
        clock: (any HTTPClock)? = nil,
        middleware: [any HTTPMiddleware] = [],
    ) -> APIClient<Public> {
        var options = ClientOptions()
        options.retryPolicy = policy
        if let clock { options.clock = clock }
        return APIClient(transport: transport, middleware: middleware, options: options)
    }

    private struct Search: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var method: HTTPMethod = .post
        var path: RequestPath { "/search" }
        var body: RequestBody? = .text("q")
        var isIdempotent: Bool = true
        var idempotencyKey: IdempotencyKey = .none
        var ownHeaders: HTTPHeaders = [:]
        var headers: HTTPHeaders { ownHeaders }
    }

    private func enqueue(_ statuses: HTTPStatus...) {
        for status in statuses { transport.enqueue(HTTPResponse(status: status, body: "x")) }
    }

    @Test func theDefaultClientRetries() async throws {
        var options = ClientOptions()
        #expect(options.retryPolicy == .standard)
        options.random = { 0 }
        enqueue(503, 503, 200, 503)
        _ = try await APIClient(transport: transport, options: options).send(AnyRequest())
        #expect(transport.requests.count == 3)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(.never).send(AnyRequest())
        }
        #expect(error.response?.status == 503 && transport.requests.count == 4)
        #expect(error.context.earlierAttempts.isEmpty && error.context.retryEnd == nil)
    }

    /// Among them are those that a CDN has made.
    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 509, 520, 522, 529, 530, 598, 599])
    func transientStatusesAreRetried(_ status: Int) async throws {
        enqueue(HTTPStatus(status), HTTPStatus(status), 200)
        let response = try await client().bind(AnyRequest()).response()
        #expect(response.status == 200 && response.value == Data("x".utf8))
        #expect(transport.requests.count == 3)
        #expect(Set(transport.requests.map(\.url)).count == 1)
    }

    @Test(arguments: [
        FailureReason.connectionClosed, .connectionReset, .truncatedResponse, .connectionRefused, .hostNotFound,
        .firstByteTimeout, .idleTimeout, .connectTimeout,
    ])
    func transientFailuresOfExchangesAreRetried(_ reason: FailureReason) async throws {
        transport.enqueue(.failure(TransportError(reason, "broken")))
        enqueue(200)
        #expect(try await client().send(AnyRequest()) == Data("x".utf8))
    }

    @Test(arguments: [
        FailureReason.notProcessed, .connectionRefused, .hostNotFound, .networkUnreachable, .connectTimeout,
        .proxyFailed,
    ])
    func whatWasNotSentIsRetriedWhateverItsMethod(_ reason: FailureReason) async throws {
        transport.enqueue(.failure(TransportError(reason, "no connection")))
        enqueue(200)
        #expect(try await client().send(AnyRequest(method: .post)) == Data("x".utf8))
    }

    @Test func aCauseThatStaysIsNotRetriedWhateverItsReason() async throws {
        transport.enqueue(.failure(TransportError(.proxyFailed, "the password is wrong").final))
        enqueue(200)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(AnyRequest(method: .post))
        }
        #expect(error.reason == .proxyFailed && !error.isRetryable && transport.requests.count == 1)
        #expect(error.recoverySuggestion?.contains("may have been done") == false)
    }

    /// Only after a failure that says so.
    @Test func whatWasNotProcessedIsRetriedWhateverItsMethod() async throws {
        let unprocessed = TransportError(.notProcessed, "refused")
        for _ in 0..<2 { transport.enqueue(.failure(unprocessed)) }
        enqueue(200)
        #expect(try await client().send(AnyRequest(method: .post)) == Data("x".utf8))
        transport.enqueue(.failure(unprocessed))
        transport.enqueue(.failure(TransportError(.connectionClosed, "broken")))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(AnyRequest(method: .post))
        }
        #expect(error.reason == .connectionClosed && transport.requests.count == 5)
    }

    @Test(arguments: [
        400, 401, 403, 404, 409, 419, 499, 501, 505, 506, 507, 508, 510, 511, 600, 700, 999, 99, 0,
    ])
    func otherStatusesEndTheCall(_ status: Int) async throws {
        enqueue(HTTPStatus(status), 200)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(AnyRequest())
        }
        #expect(error.response?.status == HTTPStatus(status) && transport.requests.count == 1)
        #expect(error.context.retryEnd == nil && error.response?.text == "x" && !error.isRetryable)
    }

    @Test func otherErrorsEndTheCall() async throws {
        struct Broken: Error {}
        let errors: [any Error] = [
            TransportError(.malformedResponse, "x"), TransportError(.certificateExpired, "x"), CancellationError(),
            Broken(),
        ]
        for error in errors {
            transport.enqueue(.failure(error))
            _ = try await failure { () async throws(APIError<ProblemDetails>) in try await client().send(AnyRequest()) }
        }
        #expect(transport.requests.count == errors.count)
    }

    @Test func aBodyThatCannotBeDecodedIsNotRetried() async throws {
        enqueue(200)
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client().send(Shop.Dishes())
        }
        #expect(error.phase == .decoding && transport.requests.count == 1)
    }

    @Test func anAcceptedStatusIsNotAFailure() async throws {
        struct Health: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/health" }
            func accepts(_ status: HTTPStatus) -> Bool { status == 503 }
        }
        enqueue(503, 200)
        #expect(try await client().bind(Health()).response().status == 503)
    }

    /// Of the statuses that end a call, those from 500 on don't say that the service works.
    @Test(arguments: [(200, true), (404, true), (501, false), (505, false)])
    func onlyProcessedRequestsEarnRetries(_ status: Int, earns: Bool) async throws {
        let client = client(RetryPolicy(delay: .zero, budget: RetryBudget(ratio: 1, reserve: 0)))
        enqueue(HTTPStatus(status), 503, 200)
        _ = try? await client.send(AnyRequest())
        let isSent = (try? await client.send(AnyRequest())) != nil
        #expect(isSent == earns)
    }

    // MARK: - What may be repeated

    @Test func anUnsafeRequestIsSentOnce() async throws {
        enqueue(503, 200)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(AnyRequest(method: .post))
        }
        #expect(error.response?.status == 503 && transport.requests.count == 1)
    }

    @Test func aRequestSaysItself() async throws {
        enqueue(503, 200)
        #expect(try await client().bind(Search()).response().status == 200)
        enqueue(503)
        _ = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(Search(method: .get, body: nil, isIdempotent: false))
        }
        #expect(transport.requests.count == 3)
    }

    @Test func aKeyIsTheSameInAllAttemptsOfACallAndInNoOther() async throws {
        let payment = Search(isIdempotent: false, idempotencyKey: .random)
        enqueue(503, 503, 200, 200)
        _ = try await client().send(payment)
        _ = try await client().send(payment)
        let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 4 && Set(keys.prefix(3)).count == 1 && keys[2] != keys[3])
        #expect(UUID(uuidString: try #require(keys[0])) != nil)
    }

    @Test func aKeyOfOnesOwnIsSentAsItIs() async throws {
        enqueue(200)
        _ = try await client().send(Search(idempotencyKey: IdempotencyKey("order 7")))
        #expect(transport.requests.first?.headers["Idempotency-Key"] == "order 7")
    }

    @Test func aKeyThatIsNotAHeaderIsRejected() async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(Search(idempotencyKey: IdempotencyKey("a\nb")))
        }
        #expect(error.reason == .header && transport.requests.isEmpty)
    }

    /// The request says nothing about the method that a middleware has given it.
    @Test func aMiddlewareThatMakesAnUnsafeRequestEndsTheRetries() async throws {
        struct Tunnel: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.method = .post
                return try await next(request)
            }
        }
        enqueue(503, 200)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(middleware: [Tunnel()]).send(AnyRequest())
        }
        #expect(error.response?.status == 503 && transport.requests.count == 1)
    }

    @Test func aOneShotBodyIsSentOnce() async throws {
        enqueue(503, 200)
        let stream = RequestBody.stream(HTTPBody(AsyncStream<Data> { $0.finish() }))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(Search(body: stream))
        }
        #expect(error.context.retryEnd == .body && transport.requests.count == 1)
        #expect("\(error)".contains("the body can't be sent again"))
    }

    // MARK: - What the error and the observers get

    @Test func theErrorHasTheEarlierAttempts() async throws {
        transport.enqueue(.failure(TransportError(.connectionReset, "broken")))
        enqueue(503, 502)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(AnyRequest())
        }
        #expect(error.response?.status == 502 && error.context.attempt == 3)
        #expect(error.context.retryEnd == .attemptsMax)
        #expect(error.context.earlierAttempts.map(\.number) == [1, 2])
        #expect(error.context.earlierAttempts.map(\.reason) == [.connectionReset, .unacceptableStatus])
        #expect(error.context.earlierAttempts.map(\.status) == [nil, 503])
        #expect("\(error)".contains("attempt 3, all attempts were made"))
    }

    @Test func observersHearOfEachRetry() async throws {
        let reasons = Lock<[FailureReason]>([])
        let observed = client().observing { event in
            if case .retrying(let reason, _) = event.kind { reasons.withLock { $0.append(reason) } }
        }
        enqueue(503)
        transport.enqueue(.failure(TransportError(.idleTimeout, "silent")))
        enqueue(200)
        _ = try await observed.send(AnyRequest())
        #expect(reasons.withLock(\.self) == [.unacceptableStatus, .idleTimeout])
    }

    @Test func theBudgetEndsTheRetriesOfAllCalls() async throws {
        var policy = RetryPolicy(delay: .zero)
        policy.budget = RetryBudget(ratio: 0.2, reserve: 1)
        // Derived clients share it.
        let clients = [client(policy)]
        let both = clients + [clients[0].observing { _ in }]
        enqueue(503, 503)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await both[0].send(AnyRequest())
        }
        #expect(error.context.retryEnd == .budget && "\(error)".contains("the retry budget is spent"))
        enqueue(503)
        let other = try await failure { () async throws(APIError<ProblemDetails>) in
            try await both[1].send(AnyRequest())
        }
        #expect(other.context.retryEnd == .budget && transport.requests.count == 3)
    }

    // MARK: - Time

    /// Moves the clock as soon as the call waits for an instant besides its deadline.
    private func advance(_ clock: ManualClock, by duration: Duration) async throws {
        try #require(try await holds { clock.pendingCount >= 2 })
        clock.advance(by: duration)
    }

    @Test func theServiceIsNeverUndercut() async throws {
        let clock = ManualClock()
        let client = client(RetryPolicy(delay: .zero), clock: clock)
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "30"]))
        enqueue(200)
        let call = Task { try await client.send(AnyRequest()) }
        try await advance(clock, by: .seconds(29))
        for _ in 0..<100 { await Task.yield() }
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(1))
        #expect(try await call.value == Data("x".utf8))
    }

    @Test(arguments: ["61", "Thu, 01 Jan 2999 00:00:00 GMT"])
    func aPauseBeyondTheBoundEndsTheCallAtOnce(_ retryAfter: String) async throws {
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": retryAfter]))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(AnyRequest())
        }
        #expect(error.context.retryEnd == .retryAfter && transport.requests.count == 1)
        #expect(error.retryAfter.map { $0 > .seconds(60) } == true)
    }

    @Test func noAttemptStartsThatCannotEndBeforeTheDeadline() async throws {
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "5"]))
        // On the real clock of a busy machine, the deadline may pass first.
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(clock: ManualClock()).send(AnyRequest(timeout: .seconds(4)))
        }
        #expect(error.response?.status == 503 && error.context.retryEnd == .retryAfter)
    }

    @Test func theDeadlineEndsALaterAttempt() async throws {
        let clock = ManualClock()
        let client = client(RetryPolicy(delay: .zero), clock: clock)
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "30"]))
        transport.enqueue(.never)
        let call = Task { try await client.send(AnyRequest(timeout: .seconds(40))) }
        try await advance(clock, by: .seconds(30))
        try #require(try await holds { transport.requests.count >= 2 })
        clock.advance(by: .seconds(10))
        let error = try #require(await call.result.failure as? APIError<ProblemDetails>)
        #expect(error.reason == .deadline && error.context.earlierAttempts.count == 1)
    }

    @Test func cancellingEndsAPause() async throws {
        let clock = ManualClock()
        let client = client(RetryPolicy(delay: .zero), clock: clock)
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "30"]))
        let call = Task { try await client.send(AnyRequest()) }
        try #require(try await holds { clock.pendingCount >= 2 })
        call.cancel()
        let error = try #require(await call.result.failure as? APIError<ProblemDetails>)
        #expect(error.isCancelled && transport.requests.count == 1)
    }

    /// In the caller's task, and in a task of its own for a middleware that may ignore its end.
    @Test(arguments: [true, false]) func cancelAllEndsAPause(inOwnTask: Bool) async throws {
        struct Plain: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse { try await next(request) }
        }
        let clock = ManualClock()
        let client = client(RetryPolicy(delay: .zero), clock: clock, middleware: inOwnTask ? [Plain()] : [])
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "30"]))
        let call = Task { try await client.send(AnyRequest()) }
        try #require(try await holds { clock.pendingCount >= 2 })
        #expect(client.cancelAll(AnyRequest.self) == 1)
        let error = try #require(await call.result.failure as? APIError<ProblemDetails>)
        // The timer of the pause is cancelled; that of the deadlines serves all calls.
        #expect(error.isCancelled && transport.requests.count == 1 && clock.pendingCount <= 1)
    }

    /// Otherwise calls that wait would hold the connections that others need.
    @Test func aStreamedResponseIsReleasedBeforeThePause() async throws {
        let clock = ManualClock()
        let client = client(RetryPolicy(delay: .zero), clock: clock)
        final class Source: BodySource {
            let isReleased: Lock<Bool>
            init(_ isReleased: Lock<Bool>) { self.isReleased = isReleased }
            func next() async throws -> Data? { nil }
            func cancel() { isReleased.withLock { $0 = true } }
        }
        let isReleased = Lock(false)
        transport.enqueue(
            HTTPResponse(
                status: 503,
                headers: ["Retry-After": "30"],
                body: HTTPBody(pulling: Source(isReleased)),
            )
        )
        enqueue(200)
        struct Streamed: APIRequest {
            typealias Definition = StreamedResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
        }
        let call = Task { try await client.bind(Streamed()).response().status }
        try #require(try await holds { clock.pendingCount >= 2 })
        #expect(isReleased.withLock({ $0 }))
        clock.advance(by: .seconds(30))
        #expect(try await call.value == 200)
    }

    // MARK: - Beside the other steps

    /// Otherwise a refresh that must not be repeated would be, and a 401 would replace the reason.
    @Test func aFailureOfAProviderIsNotRetried() async throws {
        struct Offline: TokenProvider {
            let count: Lock<Int>
            func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
                count.withLock { $0 += 1 }
                throw TransportError(.connectionReset, "the refresh failed")
            }
        }
        struct Mine: Shop.Request {
            typealias Definition = RawResponse
            typealias Access = Authorized
            var path: RequestPath { "/mine" }
        }
        let count = Lock(0)
        let client = client().authorized(by: Offline(count: count), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Mine()) }
        #expect(error.reason == .connectionReset && count.withLock({ $0 }) == 1)
        #expect(error.context.earlierAttempts.isEmpty && transport.requests.isEmpty)
    }

    @Test func aRequestsOwnKeyCountsToo() async throws {
        enqueue(503, 200)
        _ = try await client().send(Search(isIdempotent: false, ownHeaders: ["Idempotency-Key": "7"]))
        #expect(transport.requests.count == 2)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(Search(idempotencyKey: IdempotencyKey("")))
        }
        #expect(error.reason == .header && transport.requests.count == 2)
    }

    /// Otherwise each of many calls with one exchange would repeat it.
    @Test func callsThatShareAnExchangeShareItsAttempts() async throws {
        struct Shared: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/shared" }
            var sharesExchange: Bool { true }
        }
        let clock = ManualClock()
        let client = client(RetryPolicy(delay: .zero, budget: RetryBudget(ratio: 0, reserve: 1)), clock: clock)
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "30"]))
        enqueue(503)
        let calls = (0..<10).map { _ in client.call(Shared()) }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 10 && clock.pendingCount >= 2 })
        clock.advance(by: .seconds(30))
        for call in calls {
            let error = try #require(await call.result.failure)
            #expect(error.response?.status == 503 && error.context.retryEnd == .budget)
            #expect(error.context.attempt == 2 && error.context.earlierAttempts.map(\.status) == [503])
        }
        #expect(transport.requests.count == 2)
    }

    /// The call that started an exchange may have less time than the others.
    @Test func theLatestDeadlineOfSharingCallsCounts() async throws {
        struct Shared: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/shared" }
            var sharesExchange: Bool { true }
            var timeout: Duration?
        }
        let (clock, gate) = (ManualClock(), Gate())
        let answers = Lock([
            HTTPResponse(status: 503, headers: ["Retry-After": "30"]), HTTPResponse(status: 200, body: "x"),
        ])
        let transport = MockTransport { _ in
            await gate.wait()
            return answers.withLock { $0.removeFirst() }
        }
        let client = APIClient(
            transport: transport,
            options: ClientOptions(retryPolicy: RetryPolicy(delay: .zero), clock: clock),
        )
        let hasty = client.call(Shared(timeout: .seconds(10)))
        try #require(try await holds { !transport.requests.isEmpty })
        let patient = client.call(Shared(timeout: .seconds(100)))
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 2 })
        let pending = clock.pendingCount
        gate.open()
        try #require(try await holds { clock.pendingCount != pending })
        clock.advance(by: .seconds(30))
        #expect(try await patient.value == Data("x".utf8))
        #expect(await hasty.result.failure?.reason == .deadline)
    }

    @Test func middlewareSeesOneResponseAndAuthorizationOneRequest() async throws {
        struct Counting: HTTPMiddleware {
            let count: Lock<Int>
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                count.withLock { $0 += 1 }
                return try await next(request)
            }
        }
        struct Numbered: TokenProvider {
            let count: Lock<Int>
            func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
                AccessToken("t\(count.withLock { $0 += 1; return $0 })")
            }
        }
        let (calls, tokens) = (Lock(0), Lock(0))
        // The token expires during the pause.
        enqueue(503, 401, 503, 200)
        struct Mine: Shop.Request {
            typealias Definition = RawResponse
            typealias Access = Authorized
            var path: RequestPath { "/mine" }
        }
        let policy = RetryPolicy(delay: .zero, budget: nil)
        let client = client(policy, middleware: [Counting(count: calls)])
            .authorized(by: Numbered(count: tokens), for: .shop)
        _ = try await client.send(Mine())
        #expect(calls.withLock(\.self) == 1)
        let sent = transport.requests.map { $0.headers[.authorization] }
        #expect(sent == ["Bearer t1", "Bearer t1", "Bearer t2", "Bearer t2"])
        // Sending again with another token is not a further attempt, and begins no new series.
        enqueue(503, 503, 401, 503, 503)
        _ = try await failure { () async throws(APIError<ShopError>) in try await client.send(Mine()) }
        #expect(transport.requests.count == 8)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
