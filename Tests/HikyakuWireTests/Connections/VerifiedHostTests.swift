#if os(Linux)
import Glibc
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// OpenSSL checks no name if it gets an empty one, and any subdomain's if it begins with a dot.
@Suite struct VerifiedHostTests {
    private func reason(of host: String) throws -> FailureReason? {
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        defer { for socket in sockets { close(socket) } }
        let (peer, context) = (Peer(host, port: 443, key: host), try TLSContext(TLSOptions()))
        do throws(TransportError) {
            try TLSStream(sockets[0], to: peer, PeerTrust(), in: context, protocols: ["http/1.1"]).close()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: ["", ".", "...", ".example", "a..example", "*.example", "a b", "a\0.example"])
    func whatIsNotAHostIsNotVerified(_ host: String) throws {
        #expect(try reason(of: host) == .tlsFailed)
    }

    @Test(arguments: ["a.example", "a.example.", "127.0.0.1", "[::1]", "[fe80::1%25eth0]"])
    func aNameAndAnAddressAreVerified(_ host: String) throws {
        #expect(try reason(of: host) == nil)
    }
}
#endif
