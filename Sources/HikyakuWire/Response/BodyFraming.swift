#if os(Linux)
import HikyakuHTTP

/// Finds the body in what came after the header block, and says whether all of it came.
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
        /// All bytes are used up.
        case more
        /// More bytes came than the message has.
        case excess
    }

    private var state: State
    /// The length that the header block says.
    let announcedLength: Int?

    /// - Parameters:
    ///   - length: What the header block says.
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

    /// Reads on from a position, which is moved behind what was read.
    ///
    /// Each byte is read once: the caller has room for all that it passes.
    ///
    /// - Throws: A problem, after which the rest can't be read.
    mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) throws(ResponseProblem) -> Step {
        switch state {
        case .length(let left):
            guard position < bytes.count else { return .more }
            guard left > 0 else { return .excess }
            let count = min(left, bytes.count - position)
            state = .length(left: left - count)
            return .body(bytes.slice(from: &position, count: count))
        case .chunked(var chunks):
            // So that the parser is changed in place.
            state = .untilClose
            defer { state = .chunked(chunks) }
            switch try chunks.next(in: bytes, from: &position) {
            case .data(let slice): return .body(slice)
            case .more: return .more
            case .end: return position < bytes.count ? .excess : .more
            }
        case .untilClose:
            guard position < bytes.count else { return .more }
            return .body(bytes.slice(from: &position, count: bytes.count - position))
        }
    }

    /// How many of the next bytes are the body's for sure, so that they can be read to where they belong.
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

    /// What is missing when the connection is over.
    ///
    /// - Parameter isProven: Whether the server said that the connection ends here, and nobody cut it.
    /// - Returns: `nil` when the body is whole.
    func problemAtEnd(isProven: Bool) -> ResponseProblem? {
        switch state {
        case .length(left: 0):
            return nil
        case .length(let left):
            return ResponseProblem(.truncatedResponse, "the body ended \(left) bytes before its Content-Length")
        case .chunked(let chunks):
            return chunks.isComplete
                ? nil : ResponseProblem(.missingLastChunk, "the connection was closed before the last chunk")
        case .untilClose:
            guard !isProven else { return nil }
            return ResponseProblem(.truncatedResponse, "the connection ended, and nothing says that the body did")
        }
    }

    /// Whether the message is over by what came so far, without the end of the connection.
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
    fileprivate func slice(from position: inout Int, count: Int) -> UnsafeRawBufferPointer {
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: self[position..<(position + count)])
    }
}
#endif
