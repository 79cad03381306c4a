#if os(Linux)
import FoundationEssentials
import HikyakuHTTP

/// A transport of HTTP/1.1 and HTTP/2 on the system's sockets, with TLS by OpenSSL and HTTP/2's framing by nghttp2.
///
/// A request goes out on the thread that sends it where a connection of HTTP/1.1 is idle; one thread of the transport's reads all
/// responses, opens and closes connections, and keeps the time. It starts with the first request, and ends with the
/// transport's last reference or with ``shutdown(within:)``; a request in flight is such a reference. A request that is
/// alone is waited for on the thread that sends it, for 60 us at most, where the server answered the one before within
/// 200 us and none began meanwhile. With at most eight in flight, that thread stays awake for 50 us where something came
/// within 80 us the last time.
///
/// - It trusts the system's certificate authorities, unless ``WireOptions`` say otherwise. A certificate has to name
///   its host as a subject alternative name (RFC 9525).
/// - HTTP/2 is offered over TLS (``WireOptions/offersHTTP2``). Where a server chooses it, one connection carries all
///   requests to it, as many at a time as the server allows. The first requests to such an origin wait for one
///   handshake together, for 250 ms; then a further one begins beside it.
/// - It adds `Host` (unless the request has one), and `Content-Length`, or `Transfer-Encoding` where the body's length
///   isn't known, and no other field. `Transfer-Encoding`, `Expect` and a `Content-Length` that isn't the body's are
///   refused with ``HikyakuHTTP/FailureReason/header``.
/// - Bodies arrive as they were sent: it asks for no content coding and undoes none, which is the client's part.
/// - A body without a length, which ends with its connection, is whole over TLS where the server says so before it
///   closes the connection, and else ends with ``HikyakuHTTP/FailureReason/truncatedResponse``.
/// - A response that is complete before the request is out is returned, and ends the connection.
/// - A cancelled request's connection is closed at once, and so are those whose response broke a bound or a rule; over
///   HTTP/2, its stream is reset, and the connection is closed where it broke a rule of the connection's. Idle
///   connections are closed when their server closes them, when anything comes over them, and after
///   ``WireOptions/idleAgeMax``.
/// - A streamed response keeps the transport until its end. It is held back while nobody reads it, with at most 1 MiB
///   here, and no other one is, be it on the same connection of HTTP/2; dropping it, or cancelling who reads it, closes
///   its connection or resets its stream. ``shutdown(within:)`` waits for streams too.
/// - When a kept connection turns out to be dead before a byte of the response came, an idempotent request whose body
///   can be read again is sent once more over a new one, and so is any other of which nothing was sent. Others fail
///   with ``HikyakuHTTP/FailureReason/connectionClosed``, since the server may have acted. Over HTTP/2, a request that
///   the server says it didn't process (REFUSED_STREAM, GOAWAY) is sent again whatever its method is, four times at
///   most, and one that it wants over HTTP/1.1 is sent so (RFC 9113, section 8.7).
/// - At most 64 requests are in flight to one origin and 1,024 in all, and 10,000 wait: in a line for each origin, and
///   by turns between the origins, so that a slow one holds up no other (``WireOptions``). No timeout but that of the
///   call counts meanwhile.
/// - A response's header block and trailers have at most 500 fields and 256 KiB; these bounds are fixed.
/// - A host's addresses are tried one after the other, 250 ms apart or as soon as one fails; the first that answers is
///   used, and the others are closed (RFC 8305).
/// - It honours the environment's `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, unless ``WireOptions`` say
///   otherwise. Requests over TLS, and all through a SOCKS proxy, go through a tunnel; an HTTP proxy forwards the
///   others and alone gets `Proxy-Authorization`. A connection to a proxy carries requests for one origin only.
///   Whatever keeps a proxy from opening the way is ``HikyakuHTTP/FailureReason/proxyFailed``.
public final class WireTransport: HTTPTransport {
    let engine: Engine

    /// Makes a transport with a pool of connections of its own.
    ///
    /// - Parameter options: What holds for all its requests.
    public init(options: WireOptions = WireOptions()) {
        engine = Engine(options, patience: 200_000)
    }

    /// Makes a transport to which more exchanges count as quick, so that their callers wait for them by themselves.
    package init(patience: Duration) {
        engine = Engine(WireOptions(), patience: patience.clampedNanoseconds)
    }

    /// Makes a transport with other bounds of HTTP/2 connections.
    init(options: WireOptions, http2Limits: HTTP2Limits) {
        engine = Engine(options, patience: 200_000, http2Limits: http2Limits)
    }

    /// Makes a transport that takes slower reads of a large body for quick.
    init(gathering: Gathering) {
        engine = Engine(WireOptions(), patience: 200_000, gathering: gathering)
    }

    deinit {
        engine.drain(within: .zero)
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
    /// - Throws: ``HikyakuHTTP/TransportError``, whose `underlyingError` is a ``WireError`` where the system or OpenSSL
    ///   failed, or `CancellationError` when the task was cancelled.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let exchange = try exchange(for: request, options)
        do { try await perform(exchange) } catch {
            return try end(exchange, error)
        }
        return try end(exchange, nil)
    }

    // Async functions keep what they have computed in memory while they wait; so these parts aren't.
    @inline(never)
    private func exchange(for request: HTTPRequest, _ options: TransportOptions) throws -> Exchange {
        try request.checkForWire()
        guard !CallCancellation.isCancelled else { throw CancellationError() }
        let exchange = try Exchange(request, options)
        exchange.prepareStreams(over: self)
        return exchange
    }

    /// What `send` gives for an exchange that is over, or whose header block it has.
    @inline(never)
    private func end(_ exchange: Exchange, _ error: (any Error)?) throws -> HTTPResponse {
        // A body that is still to come has an end of its own.
        if !exchange.isStreaming { exchange.trail?.ended(error) }
        if let error { throw error }
        guard let response = exchange.takeResponse() else {
            throw TransportError(.transportFailed, "there is no response")
        }
        return response
    }

    // An async function of its own would take a frame of memory more.
    @inline(__always)
    private func perform(_ exchange: Exchange) async throws {
        var begun: (connection: Connection, mustAttend: Bool)?
        switch engine.attempt(exchange) {
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
                    engine.handOver(exchange, connection, mustAttend: mustAttend)
                } else {
                    engine.submit(exchange)
                }
            }
        } onCancel: { [engine] in
            engine.cancel(exchange)
        }
    }

    /// Takes no new requests, waits for those in flight, ends what is left after `grace`, and closes all connections.
    ///
    /// Returns when that is done, also to callers who come second; the first one's `grace` holds.
    public func shutdown(within grace: Duration) async {
        engine.drain(within: grace)
        await engine.waitForEnd()
    }
}
#endif
