#if os(Linux)
import HikyakuBase
import FoundationEssentials
import Glibc
public import HikyakuHTTP

/// A transport of HTTP/1.1 and HTTP/2 on the system's sockets, with TLS by OpenSSL and HTTP/2's framing by nghttp2.
///
/// A request goes out on the thread that sends it where a connection of HTTP/1.1 is idle; one thread of the transport's
/// reads all responses, opens and closes connections, and keeps the time. It starts with the first request, and ends
/// with the transport's last reference or with ``shutdown(within:)``; a request in flight is such a reference. A
/// request that is alone is waited for on the thread that sends it, for 60 us at most, where the server answered the
/// one before within 200 us and none began meanwhile. With at most eight in flight, that thread stays awake for 50 us
/// where something came within 80 us the last time.
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
        engine = Engine(options)
    }

    /// Makes a transport to which more exchanges count as quick, so that their callers wait for them by themselves.
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

// What a caller does with a connection that it owns.
extension Engine {
    /// For how long a caller that is alone stays awake for the answer: 60 us in nanoseconds.
    private static let lookout: Int64 = 60_000
    /// How long a connection may be idle without being watched: 100 ms in nanoseconds.
    static let unwatchedMax: Int64 = 100_000_000
    /// How often a caller reads before it leaves the rest of a response to the loop.
    private static let readsMax = 8

    /// What came of an exchange on its caller's thread.
    enum Attempt {
        /// Nothing was done: the exchange is to be submitted.
        case notBegun
        /// The exchange has its outcome.
        case over((any Error)?)
        /// The request is on its way, and the caller still owns the connection: ``handOver(_:_:mustAttend:)`` is next.
        case begun(Connection, mustAttend: Bool)
    }

