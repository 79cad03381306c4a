#if os(Linux)
import Foundation
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// A body that ends with its connection is whole only where the server has said so over TLS (RFC 9112, section 9.8).
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
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
    func aBodyThatWasCutOffIsNotWhole(_ version: String, _ kind: Kind) async throws {
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
    func aBodyBeforeCloseNotifyIsComplete(_ version: String, _ kind: Kind) async throws {
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

    /// A record that was received together with the response, after which nothing else is reported: other bytes, or
    /// close_notify over a connection that stays open.
    @Test(arguments: ["1.2", "1.3"], ["excess", "farewell"])
    func aRecordBehindTheResponseEndsTheConnectionAtOnce(_ version: String, _ action: String) async throws {
        var listeners = [
            TLSServer.Listener("server", try await Certificates.shared),
            TLSServer.Listener("server", try await Certificates.shared),
        ]
        (listeners[0].maximum, listeners[0].script) = (version, [action])
        listeners[1].reportsOf = 0
        let server = try await TLSServer(listeners)
        let transport = try await WireTransport.trusting(Certificates.shared)
        let observer = try await WireTransport.trusting(Certificates.shared)
        for count in 1...3 {
            #expect(try await transport.report(try server.url()).connection == count)
            let isClosed = try await holds { try await observer.report(try server.url(listener: 1)).closed == count }
            #expect(isClosed, "the connection stays open")
        }
    }
}
#endif
