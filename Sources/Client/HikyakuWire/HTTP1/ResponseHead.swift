#if os(Linux)
import Glibc
import HikyakuBase
import HikyakuHTTP

/// The status line and header lines of a response, recorded line by line.
///
/// An informational response (1xx) is dropped when the next response begins.
///
/// [RFC 9112, sections 4 and 5](https://www.rfc-editor.org/rfc/rfc9112#section-4)
struct ResponseHead: Sendable {
    /// The limit for all lines together, those of informational responses and trailers included.
    static let bytesMax = 256 * 1024
    /// The limit for all fields together, those of informational responses and trailers included.
    static let fieldCountMax = 500
    /// The limit for one line.
    static let lineBytesMax = 100 * 1024

    static let tooLargeText =
        "the header block has more than \(fieldCountMax) fields or \(bytesMax) bytes, or a line that is too long"

    /// The initial capacity.
    private static let usualBytes = 512

    private var lines: [UInt8] = []
    /// Where the last line begins, which may still be folded.
    private var lineStart = 0
    private var bytesSeen = 0
    private var hasHadInterim = false
    private var fieldCount = 0
    /// The count of the fields of earlier, informational responses.
    private var earlierFieldCount = 0
    private var lengthFields = LengthFields()
    private var isHTTP11 = false
    /// The status of the response that is being received; -1 before the first status line.
    private(set) var status = -1
    /// The statuses of informational responses that were not taken yet.
    private var interimStatuses: [Int] = []
    /// Whether a 100 came: the server agrees to the request's body.
    private(set) var saysContinue = false
    /// Whether the empty line after the header block of the final response came.
    private(set) var isComplete = false

    /// Takes the next line, with its line break.
    mutating func append(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        guard line.count <= lineBytesLeft else { throw problem(ofTooLongLine: line) }
        bytesSeen += line.count
        if isComplete { return }
        guard hasStatusLine else { return try begin(with: line) }
        if line.first == 0x0A || (line.first == 0x0D && line.count == 2 && line[1] == 0x0A) { return try end() }
        guard line.first != 0x0D else { throw .malformed(Self.controlCharacterText) }
        guard fieldCount > 0 || line.first?.isBlank == false else {
            throw .malformed("the first header line is folded")
        }
        fieldCount += 1
        guard fieldCount <= Self.fieldCountMax - earlierFieldCount else { throw .headersTooLarge }
        lengthFields.note(line)
        if line.first?.isBlank == true { return try unfold(line) }
        lineStart = lines.count
        lines.append(contentsOf: line)
    }

    /// Joins a folded line with the previous one, with a space instead of the fold (RFC 9112, section 5.2).
    private mutating func unfold(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        if lines.last == 0x0A { lines.removeLast() }
        if lines.last == 0x0D { lines.removeLast() }
        while lines.last?.isBlank == true { lines.removeLast() }
        // A value may be folded, but not a name. The line's first byte is not a blank, so it is still there.
        guard lines[lineStart...].contains(UInt8(ascii: ":")) else { throw .malformed(Self.noColonText) }
        lines.append(0x20)
        lines.append(contentsOf: line.drop(while: \.isBlank))
    }

    private mutating func begin(with line: UnsafeRawBufferPointer) throws(TransportError) {
        guard let status = Self.status(in: line) else {
            guard line.count > Self.beginningCount, Self.isBeginning(line) else { throw .notHTTP(line.first) }
            throw .malformed("the status line has no status of three digits after the version")
        }
        self.status = status
        // A later minor version has no other framing (RFC 9110, section 6.2).
        isHTTP11 = line[7] != UInt8(ascii: "0")
        earlierFieldCount += fieldCount
        fieldCount = 0
        lengthFields = LengthFields()
        if lines.isEmpty { lines.reserveCapacity(Self.usualBytes) } else { lines.removeAll(keepingCapacity: true) }
        lineStart = 0
    }

