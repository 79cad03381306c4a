import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// The load of many clients at one service that is overloaded for a while, in virtual time.
///
/// `scripts/simulate` does the same with thousands of clients, and draws it.
@Suite(.timeLimit(.minutes(10))) struct LoadOfRetriesTests {
    private struct Get: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
    }

    /// A queue that one server works off, which rejects what doesn't fit into it.
    fileprivate struct Service: Sendable {
        static let outage = 20..<200
        static let end = 260
        private static let queueMax = 30.0

        private var backlog = 0.0
        private var updated = 0.0
        private(set) var outageCount = 0

        /// - Returns: How long a request takes; `nil` if it is rejected.
        mutating func delay(at now: Double) -> Double? {
            let isOutage = Self.outage.contains(Int(now))
            // The capacity at the end of the time is taken for all of it, which is short.
            let capacity = isOutage ? 2.5 : 7.5
            backlog = max(0, backlog - (now - updated) * capacity)
            updated = now
            if isOutage { outageCount += 1 }
            guard backlog < Self.queueMax else { return nil }
            backlog += 1
            return backlog / capacity
        }
    }

    fileprivate struct Outcome: Equatable, Sendable {
        var outageCallsCount = 0
        var outageRequestsCount = 0
        /// Of the calls in the last 40 seconds, well after the end of the outage.
        var lateCount = 0
        var lateSuccessesCount = 0

        var load: Double { Double(outageRequestsCount) / Double(outageCallsCount) }
    }

    /// Fifty clients, each with a call in ten seconds.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func outcome(of policy: RetryPolicy, callsMax: Int = 1) async throws -> Outcome {
        try await VirtualTime.run(seed: 7) { time in
            let service = Lock(Service())
            let transport = MockTransport(clock: time.clock) { _ in
                let delay = service.withLock { $0.delay(at: time.elapsed / .seconds(1)) }
                try await time.sleep(for: .seconds(delay ?? 0.02))
                return delay == nil ? HTTPResponse(status: .serviceUnavailable) : .json("{}")
            }
            let timeouts = TransportTimeouts(firstByte: .seconds(2))
            let options = time.options(
                ClientOptions(timeout: .seconds(10), timeouts: timeouts, retryPolicy: policy)
            )
            let clients = (0..<50).map { _ in APIClient(transport: transport, options: options) }
            let outcome = Lock(Outcome())
            var generator = time.makeGenerator()
            try await withThrowingDiscardingTaskGroup { group in
                while time.elapsed < .seconds(Service.end) {
                    let client = clients[Int.random(in: 0..<50, using: &generator)]
                    group.addTask {
                        let second = Int(time.elapsed / .seconds(1))
                        var hasSucceeded = false
                        for _ in 0..<callsMax where !hasSucceeded {
                            hasSucceeded = (try? await client.send(Get())) != nil
                        }
                        outcome.withLock { [hasSucceeded] in $0.add(hasSucceeded, from: second) }
                    }
                    try await time.sleep(for: .milliseconds(Int.random(in: 0...400, using: &generator)))
                }
            }
            #expect(time.outsideEventCount == 0)
            var result = outcome.withLock(\.self)
            result.outageRequestsCount = service.withLock(\.outageCount)
            return result
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theDefaultBudgetLetsAServiceRecover() async throws {
        let outcome = try await outcome(of: .standard)
        #expect(outcome.load > 1 && outcome.load <= 1.2)
        #expect(Double(outcome.lateSuccessesCount) >= 0.99 * Double(outcome.lateCount))
        #expect(try await self.outcome(of: .standard) == outcome)
    }

    /// Otherwise the test above would show nothing.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func naiveRetriesKeepAServiceOverloaded() async throws {
        let outcome = try await outcome(of: .never, callsMax: 5)
        #expect(outcome.load > 3)
        #expect(Double(outcome.lateSuccessesCount) <= 0.5 * Double(outcome.lateCount))
    }
}

extension LoadOfRetriesTests.Outcome {
    fileprivate mutating func add(_ hasSucceeded: Bool, from second: Int) {
        if LoadOfRetriesTests.Service.outage.contains(second) { outageCallsCount += 1 }
        guard second >= LoadOfRetriesTests.Service.end - 40 else { return }
        lateCount += 1
        if hasSucceeded { lateSuccessesCount += 1 }
    }
}
