#if os(Linux)
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

    /// Notes that `count` bytes of the body, ``bodyBytesLeft`` at most, were read elsewhere.
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
#endif
