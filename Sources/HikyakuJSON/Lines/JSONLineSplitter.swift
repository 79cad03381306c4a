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

/// Finds the lines of JSON Lines, which is also called NDJSON, in pieces that are split anywhere.
///
/// A line ends with LF or CR LF, and the last one may lack it. Lines that are empty, or have only spaces and tabs, hold
/// no value and are passed over. It keeps one piece and the beginning of one line.
///
/// ```swift
/// var splitter = JSONLineSplitter()
/// splitter.feed(piece)
/// while let line = try splitter.next() { … }        // until the next piece is needed
/// while let line = try splitter.finish() { … }      // when there is none
/// ```
public struct JSONLineSplitter: Sendable {
    /// A line that isn't empty.
    public struct Line: Sendable, Hashable {
        /// Its number, counted from 1; empty lines count too.
        public let number: Int
        /// Where it begins, in bytes from the stream's beginning.
        public let byteOffset: Int
        /// Its content, without what ends it.
        public let bytes: Data
    }

    /// What is allowed.
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

    /// Begins a stream.
    ///
    /// - Parameters:
    ///   - lineBytesMax: The most bytes that a line may have before its LF.
    ///   - allowsByteOrderMark: Whether a byte order mark before the first line is passed over. RFC 8259, section 8.1,
    ///     leaves that to the reader, and forbids to write one.
    public init(lineBytesMax: Int = 1 << 20, allowsByteOrderMark: Bool = false) {
        self.lineBytesMax = lineBytesMax
        self.allowsByteOrderMark = allowsByteOrderMark
    }

    /// Adds a piece; best when ``next()`` has said that it needs one, since what is left of the last is copied else.
    public mutating func feed(_ bytes: Data) {
        pieceOffset += position
        piece = position < piece.count ? piece.dropFirst(position) + bytes : bytes
        position = 0
    }

    /// Gives the next line that is complete.
    ///
    /// - Returns: The line; `nil` when another piece is needed.
    /// - Throws: `.tooLong` as soon as a line is longer than allowed, and `.byteOrderMark`; either of them once, and
    ///   then goes on with the line after.
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

    /// Gives what is left when there are no more pieces: complete lines, then the one that lacks its end.
    ///
    /// - Returns: The line; `nil` when there are no more.
    /// - Throws: As ``next()``.
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
