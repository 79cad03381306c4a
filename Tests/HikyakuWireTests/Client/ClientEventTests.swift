#if os(Linux)
import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuWire
import Testing

/// The events of a client's calls over a real connection.
@Suite(.timeLimit(.minutes(5)))
struct ClientEventTests {
    private struct Call: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment
        var method: HTTPMethod { body == nil ? .get : .post }
        var path: RequestPath { "/1" }
        var body: RequestBody?
    }

    @Test(.enabled(if: Certificates.isPossible))
    func theTimingsOfACallIncludeTLS() async throws {
        let server = try await TLSServer()
        let client = APIClient(transport: try await WireTransport.trusting(Certificates.shared))
        let call = Call(environment: APIEnvironment(baseURL: "https://127.0.0.1:\(server.ports[0])"))
        let first = try await client.bind(call).response().timings
        #expect(first.isConnectionReused == false && first.protocolName == "http/1.1")
        #expect(first.connect != nil)
        #expect(try #require(first.tls) > .zero)
        let second = try await client.bind(call).response().timings
        #expect(second.isConnectionReused == true && second.protocolName == "http/1.1")
        #expect(second.connect == nil && second.tls == nil)
    }

    @Test func aFileInAFormIsCountedUpToTheWhole() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let content = variedBytes(2_000_000)
        try content.write(to: file)
        let server = try MockServer { _ in MockAnswer(status: 204) }
        defer { server.stop() }
        let sent = Lock<[(count: Int, expected: Int?)]>([])
        let client = APIClient(transport: WireTransport()).observing { event in
            guard case .bytesSent(let count, let expected) = event.kind else { return }
            sent.withLock { $0.append((count, expected)) }
        }
        let form = RequestBody.multipart([.text("title", "all of it"), .file("photo", path: file.path)])
        let call = Call(environment: APIEnvironment(baseURL: server.baseURL), body: form)
        let timings = try await client.bind(call).response().timings
        let whole = try #require(server.requests.first).body
        #expect(whole.range(of: content) != nil)
        let counts = sent.withLock { $0.map(\.count) }
        #expect(counts.count > 1)
        #expect(zip(counts, counts.dropFirst()).allSatisfy(<))
        #expect(counts.last == whole.count && timings.bytesSent == whole.count)
        #expect(sent.withLock { $0.allSatisfy { $0.expected == whole.count } })
    }
}
#endif
