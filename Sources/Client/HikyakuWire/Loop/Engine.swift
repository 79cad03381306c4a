#if os(Linux)
import HikyakuBase
import Glibc
import HikyakuHTTP

/// The state that callers and the loop of one transport share, under one lock: the pool, the timers and the owners of
/// the connections.
///
/// The phases:
/// - `idle`: no request came yet, and there is no thread. Next: `running`, `ended`.
/// - `running`: requests are accepted. Next: `draining`, or `idle` if the system started no thread.
/// - `draining`: no more requests are accepted; the loop ends those in flight by `deadline`. Next: `ended`.
/// - `ended`: the loop closes what is left.
///
/// Decisions are made under the lock and carried out after it. If a connection is idle, a caller writes its request
/// itself (``CallerDriver``); everything else is a command for the loop.
final class Engine: Sendable {
    enum Command {
        /// A call that waited has a connection now.
        case start(Exchange, Connection)
        case connect(UInt64, Int, Site)
        case cancelHandshake(UInt64)
        case identified(UInt64, Result<ClientIdentity, TransportError>)
        case resolved(UInt64, Result<[SocketAddress], LookUpError>)
        /// The exchange was cancelled.
        case cancel(Exchange)
        /// The reader of the response or the source of the request is ready.
        case goOn(Exchange)
        /// A caller gave the connection back, and its exchange needs the loop now.
        case attend(Connection)
        case close(Connection)
    }

    enum TimerTarget {
        case connection(Connection)
        /// One that waits for a connection.
        case exchange(Exchange)
        /// A handshake that takes long.
        case handshake(UInt64, Int)
        /// A handshake that tries its next address.
        case nextAddress(UInt64)
    }

    enum Phase {
        case idle, running, draining, ended
    }

    struct State {
        var phase = Phase.idle
        /// When the loop of a draining transport ends what is left, by the coarse clock.
        var deadline = Int64.max
        var pool: Pool<Site, Exchange, Connection>
        var timers = TimerHeap<TimerTarget>()
        var commands: [Command] = []
        var poller: Poller?
        /// Whether the loop waits for events, and until when; anything due earlier has to wake it.
        var isAsleep = false
        var wakeAt = Int64.max
        /// The spelling of the last request's origin, so that the same origin needs no look-up.
        fileprivate var lastPrefix: [UInt8] = []
        fileprivate var lastOrigin = -1
        /// How many exchanges have got a connection, and whether the last of them is complete.
        ///
        /// If it is, the next exchange counts as alone, even if others wait for silent servers.
        private var beginCount: UInt64 = 0
        private var isLastComplete = true
        /// The origin whose last response came so quickly that a lone caller waits on its own thread; -1 for none.
        private(set) var quickOrigin = -1
        /// The number of the exchange whose caller does so, or 0: one at a time, since each occupies a processor.
        private var awakeNumber: UInt64 = 0
        /// How many exchanges were carried by their callers alone; for tests.
        var carriedCount = 0
        /// How many rounds the loop has made; for tests.
        var wakeUpCount: UInt64 = 0
        /// Whether the loop's connections are closed too, or there never was a loop.
        fileprivate var isOver = false
        fileprivate var waiters: [CheckedContinuation<Void, Never>] = []

        init(_ limits: Pool<Site, Exchange, Connection>.Limits) {
            pool = Pool(limits)
        }
    }

    /// How long a connection may be idle without being watched: 100 ms in nanoseconds.
    static let unwatchedMax: Int64 = 100_000_000

    let state: Lock<State>
    let options: WireOptions
    let idleAgeMax: Int64
    /// An exchange that takes at most so long, alone and over a kept connection, makes its origin quick.
    let patience: Int64
    let http2Limits: HTTP2Limits
    /// The initial value for each connection.
    let gathering: Gathering
    let lookUps = NameLookUps()
    let identityReads = ClientIdentityReads()
    private let settings = Lock<ConnectionSettings?>(nil)
    private let tls = Lock<Result<TLSContext, TransportError>?>(nil)

    init(
        _ options: WireOptions,
        patience: Int64 = 200_000,
        http2Limits: HTTP2Limits = HTTP2Limits(),
        gathering: Gathering = Gathering(),
    ) {
        self.options = options
        (self.http2Limits, self.gathering) = (http2Limits, gathering)
        self.patience = patience
        idleAgeMax = options.idleAgeMax.clampedNanoseconds
        let limits = Pool<Site, Exchange, Connection>.Limits(
            perOriginMax: options.connectionsPerHostMax,
            inFlightMax: options.requestsInFlightMax,
            queuedMax: options.queuedRequestsMax,
        )
        state = Lock(State(limits))
    }

