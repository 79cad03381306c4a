import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// What a policy may change about its defaults.
struct RetryOpeningTests {
    private func options(_ policy: RetryPolicy, _ clock: VirtualPauses) -> ClientOptions {
        var options = ClientOptions(retryPolicy: policy)
        options.clock = clock
        options.random = { 0.5 }
        return options
    }

    /// A clock on which each pause is over at once, and is noted.
    final class VirtualPauses: HTTPClock {
        private let state = Lock((now: ContinuousClock.now, pauses: [Duration]()))

        var now: ContinuousClock.Instant { state.withLock(\.now) }
        var pauses: [Duration] { state.withLock(\.pauses) }

        func schedule(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> HTTPClockTimer {
            let isPause = state.withLock { state in
                let pause = state.now.duration(to: instant)
                guard pause < .seconds(200) else { return false }
                (state.now, state.pauses) = (max(state.now, instant), state.pauses + [pause])
                return true
            }
            if isPause { action() }
            return HTTPClockTimer {}
        }
    }

    @Test func otherStatusesAreTransient() async throws {
        let transport = MockTransport()
        let policy = RetryPolicy(delay: .zero, budget: nil, transientStatuses: [404, 409])
        let client = APIClient(transport: transport, options: options(policy, VirtualPauses()))
        transport.enqueue(HTTPResponse(status: 404))
        transport.enqueue(HTTPResponse(status: 409))
        transport.enqueue(.response(.json("[]")))
        #expect(try await client.send(Shop.Dishes()) == [])
        #expect(transport.requests.count == 3)
        // What HTTP calls transient is none of them.
        transport.enqueue(HTTPResponse(status: 503))
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
        #expect(transport.requests.count == 4 && error?.isRetryable == false)
        for _ in 0..<3 { transport.enqueue(HTTPResponse(status: 404)) }
        let again = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
        #expect(again?.isRetryable == true && again?.context.retryEnd == .attemptsMax)
    }

    @Test(arguments: [true, false]) func aCallMayWaitOnceWithoutARetry(countsRetryAfter: Bool) async throws {
        let transport = MockTransport()
        let clock = VirtualPauses()
        let budget = RetryBudget(ratio: 0, reserve: 0, countsRetryAfter: countsRetryAfter)
        let client = APIClient(transport: transport, options: options(RetryPolicy(budget: budget), clock))
        for _ in 0..<3 { transport.enqueue(HTTPResponse(status: 429, headers: ["Retry-After": "10"])) }
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
        #expect(error?.context.retryEnd == .budget)
        #expect(transport.requests.count == (countsRetryAfter ? 1 : 2))
        #expect(clock.pauses == (countsRetryAfter ? [] : [.seconds(10.5)]))
    }

    /// Whatever the random number is, two seconds are between the first and the last attempt.
    @Test(arguments: [0, 0.3, 1]) func aRestartIsOutlasted(unit: Double) async throws {
        let transport = MockTransport { _ in throw TransportError(.connectionRefused, "x") }
        let clock = VirtualPauses()
        var options = options(.acrossRestart, clock)
        options.random = { unit }
        await #expect(throws: APIError<ShopError>.self) {
            try await APIClient(transport: transport, options: options).send(Shop.Dishes())
        }
        #expect(clock.pauses.count == 2 && clock.pauses.reduce(.zero, +) >= .seconds(2))
    }

    /// Nothing of it was sent.
    @Test(arguments: [FailureReason.connectionRefused, .hostNotFound, .connectTimeout, .notProcessed])
    func anyMethodIsSentAgainIfNothingWasSent(reason: FailureReason) async throws {
        let transport = MockTransport()
        transport.enqueue(.failure(TransportError(reason, "x")))
        transport.enqueue(HTTPResponse(status: .noContent))
        struct Order: APIRequest {
            typealias Definition = EmptyResponse
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/orders" }
            var method: HTTPMethod { .post }
        }
        let client = APIClient(transport: transport, options: options(RetryPolicy(delay: .zero), VirtualPauses()))
        _ = try await client.send(Order())
        #expect(transport.requests.count == 2)
    }
}
