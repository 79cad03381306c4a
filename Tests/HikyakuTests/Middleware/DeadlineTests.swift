import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    private let clock = ManualClock()
    private let transport = MockTransport()

    private func client(timeout: Duration?) -> APIClient<Public> {
        var options = ClientOptions()
        options.timeout = timeout
        options.clock = clock
        return APIClient(transport: transport, options: options)
    }

    /// Waits until the request has reached the transport.
    private func waitUntilSent() async throws {
        try #require(try await holds { !transport.requests.isEmpty })
    }

    @Test func aCallEndsWhenItsTimeIsOver() async throws {
        transport.enqueue(.never)
        let client = client(timeout: .seconds(60))
        async let error = failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        try await waitUntilSent()
        clock.advance(by: .seconds(59))
        #expect(clock.pendingCount == 1)
        clock.advance(by: .seconds(1))
        let timedOut = try await error
        #expect(timedOut.reason == .deadline)
        #expect(timedOut.context.elapsed == .seconds(60))
        #expect(timedOut.context.attempt == 1)
        guard case .timedOut = timedOut else {
            Issue.record("\(timedOut)")
            return
        }
    }

    @Test func theRequestsTimeoutStandsAboveTheClients() async throws {
        transport.enqueue(.never)
        let client = client(timeout: .seconds(60))
        async let error = failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest(timeout: .seconds(5)))
        }
        try await waitUntilSent()
        clock.advance(by: .seconds(5))
        #expect(try await error.reason == .deadline)
    }

    @Test func aStepThatIgnoresCancellationCannotHoldUpTheDeadline() async throws {
        let gate = Gate()
        let stubborn = MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
        var options = ClientOptions()
        options.clock = clock
        options.timeout = .seconds(1)
        let client = APIClient(transport: stubborn, options: options)
        async let error = failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        try #require(try await holds { !stubborn.requests.isEmpty })
        clock.advance(by: .seconds(1))
        #expect(try await error.reason == .deadline)
        gate.open()
    }

    private struct SlowReading: APIRequest {
        typealias Response = Int
        let gate: Gate
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        func response(from response: BufferedResponse) async throws -> Int {
            await gate.wait()
            return 1
        }
    }

    @Test func theDeadlineHoldsForReadingToo() async throws {
        transport.enqueue(.json("1"))
        let gate = Gate()
        let client = client(timeout: .seconds(1))
        async let error = failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(SlowReading(gate: gate))
        }
        await gate.waitUntilSomeoneWaits()
        clock.advance(by: .seconds(1))
        #expect(try await error.reason == .deadline)
        gate.open()
    }

    @Test func aStubHasADeadlineToo() async throws {
        let gate = Gate()
        let client = client(timeout: .seconds(1)).stubbing(Shop.Dishes.self) { _ in
            await gate.wait()
            return []
        }
        async let error = failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        await gate.waitUntilSomeoneWaits()
        clock.advance(by: .seconds(1))
        #expect(try await error.reason == .deadline)
        gate.open()
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 10, .seconds(100 * 365 * 86_400 as Int64)])
    func aTimeoutBeyondAllTimeIsNone(timeout: Duration) async throws {
        transport.enqueue(.json("[]"))
        _ = try await client(timeout: timeout).send(Shop.Dishes())
        transport.enqueue(.json("[]"))
        let real = APIClient(transport: transport, options: ClientOptions(timeout: timeout))
        _ = try await real.send(Shop.Dishes())
        #expect("\(CallContext(elapsed: timeout))".hasSuffix(" ms)"))
    }

    @Test func aStepThatIgnoresCancellationCannotHoldUpACancelledCaller() async throws {
        let gate = Gate()
        let stubborn = MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
        let client = APIClient(transport: stubborn, options: ClientOptions(timeout: nil))
        let call = Task {
            try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        }
        await gate.waitUntilSomeoneWaits()
        call.cancel()
        #expect(try await call.value.isCancelled)
        gate.open()
    }

    @Test func aTimeoutOfZeroSendsNothing() async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(timeout: nil).send(AnyRequest(timeout: .zero))
        }
        #expect(error.reason == .deadline)
        let negative = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(timeout: nil).send(AnyRequest(timeout: .seconds(Int64.min)))
        }
        #expect(negative.reason == .deadline)
        #expect(transport.requests.isEmpty)
    }

    @Test func oneTimerStandsForAllCallsAndGoesAtItsTime() async throws {
        let client = client(timeout: .seconds(60))
        for _ in 0..<20 {
            transport.enqueue(.json("[]"))
            _ = try await client.send(Shop.Dishes())
            clock.advance(by: .seconds(1))
        }
        #expect(clock.pendingCount == 1)
        clock.advance(by: .seconds(40))
        #expect(clock.pendingCount == 0)
    }

    @Test func theTimerGoesWithTheLastClient() async throws {
        transport.enqueue(.json("[]"))
        var client: APIClient<Public>? = client(timeout: .seconds(60))
        _ = try await client?.send(Shop.Dishes())
        #expect(clock.pendingCount == 1)
        client = nil
        #expect(clock.pendingCount == 0)
    }

    @Test(arguments: [[30, 10, 20], [10, 20, 30], [30, 20, 10]])
    func eachCallEndsAtItsOwnDeadline(timeouts: [Int]) async throws {
        let client = client(timeout: nil)
        let ended = Lock<[Int]>([])
        let calls = timeouts.map { seconds in
            transport.enqueue(.never)
            return Task {
                let error = try await failure { () async throws(APIError<ProblemDetails>) in
                    try await client.send(AnyRequest(timeout: .seconds(seconds)))
                }
                #expect(error.reason == .deadline && error.context.elapsed == .seconds(seconds))
                ended.withLock { $0.append(seconds) }
            }
        }
        try #require(try await holds { transport.requests.count >= 3 })
        for expected in [[10], [10, 20], [10, 20, 30]] {
            clock.advance(by: .seconds(9))
            #expect(ended.withLock(\.self) == expected.dropLast())
            clock.advance(by: .seconds(1))
            try #require(try await holds { ended.withLock(\.count) >= expected.count })
        }
        for call in calls { try await call.value }
        #expect(clock.pendingCount == 0)
    }

    @Test(arguments: [Duration.seconds(60), nil])
    func aCancelledCallerGetsCancelled(timeout: Duration?) async throws {
        transport.enqueue(.never)
        let client = client(timeout: timeout)
        let call = Task {
            try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        }
        try await waitUntilSent()
        call.cancel()
        let error = try await call.value
        #expect(error.isCancelled && error.reason == .cancelled)
        #expect(!error.isRetryable)
    }

    @Test func aCallerThatWasCancelledBeforeSendsNothing() async throws {
        let client = client(timeout: .seconds(60))
        let gate = Gate()
        let call = Task {
            await gate.wait()
            return try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        }
        call.cancel()
        gate.open()
        #expect(try await call.value.isCancelled)
        #expect(transport.requests.isEmpty)
    }
}
