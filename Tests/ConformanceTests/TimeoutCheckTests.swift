#if os(Linux)
import Hikyaku
import HikyakuTesting
import HikyakuWire
import TestSupport
import Testing

/// What the checks of timeouts find.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TimeoutCheckTests {
    /// Throws the right error, and takes its time.
    private struct Late: HTTPTransport {
        let transport = WireTransport()

        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
            do {
                return try await transport.send(request, options: options)
            } catch {
                // The check's bound is on the real clock.
                try await spendRealTime(.seconds(11))
                throw error
            }
        }

        func shutdown(within grace: Duration) async { await transport.shutdown(within: grace) }
    }

    @Test func anErrorThatComesTooLateFailsTheCheck() async throws {
        let check = try #require(TransportConformance.checks.first { $0.name == "timeout.firstByte" })
        await #expect(throws: ConformanceFailure.self) { try await check.run { Late() } }
    }
}
#endif
