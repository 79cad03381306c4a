#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// What RFC 9113 requires of a receiver of frames, each broken once after a good exchange on the same connection.
///
/// [RFC 9113, section 6](https://www.rfc-editor.org/rfc/rfc9113#section-6)
struct HTTP2FrameRuleTests {
    enum Outcome {
        /// The connection ends with one of these codes, whatever streams there are.
        case connection(Set<UInt32>)
        /// The stream, or the connection, ends with the code.
        case stream(UInt32)
        /// The response on the stream is whole nevertheless.
        case ignored
    }

    struct Rule {
        let text: String
        let outcome: Outcome
        /// What is sent; 1 is a stream that is over, 3 one whose head came, 5 one without a response.
        let bytes: [UInt8]

        init(_ text: String, _ outcome: Outcome, _ bytes: [UInt8]) {
            (self.text, self.outcome, self.bytes) = (text, outcome, bytes)
        }
    }

    private static let (noError, protocolError, flowControl, closed, frameSize, compression):
        (
            UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
        ) = (0, 1, 3, 5, 6, 9)

    private static func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
        Frame(type: type, flags: flags, stream: stream, payload: payload).bytes
    }

    private static let fields = HPACK.literals([("a", "b")])
    private static let head = HPACK.literals([(":status", "200")])

    // MARK: - The rules

    private static let dataRules: [Rule] = [
        Rule("DATA on stream 0", .connection([protocolError]), frame(0, 0, 0, [1])),
        Rule("DATA on an idle stream", .connection([protocolError]), frame(0, 0, 101, [1])),
        Rule("DATA on an idle stream of the server's", .connection([protocolError]), frame(0, 0, 2, [1])),
        Rule("DATA on an ended stream", .connection([closed]), frame(0, 0, 1, [1])),
        Rule("empty DATA on an ended stream", .connection([closed]), frame(0, 1, 1)),
        Rule("DATA behind END_STREAM", .connection([closed]), frame(0, 1, 3) + frame(0, 0, 3, [1])),
        Rule("DATA behind RST_STREAM", .connection([closed]), Frame.reset(3, 8) + frame(0, 0, 3, [1])),
        Rule("padding as long as the payload", .connection([protocolError]), frame(0, 8, 3, [3, 0, 0])),
        Rule("padding longer than the payload", .connection([protocolError]), frame(0, 8, 3, [255, 0, 0])),
        Rule("padded DATA without a length", .connection([protocolError, frameSize]), frame(0, 8, 3)),
        Rule("too large a DATA", .connection([frameSize]), frame(0, 0, 3, [UInt8](repeating: 0, count: 16_385))),
        Rule("DATA with nothing but padding", .ignored, frame(0, 8, 3, [2, 0, 0])),
        Rule("DATA with padding that isn't 0", .ignored, frame(0, 8, 3, [2, 7, 7])),
        Rule("unknown flags and the reserved bit", .ignored, frame(0, 0xF6, 0x8000_0003)),
    ]

    private static let headersRules: [Rule] = [
        Rule("HEADERS on stream 0", .connection([protocolError]), frame(1, 4, 0, head)),
        Rule("HEADERS on an idle stream", .connection([protocolError]), frame(1, 4, 101, head)),
        Rule("HEADERS on an idle stream of the server's", .connection([protocolError]), frame(1, 4, 2, head)),
        Rule("HEADERS on an ended stream", .connection([closed]), frame(1, 5, 1, fields)),
        Rule("HEADERS behind END_STREAM", .connection([closed]), frame(0, 1, 3) + frame(1, 5, 3, fields)),
        Rule("HEADERS behind RST_STREAM", .connection([closed]), Frame.reset(3, 8) + frame(1, 5, 3, fields)),
        Rule("padding as long as the payload", .connection([protocolError]), frame(1, 12, 5, [3, 0, 0])),
        Rule("padding longer than the block", .connection([protocolError]), frame(1, 12, 5, [200] + head)),
        Rule("padded HEADERS without a length", .connection([protocolError, frameSize]), frame(1, 12, 5)),
        Rule("priority without its bytes", .connection([protocolError, frameSize]), frame(1, 36, 5, [0, 0, 0, 0])),
        Rule("too large HEADERS", .connection([frameSize]), frame(1, 4, 5, [UInt8](repeating: 0, count: 16_385))),
        Rule("an index that is nowhere", .connection([compression]), frame(1, 4, 5, [0xFF, 0xFF, 0x03])),
        Rule("index 0", .connection([compression]), frame(1, 4, 5, [0x80])),
        Rule("a block that ends in a field", .connection([compression]), frame(1, 4, 5, [0, 5, 0x61])),
        Rule("a table larger than allowed", .connection([compression]), frame(1, 4, 5, [0x3F, 0xE2, 0x1F] + head)),
        Rule("a table's size behind a field", .connection([compression]), frame(1, 4, 5, head + [0x20])),
        Rule(
            "an endless number",
            .connection([compression]),
            frame(1, 4, 5, [0xFF] + [UInt8](repeating: 0xFF, count: 20)),
        ),
        Rule(
            "a Huffman code with long padding",
            .connection([compression]),
            frame(1, 4, 5, [0, 0x82, 0xFF, 0xFF, 1, 0x61]),
        ),
        Rule(
            "priority is ignored",
            .ignored,
            frame(1, 37, 3, [0, 0, 0, 1, 5] + fields) + frame(2, 0, 5, [0, 0, 0, 0, 1]),
        ),
        Rule("padded trailers", .ignored, frame(1, 13, 3, [2] + fields + [0, 0])),
        Rule("a table of size 0", .ignored, frame(1, 5, 3, [0x20] + fields)),
    ]

    /// Between HEADERS and its CONTINUATION no other frame is allowed, not even one of an unknown type.
    private static let interruptions: [Rule] = (0...11 as ClosedRange<UInt8>).flatMap { type in
        [0, 1, 3, 5, 7].compactMap { (stream: UInt32) -> Rule? in
            guard type != 9 || stream != 5 else { return nil }
            let text = "type \(type) on stream \(stream) inside of a header block"
            return Rule(
                text,
                .connection([protocolError]),
                frame(1, 0, 5, head) + frame(type, 0, stream, [0, 0, 0, 0]),
            )
        }
    }

    private static let continuationRules: [Rule] = [
        Rule("CONTINUATION behind nothing", .connection([protocolError]), frame(9, 4, 5, fields)),
        Rule("CONTINUATION on stream 0", .connection([protocolError]), frame(9, 4, 0, fields)),
        Rule("CONTINUATION on an idle stream", .connection([protocolError]), frame(9, 4, 101, fields)),
        Rule("CONTINUATION on an ended stream", .connection([protocolError]), frame(9, 4, 1, fields)),
        Rule(
            "CONTINUATION behind END_HEADERS",
            .connection([protocolError]),
            frame(1, 4, 5, head) + frame(9, 4, 5, fields),
        ),
        Rule("CONTINUATION behind DATA", .connection([protocolError]), frame(0, 0, 3, [1]) + frame(9, 4, 3, fields)),
        Rule(
            "CONTINUATION behind itself",
            .connection([protocolError]),
            frame(1, 0, 5, head) + frame(9, 4, 5) + frame(9, 4, 5),
        ),
        Rule(
            "too large a CONTINUATION",
            .connection([frameSize]),
            frame(1, 0, 5, head) + frame(9, 4, 5, [UInt8](repeating: 0, count: 16_385)),
        ),
        Rule(
            "trailers in pieces",
            .ignored,
            frame(1, 1, 3, []) + frame(9, 0, 3, Array(fields[..<2])) + frame(9, 4, 3, Array(fields[2...])),
        ),
    ]

    private static let priorityRules: [Rule] =
        [
            Rule("PRIORITY on stream 0", .connection([protocolError]), frame(2, 0, 0, [0, 0, 0, 0, 1])),
            Rule("PRIORITY of 4 bytes", .stream(frameSize), frame(2, 0, 3, [0, 0, 0, 0])),
            Rule("PRIORITY of 6 bytes", .stream(frameSize), frame(2, 0, 3, [0, 0, 0, 0, 0, 0])),
            Rule("PRIORITY of 0 bytes", .stream(frameSize), frame(2, 0, 3)),
        ]
        + [1, 3, 5, 101, 2].map { Rule("PRIORITY on stream \($0)", .ignored, frame(2, 0, $0, [0x80, 0, 0, 7, 9])) }

    private static let resetRules: [Rule] =
        [
            Rule("RST_STREAM on stream 0", .connection([protocolError]), frame(3, 0, 0, [0, 0, 0, 8])),
            Rule("RST_STREAM on an idle stream", .connection([protocolError]), frame(3, 0, 101, [0, 0, 0, 8])),
            Rule(
                "RST_STREAM on an idle stream of the server's",
                .connection([protocolError]),
                frame(3, 0, 2, [0, 0, 0, 8]),
            ),
            Rule("RST_STREAM on an ended stream", .ignored, frame(3, 0, 1, [0, 0, 0, 8])),
        ]
        + [0, 3, 5, 8].map {
            Rule(
                "RST_STREAM of \($0) bytes",
                .connection([frameSize]),
                frame(3, 0, 3, [UInt8](repeating: 0, count: $0)),
            )
        }

    private static let settingsRules: [Rule] =
        [
            Rule("SETTINGS on a stream", .connection([protocolError]), frame(4, 0, 3)),
            Rule("SETTINGS on an idle stream", .connection([protocolError]), frame(4, 0, 101)),
            Rule("an ACK on a stream", .connection([protocolError]), frame(4, 1, 3)),
            Rule("an ACK with a payload", .connection([frameSize]), frame(4, 1, 0, [0, 1, 0, 0, 0, 0])),
            Rule("ENABLE_PUSH of 1", .connection([protocolError]), Frame.settings([(2, 1)])),
            Rule("ENABLE_PUSH of 2", .connection([protocolError]), Frame.settings([(2, 2)])),
            Rule("a window of 2^31", .connection([flowControl]), Frame.settings([(4, 0x8000_0000)])),
            Rule("a window of 2^32 - 1", .connection([flowControl]), Frame.settings([(4, .max)])),
            Rule("frames of 2^14 - 1", .connection([protocolError]), Frame.settings([(5, 16_383)])),
            Rule("frames of 2^24", .connection([protocolError]), Frame.settings([(5, 1 << 24)])),
            Rule("frames of 0", .connection([protocolError]), Frame.settings([(5, 0)])),
            Rule(
                "a window that overflows a stream's",
                .connection([flowControl]),
                Frame.windowUpdate(5, 0x7FFF_FFFF - 65_535) + Frame.settings([(4, 65_536)]),
            ),
            Rule("unknown settings", .ignored, Frame.settings([(0, 1), (7, 1), (0xFFFF, .max), (0x8000, 0)])),
            Rule("repeated settings", .ignored, Frame.settings([(1, 0), (1, 4096), (3, 5), (3, 100), (6, 1)])),
            Rule(
                "the least and the most",
                .ignored,
                Frame.settings([(2, 0), (4, 0), (4, 0x7FFF_FFFF), (5, 16_384), (5, (1 << 24) - 1)]),
            ),
        ]
        + [1, 5, 7, 11].map {
            Rule(
                "SETTINGS of \($0) bytes",
                .connection([frameSize]),
                frame(4, 0, 0, [UInt8](repeating: 0, count: $0)),
            )
        }

    private static let pushRules: [Rule] = [0, 1, 2, 3, 5, 101].flatMap { (stream: UInt32) -> [Rule] in
        [[0, 0, 0, 2] + head, [0, 0, 0, 0], [0, 0, 0, 3], []].map { payload in
            Rule("PUSH_PROMISE on stream \(stream)", .connection([protocolError]), frame(5, 4, stream, payload))
        }
    }

    private static let pingRules: [Rule] =
        [
            Rule("PING on a stream", .connection([protocolError]), frame(6, 0, 3, [UInt8](repeating: 0, count: 8))),
            Rule(
                "PING on an idle stream",
                .connection([protocolError]),
                frame(6, 1, 101, [UInt8](repeating: 0, count: 8)),
            ),
            Rule("an answer that nobody waits for", .ignored, frame(6, 1, 0, [UInt8](repeating: 0, count: 8))),
        ]
        + [0, 7, 9, 16].map {
            Rule("PING of \($0) bytes", .connection([frameSize]), frame(6, 0, 0, [UInt8](repeating: 0, count: $0)))
        }

    private static let goAwayRules: [Rule] =
        [
            Rule(
                "GOAWAY on a stream",
                .connection([protocolError]),
                frame(7, 0, 3, [UInt8](repeating: 0, count: 8)),
            ),
            Rule(
                "GOAWAY on an idle stream",
                .connection([protocolError]),
                frame(7, 0, 101, [0, 0, 0, 3, 0, 0, 0, 0]),
            ),
            Rule("a last stream that grows", .connection([protocolError]), Frame.goAway(5) + Frame.goAway(7)),
        ]
        + [0, 4, 7].map {
            Rule("GOAWAY of \($0) bytes", .connection([frameSize]), frame(7, 0, 0, [UInt8](repeating: 0, count: $0)))
        }

    private static let windowRules: [Rule] =
        [
            Rule("an increment of 0 for the connection", .connection([protocolError]), Frame.windowUpdate(0, 0)),
            Rule("an increment of 0 for a stream", .stream(protocolError), Frame.windowUpdate(3, 0)),
            Rule("0 beside the reserved bit", .connection([protocolError]), Frame.windowUpdate(0, 0x8000_0000)),
            Rule(
                "a connection's window beyond 2^31 - 1",
                .connection([flowControl]),
                Frame.windowUpdate(0, 0x7FFF_FFFF),
            ),
            Rule("a stream's window beyond 2^31 - 1", .stream(flowControl), Frame.windowUpdate(3, 0x7FFF_FFFF)),
            Rule("WINDOW_UPDATE on an idle stream", .connection([protocolError]), Frame.windowUpdate(101, 1)),
            Rule(
                "WINDOW_UPDATE on an idle stream of the server's",
                .connection([protocolError]),
                Frame.windowUpdate(2, 1),
            ),
            Rule("WINDOW_UPDATE on an ended stream", .ignored, Frame.windowUpdate(1, 1)),
            Rule(
                "the reserved bit",
                .ignored,
                Frame.windowUpdate(0, 0x8000_0001) + Frame.windowUpdate(3, 0x8000_0001),
            ),
        ]
        + [0, 3, 5].map {
            Rule(
                "WINDOW_UPDATE of \($0) bytes",
                .connection([frameSize]),
                frame(8, 0, 3, [UInt8](repeating: 0, count: $0)),
            )
        }

    private static let unknownRules: [Rule] = (10...255 as ClosedRange<UInt8>).flatMap { type in
        [0, 3, 101].map { (stream: UInt32) in
            Rule("type \(type) on stream \(stream)", .ignored, frame(type, type, stream, [1, 2, 3]))
        }
    }

    // MARK: - Checking

    static let all: [(String, [Rule])] = [
        ("DATA", dataRules), ("HEADERS", headersRules), ("interrupted HEADERS", interruptions),
        ("PRIORITY", priorityRules),
        ("RST_STREAM", resetRules), ("SETTINGS", settingsRules), ("PUSH_PROMISE", pushRules), ("PING", pingRules),
        ("GOAWAY", goAwayRules), ("WINDOW_UPDATE", windowRules), ("CONTINUATION", continuationRules),
        ("unknown", unknownRules),
    ]

    @Test func eachRuleIsKeptAfterAGoodExchange() async throws {
        for (type, rules) in Self.all {
            for rule in rules {
                // The threads that run tests are few.
                await Task.yield()
                // At once, and each byte by itself.
                for isSplit in [false, true] { try check(rule, type, isSplit) }
            }
        }
        let counts = Self.all.map { "\($0) \($1.count)" }.joined(separator: ", ")
        print(
            "HTTP/2: \(Self.all.flatMap(\.1).count) rules of frames, each at once and byte by byte: \(counts)"
        )
    }

    private func check(_ rule: Rule, _ type: String, _ isSplit: Bool) throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        let (begun, waiting) = (try connection.open(), try connection.open())
        #expect((begun, waiting) == (3, 5))
        connection.feed(Frame.headers(begun, TestConnection.ok) + Frame.data(begun, [1]))
        _ = (connection.takeSeen(), connection.takeFrames())
        if isSplit {
            for byte in rule.bytes { connection.receive([byte]) }
            connection.flush()
        } else {
            connection.feed(rule.bytes)
        }
        let text = Comment("\(type): \(rule.text)\(isSplit ? ", byte by byte" : "")")
        switch rule.outcome {
        case .connection(let codes): checkConnectionError(connection, codes, text)
        case .stream(let code):
            if let sent = connection.goAwayCode {
                checkConnectionError(connection, [sent == Self.protocolError ? sent : code], text)
            } else {
                #expect(connection.resetCode(of: begun) == code, text)
                #expect(connection.takeSeen().contains(.failed(begun, .malformedResponse, .begun)), text)
                connection.feed(Frame.headers(waiting, TestConnection.ok, end: true))
                #expect(connection.takeSeen().contains(.ended(waiting, [])), text)
                try connection.goodExchange()
            }
        case .ignored: try checkIgnored(connection, begun, waiting, text)
        }
    }

    private func checkConnectionError(_ connection: TestConnection, _ codes: Set<UInt32>, _ text: Comment) {
        let code = connection.goAwayCode ?? Self.noError
        #expect(codes.contains(code), text)
        #expect(connection.session.isOver && connection.session.error?.reason == .malformedResponse, text)
        #expect(connection.session.capacity == 0 && connection.session.isIdle, text)
        let seen = connection.takeSeen()
        #expect(seen.last == .broken(.malformedResponse), text)
        let ends = seen.compactMap { event -> (Int32, FailureReason?)? in
            switch event {
            case .failed(let id, let reason, _): (id, reason)
            case .ended(let id, _): (id, nil)
            default: nil
            }
        }
        let ids = ends.map(\.0).sorted()
        #expect(ids == [3, 5], text)
        // What is cut by an error of the connection is not a success, but what was whole before it.
        for (id, reason) in ends where reason != .malformedResponse {
            #expect(id == 3 && (reason == nil || reason == .connectionReset), text)
        }
        // Nothing is read any more.
        connection.feed(Frame.headers(5, TestConnection.ok, end: true))
        #expect(connection.takeSeen() == [], text)
    }

    private func checkIgnored(_ connection: TestConnection, _ begun: Int32, _ waiting: Int32, _ text: Comment) throws {
        #expect(connection.goAwayCode == nil && connection.resetCode(of: begun) == nil, text)
        let seen = connection.takeSeen()
        let failures = seen.filter(\.isFailure)
        #expect(failures == [], text)
        if !seen.contains(where: { if case .ended(begun, _) = $0 { true } else { false } }) {
            connection.feed(Frame.data(begun, [2], end: true))
            #expect(connection.takeSeen() == [.body(begun, [2]), .ended(begun, [])], text)
        }
        connection.feed(Frame.headers(waiting, TestConnection.ok, end: true))
        #expect(connection.takeSeen() == [.head(waiting, 200, []), .ended(waiting, [])], text)
        try connection.goodExchange()
    }

    // MARK: - Rules with an answer or a state

    @Test func pingsAreAnsweredWithWhatTheySay() throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        _ = connection.takeFrames()
        connection.feed(Frame.ping([1, 2, 3, 4, 5, 6, 7, 8]) + Frame.ping(ack: true))
        #expect(connection.takeFrames() == [Frame(type: 6, flags: 1, payload: [1, 2, 3, 4, 5, 6, 7, 8])])
    }

    @Test func eachSettingsFrameIsAcknowledgedOnce() throws {
        let connection = try TestConnection()
        _ = connection.takeFrames()
        for _ in 0..<3 { connection.feed(Frame.settings([(3, 7)]) + Frame.settings()) }
        #expect(connection.takeFrames() == [Frame](repeating: Frame(type: 4, flags: 1), count: 6))
        #expect(connection.session.capacity == 7)
    }

    @Test(arguments: [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 255] as [UInt8])
    func aConnectionThatBeginsWithoutSettingsIsNone(_ type: UInt8) throws {
        let connection = try TestConnection(greets: false)
        let id = try connection.open()
        connection.feed(Self.frame(type, 4, type == 0 || type == 1 ? UInt32(id) : 0, [0, 0, 0, 0, 0, 0, 0, 0]))
        #expect(connection.goAwayCode == Self.protocolError)
        #expect(connection.takeSeen().contains(.failed(id, .malformedResponse, .unknown)))
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9\r\n", String(repeating: "\0", count: 40)])
    func anotherProtocolIsNotHTTP2(_ text: String) throws {
        let connection = try TestConnection(greets: false)
        let id = try connection.open()
        connection.feed(Array(text.utf8))
        #expect(connection.takeSeen().contains(.failed(id, .malformedResponse, .unknown)))
        #expect(connection.session.isOver)
    }

    /// A window is not to be exceeded, on a stream and on the connection, by one byte.
    @Test(arguments: [false, true], [0, 1])
    func aServerThatExceedsAWindowIsRejected(isStreams: Bool, excess: Int) throws {
        let connection = try TestConnection {
            $0.streamWindow = isStreams ? 80_000 : 200_000
            $0.connectionWindow = isStreams ? 200_000 : 80_000
            $0.unreadBytesMax = 0
        }
        try connection.goodExchange()
        let id = try connection.open(holdsBack: true)
        connection.feed(Frame.headers(id, TestConnection.ok))
        // What the good exchange has used is not given back yet.
        let used = isStreams ? 0 : 5
        for _ in 0..<7 { connection.feed(Frame.data(id, [UInt8](repeating: 0, count: 10_000))) }
        connection.feed(Frame.data(id, [UInt8](repeating: 0, count: 10_000 - used + excess)))
        let isRefused = connection.resetCode(of: id) == Self.flowControl || connection.goAwayCode == Self.flowControl
        #expect(isRefused == (excess == 1))
        #expect(connection.takeSeen().contains(.failed(id, .malformedResponse, .begun)) == (excess == 1))
    }
}
#endif
