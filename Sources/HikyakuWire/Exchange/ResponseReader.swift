#if os(Linux)
import FoundationEssentials
import Glibc
import HikyakuBase
import HikyakuHTTP

/// Reads one response of HTTP/1.1 from bytes that may be cut anywhere.
///
/// States: head → body → end. It does no input or output: its user calls ``next(in:from:)`` with received bytes
/// until it returns `more` or `end`, and ``problemAtEnd(isProven:)`` when the connection ends before.
///
/// [RFC 9112](https://www.rfc-editor.org/rfc/rfc9112)
struct ResponseReader: ~Copyable {
    enum Step {
        /// The header block of the final response is complete.
        case head
        /// Bytes of the body.
        case body(UnsafeRawBufferPointer)
        /// All bytes are read, and the response is not complete.
        case more
        /// The response is complete; bytes after the position are not part of it.
        case end
    }

    private let isForHead: Bool
    private(set) var head = ResponseHead()
    private(set) var framing = BodyFraming()
    /// The beginning of a header line whose end hasn't come.
    private var line: [UInt8] = []
    /// Whether bytes came after the end of the response.
    private(set) var hasExcess = false

    /// - Parameter isForHead: Whether the request was a HEAD, whose response has no body.
    init(isForHead: Bool) {
        self.isForHead = isForHead
    }

    /// The interim responses (1xx) since the last call.
    mutating func takeInterimStatuses() -> [Int] { head.takeInterimStatuses() }

    /// Whether any byte of a response came.
    var hasBegun: Bool { head.hasBegun || !line.isEmpty }

    /// Whether the connection may carry another request after this response.
    var keepsConnection: Bool { head.keepsConnection && framing.isComplete && !hasExcess }

