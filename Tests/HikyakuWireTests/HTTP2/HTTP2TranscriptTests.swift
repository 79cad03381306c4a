#if os(Linux)
import Foundation
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// What a connection brings doesn't depend on how its bytes are cut, whatever they are.
@Suite(.timeLimit(.minutes(5)))
struct HTTP2TranscriptTests {
    /// What a session makes of a connection's bytes.
    private struct Reading: Equatable {
        /// What was reported of each stream; how streams lie between each other isn't compared.
        var streams: [Int32: [Seen]] = [:]
        var connection: [Seen] = []
        var goAwayCode: UInt32?

        init(_ connection: TestConnection) {
            for seen in connection.takeSeen() {
                if let id = seen.stream { streams[id, default: []].append(seen) } else { self.connection.append(seen) }
            }
            goAwayCode = connection.goAwayCode
        }
    }

    /// Some requests, and all that comes for them, in pieces that end at `cuts`.
    private static func read(_ bytes: [UInt8], cutAt cuts: some Sequence<Int>, flushes: Bool = true) throws -> Reading {
        let connection = try TestConnection()
        for _ in 0..<2 { try connection.open() }
        try connection.open(.head)
        try connection.open(.post, body: .whole(Data(count: 10)), holdsBack: true)
        _ = (connection.takeSeen(), connection.takeFrames())
        var start = 0
        for cut in Array(cuts) + [bytes.count] where cut > start {
            connection.receive(bytes[start..<cut])
            if flushes { connection.flush() }
            start = cut
        }
        connection.flush()
        connection.connectionEnded()
        return Reading(connection)
    }

    private static let head = [(":status", "200")]

