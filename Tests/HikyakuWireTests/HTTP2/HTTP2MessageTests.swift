#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// Responses that break the rules of messages: each ends its stream, and no other.
///
/// [RFC 9113, section 8](https://www.rfc-editor.org/rfc/rfc9113#section-8)
struct HTTP2MessageTests {
    private static let head = [(":status", "200")]

    /// Each with what is sent on the stream, and the reason with which it ends.
    static let malformed: [(String, FailureReason, @Sendable (Int32) -> [UInt8])] = [
        ("no status", .malformedResponse, { Frame.headers($0, [("a", "b")], end: true) }),
        ("nothing", .malformedResponse, { Frame.headers($0, [], end: true) }),
        ("status twice", .malformedResponse, { Frame.headers($0, head + head, end: true) }),
        ("status behind a field", .malformedResponse, { Frame.headers($0, [("a", "b")] + head, end: true) }),
        ("empty status", .malformedResponse, { Frame.headers($0, [(":status", "")], end: true) }),
        ("two digits", .malformedResponse, { Frame.headers($0, [(":status", "20")], end: true) }),
        ("four digits", .malformedResponse, { Frame.headers($0, [(":status", "2000")], end: true) }),
        ("a blank", .malformedResponse, { Frame.headers($0, [(":status", "200 ")], end: true) }),
        ("a sign", .malformedResponse, { Frame.headers($0, [(":status", "+20")], end: true) }),
        ("a phrase", .malformedResponse, { Frame.headers($0, [(":status", "200 OK")], end: true) }),
        ("pseudo-header of requests", .malformedResponse, { Frame.headers($0, head + [(":path", "/")], end: true) }),
        ("pseudo-header before", .malformedResponse, { Frame.headers($0, [(":method", "GET")] + head, end: true) }),
        ("unknown pseudo-header", .malformedResponse, { Frame.headers($0, head + [(":x", "1")], end: true) }),
        ("a colon alone", .malformedResponse, { Frame.headers($0, head + [(":", "1")], end: true) }),
        ("pseudo-header in upper case", .malformedResponse, { Frame.headers($0, [(":STATUS", "200")], end: true) }),
        ("switching protocols", .unexpectedUpgrade, { Frame.headers($0, [(":status", "101")]) }),
        ("the end with 1xx", .malformedResponse, { Frame.headers($0, [(":status", "103")], end: true) }),
        ("DATA behind 1xx", .malformedResponse, { Frame.headers($0, [(":status", "103")]) + Frame.data($0, [1]) }),
        (
            "trailers that aren't the end", .malformedResponse,
            { Frame.headers($0, head) + Frame.headers($0, [("a", "b")]) },
        ),
        ("a second head", .malformedResponse, { Frame.headers($0, head) + Frame.headers($0, head, end: true) }),
        (
            "1xx behind the head", .malformedResponse,
            { Frame.headers($0, head) + Frame.headers($0, [(":status", "103")]) },
        ),
        (
            "status in trailers", .malformedResponse,
            {
                Frame.headers($0, head) + Frame.data($0, [1]) + Frame.headers($0, [("a", "b")] + head, end: true)
            },
        ),
        (
            "upper case in trailers", .malformedResponse,
            {
                Frame.headers($0, head) + Frame.data($0, [1]) + Frame.headers($0, [("A", "b")], end: true)
            },
        ),
        ("connection", .malformedResponse, { Frame.headers($0, head + [("connection", "close")], end: true) }),
        ("an empty connection", .malformedResponse, { Frame.headers($0, head + [("connection", "")], end: true) }),
        (
            "proxy-connection", .malformedResponse,
            { Frame.headers($0, head + [("proxy-connection", "x")], end: true) },
        ),
        ("keep-alive", .malformedResponse, { Frame.headers($0, head + [("keep-alive", "timeout=5")], end: true) }),
        (
            "transfer-encoding", .malformedResponse,
            {
                Frame.headers($0, head + [("transfer-encoding", "chunked")], end: true)
            },
        ),
        ("upgrade", .malformedResponse, { Frame.headers($0, head + [("upgrade", "h2c")], end: true) }),
        ("te", .malformedResponse, { Frame.headers($0, head + [("te", "gzip")], end: true) }),
        (
            "connection in trailers", .malformedResponse,
            {
                Frame.headers($0, head) + Frame.headers($0, [("connection", "close")], end: true)
            },
        ),
        (
            "connection in 1xx", .malformedResponse,
            { Frame.headers($0, [(":status", "103"), ("connection", "close")]) },
        ),
        ("a short body", .truncatedResponse, { lengths($0, ["5"], 4) }),
        ("no body", .truncatedResponse, { Frame.headers($0, head + [("content-length", "5")], end: true) }),
        (
            "a short body before trailers", .truncatedResponse,
            {
                Frame.headers($0, head + [("content-length", "5")]) + Frame.data($0, [1])
                    + Frame.headers($0, [("a", "b")], end: true)
            },
        ),
        ("a long body", .malformedResponse, { lengths($0, ["5"], 6) }),
        ("a body of no bytes", .malformedResponse, { lengths($0, ["0"], 1) }),
        (
            "a body of 204", .malformedResponse,
            { Frame.headers($0, [(":status", "204")]) + Frame.data($0, [1], end: true) },
        ),
        (
            "a body of 304", .malformedResponse,
            { Frame.headers($0, [(":status", "304")]) + Frame.data($0, [1], end: true) },
        ),
        ("two lengths", .conflictingContentLength, { lengths($0, ["5", "6"], 5) }),
        ("two lengths in one", .conflictingContentLength, { lengths($0, ["5, 6"], 5) }),
        ("no number", .malformedContentLength, { lengths($0, ["five"], 5) }),
        ("a sign", .malformedContentLength, { lengths($0, ["+5"], 5) }),
        ("hexadecimal", .malformedContentLength, { lengths($0, ["0x5"], 5) }),
        ("an empty length", .malformedContentLength, { lengths($0, [""], 5) }),
        ("an empty element", .malformedContentLength, { lengths($0, ["5,"], 5) }),
        ("too large a length", .malformedContentLength, { lengths($0, ["18446744073709551621"], 5) }),
        ("a length beyond 63 bits", .malformedContentLength, { lengths($0, ["9223372036854775808"], 5) }),
    ]

