#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// `Expect: 100-continue` over HTTP/1.1: the body follows the server's consent, and nothing else.
@Suite(.timeLimit(.minutes(5)))
struct ExpectationTests {
    private static let field: HTTPHeaders = ["Expect": "100-continue"]
    /// So long that only the server ends an expectation.
    private static let patient = TransportOptions(
        timeouts: TransportTimeouts(firstByte: .seconds(600), expectation: .seconds(600))
    )
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    enum Kind: CaseIterable {
        case small, large, stream, chunked, file

        func body(_ content: Data, _ file: URL) throws -> HTTPBody {
            let source = TestSource([.piece(content.prefix(1)), .piece(content.dropFirst())])
            switch self {
            case .small: return HTTPBody(content.prefix(9))
            case .large: return HTTPBody(content)
            case .stream: return HTTPBody(source, count: content.count)
            case .chunked: return HTTPBody(source)
            case .file:
                try content.write(to: file)
                return try HTTPBody.file(at: file.path)
            }
        }
    }

    /// The mock server sends a 100 when it has the head alone.
    @Test(arguments: Kind.allCases, [false, true])
    func everyKindOfBodyFollowsTheConsent(_ kind: Kind, _ isKept: Bool) async throws {
        let wire = try Wire { request in .bytes(request.body) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let content = variedBytes(200_000)
        if isKept { try await wire.send() }
        let body = try kind.body(content, file)
        let response = try await wire.send(.post, headers: Self.field, body: body, options: Self.patient)
        #expect(try await response.body.collect() == (kind == .small ? content.prefix(9) : content))
        // The connection is as good as before.
        try await wire.send()
        #expect(wire.server.connectionCount == 1)
        #expect(wire.server.requests.map { $0.headers["Expect"] }.compactMap(\.self) == ["100-continue"])
    }

    /// A server of one connection after the other, each of which begins with a good exchange.
    private func server(
        counting received: Lock<Int>,
        _ serve: @escaping @Sendable (ByteServer.Connection) -> Void,
    ) throws -> ByteServer {
        try ByteServer { connection in
            _ = connection.readHead()
            connection.write(Self.ok)
            guard connection.readHead().contains("Expect: 100-continue") else { return connection.finish() }
            serve(connection)
            shutdownReading(connection, received)
        }
    }

    private func shutdownReading(_ connection: ByteServer.Connection, _ received: Lock<Int>) {
        while let bytes = connection.read(upTo: 65_536) { received.withLock { $0 += bytes.count } }
    }

    private func send(
        to server: ByteServer,
        over transport: WireTransport,
        body: HTTPBody,
        _ options: TransportOptions = patient,
    ) async throws -> HTTPResponse {
        _ = try await transport.get(server.url)
        let request = HTTPRequest(method: .post, url: try server.url, headers: Self.field, body: body)
        return try await transport.send(request, options: options)
    }

    /// Each byte of the interim responses comes alone; only a 100 counts.
    @Test func theConsentMayComeByteByByteAndAfterOtherInterimResponses() async throws {
        let received = Lock(0)
        let server = try server(counting: received) { connection in
            let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n"
            for byte in interim.utf8 { connection.write([byte]) }
            guard let body = connection.read(upTo: 5) else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.write(body)
        }
        let transport = WireTransport()
        let response = try await send(to: server, over: transport, body: "hello")
        #expect(try await response.text() == "hello")
    }

    /// A final response saves the body, which stays unread; the server's view of the connection is unknown.
    @Test(
        arguments: [
            "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 401 Unauthorized\r\nContent-Length: 3\r\n\r\nbig",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 307 Temporary Redirect\r\nContent-Length: 3\r\n\r\nbig",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbig\r\n0\r\n\r\n",
            "HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\n\r\nbig",
        ],
        [false, true],
    )
    func aFinalResponseSavesTheBody(_ answer: String, _ streams: Bool) async throws {
        let received = Lock(0)
        let server = try server(counting: received) { connection in
            connection.write(answer)
            if answer.contains("Connection: close") { connection.finish() }
        }
        let transport = WireTransport()
        let source = TestSource("hello")
        let body = HTTPBody(source, count: 5)
        var options = Self.patient
        options.streamsBody = streams
        let response = try await send(to: server, over: transport, body: body, options)
        #expect(try await response.text() == "big")
        #expect(received.withLock(\.self) == 0)
        #expect(source.record.withLock(\.begun) == 0 && body.canBeRead)
        // The connection is not used again.
        _ = try await transport.get(server.url)
        #expect(try await holds { server.openConnectionCount <= 1 })
        await transport.shutdown(within: .zero)
        #expect(received.withLock(\.self) == 0)
    }

    @Test(arguments: [false, true])
    func aServerThatNeverAgreesGetsTheBodyAfterAWhile(_ streams: Bool) async throws {
        let received = Lock(0)
        let server = try server(counting: received) { connection in
            var body: [UInt8] = []
            while body.count < 5, let more = connection.read(upTo: 5 - body.count) { body += more }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.write(body)
            // The next request shows that the connection is in order.
            _ = connection.readHead()
            connection.write(Self.ok)
        }
        let transport = WireTransport()
        var options = Self.patient
        options.timeouts.expectation = .milliseconds(20)
        let body: HTTPBody = streams ? HTTPBody(TestSource("hel", "lo"), count: 5) : "hello"
        let response = try await send(to: server, over: transport, body: body, options)
        #expect(try await response.text() == "hello")
        #expect(try await transport.get(server.url).text() == "ok")
        #expect(server.openConnectionCount == 1)
    }

    /// The time for the first byte begins when the body is out, and applies as always.
    @Test func aServerThatIsSilentTimesOutAfterItsExpectation() async throws {
        let received = Lock(0)
        let server = try server(counting: received) { _ in }
        var options = Self.patient
        options.timeouts = TransportTimeouts(firstByte: .milliseconds(200), expectation: .milliseconds(20))
        let transport = WireTransport()
        let error = try await transportError {
            try await send(to: server, over: transport, body: "hello", options)
        }
        #expect(error.reason == .firstByteTimeout)
        #expect(try await holds { received.withLock(\.self) == 5 })
    }

    @Test func aCancelledExpectationSendsNothing() async throws {
        let (received, hasHead) = (Lock(0), Gate())
        let server = try server(counting: received) { _ in hasHead.open() }
        let transport = WireTransport()
        let call = Task { try await send(to: server, over: transport, body: "hello") }
        await hasHead.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await holds { server.openConnectionCount == 0 })
        #expect(received.withLock(\.self) == 0)
    }

    @Test func theProgressCountsOnlyTheBody() async throws {
        let wire = try Wire { _ in .text("ok") }
        let events = Lock<[String]>([])
        var options = Self.patient
        options.observer = Recorder(events: events)
        try await wire.send(.post, headers: Self.field, body: "hello", options: options)
        #expect(events.withLock(\.self) == ["firstByte", "bytesSent(5, expected: Optional(5))", "requestSent"])
    }

    private struct Recorder: EventObserver {
        let events: Lock<[String]>

        func observe(_ event: TransportEvent) {
            switch event.kind {
            case .bytesSent, .requestSent, .firstByte: events.withLock { $0.append("\(event.kind)") }
            default: break
            }
        }
    }
}
#endif
