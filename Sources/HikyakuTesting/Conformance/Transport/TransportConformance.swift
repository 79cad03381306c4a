import Hikyaku
import HikyakuMockServer

/// What every `HTTPTransport` must do, as a list of checks against a real server on loopback.
///
/// ```swift
/// @Test func conforms() async {
///     let report = await TransportConformance.run { MyTransport() }
///     #expect(report.isConformant, "\(report)")
/// }
/// ```
/// Each check starts a `MockServer`, and asks for a transport of its own, which it shuts down at the end. They take
/// some ten seconds together. A transport that can't do something is given an exemption for it by name, with the
/// reason; one that can tell a fault but not which passes `framing.shortBody` and is exempt from
/// `framing.shortBody.reason`.
public enum TransportConformance {
    /// All checks, in the order in which they are best read.
    public static let checks: [ConformanceCheck<any HTTPTransport>] =
        requests + invalidRequests + responses + bodilessResponses + neutrality + framing + bounds + connections
        + cancellation + shutdown + downloads + uploads + brokenUploads + timeouts + events

    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - exemptions: What the transport is known not to do; one that it does after all is a problem of the report.
    ///   - timeLimit: How long one check may take.
    ///   - make: Makes the transport; each check asks for a new one.
    /// - Returns: What came of each check.
    public static func run(
        exempting exemptions: [ConformanceExemption] = [],
        timeLimit: Duration = .seconds(30),
        _ make: @escaping @Sendable () throws -> any HTTPTransport,
    ) async -> ConformanceReport {
        await ConformanceRunner(checks, exempting: exemptions, timeLimit: timeLimit).run(make)
    }

    typealias Check = ConformanceCheck<any HTTPTransport>

    /// A check with a server and a transport, which end with it.
    static func check(
        _ name: String,
        _ why: String,
        server options: MockServerOptions = MockServerOptions(),
        _ body: @escaping @Sendable (ConformanceWire) async throws -> Void,
    ) -> Check {
        Check(name, why: why) { make in
            let wire = ConformanceWire(server: try MockServer(options: options), transport: try make())
            defer { wire.server.stop() }
            try await withTaskCancellationHandler {
                try await body(wire)
                await wire.transport.shutdown(within: .zero)
            } onCancel: {
                // A check that hangs as a rule waits for the server.
                wire.server.stop()
            }
        }
    }
}
