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
    // Only for a check that hangs: on a busy machine, or with a sanitizer, a check takes many times as long as usual.
    // Those with an exemption fail, or hang, and then fail too.
    let timeLimit = Duration.seconds(own.isEmpty ? 300 : 1)
    let report = await ConformanceRunner([check], exempting: own, timeLimit: timeLimit).run(make)
    #expect(report.isConformant, "\(report)")
}
