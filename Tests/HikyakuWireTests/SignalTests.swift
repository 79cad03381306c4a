#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// No SIGPIPE reaches the process, and its end meets no thread inside of OpenSSL.
///
/// Each is tried in a process of its own.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SignalTests {
    @Test func openSSLWritesWithoutASignal() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let context = try TLSContext(TLSOptions())
            for _ in 0..<3 {
                var sockets: [Int32] = [-1, -1]
                try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
                close(sockets[1])
                let peer = Peer("localhost", port: 443, key: "https://localhost")
                let stream = try TLSStream(sockets[0], to: peer, PeerTrust(), in: context, protocols: ["http/1.1"])
                // It writes the ClientHello.
                guard case .failed(_, let error) = stream.handshake() else {
                    Issue.record("the handshake goes on over a closed connection")
                    continue
                }
                #expect((error.underlyingError as? WireError)?.systemErrorNumber == Int(EPIPE))
                stream.close()
                close(sockets[0])
            }
        }
    }

    @Test func aServerThatResetsAnUploadRaisesNoSignal() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let server = try ByteServer { connection in
                _ = connection.readHead()
                // The upload is under way, and is reset by what is left unread of it.
                _ = connection.read(upTo: 1)
            }
            let transport = WireTransport()
            for _ in 0..<20 {
                let body = HTTPBody(Data(count: 32 << 20))
                let request = HTTPRequest(method: .post, url: try server.url, body: body)
                _ = try await transportError { try await transport.send(request, options: TransportOptions()) }
            }
            server.stop()
        }
    }

    @Test(.enabled(if: Certificates.isPossible))
    func aProcessEndsAmidRequestsOverTLS() async throws {
        for _ in 0..<5 {
            await #expect(processExitsWith: .exitCode(7)) {
                let server = try await TLSServer()
                let transport = try await WireTransport.trusting(Certificates.shared)
                let url = try server.url()
                let answeredCount = Lock(0)
                for _ in 0..<8 {
                    Task {
                        while true {
                            _ = try await transport.get(url)
                            answeredCount.withLock { $0 += 1 }
                        }
                    }
                }
                try #require(try await holds { answeredCount.withLock(\.self) >= 100 })
                exit(7)
            }
        }
    }
}
#endif