    private mutating func end() throws(TransportError) {
        guard status != 101 else { throw .unexpectedUpgrade }
        isComplete = !(100..<200 ~= status)
        guard !isComplete else { return }
        if status == 100 { saysContinue = true }
        interimStatuses.append(status)
        hasHadInterim = true
        status = -1
    }

    /// Whether a response has begun.
    var hasStatusLine: Bool { status >= 0 }

    /// Whether its own first status line is still to come.
    var isFirst: Bool { !hasStatusLine && !hasHadInterim }

    /// Whether there are informational responses that were not taken yet.
    var hasInterim: Bool { !interimStatuses.isEmpty }

    mutating func takeInterimStatuses() -> [Int] {
        defer { interimStatuses = [] }
        return interimStatuses
    }

    /// Reads `HTTP/1.1 200 OK`; the phrase may be missing, and there may be more blanks (RFC 9112, section 4).
    static func status(in line: UnsafeRawBufferPointer) -> Int? {
        guard line.count >= 12, isBeginning(line), ASCII.isDigit(line[7]), line[8].isBlank else { return nil }
        let start = line[9...].firstIndex { !$0.isBlank } ?? line.count
        guard start + 3 <= line.count, let status = ASCII.decimal(line[start..<start + 3]) else { return nil }
        // After the digits comes a blank, or the end of the line.
        if line.count > start + 3, !line[start + 3].isBlankOrBreak { return nil }
        return status
    }

    /// How many bytes of a status line are always the same.
    static let beginningCount = 7

    /// Whether a status line can begin with these bytes.
    static func isBeginning(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        let text: StaticString = "HTTP/1."
        return memcmp(start, text.utf8Start, min(bytes.count, text.utf8CodeUnitCount)) == 0
    }

    /// The first error of a line that is longer than the limits, by its beginning.
    func problem(ofTooLongLine line: UnsafeRawBufferPointer) -> TransportError {
        // The same error as if the line had come byte by byte.
        let beginning = UnsafeRawBufferPointer(rebasing: line.prefix(lineBytesLeft + 1))
        guard !hasStatusLine, !Self.isBeginning(beginning) else { return .headersTooLarge }
        return .notHTTP(line.first)
    }

    private static let controlCharacterText = "a header line has a control character"
    private static let noColonText = "a header line has no colon"
}

// MARK: - What the block says

extension ResponseHead {
    /// Whether any byte of a response came, including informational ones.
    var hasBegun: Bool { bytesSeen > 0 }

    /// How many more bytes an incomplete line may have.
    var lineBytesLeft: Int { min(Self.bytesMax - bytesSeen, Self.lineBytesMax) }

    /// Whether the server keeps the connection after this response (RFC 9112, section 9.3).
    ///
    /// A 204 that announces content, which it must not have, isn't trusted: the bytes may come later (RFC 9112, section
    /// 6.3).
    var keepsConnection: Bool {
        !lengthFields.saysClose && (isHTTP11 || lengthFields.saysKeepAlive)
            && (status != 204 || !lengthFields.announceContent)
    }

    /// The reader of the body after this head.
    ///
    /// - Parameter isForHead: Whether the request was a HEAD, whose response has no body.
    /// - Returns: The reader.
    /// - Throws: An error for fields that don't state one clear length.
    func bodyFraming(isForHead: Bool) throws(TransportError) -> BodyFraming {
        guard !isForHead, isComplete, status != 204, status != 304 else { return BodyFraming() }
        return BodyFraming(
            try lengthFields.bodyLength(isHTTP11: isHTTP11),
            trailerBytesMax: Self.bytesMax - bytesSeen,
            trailersMax: Self.fieldCountMax - earlierFieldCount - fieldCount,
        )
    }
}

// MARK: - Reading

extension ResponseHead {
    /// The fields in order, with folded lines joined.
    ///
    /// - Returns: All fields of the final response.
    /// - Throws: An error of the reason `malformedResponse` for a line that is not a field.
    func headers() throws(TransportError) -> HTTPHeaders {
        try Self.headers(in: lines, expecting: fieldCount)
    }

