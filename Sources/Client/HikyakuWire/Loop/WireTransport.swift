#if os(Linux)
import HikyakuBase
public import HikyakuHTTP

/// A transport of HTTP/1.1 and HTTP/2 on the system's sockets, with TLS by OpenSSL and HTTP/2's framing by nghttp2.
///
/// ```swift
/// let transport = WireTransport(options: WireOptions(connectionsPerHostMax: 8))
/// let client = APIClient(transport: transport)
/// let dishes = try await client.send(Shop.Dishes())
/// await transport.shutdown(within: .seconds(5))  // at the end of the program
/// ```
/// If a connection of HTTP/1.1 is idle, a request is written on the thread that sends it. One thread of the transport
/// reads all responses, opens and closes connections, and handles the timeouts. The thread starts with the first
/// request. It ends with the last reference to the transport, which a request in flight has too, or with
/// ``shutdown(within:)``. If no other request is in flight and the server responded to the previous one within 200 us,
/// the sending thread waits up to 60 us for the response itself. With at most eight requests in flight, the transport's
/// thread stays awake for 50 us after a wait of less than 80 us.
///
/// - It trusts the system's certificate authorities, unless ``WireOptions`` change that. A certificate must name its
///   host as a subject alternative name (RFC 9525).
/// - HTTP/2 is offered over TLS (``WireOptions/offersHTTP2``). If a server chooses it, one connection carries all
///   requests to it, as many at a time as the server allows. The first requests to such an origin share one handshake;
///   if it takes longer than 250 ms, a second one starts in parallel.
/// - It adds `Host` (unless the request has one), and `Content-Length`, or `Transfer-Encoding` if the body's length is
///   unknown, and no other field. `Transfer-Encoding`, `Expect` and a `Content-Length` that differs from the body's
///   length are rejected with ``HikyakuHTTP/FailureReason/header``.
/// - Bodies are returned as they were sent: the client, not the transport, requests and decodes content codings.
/// - A body without a length ends with its connection. Over TLS it is complete if the server sent close_notify first;
///   otherwise it ends with ``HikyakuHTTP/FailureReason/truncatedResponse``.
/// - A response that is complete before the whole request was sent is returned, and its connection is closed.
/// - When a request is cancelled, or its response exceeds a limit or breaks a rule, its connection is closed at once.
///   Over HTTP/2, the stream is reset, and the connection is closed only if a rule of the connection was broken. Idle
///   connections are closed when the server closes them, when anything arrives on them, and after
///   ``WireOptions/idleAgeMax``.
/// - A streamed response keeps the transport alive until its end. While it is not read, at most 1 MiB is
///   kept in memory, and the server has to wait. That delays no other response, not even on the same HTTP/2 connection.
///   Dropping the stream, or cancelling its reader, closes its connection or resets its stream.
///   ``shutdown(within:)`` waits for streams too.
/// - If a kept connection turns out to be dead before a byte of the response came, the request is sent once more over a
///   new connection, provided that nothing of it was sent, or it is idempotent and its body can be read again. Other
///   requests fail with ``HikyakuHTTP/FailureReason/connectionClosed``, since the server may have processed them. If it
///   goes on, connections to that origin aren't kept for a while: of ten responses, at most one costs another request.
/// - Over HTTP/2, a request that the server did not process (REFUSED_STREAM, GOAWAY) is sent once more with any method
///   if a kept connection was lost, or if the server's limit on requests at a time came after it. Otherwise it fails
///   with ``HikyakuHTTP/FailureReason/notProcessed``. One that the server accepts over HTTP/1.1 only is sent there
///   (RFC 9113, section 8.7).
/// - If the process has no descriptor for a connection or a look-up, the connections that were idle for longest are
///   closed, and it is tried once more.
/// - At most 64 requests are in flight to one origin and 1,024 in all, and 10,000 are queued (``WireOptions``). Each
///   origin has its own queue, and the origins take turns, so that a slow origin delays no other. While a request is
///   queued, no timeout runs except that of the call.
/// - A response's header block and trailers have at most 500 fields and 256 KiB; these bounds are fixed.
/// - A host's addresses are tried one after the other, 250 ms apart or as soon as one fails. The first connection that
///   opens is used, and the others are closed (RFC 8305).
/// - It uses the proxies in the environment's `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, unless
///   ``WireOptions`` change that. Requests over TLS, and all requests through a SOCKS proxy, go through a tunnel. An
///   HTTP proxy forwards the others; only the proxy gets `Proxy-Authorization`. A connection to a proxy carries
///   requests for one origin only. A tunnel that can't be opened is ``HikyakuHTTP/FailureReason/proxyFailed``.
public final class WireTransport: HTTPTransport {
    let engine: Engine

