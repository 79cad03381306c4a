#if os(Linux)
import CSSL
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// A server that sends TLS messages without data: OpenSSL reads on for as long as they come.
@Suite(.enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct TLSFloodTests {
    @Test func ticketsWithoutEndEndTheConnection() async throws {
        let pair = try StreamPair(try await Certificates.shared, tickets: 20_000)
        try pair.completeHandshake()
        var fault: IOFault?
        var callCount = 0
        while fault == nil, callCount < 1000 {
            callCount += 1
            _ = pair.advanceServer()
            switch pair.receive() {
            case .failed(let error): fault = error
            case .blocked: continue
            case .bytes, .end: Issue.record("there is neither data nor an end")
            }
        }
        #expect(fault?.text == "the server sent more than 256 KiB of TLS messages without any data")
        #expect(fault?.tlsText != nil)
        #expect(pair.bytesWritten < 1024 * 1024)
        // Nothing more is read.
        guard case .failed = pair.receive() else {
            Issue.record("the connection goes on after the fault")
            return
        }
    }

    /// In all, more comes than the bound; no more than the bound without data.
    @Test(arguments: [(2, 600), (100, 20)])
    func ticketsBetweenDataAreHarmless(_ tickets: Int, _ rounds: Int) async throws {
        let pair = try StreamPair(try await Certificates.shared, tickets: 2)
        try pair.completeHandshake()
        for _ in 0..<rounds {
            for _ in 0..<tickets {
                try pair.sendTicket()
                guard case .blocked = pair.receive() else {
                    Issue.record("a ticket is not passed over")
                    return
                }
            }
            try pair.send("data")
            guard case .bytes(4) = pair.receive() else {
                Issue.record("the data after \(tickets) tickets is not read")
                return
            }
        }
        #expect(pair.bytesWritten > 256 * 1024)
    }
}

/// A client's stream and a server of OpenSSL at both ends of a socket, which take turns on one thread.
private final class StreamPair {
    private let stream: TLSStream
    private let server: OpaquePointer
    private let sockets: [Int32]

    /// - Parameters:
    ///   - certificates: What the server's certificate is one of.
    ///   - tickets: How many session tickets the server sends after the handshake.
    /// - Throws: An error if OpenSSL or the system fails.
    init(_ certificates: Certificates, tickets: Int) throws {
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &sockets) == 0)
        self.sockets = sockets
        let context = try #require(SSL_CTX_new(TLS_server_method()))
        // The connection has a reference of its own.
        defer { SSL_CTX_free(context) }
        let certificate = certificates.certificate("server")
        try #require(SSL_CTX_use_certificate_chain_file(context, certificate) == 1)
        try #require(SSL_CTX_use_PrivateKey_file(context, certificates.key("server"), X509_FILETYPE_PEM) == 1)
        server = try #require(SSL_new(context))
        SSL_set_accept_state(server)
        try #require(SSL_set_fd(server, sockets[1]) == 1)
        try #require(SSL_set_num_tickets(server, tickets) == 1)
        let peer = Peer("localhost", port: 443, key: "https://localhost")
        stream = try TLSStream(
            sockets[0],
            to: peer,
            PeerTrust(isVerified: false),
            in: try TLSContext(TLSOptions()),
            protocols: ["http/1.1"],
        )
    }

    deinit {
        stream.close()
        SSL_free(server)
        for descriptor in sockets { close(descriptor) }
    }

    /// How many bytes the server has written.
    var bytesWritten: UInt64 { BIO_number_written(SSL_get_wbio(server)) }

    /// Completes the client's side; the server may still have tickets to send.
    func completeHandshake() throws {
        for _ in 0..<100 {
            switch stream.handshake() {
            case .done: return
            case .failed(_, let error): throw error
            case .blocked: _ = advanceServer()
            }
        }
        Issue.record("the handshake does not end")
    }

    /// Lets the server's handshake, or its next ticket, go on; `true` when it has nothing left to send.
    func advanceServer() -> Bool {
        ERR_clear_error()
        return SSL_do_handshake(server) == 1
    }

    func sendTicket() throws {
        try #require(advanceServer())
        try #require(SSL_new_session_ticket(server) == 1)
        try #require(advanceServer())
    }

    func send(_ text: String) throws {
        try #require(SSL_write(server, text, Int32(text.utf8.count)) == Int32(text.utf8.count))
    }

    /// Has the client read.
    func receive() -> Received {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 16) { stream.receive(into: $0) }
    }
}
#endif