    /// The fields in lines that end with a line break.
    static func headers(in lines: [UInt8], expecting fieldCount: Int) throws(TransportError) -> HTTPHeaders {
        try lines.withUnsafeBufferPointer { (buffer) throws(TransportError) in
            let bytes = UnsafeRawBufferPointer(buffer)
            let places = try places(in: bytes, expecting: fieldCount)
            return HTTPHeaders(HeaderBlock(lines, lines: places, isASCII: bytes.isASCII))
        }
    }

    private static func places(
        in bytes: UnsafeRawBufferPointer,
        expecting fieldCount: Int,
    ) throws(TransportError) -> [HeaderBlock.Line] {
        guard bytes.firstPosition(of: 0, from: 0, to: bytes.count) == nil else {
            throw .malformed(controlCharacterText)
        }
        var lines: [HeaderBlock.Line] = []
        lines.reserveCapacity(fieldCount)
        var position = 0
        while position < bytes.count {
            let end = bytes.firstPosition(of: 0x0A, from: position, to: bytes.count) ?? bytes.count
            let textEnd = end > position && bytes[end - 1] == 0x0D ? end - 1 : end
            do throws(TransportError) {
                lines.append(try place(in: bytes, from: position, to: textEnd))
            } catch {
                throw .malformed("\(error.message), in field \(lines.count + 1) of the response")
            }
            position = end + 1
        }
        return lines
    }

    /// The response so far, for the error of one that is refused: its status, and the fields that can be read.
    var refused: HTTPResponse? {
        guard hasStatusLine else { return nil }
        var response = HTTPResponse(status: HTTPStatus(status))
        let readable = lines.split(separator: 0x0A).map { $0 + [0x0A] }
            .filter { (try? Self.headers(in: Array($0), expecting: 1)) != nil }
        response.headers = (try? Self.headers(in: Array(readable.joined()), expecting: readable.count)) ?? [:]
        return response
    }

    /// Ignores a blank before the colon, as proxies do (RFC 9112, section 5.1).
    private static func place(
        in bytes: UnsafeRawBufferPointer,
        from start: Int,
        to end: Int,
    ) throws(TransportError) -> HeaderBlock.Line {
        guard bytes.firstPosition(of: 0x0D, from: start, to: end) == nil else {
            throw .malformed(controlCharacterText)
        }
        guard let colon = bytes.firstPosition(of: UInt8(ascii: ":"), from: start, to: end) else {
            throw .malformed(noColonText)
        }
        let name = bytes.trimmed(start, colon)
        guard !name.isEmpty, bytes[name].allSatisfy(ASCII.isToken) else {
            throw .malformed("the name in a header line is not a token")
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
    fileprivate var isBlankOrBreak: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}

extension UnsafeRawBufferPointer {
    /// The first position of a byte; `memchr` is many times faster than a loop.
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

// No text repeats anything that the server sent.
extension TransportError {
    static let headersTooLarge = WireCause.headTooLarge.error(ResponseHead.tooLargeText)
    static let unexpectedUpgrade = WireCause.upgrade.error("the server switched to a protocol that was not requested")

    /// The error of a connection on which another protocol is spoken, by the first byte that came.
    static func notHTTP(_ firstByte: UInt8?) -> TransportError {
        switch firstByte {
        // The type of an alert.
        case 0x15: WireCause.tlsPeer.error("the response is a record of TLS")
        // The length of the first frame, SETTINGS.
        case 0: WireCause.http2Peer.error("the response is a frame of HTTP/2")
        default: WireCause.foreignPeer.error("the status line is malformed")
        }
    }

    /// The error of bytes that may be those of the last response.
    static func late(_ error: TransportError) -> TransportError {
        WireCause.lateBytes.error("\(error.message), and the connection has carried another response before")
    }

    static func malformed(_ text: String) -> TransportError { WireCause.brokenHead.error(text) }
    static func malformedChunk(_ text: String) -> TransportError { WireCause.chunk.error(text) }
}
#endif
