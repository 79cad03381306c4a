#if os(Linux)
import HikyakuBase
import Glibc
import HikyakuHTTP

/// The thread of one transport: it opens and closes connections, reads all responses, and handles the timeouts.
///
/// It works in rounds: wait for events, take the work under the lock, do it. Only the thread uses this object.
final class EventLoop {
    private let engine: Engine
    private let poller: Poller
    private let table: ConnectionTable
    private let dialer: Dialer
    private let http1: HTTP1Driver
    private let http2: HTTP2Driver
    private var events: [Poller.Event] = []
    private var round = Round()
    /// Whether the last wait was over ``soon``.
    private var isBusy = false
    /// The buffer for all received bytes.
    private let buffer: UnsafeMutableRawBufferPointer

    /// How long the thread stays awake if few requests are in flight: 50 us in nanoseconds.
    private static let lookout: Int64 = 50_000
    /// How many requests are few; with more, a response is due at almost any time.
    private static let fewMax = 8
    /// How long the previous wait may have taken: 80 us in nanoseconds.
    private static let soon: Int64 = 80_000

    /// What one round has to do.
    private struct Round {
        var commands: [Engine.Command] = []
        var ready: [(connection: Connection, isEnding: Bool)] = []
        /// Idle connections with an event.
        var idle: [Connection] = []
        /// Idle connections that were not watched for a while.
        var suspects: [Connection] = []
        var tooOld: [Connection] = []
        var due: [Connection] = []
        /// Exchanges that waited too long for a connection, with the handshake for it.
        var late: [(exchange: Exchange, handshake: UInt64?)] = []
        /// Handshakes whose next address is to be tried.
        var dials: [UInt64] = []
        var isOver = false

        mutating func clear() {
            commands.removeAll(keepingCapacity: true)
            ready.removeAll(keepingCapacity: true)
            if !idle.isEmpty { idle = [] }
            if !suspects.isEmpty { suspects = [] }
            if !tooOld.isEmpty { tooOld = [] }
            if !due.isEmpty { due = [] }
            if !late.isEmpty { late = [] }
            if !dials.isEmpty { dials = [] }
        }
    }

    /// Runs a loop until the transport has drained; called on the loop's own thread.
    static func run(_ engine: Engine) {
        if let poller = engine.state.withLock(\.poller) {
            let loop = EventLoop(engine, poller)
            loop.run()
            loop.end()
        }
        if TLSContext.wasUsed { ExitGate.dropThreadState() }
        engine.announceEnd()
    }

    private init(_ engine: Engine, _ poller: Poller) {
        (self.engine, self.poller) = (engine, poller)
        buffer = .allocate(byteCount: 256 * 1024, alignment: 16)
        table = ConnectionTable(engine, poller)
        dialer = Dialer(engine, poller, table, buffer)
        http1 = HTTP1Driver(engine, table, buffer)
        http2 = HTTP2Driver(engine, table, dialer, buffer)
    }

    deinit {
        buffer.deallocate()
    }

    private func run() {
        while true {
            wait()
            takeRound()
            for command in round.commands { obey(command) }
            for exchange in round.late { dialer.endLate(exchange.exchange, exchange.handshake) }
            for handshake in round.dials { dialer.tryNextAddress(of: handshake) }
            for connection in round.tooOld { table.close(connection) }
            for connection in round.idle { look(at: connection) }
            for connection in round.suspects { inspect(connection) }
            for (connection, isEnding) in round.ready where table.isOwn(connection, since: table.round) {
                attend(connection, isEnding: isEnding)
            }
            for connection in round.due where table.isOwn(connection, since: table.round) {
                checkTime(of: connection)
            }
            for (connection, round) in table.takePostponed() where table.isOwn(connection, since: round) {
                attend(connection, isEnding: true)
            }
            http2.settleTouched()
            http1.releaseCompleted()
            finishExchanges()
            let isOver = round.isOver
            round.clear()
            if isOver { return }
        }
    }

    private func finishExchanges() {
        http2.finishExchanges()
        http1.finishExchanges()
    }

