import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decodes the chunked transfer coding incrementally.
///
/// [RFC 9112, section 7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1)
struct ChunkedDecoder {
    private enum State {
        case size
        case data(count: Int)
        case trailers
    }

    private static let sizeLineBytesMax = 4096

    private let bodyBytesMax: Int
    private let trailerBytesMax: Int
    private var state = State.size
    private var trailerBytes = 0
    private(set) var body = Data()
    private(set) var trailers = HTTPHeaders()

    init(bodyBytesMax: Int, trailerBytesMax: Int) {
        self.bodyBytesMax = bodyBytesMax
        self.trailerBytesMax = trailerBytesMax
    }

    /// Takes the bytes of the body; returns whether it has ended.
    mutating func decode(_ queue: inout ByteQueue) throws(RequestDefect) -> Bool {
        while true {
            switch state {
            case .size:
                guard let size = try takeSize(&queue) else { return false }
                state = size == 0 ? .trailers : .data(count: size)
            case .data(let count):
                guard queue.count - 2 >= count else { return false }
                body.append(contentsOf: queue.take(count))
                guard queue.take(2) == [0x0D, 0x0A] else { throw RequestDefect("a chunk is longer than its size") }
                state = .size
            case .trailers:
                guard let line = try queue.takeStrictLine(bytesMax: trailerBytesMax, tooLong: .headTooLarge) else {
                    return false
                }
                if line.count == 2 { return true }
                trailerBytes += line.count
                guard trailerBytes <= trailerBytesMax else { throw .headTooLarge }
                let field = try RequestHead.field(line: line)
                trailers.append(field.name, field.value)
            }
        }
    }

    private func takeSize(_ queue: inout ByteQueue) throws(RequestDefect) -> Int? {
        let tooLong = RequestDefect("a chunk's size line is too long")
        guard let line = try queue.takeStrictLine(bytesMax: Self.sizeLineBytesMax, tooLong: tooLong) else { return nil }
        let digits = line.dropLast(2).prefix { $0 != 0x3B }
        let text = String(decoding: digits, as: UTF8.self).trimmingSpaces
        guard !text.isEmpty, text.utf8.allSatisfy({ ASCII.hexadecimalValue($0) != nil }) else {
            throw RequestDefect("a chunk has no size")
        }
        guard let size = Int(text, radix: 16), size <= bodyBytesMax - body.count else { throw .bodyTooLarge }
        return size
    }
}
