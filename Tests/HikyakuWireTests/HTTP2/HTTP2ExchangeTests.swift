#if os(Linux)
import FoundationEssentials
import HikyakuHTTP
import Testing

@testable import HikyakuWire

struct HTTP2ExchangeTests {
    // MARK: - Requests

    @Test func aConnectionBeginsWithPrefaceAndSettings() throws {
        let connection = try TestConnection(greets: false)
        let frames = connection.takeFrames()
        #expect(frames.map(\.type) == [Frame.Kind.settings, Frame.Kind.windowUpdate])
        #expect(frames[0].payload == [0, 2, 0, 0, 0, 0, 0, 4, 0, 12, 0, 0, 0, 6, 0, 4, 0, 0])
        #expect(UInt32(frames[1].payload) == (16 << 20) - 65_535)
        connection.feed(Frame.settings())
        #expect(connection.takeFrames() == [Frame(type: Frame.Kind.settings, flags: Frame.ack)])
    }

    @Test func fieldsAreSentInLowerCaseAndCredentialsAreNotKept() throws {
        let connection = try TestConnection()
        var headers: HTTPHeaders = [
            "Accept": "a/b", "Connection": "close", "Keep-Alive": "1", "Proxy-Connection": "x", "Upgrade": "h2c",
            "TE": "gzip", "X-Empty": "", "X-Blank": " a b\t", "Authorization": "Bearer 1", "Cookie": "a=b",
        ]
        headers.append("X-Key", "2", isSecret: true)
        let id = try connection.open(TestConnection.request(.get, headers))
        #expect(
            connection.requests[id] == [
                ":method: GET", ":scheme: https", ":authority: api.example", ":path: /items?page=1", "accept: a/b",
                "x-empty: ", "x-blank: a b", "authorization: Bearer 1 (secret)", "cookie: a=b (secret)",
                "x-key: 2 (secret)",
            ]
        )
        #expect(connection.frames.last?.endsStream == true)
        #expect(connection.seen.last == .sent(id, 0, true))
    }

    @Test func theHostFieldIsTheAuthorityAndTrailersMayBeRequested() throws {
        let connection = try TestConnection()
        let headers: HTTPHeaders = ["Host": "other.example", "TE": "trailers"]
        let id = try connection.open(TestConnection.request(.options, headers, url: "https://api.example"))
        let expected = [
            ":method: OPTIONS", ":scheme: https", ":authority: other.example", ":path: *", "te: trailers",
        ]
        #expect(connection.requests[id] == expected)
    }

    @Test(
        arguments: [
            (.post, .none, "0"), (.get, .none, nil), (.delete, .none, nil), (.post, .whole(Data("abc".utf8)), "3"),
            (.put, .whole(Data()), "0"), (.get, .whole(Data("a".utf8)), "1"), (.post, .pieces(count: 7), "7"),
            (.post, .pieces(count: nil), nil),
        ] as [(HTTPMethod, HTTPBody?, String?)]
    )
    func theLengthOfTheBodyIsSent(_ method: HTTPMethod, _ body: HTTPBody?, _ length: String?) throws {
        let connection = try TestConnection()
        let id = try connection.open(method, body: body)
        let said = connection.requests[id]?.first { $0.hasPrefix("content-length") }
        #expect(said == length.map { "content-length: \($0)" })
    }

    @Test(arguments: ["/a b", "/a\r\nb", "/\0", "/ü", "/\u{7F}"])
    func anInvalidPathIsRejected(_ path: String) throws {
        let connection = try TestConnection()
        let request = TestConnection.request(url: "https://api.example" + path)
        let error = #expect(throws: TransportError.self) { try connection.session.open(request) }
        #expect(error?.reason == .url)
        try connection.goodExchange()
    }

    @Test func fieldsThatAreTooLargeFailTheirRequestAlone() throws {
        let connection = try TestConnection()
        let large = TestConnection.request(.get, ["X-Large": String(repeating: "a", count: 9 << 20)])
        _ = connection.takeSeen()
        let id = try connection.open(large)
        #expect(connection.takeSeen() == [.failed(id, .header, .none)])
        try connection.goodExchange()
    }

    @Test func manyFieldsGoInContinuationFrames() throws {
        let connection = try TestConnection()
        var headers = HTTPHeaders()
        for number in 0..<60 { headers.append(HTTPHeaderName("X-\(number)"), String(repeating: "~", count: 1000)) }
        _ = try connection.open(TestConnection.request(.get, headers))
        #expect(connection.frames.filter { $0.type == Frame.Kind.continuation }.count >= 2)
    }

    // MARK: - Request bodies

    @Test(arguments: [1, 16_384, 16_385, 200_000])
    func aBodyInMemoryIsSentAsTheWindowAllows(_ count: Int) throws {
        let connection = try TestConnection()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let id = try connection.open(.post, body: .whole(Data(bytes)))
        #expect(connection.bodySent(on: id).count == min(count, 65_535))
        for _ in 0..<20 {
            connection.feed(Frame.windowUpdate(0, 10_000) + Frame.windowUpdate(id, 10_000))
        }
        #expect(connection.bodySent(on: id) == bytes)
        #expect(connection.frames.filter { $0.type == Frame.Kind.data && $0.endsStream }.count == 1)
        #expect(connection.frames.last { $0.type == Frame.Kind.data }?.endsStream == true)
        let counts = connection.seen.compactMap { if case .sent(id, let count, _) = $0 { count } else { nil } }
        #expect(counts.reduce(0, +) == count)
        #expect(connection.seen.contains { if case .sent(id, _, true) = $0 { true } else { false } })
    }

    /// Pieces are requested one by one, each only when the previous one is in a frame.
    @Test func aBodyInPiecesWaitsForThemAndForTheWindow() throws {
        let connection = try TestConnection()
        let id = try connection.open(.post, body: .pieces(count: nil))
        #expect(connection.takeSeen().last == .wantsBody(id))
        connection.flush()
        #expect(connection.takeSeen() == [])
        connection.send([1, 2, 3], isLast: false, on: id)
        #expect(connection.takeSeen() == [.wantsBody(id), .sent(id, 3, false)])
        connection.send([UInt8](repeating: 9, count: 70_000), isLast: false, on: id)
        #expect(!connection.takeSeen().contains(.wantsBody(id)))
        connection.feed(Frame.windowUpdate(0, 10_000) + Frame.windowUpdate(id, 10_000))
        #expect(connection.takeSeen().contains(.wantsBody(id)))
        connection.send([], isLast: true, on: id)
        #expect(connection.takeSeen() == [.sent(id, 0, true)])
        #expect(connection.bodySent(on: id).count == 70_003)
        connection.send([1], isLast: true, on: id)
        #expect(connection.bodySent(on: id).count == 70_003)
        connection.feed(Frame.headers(id, TestConnection.ok, end: true))
        #expect(connection.takeSeen() == [.head(id, 200, []), .ended(id, [])])
        #expect(connection.resetCode(of: id) == nil)
    }

    /// A slow socket holds the upload back: no more is made ready than the bound and one frame.
    @Test func anUploadIsHeldBackByTheSocket() throws {
        let connection = try TestConnection { $0.outputBytesMax = 20_000 }
        let id = try #require(try connection.session.open(TestConnection.request(.post, body: .pieces(count: nil))))
        connection.flush()
        var requestedCount = 0
        for _ in 0..<100 {
            guard connection.takeSeen().contains(.wantsBody(id)) else { break }
            requestedCount += 1
            connection.session.send(Data(count: 8000), isLast: false, on: id)
            connection.flush(upTo: 0)
        }
        #expect(requestedCount <= 5)
        connection.flush()
        #expect(connection.takeSeen().contains(.wantsBody(id)))
    }

    @Test func aResponseThatIsWholeBeforeTheRequestIsOutIsReturned() throws {
        let connection = try TestConnection()
        let id = try connection.open(.post, body: .whole(Data(count: 100_000)))
        _ = connection.takeSeen()
        connection.feed(Frame.headers(id, [(":status", "413")]) + Frame.data(id, [1], end: true))
        #expect(connection.takeSeen() == [.head(id, 413, []), .body(id, [1]), .ended(id, [])])
        #expect(connection.resetCode(of: id) == 8)
        connection.feed(Frame.reset(id, 0))
        #expect(connection.takeSeen() == [])
        try connection.goodExchange()
    }

    // MARK: - Responses

    @Test func informationalResponsesAndTrailersAreReported() throws {
        let connection = try TestConnection()
        let id = try connection.open()
        _ = connection.takeSeen()
        connection.feed(
            Frame.headers(id, [(":status", "103"), ("link", "</a>")]) + Frame.headers(id, [(":status", "100")])
                + Frame.headers(id, [(":status", "200"), ("x", "1"), ("y", "ü"), ("x", "2"), ("z", "")])
                + Frame.data(id, [1, 2]) + Frame.headers(id, [("checksum", "12")], end: true)
        )
        #expect(
            connection.takeSeen() == [
                .informational(id, 103), .informational(id, 100), .head(id, 200, ["x: 1", "y: ü", "x: 2", "z: "]),
                .body(id, [1, 2]), .ended(id, ["checksum: 12"]),
            ]
        )
    }

    @Test(
        arguments: [
            (.head, "200", "5"), (.get, "304", "5"), (.get, "204", nil), (.get, "200", "0"), (.head, "200", "x"),
            (.get, "200", "0, 0"),
        ] as [(HTTPMethod, String, String?)]
    )
    func aResponseMayHaveNoBody(_ method: HTTPMethod, _ status: String, _ length: String?) throws {
        let connection = try TestConnection()
        let id = try connection.open(method)
        _ = connection.takeSeen()
        let fields = [(":status", status)] + (length.map { [("content-length", $0)] } ?? [])
        connection.feed(Frame.headers(id, fields, end: true))
        #expect(connection.takeSeen().last == .ended(id, []))
        // Empty pieces are none.
        let other = try connection.open(method)
        connection.feed(Frame.headers(other, fields) + Frame.data(other, []) + Frame.data(other, [], end: true))
        #expect(connection.takeSeen().last == .ended(other, []))
    }

    @Test func streamsComeInAnyOrder() throws {
        let connection = try TestConnection()
        let ids = try (0..<64).map { _ in try connection.open() }
        _ = connection.takeSeen()
        for id in ids.reversed() { connection.feed(Frame.headers(id, TestConnection.ok)) }
        for id in ids { connection.feed(Frame.data(id, [UInt8(id)], end: true)) }
        let seen = connection.takeSeen()
        #expect(seen.filter { if case .ended = $0 { true } else { false } }.count == 64)
        #expect(ids.allSatisfy { seen.contains(.body($0, [UInt8($0)])) })
    }

    // MARK: - Flow control

    /// What is read is given back; a stream that isn't read is held back, and no other.
    @Test func aSlowReaderHoldsUpItsOwnStreamAlone() throws {
        let connection = try TestConnection {
            $0.streamWindow = 100_000
            $0.connectionWindow = 200_000
            $0.unreadBytesMax = 1_000_000
        }
        let slow = try connection.open(holdsBack: true)
        connection.feed(Frame.headers(slow, TestConnection.ok))
        for _ in 0..<10 { connection.feed(Frame.data(slow, [UInt8](repeating: 1, count: 10_000))) }
        #expect(!connection.frames.contains { $0.type == Frame.Kind.windowUpdate && $0.stream == UInt32(slow) })
        // A megabyte for others, over a window of 200,000 bytes of which the slow one has half.
        let quick = try connection.open()
        connection.feed(Frame.headers(quick, TestConnection.ok))
        for _ in 0..<100 { connection.feed(Frame.data(quick, [UInt8](repeating: 2, count: 10_000))) }
        connection.feed(Frame.data(quick, [], end: true))
        #expect(connection.takeSeen().last == .ended(quick, []))
        _ = connection.takeFrames()
        connection.read(60_000, on: slow)
        let updates = connection.takeFrames().filter { $0.type == Frame.Kind.windowUpdate && $0.stream == UInt32(slow) }
        #expect(updates.map { UInt32($0.payload) } == [60_000])
        connection.read(.max, on: slow)
        connection.read(-1, on: slow)
        connection.feed(Frame.data(slow, [], end: true))
        #expect(connection.takeSeen().last == .ended(slow, []))
    }

    @Test func whatAllReadersTogetherLeaveIsBounded() throws {
        let connection = try TestConnection {
            $0.streamWindow = 100_000
            $0.connectionWindow = 100_000
            $0.unreadBytesMax = 150_000
        }
        _ = connection.takeFrames()
        var received = 0
        var ids: [Int32] = []
        var allowed = 100_000
        for _ in 0..<10 {
            let id = try connection.open(holdsBack: true)
            ids.append(id)
            connection.feed(Frame.headers(id, TestConnection.ok))
            for _ in 0..<10 where received + 10_000 <= allowed {
                connection.feed(Frame.data(id, [UInt8](repeating: 1, count: 10_000)))
                received += 10_000
                allowed += connection.takeFrames().filter { $0.type == Frame.Kind.windowUpdate && $0.stream == 0 }
                    .reduce(0) { $0 + Int(UInt32($1.payload)) }
            }
        }
        #expect(received <= 300_000 && received >= 150_000)
        // A reader, or one that gives up, makes room.
        connection.read(100_000, on: ids[0])
        connection.cancel(ids[1])
        #expect(connection.takeFrames().contains { $0.type == Frame.Kind.windowUpdate && $0.stream == 0 })
    }

    @Test func paddingAndWhatComesForCancelledStreamsIsGivenBack() throws {
        let connection = try TestConnection {
            $0.streamWindow = 70_000
            $0.connectionWindow = 70_000
        }
        let padded = Frame(
            type: 0,
            flags: Frame.padded,
            stream: 1,
            payload: [255] + [UInt8](repeating: 0, count: 265),
        )
        let id = try connection.open(holdsBack: true)
        connection.feed(Frame.headers(id, TestConnection.ok))
        for _ in 0..<1000 {
            connection.feed(padded.bytes)
            connection.read(10, on: id)
        }
        connection.cancel(id)
        for _ in 0..<100 { connection.feed(Frame.data(id, [UInt8](repeating: 1, count: 10_000))) }
        #expect(connection.goAwayCode == nil)
        try connection.goodExchange()
    }

    /// A window that becomes negative has to become positive again before anything is sent.
    @Test func aWindowCanShrinkBelowWhatIsOut() throws {
        let connection = try TestConnection()
        let id = try connection.open(.post, body: .whole(Data(count: 100_000)))
        #expect(connection.bodySent(on: id).count == 65_535)
        connection.feed(Frame.settings([(4, 1000)]) + Frame.windowUpdate(0, 100_000))
        connection.feed(Frame.windowUpdate(id, 64_535))
        #expect(connection.bodySent(on: id).count == 65_535)
        connection.feed(Frame.windowUpdate(id, 10))
        #expect(connection.bodySent(on: id).count == 65_545)
        connection.feed(Frame.settings([(4, 200_000)]))
        #expect(connection.bodySent(on: id).count == 100_000)
    }
}
#endif
