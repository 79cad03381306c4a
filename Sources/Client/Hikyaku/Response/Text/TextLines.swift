#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines of a text in UTF-8, one by one as they arrive.
///
/// ```swift
/// struct Log: Shop.Request {
///     typealias Definition = StreamedResponse
///     var path: RequestPath { "/log" }
/// }
/// for try await line in try await client.send(Log()).lines { show(line) }
/// ```
/// A line ends with LF or CR LF; the last one may lack that. Empty lines are lines. A byte order mark is left out. A
/// line has at most 1 MiB: a longer one is ``FailureReason/bodyTooLarge``, and bytes that are not UTF-8 are
/// ``FailureReason/wrongCharset``. Either ends the sequence.
public struct TextLines: AsyncSequence, Sendable {
    /// The largest number of bytes in a line.
    private static let lineBytesMax = 1 << 20

    fileprivate let body: HTTPBody

    /// Starts to read the body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body) }

    /// Reads a piece of the body when no complete line is left.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let body: HTTPBody
        private var pieces: HTTPBody.AsyncIterator
        private var piece = Data()
        private var beginning = Data()
        private var number = 1
        private var isOver = false

        fileprivate init(_ body: HTTPBody) {
            (self.body, pieces) = (body, body.makeAsyncIterator())
        }

        /// The next line without its end; `nil` after the last one, and after an error.
        ///
        /// - Throws: The errors of the body. Of a stream that a call has returned, they are the `APIError` of the call.
        public mutating func next() async throws -> String? {
            while !isOver {
                if let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
                    let rest = piece[piece.index(after: end)...]
                    defer { piece = rest }
                    return try line(beginning + piece[..<end])
                }
                guard beginning.count + piece.count <= TextLines.lineBytesMax else { throw tooLong() }
                beginning.append(piece)
                guard let next = try await pieces.next() else {
                    isOver = true
                    return beginning.isEmpty ? nil : try line(beginning)
                }
                piece = next
            }
            return nil
        }

        private mutating func line(_ bytes: Data) throws -> String {
            guard bytes.count <= TextLines.lineBytesMax else { throw tooLong() }
            var bytes = bytes
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
            guard let line = String(bytes: bytes, encoding: .utf8) else {
                isOver = true
                let found = "bytes that are not valid in it, in line \(number)"
                throw body.converted(DecodingDiagnosis(kind: .wrongCharset, expected: "text in utf-8", found: found))
            }
            beginning = Data()
            number += 1
            return line
        }

        private mutating func tooLong() -> any Error {
            isOver = true
            let text = "line \(number) has more than \(TextLines.lineBytesMax) bytes"
            return body.converted(ResponseCause.bodyTooLarge.error(text))
        }
    }
}

extension HTTPBody {
    /// The body as lines of text: see ``TextLines``.
    public var lines: TextLines { TextLines(body: self) }
}
