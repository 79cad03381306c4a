import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns the bytes of one connection into requests, one after the other.
///
/// After it has thrown, nothing more can be read from the connection.
struct RequestParser {
    enum Event {
        /// The header block has come, and a body follows: the time to say `100 Continue`.
        case head(RequestHead)
        /// A request has come as a whole.
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

    /// What has come and isn't looked at yet, in bytes.
    var pendingBytes: Int { queue.count }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        queue.append(bytes)
    }

    /// What comes next; `nil` when more bytes are needed for it.
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
            // A client that speaks something else, TLS as a rule, may never send a line feed.
            if lines.isEmpty, let first = queue.first, first != 0x0D, !(0x21...0x7E ~= first) {
                throw RequestDefect("this is no HTTP request")
            }
            let line = try queue.takeStrictLine(bytesMax: Self.headBytesMax - headBytes, tooLong: .headTooLarge)
            guard let line else {
                state = .head(lines)
                return nil
            }
            headBytes += line.count
            // An empty line before the request line is passed over (RFC 9112, section 2.2).
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

/// Bytes that came in and are taken out in order.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0
    private var scanned = 0

    /// What is there and not yet taken.
    var count: Int { bytes.count - start }

    var first: UInt8? { count > 0 ? bytes[start] : nil }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Takes up to and including the next line feed; `nil` until one has come.
    mutating func takeLine() -> [UInt8]? {
        guard let end = bytes[max(start, scanned)...].firstIndex(of: 0x0A) else {
            scanned = bytes.count
            return nil
        }
        return take(end + 1 - start)
    }

    /// Takes that many bytes, or all there are.
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
