#if os(Linux)
import Foundation
import Hikyaku
import HikyakuCurl
import HikyakuMockServer
import Testing

/// What a client tells of its calls over a real wire.
@Suite(.timeLimit(.minutes(2)))
struct ClientEventTests {
    private struct Call: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment
        var method: HTTPMethod { body == nil ? .get : .post }
        var path: RequestPath { "/1" }
        var body: RequestBody?
    }

    @Test(.enabled(if: Certificates.isPossible && Nginx.isInstalled))
    func theTimingsOfACallTellOfItsTLS() async throws {
        let nginx = try await Nginx()
        let client = APIClient(transport: try await CurlTransport.trusting(Certificates.shared))
        let call = Call(environment: APIEnvironment(baseURL: "https://127.0.0.1:\(nginx.port)"))
        let first = try await client.response(for: call).timings
        #expect(first.isConnectionReused == false && first.protocolName == "h2")
        #expect(first.connect != nil)
        #expect(try #require(first.tls) > .zero)
        let second = try await client.response(for: call).timings
        #expect(second.isConnectionReused == true && second.protocolName == "h2")
        #expect(second.connect == nil && second.tls == nil)
    }
}
#endif
