#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

/// What follows a response on its connection is never the answer to the next request.
@Suite(.casesAtOnce(5), .timeLimit(.minutes(5)))
struct FramingReuseTests {
    static let junk = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

    struct First: CustomTestStringConvertible {
        var method = HTTPMethod.get
        let text: String
        var body = ""

        var testDescription: String { "\(method) \(text.debugDescription)" }
    }

    static let firsts = [
        First(text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", body: "hi"),
        First(text: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        First(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", body: "hi"),
        First(text: "HTTP/1.1 204 No Content\r\n\r\n"),
        First(text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n"),
        First(method: .head, text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"),
        First(method: .post, text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", body: "hi"),
    ]

    @Test(arguments: firsts)
    func whatComesWithTheResponseIsDropped(_ first: First) async throws {
        let wire = try Wire { _ in .text("fresh") }
        for junk in [Self.junk, "hi", "\r\n", Self.junk + Self.junk] {
            wire.server.enqueue(.raw([.write(first.text + junk)]))
            #expect(try await wire.send(first.method).text() == first.body)
            #expect(try await wire.send(.post).text() == "fresh")
        }
    }

    @Test func aChunkedResponseWithMoreBehindItEndsItsConnection() async throws {
        let wire = try Wire()
        wire.server.enqueue(
            .raw([.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\nmore"), .stall])
        )
        #expect(try await wire.send().text() == "hi")
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test(arguments: firsts, [junk, "x", "HTTP/1.1 20"])
    func aConnectionOnWhichMoreCameLaterIsNotUsedAgain(_ first: First, _ junk: String) async throws {
        let peer = try RawPeer()
        let transport = WireTransport()
        let body: HTTPBody? = first.method == .post ? "some" : nil
        let request = HTTPRequest(method: first.method, url: peer.url, body: body)

        let (firstResponse, old) = try await firstAnswer(to: request, first.text, from: peer, transport)
        #expect(try await firstResponse.text() == first.body)
        try old.send(junk)

        async let secondResponse = transport.send(request, options: TransportOptions())
        let new = try await peer.accept()
        _ = try await new.receive(until: "\r\n\r\n")
        try new.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Fresh: 1\r\n\r\nfresh")
        #expect(try await secondResponse.headers["X-Fresh"] == "1")
        // Nothing of the second request went over the connection that can't be trusted.
        #expect(try await !old.receiveToEnd().contains(" HTTP/1.1"))
    }

    /// Sends a request over a new connection, and answers it.
    private func firstAnswer(
        to request: HTTPRequest,
        _ text: String,
        from peer: RawPeer,
        _ transport: WireTransport,
    ) async throws -> (HTTPResponse, RawPeer.Connection) {
        async let response = transport.send(request, options: TransportOptions())
        let connection = try await peer.accept()
        _ = try await connection.receive(until: "\r\n\r\n")
        try connection.send(text)
        return (try await response, connection)
    }

    /// What it announces may come later, and is not the answer to the next request.
    @Test(arguments: ["Content-Length: 16", "Transfer-Encoding: chunked", "Content-Length: x", "Content-Length: 0"])
    func a204ThatAnnouncesContentEndsItsConnection(_ field: String) async throws {
        let peer = try RawPeer()
        let transport = WireTransport()
        let request = HTTPRequest(method: .delete, url: peer.url)
        let text = "HTTP/1.1 204 No Content\r\n\(field)\r\n\r\n"
        let (response, old) = try await firstAnswer(to: request, text, from: peer, transport)
        #expect(response.status == 204)
        async let secondResponse = transport.send(request, options: TransportOptions())
        let next = field.hasSuffix(" 0") ? old : try await peer.accept()
        _ = try await next.receive(until: "\r\n\r\n")
        try next.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Fresh: 1\r\n\r\n")
        #expect(try await secondResponse.headers["X-Fresh"] == "1")
    }

    /// The content of a response to HEAD comes after the next request.
    @Test(arguments: [
        ("<p>late</p>", true), ("\u{16}\u{3}\u{3}", true), ("HTTP/2 200\r\n", true),
        // The server has begun to answer this request.
        ("HTTP/1.1 103 Early Hints\r\n\r\n<p>broken</p>", false),
    ])
    func bytesOfTheLastResponseAreNamed(_ late: String, _ isNamed: Bool) async throws {
        let peer = try RawPeer()
        let transport = WireTransport()
        let head = HTTPRequest(method: .head, url: peer.url)
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n"
        let (response, connection) = try await firstAnswer(to: head, text, from: peer, transport)
        #expect(response.status == 200)
        let end = Task { [url = peer.url] in try await transportError { try await transport.get(url) } }
        _ = try await connection.receive(until: "\r\n\r\n")
        try connection.send(late)
        let error = try await end.value
        #expect(error.reason == .malformedResponse && (error.transience == .unknown) == isNamed, "\(error)")
        #expect((error.hint?.contains("more than its responses have") == true) == isNamed, "\(error.hint ?? "")")
    }

    @Test func aConnectionThatIsQuietIsUsedAgain() async throws {
        let wire = try Wire { _ in .text("hi") }
        for _ in 0..<50 { #expect(try await wire.send(.post).text() == "hi") }
        #expect(wire.server.connectionCount == 1)
    }

    @Test func anEarlyResponseIsValidAndEndsTheConnection() async throws {
        let peer = try RawPeer()
        let transport = WireTransport()
        let body = HTTPBody(Data(count: 32_000_000))
        let request = HTTPRequest(method: .post, url: peer.url, body: body)
        async let response = transport.send(request, options: TransportOptions())
        let connection = try await peer.accept()
        _ = try await connection.receive(until: "\r\n\r\n")
        try connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig")
        #expect(try await response.status == 413)
        #expect(try await response.text() == "big")
        #expect(try await connection.receiveToEnd().count < 32_000_000)
    }
}

/// A listener whose connections the test itself reads and writes, step by step.
private final class RawPeer {
    final class Connection {
        private let descriptor: Int32
        private var received: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        func send(_ text: String) throws {
            let bytes = Array(text.utf8)
            try #require(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        }

        /// Reads until a text has come; what was read before counts.
        func receive(until end: String) async throws -> String {
            let hasCome = try await holds(within: .seconds(30)) {
                _ = self.receiveSome()
                return String(decoding: self.received, as: UTF8.self).contains(end)
            }
            try #require(hasCome)
            defer { received = [] }
            return String(decoding: received, as: UTF8.self)
        }

        /// What comes until the peer has closed the connection.
        func receiveToEnd() async throws -> String {
            let hasEnded = try await holds(within: .seconds(30)) {
                while true {
                    let count = self.receiveSome()
                    if count <= 0 { return count == 0 || errno != EAGAIN }
                }
            }
            try #require(hasEnded)
            return String(decoding: received, as: UTF8.self)
        }

        private func receiveSome() -> Int {
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { received += buffer[..<count] }
            return count
        }
    }

    let url: URL
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isListening)
        url = try #require(URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"))
    }

    deinit { close(descriptor) }

    func accept() async throws -> Connection {
        var accepted: Int32 = -1
        let hasCome = try await holds(within: .seconds(30)) {
            accepted = Glibc.accept(self.descriptor, nil, nil)
            return accepted >= 0
        }
        try #require(hasCome)
        return Connection(accepted)
    }
}
#endif
