#if os(Linux)
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// The status line and header lines of a response, recorded line by line.
///
/// Informational responses (1xx) are dropped when the next one begins.
///
/// [RFC 9112, sections 4 and 5](https://www.rfc-editor.org/rfc/rfc9112#section-4)
struct ResponseHead: Sendable {
    /// The limit for all lines together, those of informational responses and trailers included.
    static let bytesMax = 256 * 1024
    static let fieldCountMax = 500
    /// The limit for one line.
    static let lineBytesMax = 100 * 1024

    static let tooLargeText =
        "the header block has more than \(fieldCountMax) fields or \(bytesMax) bytes, or too long a line"

    /// The room that is taken at first.
    private static let usualBytes = 512

    private var lines: [UInt8] = []
    /// Where the last line begins, which may still be folded.
    private var lineStart = 0
    private var bytesSeen = 0
    private var fieldCount = 0
    private var lengthFields = LengthFields()
    private var isHTTP11 = false
    /// The status of the response that is being received; 0 before the first status line.
    private(set) var status = 0
    /// Whether the empty line after the header block of the final response came.
    private(set) var isComplete = false

    /// Takes the next line, with its line break.
    mutating func append(_ line: UnsafeRawBufferPointer) -> ResponseProblem? {
        guard line.count <= lineBytesLeft else { return problem(ofTooLongLine: line) }
        bytesSeen += line.count
        if isComplete { return nil }
        if status == 0 { return begin(with: line) }
        if line.first == 0x0A || (line.first == 0x0D && line.count == 2 && line[1] == 0x0A) { return end() }
        guard line.first != 0x0D else { return .malformed(Self.controlCharacterText) }
        guard fieldCount > 0 || line.first?.isBlank == false else {
            return .malformed("the first header line is folded")
        }
        fieldCount += 1
        guard fieldCount <= Self.fieldCountMax else { return .tooLarge }
        lengthFields.note(line)
        if line.first?.isBlank == true { return unfold(line) }
        lineStart = lines.count
        lines.append(contentsOf: line)
        return nil
    }

    /// Joins a folded line with the one before, with a space in place of the fold (RFC 9112, section 5.2).
    private mutating func unfold(_ line: UnsafeRawBufferPointer) -> ResponseProblem? {
        if lines.last == 0x0A { lines.removeLast() }
        if lines.last == 0x0D { lines.removeLast() }
        while lines.last?.isBlank == true { lines.removeLast() }
        // A value may be folded, but no name. The line's first byte is no blank, so that it is still there.
        guard lines[lineStart...].contains(UInt8(ascii: ":")) else { return .malformed(Self.noColonText) }
        lines.append(0x20)
        lines.append(contentsOf: line.drop(while: \.isBlank))
        return nil
    }

    private mutating func begin(with line: UnsafeRawBufferPointer) -> ResponseProblem? {
        guard let status = Self.status(in: line) else { return .malformed(Self.statusLineText) }
        guard status != 101 else {
            return ResponseProblem(.unexpectedUpgrade, "the server switched to another protocol unasked")
        }
        self.status = status
        isHTTP11 = line[7] == UInt8(ascii: "1")
        fieldCount = 0
        lengthFields = LengthFields()
        if lines.isEmpty { lines.reserveCapacity(Self.usualBytes) } else { lines.removeAll(keepingCapacity: true) }
        lineStart = 0
        return nil
    }

    private mutating func end() -> ResponseProblem? {
        if status < 200 {
            status = 0
        } else {
            isComplete = true
        }
        return nil
    }

    /// Reads `HTTP/1.1 200 OK`, where the phrase may be missing.
    static func status(in line: UnsafeRawBufferPointer) -> Int? {
        guard line.count >= 12, isBeginning(line), isDigit(line[7]), line[8] == 0x20 else { return nil }
        let digits = line[9..<12]
        guard digits.allSatisfy(isDigit) else { return nil }
        // After the digits comes a space, or the end of the line.
        if line.count > 12, !line[12].isBlankOrBreak { return nil }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return 100..<600 ~= status ? status : nil
    }

    /// How many bytes of a status line are always the same.
    static let beginningCount = 7

    /// Whether a status line can begin so.
    static func isBeginning(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        let text: StaticString = "HTTP/1."
        return memcmp(start, text.utf8Start, min(bytes.count, text.utf8CodeUnitCount)) == 0
    }

    /// What is wrong first with a line that is longer than the limits, by its beginning.
    func problem(ofTooLongLine line: UnsafeRawBufferPointer) -> ResponseProblem {
        // As if it had come byte by byte.
        let beginning = UnsafeRawBufferPointer(rebasing: line.prefix(lineBytesLeft + 1))
        guard status == 0, !Self.isBeginning(beginning) else { return .tooLarge }
        return .malformed(Self.statusLineText)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

    static let statusLineText = "the status line can't be read"
    private static let controlCharacterText = "a header line has a control character"
    private static let noColonText = "a header line has no colon"
}

// MARK: - What the block says

extension ResponseHead {
    /// Whether anything of a response came, even if it was an informational one alone.
    var hasBegun: Bool { bytesSeen > 0 }

