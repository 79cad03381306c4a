#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Splits a byte stream of JSON Lines (NDJSON) into lines; the stream's pieces may be split anywhere.
///
/// A line ends with LF or CR LF; the last line may lack it. Lines that are empty or contain only spaces and tabs have
/// no value and are skipped. The splitter holds at most one piece and the beginning of one line.
@_spi(Benchmarks) public struct JSONLineSplitter: Sendable {
    /// A line that is not empty.
    public struct Line: Sendable, Hashable {
        /// The line number, counted from 1; empty lines count too.
        public let number: Int
        /// The offset of the line, in bytes from the stream's beginning.
        public let byteOffset: Int
        /// The content of the line, without the line ending.
        public let bytes: Data
    }

    /// The limits.
    private let lineBytesMax: Int
    private let allowsByteOrderMark: Bool
    /// The piece, and the offset up to which it was scanned.
    private var piece = Data()
    private var position = 0
    private var pieceOffset = 0
    /// The incomplete line: its part in earlier pieces, or that the rest of it is discarded.
    private var beginning = Data()
    private var isDiscarding = false
    private var number = 1
    private var byteOffset = 0

    /// Creates a splitter for a new stream.
    ///
    /// - Parameters:
    ///   - lineBytesMax: The maximum number of bytes in a line before its LF.
    ///   - allowsByteOrderMark: Whether a byte order mark before the first line is skipped. RFC 8259, section 8.1,
    ///     lets a parser decide that, and forbids to send one.
    public init(lineBytesMax: Int = 1 << 20, allowsByteOrderMark: Bool = false) {
        self.lineBytesMax = lineBytesMax
        self.allowsByteOrderMark = allowsByteOrderMark
    }

    /// Adds a piece of the stream.
    ///
    /// Call it when ``next()`` has returned `nil`; otherwise the rest of the previous piece is copied.
    public mutating func feed(_ bytes: Data) {
        pieceOffset += position
        piece = position < piece.count ? piece.dropFirst(position) + bytes : bytes
        position = 0
    }

    /// Returns the next complete line.
    ///
    /// - Returns: The line; `nil` if another piece is needed.
    /// - Throws: `.tooLong` as soon as a line exceeds the limit, and `.byteOrderMark`. Each is thrown once; the next
    ///   call continues with the following line.
    public mutating func next() throws(JSONLineError) -> Line? {
        while position < piece.count {
            let lineFeed = nextLineFeed()
            let end = lineFeed ?? piece.count
            let isTooLong = !isDiscarding && beginning.count + end - position > lineBytesMax
            if isTooLong { (isDiscarding, beginning) = (true, Data()) }
            if !isDiscarding { beginning.append(piece.dropFirst(position).prefix(end - position)) }
            position = lineFeed == nil ? end : end + 1
            let line = Line(number: number, byteOffset: byteOffset, bytes: beginning)
            let isDiscarded = isDiscarding
            if lineFeed != nil { beginLine() }
            if isTooLong { throw JSONLineError(.tooLong, line: line.number, byteOffset: line.byteOffset) }
            if lineFeed != nil, !isDiscarded, let line = try content(of: line) { return line }
        }
        return nil
    }

    /// Returns the remaining lines at the end of the stream: complete lines, then a last line without a line ending.
    ///
    /// - Returns: The line; `nil` if there are no more lines.
    /// - Throws: The same errors as ``next()``.
    public mutating func finish() throws(JSONLineError) -> Line? {
        if let line = try next() { return line }
        let line = Line(number: number, byteOffset: byteOffset, bytes: beginning)
        beginLine()
        return try content(of: line)
    }

    private mutating func beginLine() {
        number += 1
        byteOffset = pieceOffset + position
        beginning = Data()
        isDiscarding = false
    }

    /// The line without its byte order mark and CR; `nil` if it is blank.
    private func content(of line: Line) throws(JSONLineError) -> Line? {
        var (bytes, byteOffset) = (line.bytes, line.byteOffset)
        if line.number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            guard allowsByteOrderMark else { throw JSONLineError(.byteOrderMark, line: 1, byteOffset: 0) }
            bytes = Data(bytes.dropFirst(3))
            byteOffset = 3
        }
        if bytes.last == Byte.carriageReturn { bytes.removeLast() }
        guard bytes.contains(where: { $0 != Byte.space && $0 != Byte.tab }) else { return nil }
        return Line(number: line.number, byteOffset: byteOffset, bytes: bytes)
    }

    /// The offset of the piece's next LF.
    private func nextLineFeed() -> Int? {
        piece.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + position, CInt(Byte.lineFeed), bytes.count - position)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
