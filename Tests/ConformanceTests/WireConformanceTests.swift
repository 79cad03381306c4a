#if os(Linux)
import HikyakuTesting
import HikyakuWire
import Testing

@Suite(.serialized) struct WireConformanceTests {
    @Test(.timeLimit(.minutes(10)), arguments: TransportConformance.checks.map(\.name))
    func theWireTransportConforms(check name: String) async throws {
        try await expectConformance(of: name) { WireTransport() }
    }
}

/// The checks over HTTP/2: a front before their server speaks nothing else, and passes on what that does.
@Suite(.serialized) struct WireHTTP2ConformanceTests {
    @Test(.timeLimit(.minutes(10)), arguments: TransportConformance.checks.map(\.name))
    func theWireTransportConformsOverHTTP2(check name: String) async throws {
        try await expectConformance(of: name, exempting: Self.exemptions) { try FrontedTransport() }
    }

    /// What HTTP/2 has no counterpart of.
    private static let exemptions: [ConformanceExemption] =
        isNotRun(
            ["wordAs", "prefixed", "negative", "empty", "overflowing"].flatMap { threefold("\($0)ChunkSize") }
                + threefold("chunkLongerThanItsSize"),
            "HTTP/2 has no chunks: frames have lengths, which can't be spelled wrong",
        )
        + isNotRun(
            threefold("lengthAndChunked") + threefold("unknownTransferCoding"),
            "HTTP/2 has no transfer codings, and what says one is refused (RFC 9113, section 8.2.2)",
        )
        + [
            .fails(
                "framing.missingLastChunk.reason",
                "without chunks, it is a body without END_STREAM: truncatedResponse",
            )
        ]
        + isNotRun(threefold("noColon") + ["response.foldedHeader"], "HTTP/2 has no header lines")
        + [.fails("bounds.headerLine", "to nghttp2, a field of more than 64 KiB is malformed")]
        + isNotRun(
            ["timeout.idleInHeaders"],
            "a header block of HTTP/2 shows when it is whole: until then, the first byte is waited for",
        )
        + isNotRun(
            ["connections.refused", "events.refused", "timeout.connect"],
            "there is no HTTP/2 without a connection, and the front takes any",
        )

    private static func threefold(_ fault: String) -> [String] {
        ["", ".afterAGoodResponse", ".reason"].map { "framing.\(fault)\($0)" }
    }

    private static func isNotRun(_ names: [String], _ reason: String) -> [ConformanceExemption] {
        names.map { .isNotRun($0, reason) }
    }
}
#endif