    /// Reads on from a position, which is moved past what was read.
    ///
    /// - Throws: A problem, after which nothing more can be read.
    mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) throws(TransportError) -> Step {
        guard head.isComplete else {
            guard try readHead(in: bytes, from: &position) else { return .more }
            framing = try head.bodyFraming(isForHead: isForHead)
            return .head
        }
        switch try framing.next(in: bytes, from: &position) {
        case .body(let slice): return .body(slice)
        case .more: return .more
        case .end:
            hasExcess = position < bytes.count
            return .end
        }
    }

    /// How many of the next bytes certainly belong to the body, so that they can be received directly into it.
    var bodyBytesLeft: Int { head.isComplete ? framing.bodyBytesLeft : 0 }

    /// So many bytes of the body, ``bodyBytesLeft`` at most, were read elsewhere.
    ///
    /// - Returns: Whether that completes the response.
    mutating func took(_ count: Int) -> Bool {
        framing.took(count)
        return framing.isComplete
    }

    /// The error if the connection ends here.
    ///
    /// - Parameter isProven: Whether the end is certain: over TLS, that the server has sent close_notify.
    /// - Returns: The error; `nil` if that completes the response.
    func problemAtEnd(isProven: Bool) -> TransportError? {
        guard hasBegun else {
            return WireCause.closed.error("the server closed the connection without a response")
        }
        guard head.isComplete else {
            return WireCause.headCut.error("the response ended inside its header block")
        }
        return framing.problemAtEnd(isProven: isProven)
    }

    /// The fields after a chunked body.
    func trailers() throws(TransportError) -> HTTPHeaders {
        let lines = framing.trailers
        return lines.isEmpty ? [:] : try ResponseHead.headers(in: lines, expecting: 4)
    }

    /// Reads lines; `true` when the header block of the final response is complete.
    private mutating func readHead(
        in bytes: UnsafeRawBufferPointer,
        from position: inout Int,
    ) throws(TransportError) -> Bool {
        while position < bytes.count {
            guard let end = bytes.firstPosition(of: 0x0A, from: position, to: bytes.count) else {
                try keepLine(UnsafeRawBufferPointer(rebasing: bytes[position...]))
                position = bytes.count
                return false
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...end])
            position = end + 1
            if line.isEmpty {
                try head.append(rest)
            } else {
                try keepLine(rest)
                let whole = line
                line = []
                try whole.withUnsafeBufferPointer { (line) throws(TransportError) in
                    try head.append(UnsafeRawBufferPointer(line))
                }
            }
            if head.isComplete { return true }
        }
        return false
    }

    /// Keeps the beginning of a line, as long as it can become one.
    private mutating func keepLine(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard bytes.count <= head.lineBytesLeft - line.count else {
            let rest = bytes.prefix(ResponseHead.beginningCount)
            throw (line + rest).withUnsafeBytes { head.problem(ofTooLongLine: $0) }
        }
        line.append(contentsOf: bytes)
        guard !head.hasStatusLine, !line.withUnsafeBytes({ ResponseHead.isBeginning($0) }) else { return }
        throw .notHTTP(line.first)
    }
}

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

    fileprivate mutating func takeInterimStatuses() -> [Int] {
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

/// Finds the body in the bytes after the header block, and whether it is complete.
///
/// [RFC 9112, section 6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)
struct BodyFraming {
    private enum State {
        case length(left: Int)
        case chunked(ChunkedBody)
        case untilClose
    }

    /// What one step over received bytes found.
    enum Step {
        /// Bytes of the body.
        case body(UnsafeRawBufferPointer)
        /// All bytes are read, and the body is not complete.
        case more
        /// The body is complete; bytes after the position are not part of the message.
        case end
    }

    private var state: State
    /// The length that the header block states.
    let announcedLength: Int?

    /// - Parameters:
    ///   - length: How the header block defines the end of the body.
    ///   - trailerBytesMax: The limit for all trailers together.
    ///   - trailersMax: The limit for their number.
    init(_ length: BodyLength = .none, trailerBytesMax: Int = 0, trailersMax: Int = 0) {
        switch length {
        case .none: state = .length(left: 0)
        case .bytes(let count): state = .length(left: max(count, 0))
        case .chunked: state = .chunked(ChunkedBody(trailerBytesMax: trailerBytesMax, trailersMax: trailersMax))
        case .untilClose: state = .untilClose
        }
        announcedLength = if case .bytes(let count) = length { count } else { nil }
    }

    /// Reads on from a position, which is moved past what was read.
    ///
    /// - Throws: An error, after which the rest can't be read.
    mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) throws(TransportError) -> Step {
        switch state {
        case .length(let left):
            guard left > 0 else { return .end }
            guard position < bytes.count else { return .more }
            let count = min(left, bytes.count - position)
            state = .length(left: left - count)
            return .body(bytes.slice(from: &position, count: count))
        case .chunked(var chunks):
            // The state is replaced meanwhile, so that the parser is changed in place.
            state = .untilClose
            defer { state = .chunked(chunks) }
            return try chunks.next(in: bytes, from: &position)
        case .untilClose:
            guard position < bytes.count else { return .more }
            return .body(bytes.slice(from: &position, count: bytes.count - position))
        }
    }

    /// How many of the next bytes certainly belong to the body, so that they can be received directly into it.
    var bodyBytesLeft: Int {
        switch state {
        case .length(let left): left
        case .chunked(let chunks): chunks.dataLeft
        case .untilClose: .max
        }
    }

    /// So many bytes of the body, ``bodyBytesLeft`` at most, were read elsewhere.
    mutating func took(_ count: Int) {
        switch state {
        case .length(let left): state = .length(left: left - min(count, left))
        case .chunked(var chunks):
            state = .untilClose
            chunks.took(count)
            state = .chunked(chunks)
        case .untilClose: return
        }
    }

    /// The error if the connection ends here.
    ///
    /// - Parameter isProven: Whether the end is certain: over TLS, that the server has sent close_notify.
    /// - Returns: The error; `nil` if the body is complete.
    func problemAtEnd(isProven: Bool) -> TransportError? {
        switch state {
        case .length(left: 0):
            return nil
        case .length(let left):
            return WireCause.bodyCut.error("the body ended \(left) bytes before its Content-Length")
        case .chunked(let chunks):
            return chunks.isComplete
                ? nil : WireCause.chunksCut.error("the connection was closed before the last chunk")
        case .untilClose:
            guard !isProven else { return nil }
            return WireCause.endUnproven.error("the connection closed without close_notify: the body may be truncated")
        }
    }

    /// Whether the message is complete without the end of the connection.
    var isComplete: Bool {
        switch state {
        case .length(let left): left == 0
        case .chunked(let chunks): chunks.isComplete
        case .untilClose: false
        }
    }

    var isChunked: Bool { if case .chunked = state { true } else { false } }

    /// The lines of the trailer section, empty before its end.
    var trailers: [UInt8] { if case .chunked(let chunks) = state, chunks.isComplete { chunks.trailers } else { [] } }
}

extension UnsafeRawBufferPointer {
    /// So many bytes from a position, which is moved past them.
    func slice(from position: inout Int, count: Int) -> UnsafeRawBufferPointer {
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: self[position..<(position + count)])
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