    /// Makes a transport with a pool of connections of its own.
    ///
    /// - Parameter options: The options for all its requests.
    public init(options: WireOptions = WireOptions()) {
        engine = Engine(options)
    }

    /// Makes a transport with another limit for quick exchanges, whose callers wait for the response themselves.
    package init(patience: Duration) {
        engine = Engine(WireOptions(), patience: patience.clampedNanoseconds)
    }

    /// Makes a transport over an engine with other bounds, for tests.
    init(_ engine: Engine) {
        self.engine = engine
    }

    deinit {
        engine.drain(within: .zero)
    }

    /// `true`.
    public var endsOnCancellation: Bool { true }

    /// Sends a request over a kept or a new connection, and returns when the whole body was received, or, if it is
    /// streamed, the header block.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options of this exchange.
    /// - Returns: The final response, whatever its status.
    /// - Throws: ``HikyakuHTTP/TransportError``, whose `underlyingError` is a ``WireError`` where the system or OpenSSL
    ///   failed, or `CancellationError` when the task was cancelled.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let exchange = try exchange(for: request, options)
        do { try await perform(exchange) } catch {
            return try end(exchange, error)
        }
        return try end(exchange, nil)
    }

    // An async function keeps its values in memory while it waits; so these parts are not async.
    @inline(never)
    private func exchange(for request: HTTPRequest, _ options: TransportOptions) throws -> Exchange {
        try request.checkForWire()
        guard !CallCancellation.isCancelled else { throw CancellationError() }
        let exchange = try Exchange(request, options)
        prepareStreams(of: exchange)
        return exchange
    }

    /// Has the reader of a streamed response and the source of a streamed request post to the loop.
    private func prepareStreams(of exchange: Exchange) {
        if exchange.options.streamsBody {
            let stream = ResponseStream(keeping: self) { [engine] in
                engine.post(.goOn(exchange))
            } cancel: { [engine] in
                engine.cancel(exchange)
            }
            exchange.receiveBody(into: stream)
        }
        exchange.sender.upload?.start { [engine] in engine.post(.goOn(exchange)) }
    }

    /// The result of `send` for an exchange that is over, or whose header block was received.
    @inline(never)
    private func end(_ exchange: Exchange, _ error: (any Error)?) throws -> HTTPResponse {
        // A streamed body reports its own end.
        if !exchange.isStreaming { exchange.trail?.ended(error) }
        if let error { throw error }
        guard let response = exchange.takeResponse() else {
            throw WireCause.defect.error("there is no response")
        }
        return response
    }

    // A separate async function would allocate another frame.
    @inline(__always)
    private func perform(_ exchange: Exchange) async throws {
        var begun: (connection: Connection, mustAttend: Bool)?
        switch CallerDriver(engine).attempt(exchange) {
        case .over(nil): return
        case .over(let error?): throw error
        case .begun(let connection, let mustAttend): begun = (connection, mustAttend)
        case .notBegun: break
        }
        #if SANITIZES_THREADS
        defer { exchange.handover.withLock { _ in } }
        #endif
        try await CallCancellation.withHandler { [engine, begun] in
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                exchange.wait(with: continuation)
                if let (connection, mustAttend) = begun {
                    CallerDriver(engine).handOver(exchange, connection, mustAttend: mustAttend)
                } else {
                    CallerDriver(engine).submit(exchange)
                }
            }
        } onCancel: { [engine] in
            engine.cancel(exchange)
        }
    }

    /// Accepts no new requests, waits for those in flight, ends the rest after `grace`, and closes all connections.
    ///
    /// Returns when that is done. A second call waits for the same end; the `grace` of the first call applies.
    public func shutdown(within grace: Duration) async {
        engine.drain(within: grace)
        await engine.waitForEnd()
    }
}
#endif
