#if os(Linux)
import HikyakuHTTP

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

    /// Notes that `count` bytes of the body, ``bodyBytesLeft`` at most, were read elsewhere.
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
    /// Returns `count` bytes from a position, which is moved past them.
    func slice(from position: inout Int, count: Int) -> UnsafeRawBufferPointer {
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: self[position..<(position + count)])
    }
}
#endif
