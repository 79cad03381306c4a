#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// What is sent when a kept connection turned out to be dead after a part of the body.
@Suite(.timeLimit(.minutes(5)))
struct UploadRestartTests {
    /// Each time that a body's source goes on after it had nothing.
    private let goesOn = AsyncStream.makeStream(of: Void.self)

    /// Sends up to `count` bytes, or all that there are; waits where the body's source has nothing yet.
    private func send(_ sender: inout RequestSender, upTo count: Int = .max) async throws -> (Data, Bool) {
        var sent = Data()
        var isOver = false
        while !isOver {
            let progress = sender.advance(readsStream: true) { bytes in
                guard sent.count < count else { return .blocked }
                let piece = bytes.prefix(count - sent.count)
                sent += piece
                return .bytes(piece.count)
            }
            isOver = progress != .starved
            if !isOver { for await _ in goesOn.stream { break } }
        }
        return (sent, sender.isSent)
    }

    private func sender(_ body: HTTPBody) throws -> (RequestSender, head: Data, UploadStream) {
        let request = HTTPRequest(method: .put, url: try #require(URL(string: "http://a.example/")), body: body)
        let head = try RequestHead(request, RequestURL(request.urlText), room: 0)
        let upload = UploadStream(body)
        upload.start { [goesOn] in goesOn.continuation.yield() }
        let bytes = Data(head.bytes)
        return (RequestSender(head, body: Data(), upload: upload), bytes, upload)
    }

    @Test(arguments: [nil, 200_000])
    func aBodyThatWasBegunIsReadFromItsBeginning(_ count: Int?) async throws {
        let content = variedBytes(200_000)
        let source = TestSource { $0 < 4 ? .piece(content[($0 * 50_000)..<(($0 + 1) * 50_000)]) : nil }
        var (sender, head, upload) = try sender(HTTPBody(source, count: count, isReplayable: true))
        defer { upload.stop() }
        for bytesSent in [1, head.count, head.count + 5, 60_000, 190_000] {
            let (part, isSent) = try await send(&sender, upTo: bytesSent)
            #expect(part.count == bytesSent && !isSent && part.starts(with: head.prefix(bytesSent)))
            let isRestarted = sender.restart()
            #expect(isRestarted && !sender.hasBegun && sender.bodyBytesSent == 0)
        }
        let (whole, isSent) = try await send(&sender)
        #expect(isSent && whole.starts(with: head) && sender.bodyBytesSent == content.count)
        let body = whole.dropFirst(head.count)
        #expect(count == nil ? dechunked(body) == content : Data(body) == content)
    }

    @Test func aBodyThatCannotBeReadAgainIsNotBegunTwice() async throws {
        let source = TestSource("content")
        var (sender, head, upload) = try sender(HTTPBody(source))
        defer { upload.stop() }
        // As long as nothing was read of it, it can be sent all the same.
        _ = try await send(&sender, upTo: head.count - 1)
        let isRestartedBefore = sender.restart()
        #expect(isRestartedBefore)
        _ = try await send(&sender, upTo: head.count + 5)
        let isRestartedAfter = sender.restart()
        #expect(!isRestartedAfter)
        #expect(source.record.withLock(\.begun) == 1)
    }

    private func dechunked(_ bytes: Data) -> Data? {
        let outcome = ChunkedBodyTests.Outcome([ArraySlice(bytes)])
        return outcome.isComplete && outcome.excess == 0 ? Data(outcome.body) : nil
    }
}
#endif
