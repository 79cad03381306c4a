#if os(Linux)
import FoundationEssentials
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// `Expect: 100-continue` over HTTP/2: DATA frames are held back, on their stream alone.
struct HTTP2ExpectationTests {
    private static let field: HTTPHeaders = ["Expect": "100-continue"]

    private func open(_ connection: TestConnection, _ body: HTTPBody) throws -> Int32 {
        let request = TestConnection.request(.post, Self.field, body: body)
        let url = RequestURL(request.urlText)
        let id = try #require(try connection.session.open(request, url, expectsContinue: true, holdsBack: false))
        connection.flush()
        return id
    }

    @Test func nothingOfTheBodyIsSentBeforeTheConsent() throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        let id = try open(connection, .whole(Data("hello".utf8)))
        #expect(connection.requests[id]?.contains("expect: 100-continue") == true)
        // Other streams are not held back.
        let other = try connection.open(.post, body: .whole(Data("other".utf8)))
        #expect(connection.bodySent(on: other) == Array("other".utf8))
        connection.feed(Frame.headers(id, [(":status", "103")]) + Frame.headers(id, [(":status", "100")]))
        #expect(connection.takeSeen().suffix(2) == [.informational(id, 103), .informational(id, 100)])
        #expect(connection.bodySent(on: id).isEmpty)
        connection.session.goAhead(id)
        connection.flush()
        #expect(connection.bodySent(on: id) == Array("hello".utf8))
        #expect(connection.takeSeen() == [.sent(id, 5, true)])
        // A second time, and for a stream that isn't there, it changes nothing.
        connection.session.goAhead(id)
        connection.session.goAhead(99)
        connection.feed(Frame.headers(id, TestConnection.ok, end: true))
        #expect(connection.takeSeen() == [.head(id, 200, []), .ended(id, [])])
        try connection.goodExchange()
    }

    @Test func aStreamedBodyIsRequestedOnlyAfterTheConsent() throws {
        let connection = try TestConnection()
        let id = try open(connection, .pieces(count: nil))
        #expect(!connection.takeSeen().contains(.wantsBody(id)))
        connection.session.goAhead(id)
        connection.flush()
        #expect(connection.takeSeen() == [.wantsBody(id)])
        connection.send(Array("hi".utf8), isLast: true, on: id)
        #expect(connection.bodySent(on: id) == Array("hi".utf8))
    }

    /// The stream is reset, and the connection carries on.
    @Test func aFinalResponseSavesTheBody() throws {
        let connection = try TestConnection()
        let id = try open(connection, .whole(Data("hello".utf8)))
        _ = connection.takeSeen()
        connection.feed(Frame.headers(id, [(":status", "413")]) + Frame.data(id, Array("big".utf8), end: true))
        #expect(connection.takeSeen() == [.head(id, 413, []), .body(id, Array("big".utf8)), .ended(id, [])])
        #expect(connection.bodySent(on: id).isEmpty)
        #expect(connection.resetCode(of: id) == 8)  // CANCEL
        try connection.goodExchange()
    }
}

/// The same with the carrier, which has the time.
final class HTTP2CarriedExpectationTests {
    private let carrier: HTTP2Carrier
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init() throws {
        let url = "https://api.example/"
        carrier = try HTTP2Carrier(for: Site(RequestURL(url), key: url, ConnectionSettings(WireOptions())))
        _ = carrier.flush(buffer, at: 1) { $0.count }
        (Frame.settings() + Frame.settingsAck).withUnsafeBytes { carrier.receive($0, at: 1) }
    }

    deinit {
        buffer.deallocate()
    }

    private func start(at now: Int64) throws -> Exchange {
        let request = TestConnection.request(.post, ["Expect": "100-continue"], body: "hello")
        let timeouts = TransportTimeouts(expectation: .seconds(1))
        let exchange = try Exchange(request, TransportOptions(timeouts: timeouts))
        let isStarted = carrier.start(exchange, isOnKept: false, isTrusted: true, at: now)
        try #require(isStarted)
        return exchange
    }

    /// How many bytes of bodies are in what the connection sends now.
    private func flushedBodyBytes(at now: Int64) -> Int {
        var bytes: [UInt8] = []
        _ = carrier.flush(buffer, at: now) { piece in
            bytes += piece
            return piece.count
        }
        var rest = bytes.starts(with: TestConnection.preface) ? bytes[TestConnection.preface.count...] : bytes[...]
        var count = 0
        while let frame = Frame.next(of: &rest) {
            if frame.type == Frame.Kind.data { count += frame.payload.count }
        }
        return count
    }

    private static let second: Int64 = 1_000_000_000

    @Test func aConsentLetsTheBodyGo() throws {
        let exchange = try start(at: 5 * Self.second)
        #expect(flushedBodyBytes(at: 5 * Self.second) == 0 && exchange.stage.stage == .expecting)
        Frame.headers(exchange.stream, [(":status", "100")]).withUnsafeBytes {
            carrier.receive($0, at: 5 * Self.second)
        }
        #expect(exchange.stage.stage == .sending)
        #expect(flushedBodyBytes(at: 5 * Self.second) == 5 && exchange.stage.stage == .waiting)
    }

    @Test func theTimeLetsTheBodyGoAndEndsNothing() throws {
        let exchange = try start(at: 5 * Self.second)
        #expect(flushedBodyBytes(at: 5 * Self.second) == 0)
        #expect(carrier.checkTimes(at: 5 * Self.second + 1) == 6 * Self.second)
        #expect(flushedBodyBytes(at: 5 * Self.second) == 0)
        _ = carrier.checkTimes(at: 6 * Self.second)
        #expect(carrier.takeOutcomes().isEmpty)
        #expect(flushedBodyBytes(at: 6 * Self.second) == 5 && exchange.stage.stage == .waiting)
    }
}
#endif
