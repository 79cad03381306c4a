import Hikyaku
import HikyakuTesting
import Testing

/// Runs one check of the suite, and records what keeps the transport from passing it.
func expectConformance(
    of name: String,
    exempting exemptions: [ConformanceExemption] = [],
    _ make: @escaping @Sendable () throws -> any HTTPTransport,
) async throws {
    let check = try #require(TransportConformance.checks.first { $0.name == name })
    let own = exemptions.filter { $0.check == name }
    // As long as a machine may take on which all other tests run at the same time.
    let report = await ConformanceRunner([check], exempting: own, timeLimit: .seconds(120)).run(make)
    #expect(report.isConformant, "\(report)")
}
