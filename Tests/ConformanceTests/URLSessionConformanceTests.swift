import HikyakuTesting
import HikyakuURLSession
import Testing

@Suite(.serialized) struct URLSessionConformanceTests {
    @Test(.timeLimit(.minutes(5)), arguments: TransportConformance.checks.map(\.name))
    func theURLSessionTransportConformsButForWhatItsTableSays(check name: String) async throws {
        try await expectConformance(of: name, exempting: URLSessionExemptions.all) { URLSessionTransport() }
    }
}