    /// The TLS context of all connections, which the first call makes; not inside of the lock.
    func context() throws(TransportError) -> TLSContext {
        try tls.made { Result { () throws(TransportError) in try TLSContext(options.tls) } }.get()
    }

    private func makeSite(_ url: RequestURL, key: String) -> Site {
        let site = Site(url, key: key, settings.made { ConnectionSettings(options) })
        // The caller reads its files, so that they don't delay the loop.
        if site.usesTLS { _ = try? context() }
        return site
    }

    // MARK: - Callers

    fileprivate enum Submission {
        case write(Connection, wakes: Poller?)
        case accepted(wakes: Poller?)
        case failed(any Error)
        case unknownSite
        case mustStartLoop
    }

    /// Takes over an exchange whose caller waits; it may be over by the time this returns.
    ///
    /// - Returns: A connection that was idle: the caller owns it now, and sends the request itself. `nil` if the loop
    ///   has the exchange, or it is over.
    func submit(_ exchange: Exchange) -> Connection? {
        var submission = admit(exchange)
        // Repeated if another caller's origin was added in between.
        while case .unknownSite = submission {
            addSite(exchange.url)
            submission = admit(exchange)
        }
        switch submission {
        case .write(let connection, let poller):
            poller?.wakeUp()
            return connection
        case .accepted(let poller): poller?.wakeUp()
        case .failed(let error): exchange.finish(error)
        case .mustStartLoop: startLoop()
        case .unknownSite: exchange.finish(WireCause.defect.error("the origin isn't known"))
        }
        return nil
    }

    private func addSite(_ url: RequestURL) {
        let key = Site.key(of: url)
        let isKnown = state.withLock { $0.pool.origin(key) != nil }
        let site = isKnown ? nil : makeSite(url, key: key)
        let prefix = url.withPrefix { Array($0) }
        state.withLock { state in
            if let site {
                // Most servers that speak TLS speak HTTP/2, so one connection is enough.
                let shares = site.isSecure && options.offersHTTP2
                state.lastOrigin = state.pool.addOrigin(key, site, sharesHandshakes: shares)
            } else if let origin = state.pool.origin(key) {
                state.lastOrigin = origin
            } else {
                return
            }
            state.lastPrefix = prefix
        }
    }

    private func admit(_ exchange: Exchange) -> Submission {
        state.withLock { state in
            guard !exchange.isCancelled else {
                exchange.phase = .over
                return .failed(CancellationError())
            }
            guard let problem = state.problem(for: exchange) else { return state.admit(exchange) }
            if case .failed = problem { exchange.phase = .over }
            return problem
        }
    }

    private func startLoop() {
        let hasStarted = BackgroundThread.start(name: "hikyaku-wire") { [self] in EventLoop.run(self) }
        guard !hasStarted else { return }
        let exchanges = state.withLock { state in
            state.phase = state.phase == .running ? .idle : .ended
            state.isOver = state.phase == .ended
            state.poller = nil
            return state.abandonAll()
        }
        for exchange in exchanges {
            exchange.finish(WireCause.thread.error("the system could not start a thread"))
        }
        announceEnd()
    }

    /// Has an exchange wait for a connection again; only for the loop, which this doesn't wake up.
    func repeatExchange(
        _ exchange: Exchange,
        from connection: Connection,
        _ loss: Exchange.Loss,
        needsNew: Bool,
    ) {
        exchange.stage = StageTimer(exchange.stage.limits)
        let isCancelled = state.withLock { state in
            exchange.begin = 0
            if exchange.isCancelled {
                exchange.phase = .over
                state.pool.leave(connection, of: exchange.origin)
            } else {
                if loss != .unsent { state.pool.noteLoss(of: exchange.origin) }
                let ticket = state.pool.readmit(exchange, to: exchange.origin, from: connection, needsNew: needsNew)
                state.startWaiting(exchange, ticket)
            }
            state.takeActions()
            return exchange.isCancelled
        }
        if isCancelled { exchange.finish(CancellationError()) }
    }

    // MARK: - Ending

    /// Cancels an exchange, which may have ended already, or may not have been submitted yet.
    func cancel(_ exchange: Exchange) {
        let (isOver, poller) = state.withLock { state in
            exchange.isCancelled = true
            switch state.withdraw(exchange) {
            case .isOver: return (true, state.sleeper())
            case .isOwnedByLoop: state.commands.append(.cancel(exchange))
            case .isElsewhere: break
            }
            return (false, state.sleeper())
        }
        poller?.wakeUp()
        if isOver { exchange.finish(CancellationError()) }
    }

    func post(_ command: Command) {
        let poller = state.withLock { state -> Poller? in
            guard state.poller != nil else { return nil }
            state.commands.append(command)
            return state.sleeper()
        }
        poller?.wakeUp()
    }

