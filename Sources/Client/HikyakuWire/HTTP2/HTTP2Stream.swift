#if os(Linux)
import FoundationEssentials
import HikyakuHTTP

/// One request and its response on an HTTP/2 connection: reads the response's blocks and pieces, and provides the
/// request's body.
///
/// Head → body → over; informational responses leave it at the head.
final class HTTP2Stream {
    /// A complete header block.
    enum Block {
        case informational(status: Int)
        case head(HTTP2Head)
        case trailers(HTTPHeaders)
    }

    let id: Int32
    let holdsBack: Bool
    private let isForHead: Bool
    private var fields: HTTP2FieldBlock
    private var hasHead = false
    private var bodyBytesLeft: Int?
    /// Whether any byte of a response came.
    private(set) var hasBegun = false
    /// Bytes of the response's body by which the window was not updated yet.
    var unreadBytes = 0
    /// The code of the server's RST_STREAM.
    var resetCode: UInt32?
    var upload: HTTP2Upload?
    /// How many bytes the connection had to write before the first one of the request.
    let outputStart: Int

    init(id: Int32, isForHead: Bool, _ holdsBack: Bool, _ limits: HTTP2Limits, outputStart: Int) {
        (self.id, self.isForHead, self.holdsBack, self.outputStart) = (id, isForHead, holdsBack, outputStart)
        fields = HTTP2FieldBlock(limits)
    }

    // MARK: - The response

    func beginBlock() {
        hasBegun = true
        fields.begin(isTrailers: hasHead)
    }

    func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> TransportError? {
        fields.append(name: name, value: value).map(withHead)
    }

    /// The error with what was read of the head before it.
    private func withHead(_ error: TransportError) -> TransportError {
        guard !hasHead, let status = fields.status, status >= 200 || status == 101 else { return error }
        return error.after(HTTPResponse(status: HTTPStatus(status), headers: fields.headers))
    }

    /// Ends a header block.
    ///
    /// - Parameter endsStream: Whether nothing follows.
    /// - Returns: The block.
    /// - Throws: An error if the response breaks a rule.
    func endBlock(endsStream: Bool) throws(TransportError) -> Block {
        guard !hasHead else {
            guard endsStream else { throw .malformedHTTP2("the trailers do not end the response") }
            return .trailers(fields.headers)
        }
        guard let status = fields.status else { throw .malformedHTTP2("the response has no :status") }
        guard status != 101 else { throw withHead(.unexpectedUpgrade) }
        guard !(100..<200 ~= status) else {
            guard !endsStream else { throw .malformedHTTP2("the response ended after an informational response") }
            return .informational(status: status)
        }
        let hasNoBody = isForHead || status == 204 || status == 304
        let length: Int?
        do { length = hasNoBody ? 0 : try fields.contentLength() } catch { throw withHead(error) }
        (hasHead, bodyBytesLeft) = (true, length)
        return .head(HTTP2Head(status: status, headers: fields.headers, contentLength: length))
    }

    /// Takes a piece of the body.
    ///
    /// The bytes up to the Content-Length are taken even if more follow, so that what is delivered of a body that is
    /// too long doesn't depend on how its bytes arrive.
    ///
    /// - Returns: How many bytes belong to the body, and what is wrong with the rest.
    func takeBody(_ count: Int) -> (taken: Int, problem: TransportError?) {
        guard hasHead else { return (0, .malformedHTTP2("the body came before the header block")) }
        guard let left = bodyBytesLeft else { return (count, nil) }
        bodyBytesLeft = max(0, left - count)
        guard count > left else { return (count, nil) }
        return (left, .malformedHTTP2("the body is longer than its Content-Length, or is not allowed"))
    }

    /// The error of a response that is incomplete at its END_STREAM.
    var problemAtEnd: TransportError? {
        guard hasHead else { return .malformedHTTP2("the response ended before its header block") }
        guard let left = bodyBytesLeft, left > 0 else { return nil }
        return WireCause.bodyCut.error("the body ended \(left) bytes before its Content-Length")
    }