    /// Writes a request on its caller's thread if a connection is idle; carries the whole exchange there if the caller
    /// is alone and the exchange before was answered within ``patience``.
    ///
    /// To wake the loop's thread, and this one again, takes as long as a server on the same machine needs. But the
    /// thread is one of the few that run all tasks, and so it stays for ``lookout`` at most.
    func attempt(_ exchange: Exchange) -> Attempt {
        guard let (connection, isAlone) = take(for: exchange) else { return .notBegun }
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
                    state.withLock { $0.quickOrigin = -1 }
                    return .begun(connection, mustAttend: true)
                }
                sched_yield()
            }
        }
    }

    /// Gives the loop a connection whose exchange isn't over; reads the response before that, if it came meanwhile.
    func handOver(_ exchange: Exchange, _ connection: Connection, mustAttend: Bool) {
        if !connection.isWatched { watch(connection) }
        var mustAttend = mustAttend
        while !giveBack(connection, exchange, mustAttend: mustAttend) {
            switch read(exchange, over: connection, hasMissedEvent: true) {
            case .over(let error): return exchange.finish(error)
            case .left: mustAttend = true
            case .blocked: continue
            }
        }
    }

    private func take(for exchange: Exchange) -> (Connection, isAlone: Bool)? {
        state.withLock { state in
            guard state.phase == .running, !exchange.isCancelled, let origin = state.origin(of: exchange.url),
                let connection = state.pool.takeAtOnce(for: origin)
            else { return nil }
            (exchange.origin, exchange.site) = (origin, state.pool.site(of: origin))
            let isAlone =
                origin == state.quickOrigin && state.awakeNumber == 0 && state.isLastComplete && exchange.mayBeQuick
            state.lend(connection, to: exchange)
            if isAlone { state.awakeNumber = exchange.number }
            return (connection, isAlone)
        }
    }

    /// Sends as much of a request as goes without waiting; `false` where that isn't all.
    func begin(_ exchange: Exchange, over connection: Connection) -> Bool {
        guard connection.isSilent() else {
            connection.isSuspect = true
            return false
        }
        exchange.begin(on: connection)
        return exchange.transmit(over: connection, readsStream: false) == .sent
    }

    private enum Reading {
        /// The exchange has its outcome, and the caller has the connection no more.
        case over((any Error)?)
        case blocked
        /// The loop knows what to do, or has the time.
        case left
    }

    /// Reads a response on its caller's thread, as far as it is there.
    ///
    /// - Parameters:
    ///   - exchange: What the response is to.
    ///   - connection: The caller's connection.
    ///   - hasMissedEvent: Whether the loop was told of what came, which may be the connection's end as well.
    /// - Returns: What came of it.
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
                        abandon(connection, exchange)
                        return .over(connection.site.error(error))
                    }
                case .blocked: return .blocked
                // The loop reads the same once more.
                case .end, .failed: return .left
                }
            }
            return .left
        }
    }

    /// Adds the connection to the loop's poller again, which reports at once what came before.
    private func watch(_ connection: Connection) {
        connection.isWatched = connection.poller.add(connection.descriptor, key: connection.key)
    }

    /// Gives the loop a connection; `false` where the caller is to read first what the loop was told of.
    private func giveBack(_ connection: Connection, _ exchange: Exchange, mustAttend: Bool) -> Bool {
        let (isGiven, poller) = state.withLock { state -> (Bool, Poller?) in
            let isEnding = mustAttend || exchange.isCancelled || state.phase != .running
            let hasMissedEvent = connection.hasMissedEvent
            connection.hasMissedEvent = false
            if hasMissedEvent, !isEnding, exchange.mayBeQuick { return (false, nil) }
            connection.owner = .loop
            state.endStay(of: exchange)
            if isEnding || hasMissedEvent { state.commands.append(.attend(connection)) }
            return (true, state.sleeper())
        }
        poller?.wakeUp()
        return isGiven
    }

    private func release(_ connection: Connection, _ exchange: Exchange, hasMissedEvent: Bool) {
        exchange.prepareResponse()
        // No further event tells of an end that has come with the response.
        guard exchange.keepsConnection, !hasMissedEvent || connection.isSilent() else {
            return abandon(connection, exchange)
        }
        connection.exchange = nil
        let isWatched = connection.isWatched
        while true {
            let (isReleased, poller) = state.withLock { state -> (Bool, Poller?) in
                guard !connection.hasMissedEvent else {
                    connection.hasMissedEvent = false
                    return (false, nil)
                }
                connection.owner = .loop
                state.complete(exchange, patience: patience)
                if state.staysAwake(exchange) { state.carriedCount += 1 }
                state.endStay(of: exchange)
                // The loop watches it again when no caller has come back by then.
                let idleMax = isWatched ? idleAgeMax : min(idleAgeMax, Self.unwatchedMax)
                state.release(connection, of: exchange.origin, idleMax: idleMax)
                state.takeActions()
                return (true, state.sleeper())
            }
            poller?.wakeUp()
            if isReleased { return }
            // What the loop was told of may have been no more than what was read.
            guard connection.isSilent() else { return abandon(connection, exchange) }
        }
    }

    /// Leaves a connection to the loop that can't be used any more.
    private func abandon(_ connection: Connection, _ exchange: Exchange) {
        connection.exchange = nil
        let poller = state.withLock { state in
            connection.owner = .loop
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

extension Exchange {
    /// Sends as much of the request as the connection takes; called by the connection's owner.
    func transmit(over connection: Connection, readsStream: Bool) -> RequestSender.Progress {
        let before = sender.bytesSent
        let progress = sender.advance(readsStream: readsStream) { connection.send($0) }
        trail?.sent(bodyBytes: sender.bodyBytesSent, isWhole: sender.isSent)
        if case .failed(let fault) = progress { sendingFault = fault }
        guard sender.bytesSent > before || sender.isSent else {
            // A kept connection may still be full of an earlier request that was answered before it was read.
            stage.begin(at: Nanoseconds.coarseNow)
            return progress
        }
        stage.sent(isWhole: sender.isSent, at: Nanoseconds.coarseNow)
        return progress
    }

    /// Tells that the request is about to be sent.
    func begin(on connection: Connection) {
        if connection.site.isForwarded { writeForProxy(connection.site.proxy) }
        let marks = connection.marks.take()
        trail?.readied(marks, protocolName: connection.protocolName)
    }

    /// Takes note that something of the response came.
    func received(at now: Int64 = Nanoseconds.coarseNow) {
        trail?.receivedFirstByte()
        stage.move(to: .receiving, at: now)
    }

    /// Whether the exchange waits for its caller, as reader or as source, for which there is no time limit.
    var isHeldBack: Bool { isReceivingPaused || sender.isStarved && !hasResponseHead }
}

/// What a ``WireTransport`` is made with, each with a default that needs no thought.
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
    /// The proxies; by default those that the environment names.
    public var proxy = HTTPProxy.environment
    /// The paths of Unix domain sockets to which requests go instead of to the network, by host: `["docker":
    /// "/var/run/docker.sock"]` serves `http://docker/info`.
    ///
    /// Hosts are named as in ``HikyakuHTTP/TLSOptions/pins``. Such a host needs no address and no proxy.
    public var unixSockets: [String: String] = [:]
    /// The addresses of hosts that aren't looked up: `["api.example": ["127.0.0.1", "::1"]]`, for tests and for names
    /// that no directory has.
    ///
    /// Certificates are verified against the host's name all the same. Hosts are named as in
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
#endif
