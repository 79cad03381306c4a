#if os(Linux)
import HikyakuCurl
import HikyakuTesting
import Testing

@Suite(.serialized) struct CurlConformanceTests {
    @Test(.timeLimit(.minutes(5)), arguments: TransportConformance.checks.map(\.name))
    func theCurlTransportConforms(check name: String) async throws {
        try await expectConformance(of: name) { CurlTransport() }
    }
}
#endif
