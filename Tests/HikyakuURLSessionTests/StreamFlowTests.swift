import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Bodies that come faster than they are read, room for bytes that are sent, and responses of several heads.
@Suite(.timeLimit(.minutes(1)))
struct StreamFlowTests {
    @Test func anUnreadBodyHasABound() async throws {
        let stream = DownloadStream(flow: { _ in }, didCancel: {})
        let piece = Data(count: 1 << 20)
        for _ in 0..<DownloadStream.unreadBytesMax >> 20 { #expect(stream.push(piece)) }
        #expect(!stream.push(Data(count: 1)))
        stream.finish(.failure(DownloadStream.tooSlow))
        let error = await #expect(throws: TransportError.self) { try await stream.next() }
        #expect(error?.reason == .readerTooSlow)
        #expect(error?.reason.phase == .limit)
        #expect(stream.push(piece), "what comes after the end is dropped")
    }

    @Test func aBodyThatIsReadHasNoBound() async throws {
        let stream = DownloadStream(flow: { _ in }, didCancel: {})
        for _ in 0..<(DownloadStream.unreadBytesMax >> 20) + 10 {
            #expect(stream.push(Data(count: 1 << 20)))
            #expect(try await stream.next()?.count == 1 << 20)
        }
    }

    private func exchange(streamsBody: Bool) throws -> Exchange {
        let url = try #require(URL(string: "https://a.example/"))
        return Exchange(request: HTTPRequest(url: url), options: TransportOptions(streamsBody: streamsBody))
    }

    private func head(_ type: String) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://a.example/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Type": type])
        )
    }

    /// Each part of `multipart/x-mixed-replace` comes with a head of its own.
    @Test(arguments: [false, true])
    func aSecondHeadEndsTheFirstResponse(_ streamsBody: Bool) async throws {
        let exchange = try exchange(streamsBody: streamsBody)
        let stopped = Lock(false)
        exchange.didStart { stopped.withLock { $0 = true } }
        exchange.didReceive(try head("image/jpeg"), flow: { _ in })
        exchange.didReceive(Data("first".utf8))
        exchange.didReceive(try head("image/png"), flow: { _ in })
        exchange.didReceive(Data("second".utf8))
        let outcome = await withCheckedContinuation { _ = exchange.wait(with: $0) }
        if !streamsBody {
            let response = try outcome.get()
            #expect(response.headers[.contentType] == "image/jpeg")
            #expect(try await response.body.collect() == Data("first".utf8))
        }
        #expect(stopped.withLock { $0 }, "no more of it is received")
    }

    @Test func aStreamIsEndedByASecondHead() async throws {
        let exchange = try exchange(streamsBody: true)
        exchange.didStart {}
        let heads = [try head("image/jpeg"), try head("image/png")]
        let outcome = await withCheckedContinuation { continuation in
            _ = exchange.wait(with: continuation)
            exchange.didReceive(heads[0], flow: { _ in })
            exchange.didReceive(Data("first".utf8))
            exchange.didReceive(heads[1], flow: { _ in })
            exchange.didReceive(Data("second".utf8))
        }
        #expect(try await outcome.get().body.collect() == Data("first".utf8))
    }

    @Test func aCallWhoseReaderIsTooSlowEnds() async throws {
        let exchange = try exchange(streamsBody: true)
        let stopped = Lock(false)
        exchange.didStart { stopped.withLock { $0 = true } }
        let head = try head("text/plain")
        let outcome = await withCheckedContinuation { continuation in
            _ = exchange.wait(with: continuation)
            exchange.didReceive(head, flow: { _ in })
            for _ in 0...DownloadStream.unreadBytesMax >> 20 { exchange.didReceive(Data(count: 1 << 20)) }
        }
        let body = try outcome.get().body
        let error = await #expect(throws: TransportError.self) { for try await _ in body {} }
        #expect(error?.reason == .readerTooSlow)
        #expect(stopped.withLock { $0 })
    }

    // MARK: - Room

    @Test func aSignalThatComesFirstIsKept() async {
        let room = RoomSignal()
        room.signal()
        room.signal()
        await room.wait()
        let waiting = Task { await room.wait() }
        room.signal()
        await waiting.value
    }

    @Test func aTaskThatIsCancelledWaitsNoMore() async {
        let room = RoomSignal()
        let waiting = Task { await room.wait() }
        waiting.cancel()
        await waiting.value
        // Nothing waits for a room that has ended.
        await room.wait()
    }

    @Test func noSignalIsLost() async {
        let room = RoomSignal()
        let left = Lock(10_000)
        let writer = Task {
            while left.withLock({ $0 > 0 }) { await room.wait() }
        }
        let source = Task {
            for _ in 0..<10_000 {
                left.withLock { $0 -= 1 }
                room.signal()
                if left.withLock({ $0 % 100 == 0 }) { await Task.yield() }
            }
        }
        await source.value
        await writer.value
    }
}
