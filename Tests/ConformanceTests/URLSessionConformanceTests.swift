#if !canImport(Darwin)
import HikyakuTesting
import HikyakuURLSession
import Testing

@Suite(.serialized) struct URLSessionConformanceTests {
    @Test(.timeLimit(.minutes(10)), arguments: TransportConformance.checks.map(\.name))
    func theURLSessionTransportConformsExceptForTheKnownDifferences(check name: String) async throws {
        try await expectConformance(of: name, exempting: URLSessionExemptions.all) { URLSessionTransport() }
    }

    /// What isn't run above for this reason really stops the process; when it no longer does, it can be run.
    @Test(.timeLimit(.minutes(10))) func aConnectionThatEndsInTheHeadStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            try await expectConformance(of: "framing.cutInHeaders") { URLSessionTransport() }
        }
    }

    @Test(.timeLimit(.minutes(10))) func aTrailerStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            try await expectConformance(of: "response.chunked") { URLSessionTransport() }
        }
    }
}
#endif
