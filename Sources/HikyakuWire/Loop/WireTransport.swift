#if os(Linux)
import Glibc
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
        exchange.prepareStreams(over: self)
        return exchange
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

/// The options of a ``WireTransport``, each with a default that suits most uses.
///
/// ```swift
/// var options = WireOptions(connectionsPerHostMax: 8)
/// options.unixSockets = ["docker": "/var/run/docker.sock"]
/// options.tls.trustedAuthorities = .systemAndFile("/etc/example/root.pem")
/// let client = APIClient(transport: WireTransport(options: options))
/// ```
public struct WireOptions: Sendable {
    /// How many requests may be in flight to one origin before others wait; at most so many connections to it are open.
    ///
    /// Default: 64.
    public var connectionsPerHostMax: Int
    /// How many requests may be in flight in all before others wait; at most so many idle connections are kept.
    ///
    /// Default: 1,024.
    public var requestsInFlightMax: Int
    /// How many requests may wait; one more ends with ``HikyakuHTTP/FailureReason/queueFull``.
    ///
    /// Of those for the same origin, the one with the highest task priority is next, and among equals the oldest. Every
    /// fourth is the oldest of all.
    ///
    /// Default: 10,000.
    public var queuedRequestsMax: Int
    /// How long a connection is kept without a request.
    ///
    /// Default: 60 seconds.
    public var idleAgeMax = Duration.seconds(60)

    /// Trusted authorities, pins and client certificates.
    public var tls = TLSOptions()
    /// Whether HTTP/2 is offered to servers over TLS; those that choose it carry several requests on one connection.
    ///
    /// Default: `true`.
    public var offersHTTP2 = true
    /// The proxies; by default those in the environment's variables.
    public var proxy = HTTPProxy.environment
    /// The paths of Unix domain sockets, by host, to which requests go instead of to the network.
    ///
    /// With `["docker": "/var/run/docker.sock"]`, a request to `http://docker/info` goes to that socket.
    ///
    /// Hosts are named as in ``HikyakuHTTP/TLSOptions/pins``. Such a host needs no address and no proxy.
    public var unixSockets: [String: String] = [:]
    /// The addresses of hosts that aren't looked up: `["api.example": ["127.0.0.1", "::1"]]`, for tests and for names
    /// that DNS does not have.
    ///
    /// Certificates are still verified against the host's name. Hosts are named as in
    /// ``HikyakuHTTP/TLSOptions/pins``; one without an address is ``HikyakuHTTP/FailureReason/hostNotFound``. An
    /// address of IPv6 may have a zone, `fe80::1%eth0`. Where a proxy looks up the names, this has no effect.
    public var hostAddresses: [String: [String]] = [:]

    /// Makes options; what isn't given has its default.
    public init(connectionsPerHostMax: Int = 64, requestsInFlightMax: Int = 1024, queuedRequestsMax: Int = 10_000) {
        self.connectionsPerHostMax = connectionsPerHostMax
        self.requestsInFlightMax = requestsInFlightMax
        self.queuedRequestsMax = queuedRequestsMax
    }
}

/// Carries exchanges of HTTP/1.1 on the threads of their callers, over idle connections that the callers own meanwhile.
///
/// It has no state: the engine's says who owns which connection. What a caller does not complete here is left to the
/// loop, and its ``HTTP1Driver`` or ``HTTP2Driver``.
struct CallerDriver {
    /// How long a caller stays awake for the response if no other exchange is in flight: 60 us in nanoseconds.
    private static let lookout: Int64 = 60_000
    /// How often a caller reads before it leaves the rest of a response to the loop.
    private static let readsMax = 8

    private let engine: Engine

    init(_ engine: Engine) {
        self.engine = engine
    }

    /// The state of an exchange after its caller's attempt to carry it.
    enum Attempt {
        /// Nothing was done: the exchange is to be submitted.
        case notBegun
        /// The exchange has its outcome.
        case over((any Error)?)
        /// The request is on its way, and the caller still owns the connection: ``handOver(_:_:mustAttend:)`` is next.
        case begun(Connection, mustAttend: Bool)
    }

    /// Writes a request on its caller's thread if a connection is idle; carries the whole exchange there if no other is
    /// in flight and the previous one was complete within ``Engine/patience``.
    ///
    /// Waking the loop's thread, and then this one again, takes as long as a server on the same machine needs. But the
    /// thread is one of the few that run all tasks, so it waits for ``lookout`` at most.
    func attempt(_ exchange: Exchange) -> Attempt {
        guard let (connection, isAlone) = engine.state.withLock({ $0.take(for: exchange) }) else { return .notBegun }
        connection.exchange = exchange
        if isAlone, connection.isWatched {
            connection.poller.remove(connection.descriptor)
            connection.isWatched = false
        }
        guard begin(exchange, over: connection) else { return .begun(connection, mustAttend: true) }
        guard isAlone else { return .begun(connection, mustAttend: false) }
        let begin = Nanoseconds.now
        while true {
            switch read(exchange, over: connection, hasMissedEvent: false) {
            case .over(let error): return .over(error)
            case .left: return .begun(connection, mustAttend: true)
            case .blocked:
                guard Nanoseconds.now - begin < Self.lookout else {
                    engine.state.withLock { $0.noteSlow() }
                    return .begun(connection, mustAttend: true)
                }
                sched_yield()
            }
        }
    }

