#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport

/// Bytes that are different everywhere, made quickly.
func variedBytes(_ count: Int) -> Data {
    var bytes = Data((0..<257).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    // Not a power of 2, so that no size of a buffer is a multiple of the period.
    while bytes.count < count { bytes += bytes + [UInt8(truncatingIfNeeded: bytes.count >> 3)] }
    return bytes.prefix(count)
}

/// A sequence of pieces that says what becomes of it.
struct TestSource: AsyncSequence, Sendable {
    /// What was seen of all its iterators.
    struct Record: Sendable {
        var begun = 0
        var pulledBytes = 0
        /// How many iterators there are.
        var alive = 0
        var taskLocal: [String] = []
    }

    enum Step: Sendable {
        case piece(Data)
        case failure(any Error)
        /// Nothing, until the reading task is cancelled.
        case stall
        case wait(@Sendable () async -> Void)
    }

    @TaskLocal static var label = ""

    let steps: @Sendable (Int) -> Step?
    let record = Lock(Record())

    init(_ steps: @escaping @Sendable (Int) -> Step?) {
        self.steps = steps
    }

    init(_ steps: [Step]) {
        self.init { $0 < steps.count ? steps[$0] : nil }
    }

    init(_ texts: String...) {
        self.init(texts.map { .piece(Data($0.utf8)) })
    }

    /// Pieces of the same size without an end.
    static func endless(pieceBytes: Int = 65_536) -> TestSource {
        let piece = Data(repeating: 0x62, count: pieceBytes)
        return TestSource { _ in .piece(piece) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    final class Iterator: AsyncIteratorProtocol {
        private let source: TestSource
        private var position = 0

        init(_ source: TestSource) {
            self.source = source
            source.record.withLock { record in
                record.begun += 1
                record.alive += 1
                record.taskLocal.append(TestSource.label)
            }
        }

        deinit {
            source.record.withLock { $0.alive -= 1 }
        }

        func next() async throws -> Data? {
            while true {
                defer { position += 1 }
                switch source.steps(position) {
                case .piece(let piece):
                    source.record.withLock { $0.pulledBytes += piece.count }
                    return piece
                case .failure(let error):
                    throw error
                case .stall:
                    try await untilCancelled()
                case .wait(let wait):
                    await wait()
                case nil:
                    return nil
                }
            }
        }
    }
}
#endif
