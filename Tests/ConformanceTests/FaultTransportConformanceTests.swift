#if os(Linux)
import Hikyaku
import HikyakuTesting
import HikyakuWire
import Testing

/// What `FaultTransport` adds to a transport must not break its contract.
@Suite(.serialized) struct FaultTransportConformanceTests {
    private static let names = TransportConformance.checks.map(\.name)

    @Test(.timeLimit(.minutes(10)), arguments: names)
    func aTransportWithoutFaultsConforms(check name: String) async throws {
        try await expectConformance(of: name) { FaultTransport(WireTransport()) }
    }

    /// With faults that change nothing, all exchanges go through the code that applies faults.
    @Test(.timeLimit(.minutes(10)), arguments: names)
    func faultsWithoutAnEffectConform(check name: String) async throws {
        try await expectConformance(of: name) {
            FaultTransport(WireTransport(), plan: FaultPlan { _, _ in [.delay(.zero), .pausedBody(.zero)] })
        }
    }
}
#endif