    /// Waits until there is something to do.
    ///
    /// Waking a thread takes longer than a response from a server on the same machine or near by. So if few requests
    /// are in flight and the previous wait was short, the thread stays awake for a moment.
    private func wait() {
        guard !table.hasPostponed else { return poller.wait(into: &events, milliseconds: 0) }
        let (milliseconds, isForFew) = engine.state.withLock { state -> (Int32, Bool) in
            guard state.commands.isEmpty, !state.isDrained else { return (0, false) }
            state.wakeAt = min(state.timers.nextDue, state.deadline)
            state.isAsleep = true
            let milliseconds = Nanoseconds.milliseconds(until: state.wakeAt, from: Nanoseconds.coarseNow)
            return (milliseconds, state.pool.inFlightCount <= Self.fewMax)
        }
        guard milliseconds != 0 else { return poller.wait(into: &events, milliseconds: 0) }
        let begin = Nanoseconds.now
        poller.wait(into: &events, milliseconds: milliseconds, lookout: isForFew && isBusy ? Self.lookout : 0)
        isBusy = Nanoseconds.now - begin < Self.soon
    }

    private func takeRound() {
        table.beginRound()
        engine.state.withLock { state in
            state.isAsleep = false
            state.wakeUpCount += 1
            swap(&state.commands, &round.commands)
            for event in events where event.key != Poller.Event.wakeUp { note(event, &state) }
            let now = Nanoseconds.coarseNow
            while let target = state.timers.popDue(at: now) { note(target, at: now, &state) }
            state.takeActions()
            round.isOver = state.isDrained || state.phase == .draining && state.deadline <= now
        }
    }

    private func note(_ event: Poller.Event, _ state: inout Engine.State) {
        guard let connection = table.connection(of: event.key) else { return }
        switch connection.use.noteEvent() {
        case .attend: round.ready.append((connection, event.isEnding))
        case .look: round.idle.append(connection)
        case .leaveToCaller: return
        }
    }

    /// - Returns: Whether it was idle, and not just assigned to an exchange by the pool.
    private func takeOut(_ connection: Connection, _ state: inout Engine.State) -> Bool {
        connection.use.takeOut(wasIdle: state.pool.removeIdle(connection, of: connection.origin))
    }

    private func note(_ target: Engine.TimerTarget, at now: Int64, _ state: inout Engine.State) {
        switch target {
        case .connection(let connection) where connection.use.isCallers:
            // Checked again soon: a caller owns a connection only for a short time.
            state.timers.lower(connection.timer, to: Nanoseconds.sum(now, Engine.unwatchedMax))
        case .connection(let connection) where connection.use == .idle:
            noteIdle(connection, at: now, &state)
        case .connection(let connection):
            round.due.append(connection)
        case .exchange(let exchange):
            guard case .waiting(let ticket) = exchange.phase else { return }
            round.late.append((exchange, state.pool.handshake(of: exchange.origin)))
            state.pool.removeWaiting(ticket, of: exchange.origin, isLate: true)
            state.endWaiting(exchange)
            exchange.phase = .over
        case .handshake(let handshake, let origin):
            dialer.noteSlow(handshake, to: origin, at: now, &state)
        case .nextAddress(let handshake):
            round.dials.append(handshake)
        }
    }

    private func noteIdle(_ connection: Connection, at now: Int64, _ state: inout Engine.State) {
        let end = Nanoseconds.sum(connection.idleSince, engine.idleAgeMax)
        let watchBy = Nanoseconds.sum(connection.idleSince, Engine.unwatchedMax)
        if end <= now {
            if takeOut(connection, &state) { round.tooOld.append(connection) }
        } else if connection.isWatched {
            state.timers.lower(connection.timer, to: end)
        } else if watchBy <= now {
            if takeOut(connection, &state) { round.suspects.append(connection) }
        } else {
            state.timers.lower(connection.timer, to: watchBy)
        }
    }

    // MARK: - Connections

    /// Checks a connection that was idle at its event; a caller may own it by now.
    ///
    /// If nothing was received, it stays in the pool: the event may be for bytes that its last caller has read.
    private func look(at connection: Connection) {
        guard !connection.isClosed, connection.hasBytesOrEnd else { return }
        let isTakenOut = engine.state.withLock { state in
            connection.use == .idle && takeOut(connection, &state)
        }
        if isTakenOut { inspect(connection) }
    }

    /// Checks an idle connection that was taken out of the pool, and gives it back if it can still be used.
    private func inspect(_ connection: Connection) {
        guard !connection.isClosed else { return }
        guard connection.isSilent() else { return table.close(connection) }
        _ = connection.watch()
        table.noteRelease(of: connection)
        engine.state.withLock { state in
            connection.use.giveBack(toPool: state.pool.restoreIdle(connection, of: connection.origin))
            state.timers.lower(connection.timer, to: Nanoseconds.sum(connection.idleSince, engine.idleAgeMax))
            state.takeActions()
        }
    }

