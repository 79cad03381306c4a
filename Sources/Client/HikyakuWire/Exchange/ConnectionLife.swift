#if os(Linux)
/// The life of one connection, from TCP over the proxy and TLS to requests, and to its end.
///
/// Events go in, and actions come out. It has no socket and no clock: the loop makes the system calls, carries out the
/// actions in order, and reports what became of them. An event that does not fit the stage has no effect.
struct ConnectionLife: Hashable, Sendable {
    /// The steps that a connection needs before it can carry requests.
    struct Route: Hashable, Sendable {
        enum Proxy: Hashable, Sendable {
            /// It passes requests on, so that no tunnel and no TLS with the origin is needed.
            case forwards
            case tunnels
        }

        var proxy: Proxy?
        /// Whether TLS with the proxy comes first.
        var isProxySecure = false
        var isOriginSecure = false
    }

    enum Peer: Hashable, Sendable {
        case proxy, origin
    }

    enum Stage: Hashable, Sendable {
        /// TCP is being opened. Next: `securing`, `tunneling`, `open`, `closed`.
        case connecting
        /// The TLS handshake is in progress, with the origin perhaps inside of that with the proxy. Next: `tunneling`,
        /// `beginningHTTP2`, `open`, `closed`.
        case securing(Peer)
        /// The handshake with the proxy is in progress. Next: `securing`, `open`, `closed`.
        case tunneling
        /// The server has chosen HTTP/2. Next: `shared`, `closed`.
        case beginningHTTP2
        /// It carries exchanges of HTTP/1.1, one after the other. Next: `closed`.
        case open
        /// It carries exchanges of HTTP/2, several at a time. Next: `closed`.
        case shared
        case closed
    }

    enum Event: Hashable, Sendable {
        /// TCP is open, and no other attempt of the dial was faster.
        case connected
        /// The TLS handshake is complete.
        case secured(choosesHTTP2: Bool)
        /// The proxy has opened the tunnel.
        case tunnelOpened
        /// There is a session of HTTP/2, and the server accepts requests.
        case sessionBegan
        /// The step in progress has failed.
        case failed
        /// It is no longer needed, or can no longer be used.
        case ended
    }

    enum Action: Hashable, Sendable {
        case beginTLS(Peer)
        case beginTunnel
        case beginHTTP2
        /// Give it to the pool, which may not need it any more. Comes once at most.
        case offer
        /// Close the socket. Comes once, and nothing but `report` follows.
        case close
        /// The dial has failed, with the error of the step. Never comes together with `offer`.
        case report
    }

    private let route: Route
    private(set) var stage = Stage.connecting

    init(_ route: Route) {
        self.route = route
    }

    /// The peer of the present step.
    var peer: Peer {
        switch stage {
        case .connecting: route.proxy == nil ? .origin : .proxy
        case .securing(let peer): peer
        case .tunneling: .proxy
        case .beginningHTTP2, .open, .shared, .closed: .origin
        }
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch (event, stage) {
        case (_, .closed): return []
        case (.connected, .connecting):
            if route.proxy == nil { return reachedOrigin() }
            guard route.isProxySecure else { return reachedProxy() }
            return move(to: .securing(.proxy), .beginTLS(.proxy))
        case (.secured, .securing(.proxy)): return reachedProxy()
        case (.secured(choosesHTTP2: true), .securing(.origin)): return move(to: .beginningHTTP2, .beginHTTP2)
        case (.secured, .securing(.origin)): return move(to: .open, .offer)
        case (.tunnelOpened, .tunneling): return reachedOrigin()
        case (.sessionBegan, .beginningHTTP2): return move(to: .shared, .offer)
        case (.failed, .securing), (.failed, .tunneling), (.failed, .beginningHTTP2):
            return move(to: .closed, .close) + [.report]
        // The dial fails when all of its attempts have.
        case (.failed, _), (.ended, _): return move(to: .closed, .close)
        default: return []
        }
    }

    private mutating func reachedProxy() -> [Action] {
        route.proxy == .forwards ? move(to: .open, .offer) : move(to: .tunneling, .beginTunnel)
    }

    private mutating func reachedOrigin() -> [Action] {
        route.isOriginSecure ? move(to: .securing(.origin), .beginTLS(.origin)) : move(to: .open, .offer)
    }

    private mutating func move(to stage: Stage, _ action: Action) -> [Action] {
        self.stage = stage
        return [action]
    }
}

/// Who uses a connection at the moment, and so owns it: one user at a time.
///
/// It changes under the engine's lock. A connection of HTTP/2 is always the loop's.
enum ConnectionUse: Hashable, Sendable {
    /// The loop opens it, carries exchanges over it, or closes it. Next: `idle`.
    case loop
    /// The pool has it; the loop watches it. Next: `caller`, `loop`, `examined`.
    case idle
    /// The loop has taken it out of the pool to look at it. Next: `idle`, `loop`.
    case examined
    /// A caller carries its exchange. Next: `callerWithEvent`, `idle`, `loop`.
    case caller
    /// As `caller`, and an event came that nobody has handled. Next: `caller`, `loop`.
    case callerWithEvent

    /// What the loop does with an event.
    enum EventHandling: Hashable, Sendable {
        case attend
        /// Something arrived without a request.
        case look
        case leaveToCaller
    }

    var isCallers: Bool { self == .caller || self == .callerWithEvent }

    /// An event came for the connection.
    mutating func noteEvent() -> EventHandling {
        switch self {
        case .loop, .examined: return .attend
        case .idle: return .look
        case .caller, .callerWithEvent:
            self = .callerWithEvent
            return .leaveToCaller
        }
    }

    /// Whether an event came while the caller had the connection, which is to handle it now.
    mutating func takeMissedEvent() -> Bool {
        guard self == .callerWithEvent else { return false }
        self = .caller
        return true
    }

    /// The pool gives it to a caller.
    mutating func lend() {
        self = .caller
    }

    /// The pool gives it to a call that the loop begins, or has it closed.
    mutating func leavePool() {
        if self == .idle { self = .loop }
    }

    /// Its user gives it back: the pool has it, or the loop.
    mutating func giveBack(toPool isIdle: Bool = false) {
        self = isIdle ? .idle : .loop
    }

    /// The loop has taken it out of the pool, if it was still there.
    ///
    /// If the pool has assigned it to an exchange since, it belongs to that, and must not go back to the pool.
    ///
    /// - Returns: Whether the loop may examine it.
    mutating func takeOut(wasIdle: Bool) -> Bool {
        self = wasIdle ? .examined : .loop
        return wasIdle
    }
}
#endif
