#if os(Linux)
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// The status line and header lines of a response, recorded as libcurl delivers them and read later.
///
/// Informational responses (1xx) are dropped when the next one begins, and trailers are dropped as they come.
///
/// [RFC 9112, sections 4 and 5](https://www.rfc-editor.org/rfc/rfc9112#section-4)
struct ResponseHead: Sendable {
    /// The limit for all lines together, those of informational responses and trailers included.
    static let bytesMax = 256 * 1024
    static let fieldCountMax = 500

    /// libcurl takes no line above some 100 KiB.
    static let tooLargeText =
        "the header block has more than \(fieldCountMax) fields or \(bytesMax) bytes, or too long a line"

    private var lines: [UInt8] = []
    private var bytesSeen = 0
    private var fieldCount = 0
    private var lengthFields = LengthFields()
    /// Whether the status line is that of HTTP/1.0 or HTTP/1.1.
    private(set) var isHTTP1 = false
    private var isHTTP11 = false
    /// The status of the response that is being received; 0 before the first status line.
    private(set) var status = 0
    /// Whether the empty line after the header block of the final response came.
    private(set) var isComplete = false

    init() {}

    /// Makes a head with memory for a block of usual size.
    init(reserving capacity: Int) {
        lines.reserveCapacity(capacity)
    }

    /// Takes the next line, with its line break.
    mutating func append(_ line: UnsafeRawBufferPointer) -> ResponseProblem? {
        bytesSeen += line.count
        guard bytesSeen <= Self.bytesMax else { return .tooLarge }
        if isComplete { return nil }
        if status == 0 { return begin(with: line) }
        if line.first == 0x0A || (line.first == 0x0D && line.count == 2 && line[1] == 0x0A) { return end() }
        // To some versions of libcurl such a line is the end of the block.
        guard line.first != 0x0D else { return .malformed(Self.controlCharacterText) }
        guard fieldCount > 0 || line.first?.isBlank == false else {
            return .malformed("the first header line is folded")
        }
        fieldCount += 1
        guard fieldCount <= Self.fieldCountMax else { return .tooLarge }
        lengthFields.note(line)
        lines.append(contentsOf: line)
        return nil
    }

    private mutating func begin(with line: UnsafeRawBufferPointer) -> ResponseProblem? {
        guard let status = Self.status(in: line) else { return .malformed("the status line can't be read") }
        guard status != 101 else {
            return ResponseProblem(.unexpectedUpgrade, "the server switched to another protocol unasked")
        }
        self.status = status
        isHTTP1 = line[5] == UInt8(ascii: "1")
        isHTTP11 = isHTTP1 && line[6] == UInt8(ascii: ".") && line[7] == UInt8(ascii: "1")
        fieldCount = 0
        lengthFields = LengthFields()
        lines.removeAll(keepingCapacity: true)
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

    /// Reads `HTTP/1.1 200 OK`, where the phrase may be missing, and `HTTP/2 200`.
    static func status(in line: UnsafeRawBufferPointer) -> Int? {
        guard line.count >= 10, let start = line.baseAddress, memcmp(start, "HTTP/", 5) == 0, isDigit(line[5]) else {
            return nil
        }
        var index = 6
        if line[index] == UInt8(ascii: ".") {
            guard isDigit(line[7]) else { return nil }
            index = 8
        }
        guard line.count >= index + 4, line[index] == 0x20 else { return nil }
        let digits = line[(index + 1)..<(index + 4)]
        guard digits.allSatisfy(isDigit) else { return nil }
        // Behind the digits comes a space, or the end of the line.
        if line.count > index + 4, !line[index + 4].isBlankOrBreak { return nil }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return 100..<600 ~= status ? status : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

    private static let controlCharacterText = "a header line has a control character"
}

// MARK: - What the block says

extension ResponseHead {
    /// Whether anything of a response came, even if it was an informational one alone.
    var hasBegun: Bool { bytesSeen > 0 }

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
        let outcome: Result<HTTPHeaders, ResponseProblem> = lines.withUnsafeBytes { bytes in
            do throws(ResponseProblem) { return .success(try headers(in: bytes)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    private func headers(in bytes: UnsafeRawBufferPointer) throws(ResponseProblem) -> HTTPHeaders {
        guard bytes.firstPosition(of: 0, from: 0, to: bytes.count) == nil else {
            throw .malformed(Self.controlCharacterText)
        }
        let isASCII = bytes.isASCII
        var headers = HTTPHeaders()
        headers.reserveCapacity(fieldCount)
        var position = 0
        while position < bytes.count {
            var field = try Self.field(in: Self.nextLine(in: bytes, from: &position), isASCII: isASCII)
            while position < bytes.count, bytes[position].isBlank {
                field.value = Self.joined(field.value, try Self.nextLine(in: bytes, from: &position).text(isASCII))
            }
            headers.append(field)
        }
        return headers
    }

    /// A line without the blanks at its ends and its line break.
    private static func nextLine(
        in bytes: UnsafeRawBufferPointer,
        from position: inout Int,
    ) throws(ResponseProblem) -> UnsafeRawBufferPointer {
        let end = bytes.firstPosition(of: 0x0A, from: position, to: bytes.count) ?? bytes.count
        let line = bytes.trimmed(position, end > position && bytes[end - 1] == 0x0D ? end - 1 : end)
        position = end + 1
        guard line.firstPosition(of: 0x0D, from: 0, to: line.count) == nil else {
            throw .malformed(Self.controlCharacterText)
        }
        return line
    }

    /// A blank before the colon is passed over, as in RFC 9112, section 5.1, it is by proxies.
    private static func field(
        in line: UnsafeRawBufferPointer,
        isASCII: Bool,
    ) throws(ResponseProblem) -> HTTPHeaders.Field {
        guard let colon = line.firstPosition(of: UInt8(ascii: ":"), from: 0, to: line.count) else {
            throw .malformed("a header line has no colon")
        }
        let name = line.trimmed(0, colon)
        guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else {
            throw .malformed("the name in a header line is no token")
        }
        let value = line.trimmed(colon + 1, line.count).text(isASCII)
        return HTTPHeaders.Field(name: HTTPHeaderName(name.text(true)), value: value)
    }

    private static func joined(_ first: String, _ second: String) -> String {
        first.isEmpty || second.isEmpty ? first + second : first + " " + second
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

    /// The bytes of a range without the white space at both ends.
    func trimmed(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        var (start, end) = (start, end)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
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

    /// The bytes as UTF-8, or, where they aren't, as Latin-1, which any bytes are.
    fileprivate func text(_ isKnownASCII: Bool) -> String {
        if isKnownASCII || isASCII {
            // This way the standard library copies a short text as a whole instead of byte by byte.
            return String(unsafeUninitializedCapacity: count) { room in
                UnsafeMutableRawBufferPointer(room).copyMemory(from: self)
                return count
            }
        }
        return String(bytes: self, encoding: .utf8)
            ?? String(String.UnicodeScalarView(lazy.map { Unicode.Scalar($0) }))
    }
}
#endif