    private static func lengths(_ id: Int32, _ lengths: [String], _ count: Int) -> [UInt8] {
        Frame.headers(id, head + lengths.map { ("content-length", $0) })
            + Frame.data(id, [UInt8](repeating: 1, count: count), end: true)
    }

    @Test func aMalformedResponseEndsItsStreamAlone() throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        for (text, reason, bytes) in Self.malformed {
            for isSplit in [false, true] {
                let (guilty, innocent) = (try connection.open(), try connection.open())
                _ = (connection.takeSeen(), connection.takeFrames())
                connection.feed(Frame.headers(innocent, Self.head) + Frame.data(innocent, [1]))
                for piece in isSplit ? bytes(guilty).map({ [$0] }) : [bytes(guilty)] { connection.feed(piece) }
                connection.feed(Frame.data(innocent, [2], end: true))
                let seen = connection.takeSeen()
                #expect(seen.contains(.failed(guilty, reason, .begun)), "\(text): \(seen)")
                #expect(seen.last == .ended(innocent, []), "\(text): \(seen)")
                #expect(connection.resetCode(of: guilty) == 1, "\(text)")
                #expect(connection.goAwayCode == nil, "\(text)")
                try connection.goodExchange()
            }
        }
        print("HTTP/2: \(Self.malformed.count) malformed responses, each checked at once and byte by byte")
    }

    /// RFC 9110, section 15: a client handles them as a 5xx.
    @Test(arguments: [0, 7, 99, 600, 999])
    func aStatusOfNoClassIsThatOfAResponse(_ status: Int) throws {
        let connection = try TestConnection()
        let id = try connection.open()
        _ = connection.takeSeen()
        let digits = String(String(1000 + status).dropFirst())
        connection.feed(Frame.headers(id, [(":status", digits), ("a", "b")]) + Frame.data(id, [1, 2], end: true))
        let seen = connection.takeSeen()
        #expect(seen == [.head(id, status, ["a: b"]), .body(id, [1, 2]), .ended(id, [])], "\(seen)")
        try connection.goodExchange()
    }

    @Test func aBodyBehindTheResponseToHEADIsMalformed() throws {
        let connection = try TestConnection()
        let id = try connection.open(.head)
        _ = connection.takeSeen()
        connection.feed(
            Frame.headers(id, Self.head + [("content-length", "5")]) + Frame.data(id, [1, 2, 3, 4, 5], end: true)
        )
        #expect(connection.takeSeen().last == .failed(id, .malformedResponse, .begun))
    }

    /// nghttp2 ends the connection.
    @Test(arguments: [[1], []] as [[UInt8]])
    func dataBeforeTheHeadIsMalformed(_ piece: [UInt8]) throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        let id = try connection.open()
        _ = connection.takeSeen()
        connection.feed(Frame.data(id, piece, end: true))
        let seen = connection.takeSeen()
        #expect(seen == [.failed(id, .malformedResponse, .unknown), .broken(.malformedResponse)])
    }

    // MARK: - Each byte

    private enum Position: CaseIterable {
        case nameAlone, nameStart, nameMiddle, nameEnd, valueAlone, valueStart, valueMiddle, valueEnd

        func field(_ byte: UInt8) -> (name: [UInt8], value: [UInt8]) {
            switch self {
            case .nameAlone: ([byte], [0x76])
            case .nameStart: ([byte, 0x61, 0x62], [0x76])
            case .nameMiddle: ([0x61, byte, 0x62], [0x76])
            case .nameEnd: ([0x61, 0x62, byte], [0x76])
            case .valueAlone: ([0x61], [byte])
            case .valueStart: ([0x61], [byte, 0x76, 0x77])
            case .valueMiddle: ([0x61], [0x76, byte, 0x77])
            case .valueEnd: ([0x61], [0x76, 0x77, byte])
            }
        }

        /// By RFC 9110, section 5.6.2, and RFC 9113, section 8.2.1.
        func allows(_ byte: UInt8) -> Bool {
            switch self {
            case .nameAlone, .nameStart, .nameMiddle, .nameEnd:
                return "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains(byte)
            case .valueAlone, .valueStart, .valueEnd: return ![0, 10, 13, 32, 9].contains(byte)
            case .valueMiddle: return ![0, 10, 13].contains(byte)
            }
        }
    }

    @Test(arguments: [false, true])
    func eachByteOfAFieldIsAcceptedOrRejected(inTrailers: Bool) async throws {
        let connection = try TestConnection()
        var count = 0
        for position in Position.allCases {
            for byte in UInt8.min...UInt8.max {
                await Task.yield()
                try connection.goodExchange()
                let id = try connection.open()
                _ = connection.takeSeen()
                let (name, value) = position.field(byte)
                let field = HPACK.literal(name, value)
                if inTrailers {
                    connection.feed(Frame.headers(id, Self.head) + Frame.block(id, field, end: true))
                } else {
                    connection.feed(Frame.block(id, HPACK.literals(Self.head) + field, end: true))
                }
                let seen = connection.takeSeen()
                let text = "\(position) \(byte): \(seen)"
                if position.allows(byte) {
                    let failures = seen.filter(\.isFailure)
                    #expect(failures == [], Comment(rawValue: text))
                    let line = try #require(seen.flatMap { $0.fields ?? [] }.last)
                    #expect(line.hasPrefix(String(decoding: name, as: UTF8.self) + ": "), Comment(rawValue: text))
                } else {
                    #expect(seen.last == .failed(id, .malformedResponse, .begun), Comment(rawValue: text))
                }
                count += 1
            }
        }
        #expect(connection.goAwayCode == nil)
        print("HTTP/2: \(count) bytes in \(inTrailers ? "trailers" : "heads"), each behind a good exchange")
    }
}

extension Seen {
    fileprivate var fields: [String]? {
        switch self {
        case .head(_, _, let fields): fields
        case .ended(_, let fields) where !fields.isEmpty: fields
        default: nil
        }
    }
}
#endif