    /// How many bytes a line may still have that isn't whole yet.
    var lineBytesLeft: Int { min(Self.bytesMax - bytesSeen, Self.lineBytesMax) }

    /// Whether the server keeps the connection after this response (RFC 9112, section 9.3).
    var keepsConnection: Bool { !lengthFields.saysClose && (isHTTP11 || lengthFields.saysKeepAlive) }

    /// How the body is to be read whose head this is.
    ///
    /// - Parameter isForHead: Whether the request was a HEAD, to which no body comes.
    /// - Returns: What reads the body.
    /// - Throws: A problem with the fields that say it.
    func bodyFraming(isForHead: Bool) throws(ResponseProblem) -> BodyFraming {
        guard !isForHead, status >= 200, status != 204, status != 304 else { return BodyFraming() }
        return BodyFraming(
            try lengthFields.bodyLength(isHTTP11: isHTTP11),
            trailerBytesMax: Self.bytesMax - bytesSeen,
            trailersMax: Self.fieldCountMax - fieldCount,
        )
    }
}

// MARK: - Reading

extension ResponseHead {
    /// The fields in order, with folded lines joined.
    ///
    /// - Returns: All fields of the final response.
    /// - Throws: A problem of the reason `malformedResponse` for a line that is no field.
    func headers() throws(ResponseProblem) -> HTTPHeaders {
        try Self.headers(in: lines, expecting: fieldCount)
    }

    /// The fields in lines that end with a line break.
    static func headers(in lines: [UInt8], expecting fieldCount: Int) throws(ResponseProblem) -> HTTPHeaders {
        let outcome: Result<HeaderBlock, ResponseProblem> = lines.withUnsafeBytes { bytes in
            do throws(ResponseProblem) {
                let places = try places(in: bytes, expecting: fieldCount)
                return .success(HeaderBlock(lines, lines: places, isASCII: bytes.isASCII))
            } catch {
                return .failure(error)
            }
        }
        return HTTPHeaders(try outcome.get())
    }

    private static func places(
        in bytes: UnsafeRawBufferPointer,
        expecting fieldCount: Int,
    ) throws(ResponseProblem) -> [HeaderBlock.Line] {
        guard bytes.firstPosition(of: 0, from: 0, to: bytes.count) == nil else {
            throw .malformed(controlCharacterText)
        }
        var lines: [HeaderBlock.Line] = []
        lines.reserveCapacity(fieldCount)
        var position = 0
        while position < bytes.count {
            let end = bytes.firstPosition(of: 0x0A, from: position, to: bytes.count) ?? bytes.count
            let textEnd = end > position && bytes[end - 1] == 0x0D ? end - 1 : end
            lines.append(try place(in: bytes, from: position, to: textEnd))
            position = end + 1
        }
        return lines
    }

    /// A blank before the colon is passed over, as in RFC 9112, section 5.1, it is by proxies.
    private static func place(
        in bytes: UnsafeRawBufferPointer,
        from start: Int,
        to end: Int,
    ) throws(ResponseProblem) -> HeaderBlock.Line {
        guard bytes.firstPosition(of: 0x0D, from: start, to: end) == nil else {
            throw .malformed(controlCharacterText)
        }
        guard let colon = bytes.firstPosition(of: UInt8(ascii: ":"), from: start, to: end) else {
            throw .malformed(noColonText)
        }
        let name = bytes.trimmed(start, colon)
        guard !name.isEmpty, bytes[name].allSatisfy(\.isTokenCharacter) else {
            throw .malformed("the name in a header line is no token")
        }
        let value = bytes.trimmed(colon + 1, end)
        // The whole block has no more than ``bytesMax`` bytes.
        return HeaderBlock.Line(
            name: UInt32(name.lowerBound)..<UInt32(name.upperBound),
            value: UInt32(value.lowerBound)..<UInt32(value.upperBound),
        )
    }
}

extension UInt8 {
    fileprivate var isBlankOrBreak: Bool { self == 0x20 || self == 0x0D || self == 0x0A }

    /// Whether the byte may stand in a field's name (RFC 9110, section 5.6.2), by one bit for each of ASCII.
    fileprivate var isTokenCharacter: Bool {
        let bits: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return self < 128 && bits >> (self & 63) & 1 == 1
    }
}

extension UnsafeRawBufferPointer {
    /// Where a byte stands first; `memchr` is many times as quick as a loop.
    func firstPosition(of byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard let baseAddress, start < end,
            let found = memchr(baseAddress + start, Int32(byte), end - start)
        else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// A range without the white space at both ends.
    func trimmed(_ start: Int, _ end: Int) -> Range<Int> {
        var (start, end) = (start, end)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }

    fileprivate var isASCII: Bool {
        var (index, seen) = (0, UInt64(0))
        while index + 8 <= count {
            seen |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < count {
            seen |= UInt64(self[index])
            index += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }
}
#endif