    // MARK: - Commands

    private func obey(_ command: Engine.Command) {
        switch command {
        case .start(let exchange, let connection): start(exchange, over: connection)
        case .connect(let handshake, let origin, let site): dialer.connect(handshake, origin, site)
        case .cancelHandshake(let handshake): dialer.cancelDial(handshake)
        case .identified(let handshake, let outcome): dialer.identified(handshake, outcome)
        case .resolved(let handshake, let outcome): dialer.resolved(handshake, outcome)
        case .cancel(let exchange): cancel(exchange)
        case .goOn(let exchange): goOn(exchange)
        case .attend(let connection):
            guard !connection.isClosed else { return }
            if let exchange = connection.exchange, engine.state.withLock({ _ in exchange.isCancelled }) {
                return http1.end(exchange, over: connection, CancellationError())
            }
            attend(connection, isEnding: true)
        case .close(let connection):
            if let carrier = connection.carrier { return http2.close(connection, carrier) }
            table.close(connection)
        }
    }

    // MARK: - Exchanges

    /// Handles an event of a connection that the loop owns; when it returns, a caller may own the connection.
    private func attend(_ connection: Connection, isEnding: Bool) {
        switch connection.life.stage {
        case .open: http1.attend(connection, isEnding: isEnding)
        case .shared:
            if let carrier = connection.carrier { http2.drive(connection, carrier) }
        case .connecting, .securing, .tunneling, .beginningHTTP2:
            dialer.goOn(connection)
            if connection.life.stage == .beginningHTTP2 { http2.open(connection) }
        case .closed: return
        }
    }

    /// Begins an exchange that has waited for its connection.
    private func start(_ exchange: Exchange, over connection: Connection) {
        let (isCancelled, trustsReuse) = engine.state.withLock { state in
            (exchange.isCancelled, state.pool.trustsReuse(of: exchange.origin))
        }
        if let carrier = connection.carrier, !isCancelled {
            return http2.start(exchange, over: connection, carrier, trustsReuse: trustsReuse)
        }
        http1.start(exchange, over: connection, isCancelled: isCancelled)
    }

    /// Continues an exchange whose reader or source is ready.
    private func goOn(_ exchange: Exchange) {
        let connection = engine.state.withLock { _ -> Connection? in
            guard case .active(let connection) = exchange.phase, !connection.use.isCallers else { return nil }
            return connection
        }
        guard let connection else { return }
        if let carrier = connection.carrier { return http2.goOn(exchange, over: connection, carrier) }
        http1.goOn(exchange, over: connection)
    }

    private func cancel(_ exchange: Exchange) {
        let (withdrawal, connection) = engine.state.withLock { state -> (Engine.State.Withdrawal, Connection?) in
            let withdrawal = state.withdraw(exchange)
            guard case .isOwnedByLoop = withdrawal, case .active(let connection) = exchange.phase else {
                return (withdrawal, nil)
            }
            return (withdrawal, connection)
        }
        if let connection, let carrier = connection.carrier {
            return http2.cancel(exchange, over: connection, carrier)
        }
        // A complete exchange is over at the end of this round.
        if let connection, connection.exchange === exchange {
            return http1.end(exchange, over: connection, CancellationError())
        }
        if case .isOver = withdrawal { exchange.finish(CancellationError()) }
    }

    private func checkTime(of connection: Connection) {
        if let carrier = connection.carrier { return http2.checkTimes(of: connection, carrier) }
        http1.checkTime(of: connection)
    }

    // MARK: - The end

    private func end() {
        let error = WireCause.shutDown.error("the transport was shut down")
        let exchanges = engine.state.withLock { state in
            state.phase = .ended
            return state.abandonAll()
        }
        for exchange in exchanges { exchange.finish(exchange.site?.error(error) ?? error) }
        dialer.forgetAll()
        // A caller may still own a connection for a moment.
        while true {
            let left = table.all
            if left.isEmpty { break }
            let own = engine.state.withLock { _ in left.filter { !$0.use.isCallers } }
            for connection in own {
                if let carrier = connection.carrier {
                    http2.close(connection, carrier, connection.site.error(error))
                } else if let exchange = connection.exchange {
                    http1.end(exchange, over: connection, error)
                } else {
                    table.close(connection)
                }
            }
            if own.count < left.count { usleep(100) }
        }
        finishExchanges()
        engine.state.withLock { state in
            (state.commands, state.poller) = ([], nil)
        }
    }
}
#endif