    /// Has the loop end what is in flight after `grace`; a second call changes nothing.
    func drain(within grace: Duration) {
        let poller = state.withLock { state -> Poller? in
            switch state.phase {
            case .idle:
                state.phase = .ended
                state.isOver = true
            case .running:
                state.phase = .draining
                state.deadline = Nanoseconds.sum(Nanoseconds.coarseNow, grace.clampedNanoseconds)
                state.isAsleep = false
            case .draining, .ended:
                return nil
            }
            return state.poller
        }
        poller?.wakeUp()
    }

    /// Returns when the loop has ended, or at once if there is none.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiters.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Resumes the callers of ``waitForEnd()``.
    func announceEnd() {
        let waiters = state.withLock { state in
            state.isOver = state.phase == .ended
            defer { state.waiters = [] }
            return state.isOver ? state.waiters : []
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension Lock {
    /// The value, which the first call makes.
    fileprivate func made<Made: Sendable>(_ make: () -> Made) -> Made where Value == Made? {
        withLock { value in
            let made = value ?? make()
            value = made
            return made
        }
    }
}

// MARK: - Under the lock

extension Engine.State {
    /// Why a request can't be admitted; `nil` if it can.
    fileprivate mutating func problem(for exchange: Exchange) -> Engine.Submission? {
        guard phase == .idle || phase == .running else {
            return .failed(WireCause.shutDown.error("the transport was shut down"))
        }
        guard let origin = origin(of: exchange.url) else { return .unknownSite }
        let site = pool.site(of: origin)
        (exchange.origin, exchange.site) = (origin, site)
        if case .failure(let error) = site.rules { return .failed(site.error(error)) }
        guard poller == nil else { return nil }
        poller = Poller()
        return poller == nil
            ? .failed(WireCause.descriptors.error("the system has no file descriptor left")) : nil
    }

    /// The origin, if it is spelled as the last request's, which is so for most requests.
    private func origin(of url: RequestURL) -> Int? {
        let isLast = url.withPrefix { prefix in
            guard prefix.count == lastPrefix.count, let start = prefix.baseAddress else { return false }
            return lastPrefix.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, prefix.count) == 0 } ?? false }
        }
        if isLast, lastOrigin >= 0 { return lastOrigin }
        return nil
    }

    fileprivate mutating func admit(_ exchange: Exchange) -> Engine.Submission {
        let isFirst = phase == .idle
        phase = .running
        switch pool.admit(exchange, to: exchange.origin, priority: Task.currentPriority.rawValue) {
        case .connection(let connection):
            lend(connection, to: exchange)
            return .write(connection, wakes: sleeper())
        case .shared(let connection):
            activate(exchange, connection)
            commands.append(.start(exchange, connection))
        case .waiting(let ticket):
            startWaiting(exchange, ticket)
            takeActions()
        case .queued(let ticket):
            exchange.phase = .queued(ticket)
            exchange.options.listener?.enterQueue()
        case .full:
            exchange.phase = .over
            let text = "\(pool.queuedMax) requests are already waiting"
            return .failed(exchange.site?.error(.queueFull, text) ?? WireCause.queueFull.error(text))
        }
        return isFirst ? .mustStartLoop : .accepted(wakes: sleeper())
    }

    /// Takes an idle connection for an exchange that was not submitted.
    ///
    /// - Returns: The connection, which the caller owns now, and whether the caller waits for the response itself;
    ///   `nil` if the exchange has to be submitted.
    // Inlined, since each request over an idle connection needs it.
    @inline(__always)
    mutating func take(for exchange: Exchange) -> (Connection, isAlone: Bool)? {
        guard phase == .running, !exchange.isCancelled, let origin = origin(of: exchange.url),
            let connection = pool.takeAtOnce(for: origin)
        else { return nil }
        (exchange.origin, exchange.site) = (origin, pool.site(of: origin))
        let isAlone = origin == quickOrigin && awakeNumber == 0 && isLastComplete && exchange.mayBeQuick
        lend(connection, to: exchange)
        if isAlone { awakeNumber = exchange.number }
        return (connection, isAlone)
    }

    /// Notes that a response did not come while its caller stayed awake.
    mutating func noteSlow() { quickOrigin = -1 }

    /// Makes a caller the owner of an idle connection.
    private mutating func lend(_ connection: Connection, to exchange: Exchange) {
        connection.use.lend()
        if isLastComplete { exchange.begin = Nanoseconds.now }
        activate(exchange, connection)
        let now = Nanoseconds.coarseNow
        timers.lower(connection.timer, to: Nanoseconds.sum(now, exchange.stage.limits.shortest))
    }

