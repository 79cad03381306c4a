#if os(Linux)
import Hikyaku
import HikyakuTesting
import HikyakuWire
import Testing

/// What MockTransport does itself, with answers that a transport brings from a real server.
@Suite(.serialized) struct MockTransportConformanceTests {
    /// The rest would check the transport that it uses.
    private static let applicable = [
        "refuses.", "cancel.", "shutdown.", "download.", "upload.", "events.", "bounds.", "timeout.",
    ]

    private static let exemptions: [ConformanceExemption] =
        [
            "upload.withoutLength", "upload.backPressure", "upload.cancel", "upload.notReplayable",
            "timeout.idleInUpload",
        ].map { .fails($0, "uploads are collected and recorded before they are answered") }
        + ["events.sending", "events.reuse", "events.interim"].map { .fails($0, "there is no connection to report") }
        + [
            .isNotRun("timeout.connect", "there is nothing to connect to"),
            .fails(
                "timeout.idleInHeaders",
                "an answer's head comes as a whole: until then, the first byte is waited for",
            ),
            .fails("shutdown.waits", "a script that hasn't answered as a rule never does"),
            .fails("shutdown.refuses", "the connections are those of the transport behind it"),
        ]

    private static let names = TransportConformance.checks.map(\.name).filter { name in
        applicable.contains { name.hasPrefix($0) }
    }

    @Test(.timeLimit(.minutes(10)), arguments: names)
    func mockTransportConformsWhereItApplies(check name: String) async throws {
        try await expectConformance(of: name, exempting: Self.exemptions) {
            let behind = WireTransport()
            return MockTransport { request in
                let bounds = TransportOptions(streamsBody: true, timeouts: TransportTimeouts(idle: .seconds(600)))
                return try await behind.send(request, options: bounds)
            }
        }
    }
}
#endif
