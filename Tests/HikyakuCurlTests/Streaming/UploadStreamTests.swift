#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuCurl

/// A request's body alone, without a socket.
@Suite(.timeLimit(.minutes(1)))
struct UploadStreamTests {
    /// Counts the bytes of the pieces that somebody still holds.
    private func makeSource(_ heldBytes: Lock<Int>, _ pulledCount: Lock<Int>) -> TestSource {
        TestSource { index in
            // Many small ones make room for many.
            let count = index < 150 ? 100 : 1 << 20
            pulledCount.withLock { $0 += 1 }
            heldBytes.withLock { $0 += count }
            let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
            return .piece(
                Data(
                    bytesNoCopy: memory,
                    count: count,
                    deallocator: .custom { start, _ in
                        heldBytes.withLock { $0 -= count }
                        start.deallocate()
                    },
                )
            )
        }
    }

    @Test func whatWasSentIsNotHeld() async throws {
        let (heldBytes, pulledCount) = (Lock(0), Lock(0))
        let stream = UploadStream(HTTPBody(makeSource(heldBytes, pulledCount)))
        stream.start {}
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { room.deallocate() }
        _ = stream.read(into: room)
        #expect(try await holds { pulledCount.withLock(\.self) == 151 })
        while pulledCount.withLock(\.self) < 300 {
            _ = stream.read(into: room)
            #expect(heldBytes.withLock(\.self) < 5 << 20)
            await Task.yield()
        }
        stream.stop()
        #expect(try await holds { heldBytes.withLock(\.self) == 0 })
    }
}
#endif
