#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// A body that ends with its connection is whole only where the server has said so over TLS (RFC 9112, section 9.8).
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(2)))
struct TLSEndTests {
    enum Kind: CaseIterable {
        case plain, streamed, observed, uploading
    }

    private func server(_ version: String, _ script: String...) async throws -> TLSServer {
        try await TLSServer {
            $0.maximum = version
            $0.script = script
        }
    }

    private func text(_ kind: Kind, of server: TLSServer, over transport: WireTransport) async throws -> String {
        var options = TransportOptions(streamsBody: kind == .streamed)
        if kind == .observed { options.observer = Listener() }
        let source = TestSource([.piece(Data(count: 100)), .stall])
        let body: HTTPBody? = kind == .uploading ? HTTPBody(source) : nil
        let request = HTTPRequest(method: body == nil ? .get : .put, url: try server.url(), body: body)
        return try await transport.send(request, options: options).text()
    }

    @Test(arguments: ["1.2", "1.3"], Kind.allCases)
    func aBodyThatWasCutOffIsNoWholeOne(_ version: String, _ kind: Kind) async throws {
        let server = try await server(version, "cut")
        let transport = try await WireTransport.trusting(Certificates.shared)
        for _ in 0..<3 {
            let error = try await #require(throws: TransportError.self) {
                _ = try await text(kind, of: server, over: transport)
            }
            #expect(error.reason == .truncatedResponse)
        }
    }

    @Test(arguments: ["1.2", "1.3"], Kind.allCases)
    func aBodyWhoseEndWasSaidIsWhole(_ version: String, _ kind: Kind) async throws {
        let server = try await server(version, "end")
        let transport = try await WireTransport.trusting(Certificates.shared)
        for _ in 0..<3 { #expect(try await text(kind, of: server, over: transport) == "body") }
    }

    /// Where the length is known, the end of the connection says nothing.
    @Test func aBodyWithALengthNeedsNoEnd() async throws {
        let server = try await server("1.3", "end", "close", "close", "answer")
        let transport = try await WireTransport.trusting(Certificates.shared)
        #expect(try await text(.plain, of: server, over: transport) == "body")
        for _ in 0..<3 { #expect(try await transport.report(try server.url()).version == "TLSv1.3") }
    }
}
#endif