    /// Good and bad ones; the streams are 1, 3, 5 (a HEAD) and 7 (a POST).
    private static let transcripts: [[UInt8]] = [
        Frame.headers(1, head + [("a", "b")]) + Frame.data(1, [1, 2, 3]) + Frame.headers(3, [(":status", "103")])
            + Frame.data(1, [4], end: true) + Frame.headers(3, head, end: true) + Frame.headers(5, head, end: true),
        Frame(type: 1, flags: 41, stream: 1, payload: [3, 0, 0, 0, 3, 9] + HPACK.literals(head) + [0, 0, 0]).bytes
            + Frame(type: 9, flags: 0, stream: 1, payload: [0, 1, 0x61]).bytes
            + Frame(type: 9, flags: 4, stream: 1, payload: [1, 0x62]).bytes
            + Frame(type: 0, flags: 9, stream: 3, payload: [1, 7, 0]).bytes,
        Frame.headers(7, head + [("content-length", "3")])
            + Frame(type: 0, flags: 8, stream: 7, payload: [2, 1, 2, 0, 0]).bytes
            + Frame.ping() + Frame.windowUpdate(0, 9) + Frame.data(7, [3]) + Frame.headers(7, [("t", "1")], end: true)
            + Frame.settings([(3, 5), (4, 100)]) + Frame.goAway(7) + Frame.reset(1, 7),
        Frame.headers(1, head) + Frame.data(1, [1], end: true) + Frame.data(1, [2])
            + Frame.headers(3, head, end: true),
        Frame.headers(1, head + [("A", "b")]) + Frame.data(1, [1], end: true) + Frame.headers(3, head)
            + Frame.data(3, [5]),
        Frame.headers(1, head) + Frame.windowUpdate(3, 0x7FFF_FFFF) + Frame.headers(3, head, end: true) + Frame.ping(),
        Frame.headers(5, head) + Frame.data(5, [1], end: true)
            + Frame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2]).bytes,
        Frame.block(1, [0x88, 0x40, 1, 0x61, 1, 0x62, 0xBE], end: true)
            + Frame.block(3, [0x88, 0xBE, 0xFF, 0x80], end: true),
        Frame.headers(1, head) + Frame(type: 200, flags: 255, stream: 1, payload: Array(0..<20)).bytes
            + Frame.settings([(2, 1)]) + Frame.data(1, [1], end: true),
        Array("HTTP/1.1 200 OK\r\n\r\n".utf8),
    ]

    @Test func theCutsOfTheBytesAreNotSeen() async throws {
        var count = 0
        for bytes in Self.transcripts {
            let whole = try Self.read(bytes, cutAt: [])
            #expect(try Self.read(bytes, cutAt: 1..<bytes.count) == whole)
            #expect(try Self.read(bytes, cutAt: 1..<bytes.count, flushes: false) == whole)
            for cut in 1..<bytes.count {
                await Task.yield()
                let parts = try Self.read(bytes, cutAt: [cut])
                if parts != whole { Issue.record("cut at \(cut) of \(bytes): \(parts), not \(whole)") }
                count += 1
            }
        }
        print("HTTP/2: \(Self.transcripts.count) transcripts byte by byte, and cut in two at \(count) points")
    }

    /// No beginning of a response is the whole.
    @Test func noResponseIsWholeBeforeItsEnd() throws {
        let bytes = Self.transcripts[0]
        let ends = [Int32(1): 5, 3: 6, 5: 7]
        let whole = try Self.read(bytes, cutAt: []).streams
        #expect(Set(whole.filter { $0.value.contains(.ended($0.key, [])) }.keys) == Set(ends.keys))
        for count in 0..<bytes.count {
            let streams = try Self.read(Array(bytes[..<count]), cutAt: []).streams
            for (id, seen) in streams where seen.contains(.ended(id, [])) { #expect(seen == whole[id]) }
            #expect(streams[5]?.contains(.ended(5, [])) != true)
        }
    }

    // MARK: - At random

    @Test func changedTranscriptsDoNotDependOnTheirCuts() async throws {
        let seed = testSeed()
        print("seed of the changed transcripts: \(seed)")
        var random = SeededGenerator(seed: seed)
        var whole = (ended: 0, failed: 0, broken: 0)
        for number in 0..<Effort.rounds(6000) {
            if number.isMultiple(of: 100) { await Task.yield() }
            let bytes = Self.changed(&random)
            let reading = try Self.read(bytes, cutAt: [])
            let cuts = (0..<6).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            let parts = try Self.read(bytes, cutAt: cuts)
            if parts != reading {
                Issue.record("seed \(seed), number \(number): \(bytes) cut at \(cuts): \(parts), not \(reading)")
            }
            for (id, seen) in reading.streams {
                let ends = seen.filter(\.isEnd)
                if ends.count != 1 || seen.last?.isEnd != true {
                    Issue.record("seed \(seed), number \(number): stream \(id) \(seen)")
                }
                if seen.last?.isFailure == true { whole.failed += 1 } else { whole.ended += 1 }
            }
            if reading.connection.contains(.broken(.malformedResponse)) { whole.broken += 1 }
        }
        print("HTTP/2: \(Effort.rounds(6000)) changed transcripts: \(whole)")
        #expect(min(whole.ended, whole.failed) > Effort.rounds(2000) && whole.broken > Effort.rounds(500))
    }

    private static func changed(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = transcripts[Int.random(in: 0..<transcripts.count, using: &random)]
        if Bool.random(using: &random) { bytes += transcripts[Int.random(in: 0..<transcripts.count, using: &random)] }
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let position = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: position)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
            case 4:
                bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...20, using: &random)))
            default: bytes.insert(contentsOf: bytes[position...].prefix(30), at: position)
            }
        }
        return bytes
    }

    /// A client and a server that keep to the rules, in any order: each response comes as it was sent.
    @Test func goodExchangesInAnyOrderComeAsTheyWereSent() async throws {
        let seed = testSeed()
        print("seed of the exchanges: \(seed)")
        var random = SeededGenerator(seed: seed)
        var exchangeCount = 0
        for round in 0..<60 {
            await Task.yield()
            var exploration = try HTTP2Exploration(random)
            for _ in 0..<400 { try exploration.step() }
            try exploration.finish()
            random = exploration.random
            exchangeCount += exploration.finishedCount
            if !exploration.problems.isEmpty {
                Issue.record("seed \(seed), round \(round): \(exploration.problems.prefix(3))")
            }
        }
        print("HTTP/2: \(exchangeCount) exchanges in random orders")
        #expect(exchangeCount > 1000)
    }
}

extension Seen {
    var stream: Int32? {
        switch self {
        case .informational(let id, _), .head(let id, _, _), .body(let id, _), .ended(let id, _),
            .failed(let id, _, _),
            .wantsBody(let id), .sent(let id, _, _):
            id
        case .capacityChanged, .draining, .broken: nil
        }
    }

    var isEnd: Bool {
        switch self {
        case .ended, .failed: true
        default: false
        }
    }
}
#endif
