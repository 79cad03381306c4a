import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parses the bytes of one connection into requests.
///
/// After an error, nothing more can be parsed.
struct RequestParser {
    enum Event {
        /// The header block of a request with a body: now `100 Continue` can be sent.
        case head(RequestHead)
        /// A complete request.
        case request(RequestHead, body: Data, trailers: HTTPHeaders)
    }

    private enum State {
        case head([[UInt8]])
        case fixed(RequestHead, count: Int)
        case chunked(RequestHead)
    }

    static let headBytesMax = 64 * 1024

    private let bodyBytesMax: Int
    private var queue = ByteQueue()
    private var state = State.head([])
    private var headBytes = 0
    private var chunks: ChunkedDecoder

    init(bodyBytesMax: Int) {
        self.bodyBytesMax = bodyBytesMax
        chunks = ChunkedDecoder(bodyBytesMax: bodyBytesMax, trailerBytesMax: Self.headBytesMax)
    }

    /// The number of bytes that are not parsed yet.
    var pendingBytes: Int { queue.count }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        queue.append(bytes)
    }

    /// The next event; `nil` if more bytes are needed.
    mutating func next() throws(RequestDefect) -> Event? {
        switch state {
        case .head(let lines):
            guard let head = try takeHead(lines) else { return nil }
            return try begin(head)
        case .fixed(let head, let count):
            guard queue.count >= count else { return nil }
            return finish(head, body: Data(queue.take(count)))
        case .chunked(let head):
            guard try chunks.decode(&queue) else { return nil }
            return finish(head, body: chunks.body, trailers: chunks.trailers)
        }
    }

    private mutating func takeHead(_ earlier: [[UInt8]]) throws(RequestDefect) -> RequestHead? {
        var lines = earlier
        while true {
            // A client with another protocol, usually TLS, may never send a line feed.
            if lines.isEmpty, let first = queue.first, first != 0x0D, !(0x21...0x7E ~= first) {
                throw RequestDefect("this is not an HTTP request")
            }
            let line = try queue.takeStrictLine(bytesMax: Self.headBytesMax - headBytes, tooLong: .headTooLarge)
            guard let line else {
                state = .head(lines)
                return nil
            }
            headBytes += line.count
            // An empty line before the request line is ignored (RFC 9112, section 2.2).
            if lines.isEmpty, line.count == 2 { continue }
            lines.append(line)
            if line.count == 2 { return try RequestHead(lines: lines) }
        }
    }

    private mutating func begin(_ head: RequestHead) throws(RequestDefect) -> Event {
        switch head.framing {
        case .none:
            return finish(head, body: Data())
        case .length(let count):
            guard count <= bodyBytesMax else { throw .bodyTooLarge }
            state = .fixed(head, count: count)
        case .chunked:
            state = .chunked(head)
        }
        return .head(head)
    }

    private mutating func finish(_ head: RequestHead, body: Data, trailers: HTTPHeaders = [:]) -> Event {
        state = .head([])
        headBytes = 0
        chunks = ChunkedDecoder(bodyBytesMax: bodyBytesMax, trailerBytesMax: Self.headBytesMax)
        return .request(head, body: body, trailers: trailers)
    }
}

/// A queue of bytes.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0
    private var scanned = 0

    /// The number of bytes in the queue.
    var count: Int { bytes.count - start }

    var first: UInt8? { count > 0 ? bytes[start] : nil }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Takes a line with its CR LF; `nil` if it is incomplete.
    mutating func takeStrictLine(bytesMax: Int, tooLong: RequestDefect) throws(RequestDefect) -> [UInt8]? {
        guard let line = takeLine() else {
            guard count <= bytesMax else { throw tooLong }
            return nil
        }
        guard line.count <= bytesMax else { throw tooLong }
        guard line.dropLast().last == 0x0D else { throw RequestDefect("a line ends without a carriage return") }
        return line
    }

    /// Takes the bytes up to and including the next line feed; `nil` if there is none.
    private mutating func takeLine() -> [UInt8]? {
        guard let end = bytes[max(start, scanned)...].firstIndex(of: 0x0A) else {
            scanned = bytes.count
            return nil
        }
        return take(end + 1 - start)
    }

    /// Takes this number of bytes, or all if there are fewer.
    mutating func take(_ countMax: Int) -> [UInt8] {
        let end = start + min(countMax, count)
        let taken = Array(bytes[start..<end])
        start = end
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 64 * 1024 {
            bytes.removeFirst(start)
            start = 0
        }
        scanned = 0
        return taken
    }
}
