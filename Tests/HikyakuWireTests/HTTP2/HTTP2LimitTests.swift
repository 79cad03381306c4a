#if os(Linux)
import FoundationEssentials
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// Floods and limits, and the ends of streams and connections.
struct HTTP2LimitTests {
    // MARK: - Floods

    /// Frames that carry nothing, each after a good exchange; 3 is a stream whose head came.
    private static let floods: [(String, [UInt8])] = [
        ("PING", Frame.ping()),
        ("answers to PING", Frame.ping(ack: true)),
        ("SETTINGS", Frame.settings([(3, 100)])),
        ("empty SETTINGS", Frame.settings()),
        ("RST_STREAM of an ended stream", Frame.reset(1, 8)),
        ("empty DATA", Frame.data(3, [])),
        ("DATA with padding alone", Frame(type: 0, flags: Frame.padded, stream: 3, payload: [2, 0, 0]).bytes),
        ("PRIORITY", Frame(type: 2, stream: 3, payload: [0, 0, 0, 0, 1]).bytes),
        ("PRIORITY of idle streams", Frame(type: 2, stream: 101, payload: [0, 0, 0, 0, 1]).bytes),
        ("WINDOW_UPDATE", Frame.windowUpdate(0, 1)),
        ("WINDOW_UPDATE of a stream", Frame.windowUpdate(3, 1)),
        ("GOAWAY", Frame.goAway(5)),
        ("unknown frames", Frame(type: 77, stream: 3, payload: [1]).bytes),
    ]

    @Test(arguments: [false, true])
    func aFloodEndsTheConnection(isRead: Bool) async throws {
        for (name, frame) in Self.floods {
            await Task.yield()
            let connection = try TestConnection()
            try connection.goodExchange()
            let id = try connection.open()
            connection.feed(Frame.headers(id, TestConnection.ok))
            _ = (connection.takeSeen(), connection.takeFrames())
            var count = 0
            while !connection.session.isOver || name == "GOAWAY" && connection.session.error == nil, count < 5000 {
                connection.receive(frame[...])
                if isRead { connection.flush() }
                count += 1
            }
            #expect(900...2100 ~= count, "\(name): \(count)")
            connection.flush()
            #expect(connection.goAwayCode == 11 || connection.goAwayCode == 2, "\(name)")
            #expect(connection.takeSeen().contains(.failed(id, .malformedResponse, .begun)), "\(name)")
        }
    }

    /// Now and then, there may be as many of them as there are.
    @Test func aFewFramesEachSecondAreNotAFlood() async throws {
        for (name, frame) in Self.floods where !name.hasPrefix("GOAWAY") {
            await Task.yield()
            let connection = try TestConnection()
            try connection.goodExchange()
            let id = try connection.open()
            connection.feed(Frame.headers(id, TestConnection.ok))
            for _ in 0..<5000 {
                connection.feed(frame)
                connection.now += 25_000_000
            }
            connection.feed(Frame.data(id, [1], end: true))
            #expect(connection.takeSeen().last == .ended(id, []), "\(name)")
        }
    }

    /// What carries something is never too much: 20,000 pieces of a byte, and windows and pings beside an upload.
    @Test func usefulFramesAreNotAFlood() async throws {
        let connection = try TestConnection()
        let id = try connection.open()
        connection.feed(Frame.headers(id, TestConnection.ok))
        for _ in 0..<20_000 { connection.feed(Frame.data(id, [7])) }
        connection.feed(Frame.data(id, [], end: true))
        #expect(connection.takeSeen().last == .ended(id, []))
        let upload = try connection.open(.post, body: .pieces(count: nil))
        for _ in 0..<5000 {
            connection.send([UInt8](repeating: 0, count: 512), isLast: false, on: upload)
            connection.feed(Frame.windowUpdate(0, 512) + Frame.windowUpdate(upload, 512) + Frame.ping())
        }
        #expect(connection.session.error == nil)
        for number in 0..<5000 {
            if number.isMultiple(of: 100) { await Task.yield() }
            try connection.goodExchange()
        }
    }

