#if os(Linux)
import HikyakuTesting
import HikyakuWire
import Testing

/// What the checks of timeouts find.
@Suite(.timeLimit(.minutes(10))) struct TimeoutCheckTests {
    /// The right error comes after the check's timeout of 300 ms, which is later than this limit allows.
    @Test func anErrorThatComesTooLateFailsTheCheck() async throws {
        let check = try #require(TransportConformance.checks.first { $0.name == "timeout.firstByte" })
        let failure = try await #require(throws: ConformanceFailure.self) {
            try await TransportConformance.$promptLimit.withValue(.milliseconds(100)) {
                try await check.run { WireTransport() }
            }
        }
        #expect(failure.found.contains("the end within"))
    }
}
#endif
