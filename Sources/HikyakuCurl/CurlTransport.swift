#if os(Linux)
import FoundationEssentials
import HikyakuHTTP

/// The transport on libcurl: the default on Linux.
///
/// One thread runs all transfers of a transport, and keeps their connections open for later ones: up to 128, or twice
/// as many as there ever were requests in flight. It starts with the first request, and ends with the transport's last
/// reference or with ``shutdown(within:)``; a request in flight is such a reference. A request that is alone runs on
/// the thread that sends it, for a millisecond at most, where the server answered the one before within 200 us.
///
/// - It speaks HTTP/2 with servers that choose it in the TLS handshake, all requests to an origin over one connection,
///   and HTTP/1.1 with all others; streamed responses always come over HTTP/1.1 (``CurlOptions/offersHTTP2``).
/// - It trusts the system's certificate authorities, and honours the environment's `https_proxy`, `http_proxy`,
///   `all_proxy` and `no_proxy`, unless ``CurlOptions`` say otherwise.
/// - It adds `Host` (unless the request has one), and `Content-Length`, or `Transfer-Encoding` where the body's length
///   isn't known, and no other field. `Transfer-Encoding`, `Expect` and a `Content-Length` that isn't the body's are
///   refused with ``HikyakuHTTP/FailureReason/header``.
/// - It reads lengths and chunks by rules of its own, stricter than libcurl's. Trailers are dropped.
/// - Bodies arrive as they were sent: it asks for no content coding and undoes none, which is the client's part.
/// - A body without a length, which ends with its connection, is whole over TLS where the server says so before it
///   closes the connection, and else ends with ``HikyakuHTTP/FailureReason/truncatedResponse``.
/// - Over HTTP/2, a body without a length whose server takes the stream back without an error passes for whole: to
///   libcurl, 7.88 at least, that is an end like any other. A server that fails gives an error as a rule.
/// - A cancelled request's connection is closed at once, and so are those whose response broke a bound or a rule; over
///   HTTP/2 the stream is reset instead.
/// - A streamed response keeps the transport until its end. It is held back while nobody reads it, with at most 1.3 MiB
///   here; dropping it, or cancelling who reads it, closes its connection. ``shutdown(within:)`` waits for streams too.
/// - When a kept connection turns out to be dead before a byte of the response came, an idempotent request whose body
///   can be read again is sent once more over a new one. Others fail with
///   ``HikyakuHTTP/FailureReason/connectionClosed``, since the server may have acted.
/// - At most 64 requests are on their way to one origin (100 over HTTP/2) and 1,024 in all, and 10,000 wait: in a line
///   for each origin, and by turns between the origins, so that a slow one holds up no other (``CurlOptions``). No
///   timeout but that of the call counts meanwhile.
/// - A response's header block has at most 500 fields and 256 KiB, and no line above some 100 KiB; these bounds are
///   fixed.
public final class CurlTransport: HTTPTransport {
    let mailbox = Mailbox()
    private let options: CurlOptions
    private let pace: Pace

    /// Makes a transport with a pool of connections of its own.
    ///
    /// - Parameter options: What holds for all its requests.
    public init(options: CurlOptions = CurlOptions()) {
        self.options = options
        pace = Pace()
    }

    /// Makes a transport to which more exchanges count as quick, so that their callers drive the loop.
    package init(patience: Duration) {
        options = CurlOptions()
        pace = Pace(patience: patience)
    }

    deinit {
        mailbox.drain(by: .now)
    }

    /// `true`.
    public var endsOnCancellation: Bool { true }

    /// Sends a request over a kept or a new connection, and returns when the whole body is there, or the header block
    /// of one that is streamed.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - options: What holds for this attempt.
    /// - Returns: The final response, whatever its status.
    /// - Throws: ``HikyakuHTTP/TransportError``, whose `underlyingError` is a ``CurlError`` where libcurl failed, or
    ///   `CancellationError` when the task was cancelled.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        guard !CallCancellation.isCancelled else { throw CancellationError() }
        let exchange = Exchange(request: request, options: options)
        exchange.prepareStreams(over: self)
        guard let trail = exchange.trail else { return try await receive(exchange).response(from: exchange) }
        return try await sendObserved(exchange, trail)
    }

    /// Tells of the end when it is known whether what came is a whole response.
    private func sendObserved(_ exchange: Exchange, _ trail: EventTrail) async throws -> HTTPResponse {
        // A body that is still to come has an end of its own.
        var isStreaming = false
        do {
            let received = try await receive(exchange)
            isStreaming = received.body.bytes == nil
            let response = try received.response(from: exchange)
            if !isStreaming { trail.emitEnd(nil) }
            return response
        } catch {
            if !isStreaming { trail.emitEnd(error) }
            throw error
        }
    }

    // An async function of its own would take a frame of memory more.
    @inline(__always)
    private func receive(_ exchange: Exchange) async throws -> ReceivedResponse {
        let received = try await CallCancellation.withHandler { [self] in
            try await withUnsafeThrowingContinuation { continuation in
                exchange.wait(with: continuation)
                submit(exchange)
            }
        } onCancel: { [mailbox] in
            mailbox.cancel(exchange)
        }
        exchange.handover?.withLock { _ in }
        return received
    }

    /// Takes no new requests, waits for those in flight, ends what is left after `grace`, and closes all connections.
    ///
    /// Returns when that is done, also to callers who come second; the first one's `grace` holds.
    public func shutdown(within grace: Duration) async {
        mailbox.drain(by: .now + grace)
        await mailbox.waitForEnd()
    }

    private func submit(_ exchange: Exchange) {
        switch mailbox.submit(exchange, mayDrive: exchange.mayBeQuick) {
        case .accepted:
            return
        case .mustDrive(let loop):
            loop.drive(exchange)
        case .refused:
            exchange.finish(with: .failure(TransportError(.shutDown, "the transport was shut down")))
        case .mustStartLoop:
            startLoop()
        }
    }

    /// The thread holds the mailbox alone, so that the transport can go while the thread waits.
    private func startLoop() {
        let hasStarted = BackgroundThread.start(name: "hikyaku-curl") { [mailbox, options, pace] in
            EventLoop.run(mailbox, options: options, pace: pace)
        }
        guard !hasStarted else { return }
        let error = TransportError(.transportFailed, "the system gives no thread")
        EventLoop.refuse(mailbox.loopDidNotStart(), error)
        mailbox.announceEnd()
    }
}

extension ReceivedResponse {
    fileprivate func response(from exchange: Exchange) throws(TransportError) -> HTTPResponse {
        do throws(ResponseProblem) {
            var response = HTTPResponse(status: HTTPStatus(head.status), headers: try head.headers(), body: body)
            // From HTTP/2 on, a frame ends the stream, with and without a length (RFC 9113, section 8.1).
            if !head.isHTTP1 { response.isEndStated = true }
            response.isBodyCut = isBodyCut
            return response
        } catch {
            throw TransportError(error.reason, "\(exchange.hostAndPort): \(error.text)")
        }
    }
}
#endif
