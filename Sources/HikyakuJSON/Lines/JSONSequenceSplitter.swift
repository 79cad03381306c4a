#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Splits a byte stream of a JSON text sequence (`application/json-seq`,
/// [RFC 7464](https://www.rfc-editor.org/rfc/rfc7464)) into records; the stream's pieces may be split anywhere.
///
/// A record begins with the byte RS (0x1E) and ends with LF. It may have several lines. It is passed on as soon as its
/// value is complete and followed by LF, by the next RS or by the end of the stream. Empty records are skipped.
///
/// A record that was cut off is an error (RFC 7464, section 2.4): a value that is not complete, and a number, `true`,
/// `false` or `null` that no white space follows. The next record can be read all the same.
///
/// ```swift
/// var splitter = JSONSequenceSplitter()
/// for try await piece in response.body {
///     splitter.feed(piece)
///     while let record = try splitter.next() { store(record.bytes) }  // until the next piece is needed
/// }
/// while let record = try splitter.finish() { store(record.bytes) }  // the last one
/// ```
public struct JSONSequenceSplitter: Sendable {
    /// Where the scan is.
    private enum Place {
        /// Before the first RS, or after a complete record: only white space may follow.
        case outside
        /// The rest of the bytes before the next RS is discarded.
        case discarding
        case record
    }

    private let recordBytesMax: Int
    private var piece = Data()
    private var position = 0
    private var pieceOffset = 0
    private var place = Place.outside
    /// The record so far, and its structure.
    private var record: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var number = 0
    private var byteOffset = 0

    /// Creates a splitter for a new stream.
    ///
    /// - Parameter recordBytesMax: The maximum number of bytes in a record.
    public init(recordBytesMax: Int = 1 << 20) {
        self.recordBytesMax = recordBytesMax
    }

    /// Adds a piece of the stream.
    ///
    /// Call it when ``next()`` has returned `nil`; otherwise the rest of the previous piece is copied.
    public mutating func feed(_ bytes: Data) {
        pieceOffset += position
        piece = position < piece.count ? piece.dropFirst(position) + bytes : bytes
        position = 0
    }

    /// Returns the next complete record.
    ///
    /// - Returns: The record, with its number from 1 as the line's number; `nil` if another piece is needed.
    /// - Throws: ``JSONLineError`` with `.truncated`, `.tooLong` as soon as a record exceeds the limit, and
    ///   `.missingSeparator` for anything but white space between two records. Each is thrown once; the next call
    ///   continues with the following record.
    public mutating func next() throws(JSONLineError) -> JSONLineSplitter.Line? {
        while position < piece.count {
            let byte = piece[piece.startIndex + position]
            position += 1
            if byte == Self.separator {
                if let line = try beginRecord() { return line }
                continue
            }
            switch place {
            case .discarding: continue
            case .outside:
                guard !Byte.isSpace(byte) else { continue }
                place = .discarding
                throw JSONLineError(.missingSeparator, record: number, byteOffset: pieceOffset + position - 1)
            case .record:
                guard record.count < recordBytesMax else {
                    (place, record) = (.discarding, [])
                    throw JSONLineError(.tooLong, record: number, byteOffset: byteOffset)
                }
                record.append(byte)
                note(byte)
                if byte == Byte.lineFeed, depth <= 0, !isInString, let line = try endRecord() { return line }
            }
        }
        return nil
    }

    /// Returns the remaining records at the end of the stream.
    ///
    /// - Returns: The record; `nil` if there are no more.
    /// - Throws: The same errors as ``next()``.
    public mutating func finish() throws(JSONLineError) -> JSONLineSplitter.Line? {
        if let line = try next() { return line }
        guard case .record = place else { return nil }
        return try endRecord()
    }

    private static let separator: UInt8 = 0x1E

    /// Begins the next record, and ends the one before.
    private mutating func beginRecord() throws(JSONLineError) -> JSONLineSplitter.Line? {
        let start = pieceOffset + position
        guard case .record = place else {
            begin(at: start)
            return nil
        }
        do throws(JSONLineError) {
            let line = try endRecord()
            begin(at: start)
            return line
        } catch {
            begin(at: start)
            throw error
        }
    }

    private mutating func begin(at start: Int) {
        (place, record, depth, isInString, isEscaped) = (.record, [], 0, false, false)
        number += 1
        byteOffset = start
    }

    /// The record so far; `nil` if it is blank, which continues it.
    private mutating func endRecord() throws(JSONLineError) -> JSONLineSplitter.Line? {
        guard let first = record.first(where: { !Byte.isSpace($0) }), let last = record.last else {
            return nil
        }
        let line = JSONLineSplitter.Line(number: number, byteOffset: byteOffset, bytes: Data(record))
        let isDelimited = [Byte.openBrace, Byte.openBracket, Byte.quote].contains(first) || Byte.isSpace(last)
        let isCut = depth > 0 || isInString || !isDelimited
        (place, record) = (.outside, [])
        guard !isCut else { throw JSONLineError(.truncated, record: line.number, byteOffset: line.byteOffset) }
        return line
    }

    /// Follows the structure of the record, as far as it says where the value ends.
    private mutating func note(_ byte: UInt8) {
        guard isInString else {
            switch byte {
            case Byte.quote: isInString = true
            case Byte.openBrace, Byte.openBracket: depth += 1
            case Byte.closeBrace, Byte.closeBracket: depth -= 1
            default: break
            }
            return
        }
        if isEscaped {
            isEscaped = false
        } else if byte == Byte.backslash {
            isEscaped = true
        } else if byte == Byte.quote {
            isInString = false
        }
    }
}
