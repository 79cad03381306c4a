#if os(Linux)
import FoundationEssentials
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// Bounds on what a session keeps for a connection that takes nothing, and writes to one that takes everything.
struct HTTP2OutputTests {
    /// Its field is never compressed, so that each request has as many bytes.
    private static let largeRequest = TestConnection.request(
        .get,
        ["Authorization": String(repeating: "~", count: 4000)],
    )

    private func byteCount(_ frames: [Frame]) -> Int { frames.reduce(0) { $0 + $1.bytes.count } }

    // MARK: - A connection that takes nothing

    @Test func cancelledRequestsThatAreNotTakenChokeTheConnection() throws {
        let connection = try TestConnection()
        try connection.goodExchange()
        _ = connection.takeFrames()
        var count = 0
        while !connection.session.isChoked, count < 1000 {
            let id = try #require(try connection.session.open(Self.largeRequest))
            connection.session.cancel(id)
            let isDone = connection.flush(upTo: 0)
            #expect(!isDone)
            count += 1
        }
        #expect(connection.session.isChoked)
        while connection.session.hasOutput { connection.flush() }
        #expect(!connection.session.isChoked)
        let frames = connection.takeFrames()
        #expect(frames.count { $0.type == Frame.Kind.headers } == count)
        #expect(frames.count { $0.type == Frame.Kind.reset } == count)
        let bound = HTTP2Limits().outputBytesMax + 1024 * 1024
        #expect(bound..<(bound + 5000) ~= byteCount(frames))
    }

    /// Bodies have their own bound.
    @Test func uploadsThatAreNotTakenDoNotChokeTheConnection() throws {
        let connection = try TestConnection()
        connection.feed(Frame.settings([(4, 8 << 20)]) + Frame.windowUpdate(0, 8 << 20))
        for _ in 0..<8 {
            let request = TestConnection.request(.post, body: .whole(Data(count: 1 << 20)))
            _ = try #require(try connection.session.open(request))
            connection.flush(upTo: 0)
            #expect(!connection.session.isChoked)
        }
    }

    // MARK: - A connection that takes everything

    @Test func aLongUploadYieldsToOthers() throws {
        let connection = try TestConnection()
        connection.feed(Frame.settings([(4, 2 << 20)]) + Frame.windowUpdate(0, 2 << 20))
        let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 / 1000) }
        let id = try #require(try connection.session.open(TestConnection.request(.post, body: .whole(Data(bytes)))))
        _ = connection.takeFrames()
        var body: [UInt8] = []
        var turns: [Int] = []
        repeat {
            let isDone = connection.flush()
            #expect(isDone)
            body += connection.bodySent(on: id)
            turns.append(byteCount(connection.takeFrames()))
        } while connection.session.hasOutput && turns.count < 100
        #expect(body == bytes)
        // One piece of the output more than the bound at most.
        #expect(turns.dropLast().allSatisfy { 100 * 1024..<256 * 1024 ~= $0 })
        #expect(turns.count >= 4)
        #expect(connection.takeSeen().contains { if case .sent(id, _, true) = $0 { true } else { false } })
    }
}
#endif