    /// The failure of a stream whose connection ended before END_STREAM.
    ///
    /// - Parameters:
    ///   - cause: The error, if there is a more exact one than the end of the connection.
    ///   - goAway: What the server had said of that end.
    ///   - isWritten: Whether any byte of the request was written.
    /// - Returns: The failure.
    func failure(_ cause: TransportError?, after goAway: HTTP2GoAway?, isWritten: Bool) -> HTTP2Failure {
        let text = goAway.map { "the server ended the connection (\($0))" } ?? "the connection was closed"
        let place = hasHead ? "before the end of the body" : hasBegun ? "in the header block" : "before the response"
        let processing: HTTP2Failure.Processing = hasBegun ? .begun : isWritten ? .unknown : .none
        let ended: WireCause =
            if let goAway, isWritten, goAway.code.cause != .closed {
                goAway.code.cause
            } else {
                hasHead ? .bodyCut : hasBegun ? .headCut : isWritten ? .closed : .refusedStream
            }
        let isForHTTP1 = goAway?.code == .http11Required && !hasBegun
        return HTTP2Failure(
            error: cause ?? ended.error("\(text) \(place)"),
            processing: isForHTTP1 ? .overHTTP1Only : processing,
        )
    }

    /// The failure of a stream that the server has reset.
    func failure(resetWith code: HTTP2Code) -> HTTP2Failure {
        guard hasBegun else {
            switch code {
            case .refusedStream:
                let error = WireCause.refusedStream.error("the server did not process the request: \(code)")
                return HTTP2Failure(error: error, processing: .refused)
            case .http11Required:
                let error = code.cause.error("the server reset the stream: \(code)")
                return HTTP2Failure(error: error, processing: .overHTTP1Only)
            default:
                // NO_ERROR ends only a stream with a response.
                let cause = code == .noError ? WireCause.reset : code.cause
                return HTTP2Failure(error: cause.error("the server reset the stream: \(code)"), processing: .unknown)
            }
        }
        guard code != .noError else {
            let error = WireCause.bodyCut.error("the server reset the stream before the end of the body")
            return HTTP2Failure(error: error, processing: .begun)
        }
        // A part of a response shows that the request was processed.
        let cause = code == .refusedStream || code == .http11Required ? WireCause.reset : code.cause
        return HTTP2Failure(error: cause.error("the server reset the stream: \(code)"), processing: .begun)
    }

    /// The failure of a stream that the server says it has not processed, since it ends the connection.
    func failure(refusedBy goAway: HTTP2GoAway) -> HTTP2Failure {
        // It contradicts itself: what came of the response may be with the caller.
        guard !hasBegun else { return failure(nil, after: goAway, isWritten: true) }
        let text = "the server did not process the request: it ends the connection (\(goAway))"
        return switch goAway.code {
        case .http11Required:
            HTTP2Failure(error: WireCause.versionCode.error(text), processing: .overHTTP1Only)
        // Another connection would be the same.
        case .inadequateSecurity:
            HTTP2Failure(error: WireCause.securityCode.error(text), processing: .unknown)
        default:
            HTTP2Failure(error: WireCause.refusedStream.error(text), processing: .refused)
        }
    }
}

/// The rest of a request's body.
struct HTTP2Upload {
    private var piece: Data
    private var position = 0
    private var isLast: Bool
    private(set) var isOver = false
    /// Whether the next piece was requested and has not come yet.
    var isRequested = false
    /// Whether nothing of it may be sent yet.
    var isHeld: Bool

    /// Makes the upload of a body; `nil` if the request ends with its fields.
    init?(_ body: HTTPBody?, isHeld: Bool) {
        guard let body, body.bytes?.isEmpty != true else { return nil }
        (piece, isLast, self.isHeld) = (body.bytes ?? Data(), body.bytes != nil, isHeld)
    }

    /// Adds a piece to what is left; pieces after the last one are dropped.
    mutating func add(_ next: Data, isLast: Bool) {
        guard !self.isLast else { return }
        if position < piece.count {
            piece = piece.dropFirst(position) + next
        } else {
            piece = next
        }
        (position, isRequested, self.isLast) = (0, false, isLast)
    }

    /// Copies the next bytes into a frame.
    ///
    /// - Returns: The number of bytes; `nil` if there are none until the next piece comes.
    mutating func take(into room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = min(room.count, piece.count - position)
        guard !isHeld, count > 0 || isLast else { return nil }
        piece.withUnsafeBytes { bytes in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]))
        }
        position += count
        isOver = isLast && position == piece.count
        if isOver { (piece, position) = (Data(), 0) }
        return count
    }

    /// Whether all pieces so far are taken, and others follow.
    var wantsPiece: Bool { !isHeld && !isLast && position == piece.count }
}
#endif