    /// Submits an exchange whose caller waits, and writes its request if a connection is idle by now.
    ///
    /// The exchange may be over by the time this returns.
    func submit(_ exchange: Exchange) {
        guard let connection = engine.submit(exchange) else { return }
        connection.exchange = exchange
        handOver(exchange, connection, mustAttend: !begin(exchange, over: connection))
    }

    /// Gives the loop a connection whose exchange isn't over; first reads the response if it came in the meantime.
    func handOver(_ exchange: Exchange, _ connection: Connection, mustAttend: Bool) {
        var mustAttend = !connection.watch() || mustAttend
        while !giveBack(connection, exchange, mustAttend: mustAttend) {
            switch read(exchange, over: connection, hasMissedEvent: true) {
            case .over(let error): return exchange.finish(error)
            case .left: mustAttend = true
            case .blocked: continue
            }
        }
    }

    /// Sends as much of a request as possible without waiting; `false` if that is not all of it.
    private func begin(_ exchange: Exchange, over connection: Connection) -> Bool {
        guard connection.isSilent() else {
            connection.isSuspect = true
            return false
        }
        exchange.begin(on: connection)
        return exchange.transmit(over: connection, readsStream: false) == .sent
    }

    private enum Reading {
        /// The exchange has its outcome, and the caller no longer owns the connection.
        case over((any Error)?)
        case blocked
        /// The rest is left to the loop.
        case left
    }

    /// Reads a response on its caller's thread, as far as it is there.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - connection: The caller's connection.
    ///   - hasMissedEvent: Whether the loop got an event in the meantime, which may be the connection's end.
    /// - Returns: The state of the exchange.
    private func read(_ exchange: Exchange, over connection: Connection, hasMissedEvent: Bool) -> Reading {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 16) { room in
            for _ in 0..<Self.readsMax {
                switch connection.receive(into: room) {
                case .bytes(let count):
                    exchange.received()
                    switch exchange.feed(UnsafeRawBufferPointer(rebasing: room[..<count])) {
                    case .more: continue
                    case .complete:
                        release(connection, exchange, hasMissedEvent: hasMissedEvent)
                        return .over(nil)
                    case .failed(let error):
                        let error = exchange.withResponse(connection.site.error(error))
                        abandon(connection, exchange)
                        return .over(error)
                    }
                case .blocked: return .blocked
                // The loop gets the same result when it reads.
                case .end, .failed: return .left
                }
            }
            return .left
        }
    }

    /// Gives the loop a connection; `false` if the caller has to read first, because the loop got an event for it.
    private func giveBack(_ connection: Connection, _ exchange: Exchange, mustAttend: Bool) -> Bool {
        let (isGiven, poller) = engine.state.withLock { state -> (Bool, Poller?) in
            let isEnding = mustAttend || exchange.isCancelled || state.phase != .running
            let hasMissedEvent = connection.use.takeMissedEvent()
            if hasMissedEvent, !isEnding, exchange.mayBeQuick { return (false, nil) }
            connection.use.giveBack()
            state.endStay(of: exchange)
            if isEnding || hasMissedEvent { state.commands.append(.attend(connection)) }
            return (true, state.sleeper())
        }
        poller?.wakeUp()
        return isGiven
    }

    private func release(_ connection: Connection, _ exchange: Exchange, hasMissedEvent: Bool) {
        exchange.prepareResponse()
        // If the end of the connection came with the response, no further event reports it.
        let mayHaveEnded = hasMissedEvent || connection.hasPending
        guard exchange.keepsConnection, !mayHaveEnded || connection.isSilent() else {
            return abandon(connection, exchange)
        }
        connection.exchange = nil
        let isWatched = connection.isWatched
        while true {
            let (isReleased, poller) = engine.state.withLock { state -> (Bool, Poller?) in
                guard !connection.use.takeMissedEvent() else { return (false, nil) }
                state.complete(exchange, patience: engine.patience)
                if state.staysAwake(exchange) { state.carriedCount += 1 }
                state.endStay(of: exchange)
                // The loop watches it again if no caller has used it by then.
                let idleMax = isWatched ? engine.idleAgeMax : min(engine.idleAgeMax, Engine.unwatchedMax)
                state.release(connection, of: exchange.origin, idleMax: idleMax)
                state.takeActions()
                return (true, state.sleeper())
            }
            poller?.wakeUp()
            if isReleased { return }
            // The loop's event may have been for what was read already.
            guard connection.isSilent() else { return abandon(connection, exchange) }
        }
    }

    /// Leaves an unusable connection to the loop.
    private func abandon(_ connection: Connection, _ exchange: Exchange) {
        connection.exchange = nil
        let poller = engine.state.withLock { state in
            connection.use.giveBack()
            exchange.phase = .over
            state.endStay(of: exchange)
            state.commands.append(.close(connection))
            state.pool.leave(exchange.origin)
            state.takeActions()
            return state.sleeper()
        }
        poller?.wakeUp()
    }
}
#endif
