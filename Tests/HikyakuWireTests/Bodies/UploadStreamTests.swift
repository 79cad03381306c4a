#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// A request's body alone, without a socket.
// Under a sanitizer, tests that don't wait for anything keep all threads for minutes.
@Suite(.timeLimit(.minutes(10)))
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

    /// Whose first iterator hangs, whatever happens.
    private struct Stubborn: AsyncSequence {
        struct State {
            var begun = 0
            var isCancelled = false
            var hanging: CheckedContinuation<Void, Never>?
        }

        struct Iterator: AsyncIteratorProtocol {
            let state: Lock<State>
            let number: Int
            var isOver = false

            mutating func next() async -> Data? {
                if number == 1 {
                    await withTaskCancellationHandler { [state] in
                        await withCheckedContinuation { continuation in state.withLock { $0.hanging = continuation } }
                    } onCancel: { [state] in
                        state.withLock { $0.isCancelled = true }
                    }
                }
                defer { isOver = true }
                return isOver ? nil : Data("round \(number)".utf8)
            }
        }

        let state = Lock(State())

        func makeAsyncIterator() -> Iterator {
            Iterator(
                state: state,
                number: state.withLock { state in
                    state.begun += 1
                    return state.begun
                },
            )
        }
    }

    @Test func aSourceThatHangsIsCancelledAndHoldsNoResendUp() async throws {
        let source = Stubborn()
        let stream = UploadStream(HTTPBody(source, isReplayable: true))
        stream.start {}
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { room.deallocate() }
        _ = stream.read(into: room)
        try #require(try await holds { source.state.withLock { $0.hanging != nil } })
        #expect(stream.restart())
        #expect(source.state.withLock(\.isCancelled))
        var received = Data()
        let isWhole = try await holds {
            switch stream.read(into: room) {
            case .bytes(let count): received += Data(room[..<count])
            case .end: return true
            case .piece, .pause, .failure: break
            }
            return false
        }
        #expect(isWhole)
        // What it provides too late is dropped.
        source.state.withLock { $0.hanging }?.resume()
        #expect(String(decoding: received, as: UTF8.self) == "round 2")
        stream.stop()
        #expect(stream.failure == nil)
    }

    @Test func whatWasSentIsNotHeld() async throws {
        let (heldBytes, pulledCount) = (Lock(0), Lock(0))
        let stream = UploadStream(HTTPBody(makeSource(heldBytes, pulledCount)))
        stream.start {}
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { room.deallocate() }
        _ = stream.read(into: room)
        #expect(try await holds { pulledCount.withLock(\.self) == 151 })
        let arePulled = try await holds {
            _ = stream.read(into: room)
            #expect(heldBytes.withLock(\.self) < 5 << 20)
            return pulledCount.withLock(\.self) >= 300
        }
        #expect(arePulled)
        stream.stop()
        #expect(try await holds { heldBytes.withLock(\.self) == 0 })
    }

    /// Only a piece of such a size is taken whole, and none of which a part was copied.
    @Test func wholePiecesAreThoseOfTheSizes() async throws {
        let source = TestSource([10, 30, 30, 31, 20].map { .piece(Data(count: $0)) })
        let stream = UploadStream(HTTPBody(source))
        defer { stream.stop() }
        stream.start {}
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 20, alignment: 1)
        defer { room.deallocate() }
        _ = stream.read(into: room)
        try #require(try await holds { !stream.isStarved })
        var taken: [Int] = []
        let isWhole = try await holds {
            switch stream.read(into: room, orWhole: 20...30) {
            case .bytes(let count): taken.append(count)
            case .piece(let piece): taken.append(-piece.count)
            case .end: return true
            case .pause, .failure: break
            }
            return false
        }
        #expect(isWhole)
        // Copying ends before a piece that is taken whole, and whole pieces are below zero here.
        #expect(taken == [10, -30, -30, 20, 11, -20])
    }
}
#endif