    private mutating func activate(_ exchange: Exchange, _ connection: Connection) {
        if case .queued = exchange.phase { exchange.leaveQueue() }
        if case .waiting = exchange.phase { exchange.options.listener?.endConnecting() }
        endWaiting(exchange)
        exchange.phase = .active(connection)
        connection.use.leavePool()
        beginCount += 1
        exchange.number = beginCount
        isLastComplete = false
    }

    /// Notes that an exchange is complete, and, if it was alone, whether its origin is quick.
    mutating func complete(_ exchange: Exchange, patience: Int64 = 0) {
        exchange.phase = .over
        let isLast = exchange.number == beginCount
        if isLast { isLastComplete = true }
        guard exchange.begin > 0 else { return }
        quickOrigin = isLast && Nanoseconds.now - exchange.begin < patience ? exchange.origin : -1
    }

    func staysAwake(_ exchange: Exchange) -> Bool { exchange.number == awakeNumber }

    /// Ends the stay of this exchange's caller, if it stays awake, so that another caller may.
    mutating func endStay(of exchange: Exchange) {
        if staysAwake(exchange) { awakeNumber = 0 }
    }

    /// Gives the pool a connection whose exchange is complete; unless a waiting call gets it, it stays idle for
    /// `idleMax`.
    mutating func release(_ connection: Connection, of origin: Int, idleMax: Int64) {
        beginIdleTime(of: connection, max: idleMax)
        connection.use.giveBack(toPool: pool.release(connection, of: origin))
    }

    /// Begins to count how long a connection is idle.
    mutating func beginIdleTime(of connection: Connection, max: Int64) {
        connection.idleSince = Nanoseconds.coarseNow
        timers.lower(connection.timer, to: Nanoseconds.sum(connection.idleSince, max))
    }

    fileprivate mutating func startWaiting(_ exchange: Exchange, _ ticket: Int) {
        if case .queued = exchange.phase { exchange.leaveQueue() }
        exchange.phase = .waiting(ticket)
        exchange.options.listener?.beginConnecting()
        let due = Nanoseconds.sum(Nanoseconds.coarseNow, exchange.stage.limits.connect)
        exchange.timer = timers.add(.exchange(exchange), due: due)
    }

    mutating func endWaiting(_ exchange: Exchange) {
        if let timer = exchange.timer.take() { timers.remove(timer) }
    }

    enum Withdrawal {
        case isOver
        case isOwnedByLoop
        /// It is not submitted yet, or is over, or a caller owns its connection and will notice the cancellation.
        case isElsewhere
    }

    /// Removes an exchange that has no connection from the pool.
    mutating func withdraw(_ exchange: Exchange) -> Withdrawal {
        switch exchange.phase {
        case .new, .over: return .isElsewhere
        case .queued(let ticket): pool.removeQueued(ticket, of: exchange.origin)
        case .waiting(let ticket): pool.removeWaiting(ticket, of: exchange.origin)
        case .active(let connection): return connection.use.isCallers ? .isElsewhere : .isOwnedByLoop
        }
        endWaiting(exchange)
        exchange.phase = .over
        takeActions()
        return .isOver
    }

    /// Turns the pool's actions into commands.
    mutating func takeActions() {
        guard pool.hasActions else { return }
        for action in pool.takeActions() {
            switch action {
            case .start(let exchange, let connection):
                activate(exchange, connection)
                commands.append(.start(exchange, connection))
            case .wait(let exchange, let ticket): startWaiting(exchange, ticket)
            case .connect(let handshake, let origin):
                commands.append(.connect(handshake, origin, pool.site(of: origin)))
            case .cancel(let handshake): commands.append(.cancelHandshake(handshake))
            case .close(let connection):
                connection.use.leavePool()
                commands.append(.close(connection))
            }
        }
    }

    /// The poller of the loop if the loop has to be woken for a timer or a command; one wake-up is enough.
    mutating func sleeper() -> Poller? {
        guard isAsleep, !commands.isEmpty || timers.nextDue < wakeAt || isDrained else { return nil }
        isAsleep = false
        return poller
    }

    /// Whether a draining transport has nothing left to do.
    var isDrained: Bool { phase == .draining && pool.isEmpty }

    /// Removes all exchanges that have no connection, or have one that the loop doesn't know of yet.
    mutating func abandonAll() -> [Exchange] {
        var exchanges = pool.removeAll()
        for case .start(let exchange, _) in commands {
            pool.leave(exchange.origin)
            exchanges.append(exchange)
        }
        commands = []
        for exchange in exchanges {
            endWaiting(exchange)
            exchange.phase = .over
        }
        return exchanges
    }
}
#endif