    @Test func informationalResponsesAreBounded() throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        let id = try connection.open()
        _ = connection.takeSeen()
        for _ in 0..<2000 { connection.feed(Frame.headers(id, [(":status", "103")])) }
        let seen = connection.takeSeen()
        #expect(seen.count == 501 && seen.last == .failed(id, .headersTooLarge, .begun))
        try connection.goodExchange()
    }

    /// All fields of a response count, and 32 bytes for each.
    @Test(arguments: [(499, 1, true), (500, 1, false), (10, 26_000, true), (10, 27_000, false), (0, 0, true)])
    func aResponsesFieldsAreBounded(count: Int, size: Int, isTaken: Bool) throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        let id = try connection.open()
        _ = connection.takeSeen()
        let block = HPACK.literals(
            TestConnection.ok + (0..<count).map { _ in ("a", String(repeating: "b", count: size)) }
        )
        connection.feed(Self.frames(of: block, on: id))
        let seen = connection.takeSeen()
        if isTaken {
            #expect(seen.last == .ended(id, []))
        } else {
            #expect(seen.first == .failed(id, .headersTooLarge, .begun))
        }
        if connection.session.error == nil { try connection.goodExchange() }
    }

    private static func frames(of block: [UInt8], on id: Int32, size: Int = 16_384) -> [UInt8] {
        var rest = block[...]
        var bytes: [UInt8] = []
        repeat {
            let isFirst = bytes.isEmpty
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let flags = (rest.isEmpty ? Frame.endHeaders : 0) | (isFirst ? Frame.endStream : 0)
            let type = isFirst ? Frame.Kind.headers : Frame.Kind.continuation
            bytes += Frame(type: type, flags: flags, stream: UInt32(id), payload: piece).bytes
        } while !rest.isEmpty
        return bytes
    }

    /// A large field of the compression's table, again and again by one byte each.
    @Test func fieldsThatGrowWhenTheyAreDecodedAreBounded() throws {
        let connection = try TestConnection()
        let id = try connection.open()
        _ = connection.takeSeen()
        let value = [UInt8](repeating: 0x62, count: 4000)
        let entry = [0x40] + HPACK.literal([0x61], value).dropFirst()
        connection.feed(Frame.block(id, [0x88] + entry + [UInt8](repeating: 0xBE, count: 12_000), end: true))
        #expect(connection.takeSeen() == [.failed(id, .headersTooLarge, .begun)])
        // The table holds for what follows.
        let next = try connection.open()
        connection.feed(Frame.block(next, [0x88, 0xBE], end: true))
        #expect(connection.takeSeen().contains(.head(next, 200, ["a: " + String(decoding: value, as: UTF8.self)])))
    }

    @Test(arguments: [0, 1])
    func endlessContinuationsEndTheConnection(size: Int) throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        let (guilty, other) = (try connection.open(), try connection.open())
        _ = connection.takeSeen()
        connection.feed(Frame(type: 1, stream: UInt32(guilty), payload: HPACK.literals(TestConnection.ok)).bytes)
        let frame = Frame(type: 9, stream: UInt32(guilty), payload: [UInt8](repeating: 0x88, count: size)).bytes
        for _ in 0..<200 { connection.feed(frame) }
        let seen = connection.takeSeen()
        #expect(seen.last == .broken(.malformedResponse) && connection.goAwayCode == 11)
        #expect(seen.contains(.failed(other, .malformedResponse, .unknown)))
        #expect(seen.contains(.failed(guilty, size == 0 ? .headersTooLarge : .malformedResponse, .begun)))
    }

    /// However the bytes are cut: newer versions of nghttp2 count parts of a frame's header as frames.
    @Test func aBlockMayComeInManyFrames() throws {
        let connection = try TestConnection()
        for size in [2, 3, 7] {
            let id = try connection.open()
            _ = connection.takeSeen()
            let block = HPACK.literals(TestConnection.ok + [("a", String(repeating: "b", count: 100))])
            for byte in Self.frames(of: block, on: id, size: size) { connection.receive([byte]) }
            #expect(connection.takeSeen().last == .ended(id, []))
        }
    }

    /// A socket that takes nothing hides no error: control frames don't wait behind requests' bodies.
    @Test func anErrorIsFoundWhileTheOutputIsFull() throws {
        let connection = try TestConnection { $0.outputBytesMax = 10_000 }
        connection.feed(Frame.windowUpdate(0, 1 << 20) + Frame.settings([(4, 1 << 20)]))
        let ids = try (0..<3).compactMap { _ in
            try connection.session.open(TestConnection.request(.post, body: .whole(Data(count: 300_000))))
        }
        _ = connection.takeSeen()
        for _ in 0..<1000 { connection.receive(Frame.ping()[...]) }
        connection.receive(Frame.data(101, [1])[...])
        let failures = ids.map { Seen.failed($0, .malformedResponse, .unknown) }
        #expect(connection.takeSeen() == failures + [.broken(.malformedResponse)])
        connection.flush()
        #expect(connection.goAwayCode == 1)
        #expect(connection.frames.reduce(0) { $0 + ($1.type == Frame.Kind.data ? $1.payload.count : 0) } < 30_000)
    }

    @Test func uploadsTakeTurnsBehindASlowSocket() throws {
        let connection = try TestConnection { $0.outputBytesMax = 10_000 }
        connection.feed(Frame.windowUpdate(0, 1 << 20) + Frame.settings([(4, 1 << 20)]))
        let bodies = (0..<3).map { [UInt8](repeating: UInt8($0), count: 200_000) }
        let ids = try bodies.compactMap { body in
            try connection.session.open(TestConnection.request(.post, body: .whole(Data(body))))
        }
        var steps = 0
        while !connection.flush(upTo: 3000), steps < 1000 { steps += 1 }
        #expect(200..<300 ~= steps)
        #expect(ids.map { connection.bodySent(on: $0) } == bodies)
    }

    // MARK: - Streams that aren't processed, or break off

    @Test func aRefusedStreamWasNotProcessed() throws {
        let connection = try TestConnection()
        let (refused, begun, other) = (try connection.open(), try connection.open(), try connection.open())
        _ = connection.takeSeen()
        connection.feed(Frame.headers(begun, TestConnection.ok) + Frame.reset(refused, 7) + Frame.reset(begun, 7))
        #expect(
            connection.takeSeen() == [
                .head(begun, 200, []), .failed(refused, .notProcessed, .refused),
                .failed(begun, .connectionReset, .begun),
            ]
        )
        connection.feed(Frame.headers(other, TestConnection.ok, end: true))
        #expect(connection.takeSeen().last == .ended(other, []))
    }

    @Test(
        arguments: [
            (0, false, .connectionReset, .unknown), (0, true, .truncatedResponse, .begun),
            (2, false, .connectionReset, .unknown), (2, true, .connectionReset, .begun),
            (8, false, .connectionReset, .unknown), (13, false, .notProcessed, .overHTTP1Only),
            (13, true, .connectionReset, .begun), (0xFFFF_FFFF, true, .connectionReset, .begun),
        ] as [(UInt32, Bool, FailureReason, HTTP2Failure.Processing)]
    )
    func aResetIsNotTheEndOfABody(
        code: UInt32,
        hasHead: Bool,
        reason: FailureReason,
        processing: HTTP2Failure.Processing,
    ) throws {
        let connection = try TestConnection()
        let id = try connection.open()
        if hasHead { connection.feed(Frame.headers(id, TestConnection.ok) + Frame.data(id, [1])) }
        _ = connection.takeSeen()
        connection.feed(Frame.reset(id, code))
        #expect(connection.takeSeen() == [.failed(id, reason, processing)])
        try connection.goodExchange()
    }

    @Test func streamsAboveTheLastOneOfGOAWAYWereNotProcessed() throws {
        let connection = try TestConnection()
        let ids = try (0..<4).map { _ in try connection.open() }
        connection.feed(Frame.headers(ids[0], TestConnection.ok))
        _ = connection.takeSeen()
        connection.feed(Frame.goAway(0x7FFF_FFFF))
        #expect(connection.takeSeen() == [.draining])
        #expect(connection.session.capacity == 0 && !connection.session.isOver)
        #expect(try connection.session.open(TestConnection.request()) == nil)
        connection.feed(Frame.goAway(UInt32(ids[1]), 0, "later"))
        let failed = Set(connection.takeSeen().filter(\.isFailure).map { "\($0)" })
        #expect(failed == Set(ids[2...].map { "\(Seen.failed($0, .notProcessed, .refused))" }))
        connection.feed(Frame.data(ids[0], [1], end: true))
        #expect(!connection.session.isOver)
        connection.feed(Frame.headers(ids[1], TestConnection.ok, end: true))
        #expect(connection.session.isOver && connection.session.error == nil)
    }

    @Test func theEndOfAConnectionIsNotTheEndOfAResponse() throws {
        for cause in [nil, TransportError(.connectionReset, "reset")] {
            let connection = try TestConnection()
            let ids = try (0..<5).map { _ in try connection.open() }
            connection.feed(
                Frame.headers(ids[1], [(":status", "103")]) + Frame.headers(ids[2], TestConnection.ok)
                    + Frame.headers(ids[3], TestConnection.ok) + Frame.data(ids[3], [1])
            )
            connection.receive(Frame(type: 1, stream: UInt32(ids[4]), payload: [0x88]).bytes[...])
            _ = connection.takeSeen()
            connection.connectionEnded(cause)
            let reasons: [FailureReason] = [
                .connectionClosed, .truncatedHeaders, .truncatedResponse, .truncatedResponse, .truncatedHeaders,
            ]
            let expected = zip(ids, reasons).map { id, reason in
                Seen.failed(id, cause?.reason ?? reason, id == ids[0] ? .unknown : .begun)
            }
            #expect(connection.takeSeen() == expected)
            #expect(connection.session.isOver)
        }
    }

    // MARK: - Cancelling and capacity

    @Test func aCancelledStreamIsResetAndLeavesTheOthersAlone() throws {
        let connection = try TestConnection()
        for hasHead in [false, true] {
            let (gone, other) = (try connection.open(), try connection.open())
            if hasHead { connection.feed(Frame.headers(gone, TestConnection.ok) + Frame.data(gone, [1])) }
            _ = connection.takeSeen()
            connection.cancel(gone)
            connection.cancel(gone)
            #expect(connection.takeFrames().filter { $0.type == Frame.Kind.reset }.map(\.code) == [8])
            connection.feed(hasHead ? [] : Frame.headers(gone, TestConnection.ok))
            connection.feed(Frame.data(gone, [2], end: true) + Frame.headers(other, TestConnection.ok, end: true))
            #expect(connection.takeSeen() == [.head(other, 200, []), .ended(other, [])])
        }
        try connection.goodExchange()
    }

    @Test func theServerLimitsTheNumberOfStreams() throws {
        let connection = try TestConnection(settings: [(3, 2)])
        #expect(connection.session.capacity == 2)
        let first = try connection.open()
        _ = try connection.open()
        #expect(connection.session.capacity == 0)
        #expect(try connection.session.open(TestConnection.request()) == nil)
        connection.feed(Frame.settings([(3, 1)]))
        #expect(connection.takeSeen().contains(.capacityChanged))
        connection.feed(Frame.headers(first, TestConnection.ok, end: true))
        #expect(connection.session.capacity == 0)
        connection.feed(Frame.settings([(3, 1_000_000)]))
        #expect(connection.session.capacity == HTTP2Limits().streamsMax - 1)
        connection.feed(Frame.settings([(3, 0)]))
        #expect(connection.session.capacity == 0)
    }

    @Test func aConnectionWithoutFreeNumbersTakesNoRequests() throws {
        let connection = try TestConnection { $0.firstStreamID = .max - 2 }
        let ids = try (0..<2).map { _ in try connection.open() }
        #expect(ids == [.max - 2, .max])
        #expect(connection.session.capacity == 0)
        #expect(try connection.session.open(TestConnection.request()) == nil)
        connection.feed(Frame.headers(.max, TestConnection.ok, end: true))
        #expect(connection.takeSeen().last == .ended(.max, []))
    }

    @Test func aClosedSessionSendsGoawayAndAcceptsNothing() throws {
        let connection = try TestConnection()
        let id = try connection.open()
        _ = connection.takeSeen()
        connection.session.close()
        connection.flush()
        #expect(connection.takeSeen() == [.failed(id, .shutDown, .unknown)])
        #expect(connection.goAwayCode == 0 && connection.session.isOver && connection.session.capacity == 0)
        connection.feed(Frame.headers(id, TestConnection.ok, end: true))
        connection.session.cancel(id)
        connection.session.read(1, on: id)
        connection.session.send(Data(), isLast: true, on: id)
        connection.session.close()
        connection.flush()
        #expect(connection.takeSeen() == [])
    }
}
#endif
