#if os(Linux)
import HikyakuWire
import HikyakuTesting
import Testing

@Suite(.serialized) struct WireConformanceTests {
    @Test(.timeLimit(.minutes(5)), arguments: TransportConformance.checks.map(\.name))
    func theWireTransportConforms(check name: String) async throws {
        try await expectConformance(of: name) { WireTransport() }
    }
}
#endif
