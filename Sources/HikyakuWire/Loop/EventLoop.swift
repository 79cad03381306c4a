#if os(Linux)
import HikyakuBase
import Glibc
import HikyakuHTTP

/// The thread of one transport: it opens and closes connections, reads all responses, and handles the timeouts.
///
/// It works in rounds: wait for events, take the work under the lock, do it. Only the thread uses this object.
final class EventLoop {
    let engine: Engine
    let poller: Poller
    var dials: [UInt64: Dial] = [:]
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var events: [Poller.Event] = []
    private var round = Round()
    /// Connections of HTTP/2 to write to at the end of the round.
    var touched: [Connection] = []
    /// Complete exchanges with their connections, which the pool gets at the end of the round.
    var completed: [(exchange: Exchange, connection: Connection)] = []
    /// Exchanges whose callers are resumed at the end of the round.
    var finished: [Exchange] = []
    /// Connections that have more to read, but let others go first: each once.
    private var unfinished: [Connection] = []
    private var roundNumber: UInt64 = 0
    /// Whether the last wait was over ``soon``.
    private var isBusy = false
    /// The buffer for all received bytes.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)

    /// How long calls wait for a shared handshake before another one begins: 250 ms in nanoseconds.
    static let slowHandshake: Int64 = 250_000_000
    /// How long a handshake may take if no call waits for it: 10 s in nanoseconds.
    static let unwantedHandshake: Int64 = 10_000_000_000
    /// How long a shared handshake may take if no further one is allowed: 20 s in nanoseconds.
    private static let stalledHandshake: Int64 = 20_000_000_000

    /// How long the thread stays awake if few requests are in flight: 50 us in nanoseconds.
    private static let lookout: Int64 = 50_000
    /// How many requests are few; with more, a response is due at almost any time.
    private static let fewMax = 8
    /// How long the previous wait may have taken: 80 us in nanoseconds.
    private static let soon: Int64 = 80_000

    /// The place of a connection, whose index is part of the connection's key.
    private struct Slot {
        var connection: Connection?
        /// How many connections the slot has had; the other part of the key, so that no key is used twice.
        var turn: UInt32 = 0
        /// The round in which the connection was last given to the pool.
        ///
        /// A caller may own it since then, so that what was noted of it before is outdated.
        var release: UInt64 = 0
    }

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
    }

    deinit {
        buffer.deallocate()
    }

    private func run() {
        while true {
            wait()
            takeRound()
            for command in round.commands { obey(command) }
            for exchange in round.late { endLate(exchange.exchange, exchange.handshake) }
            for handshake in round.dials { tryNextAddress(of: handshake) }
            for connection in round.tooOld { close(connection) }
            for connection in round.idle { look(at: connection) }
            for connection in round.suspects { inspect(connection) }
            for (connection, isEnding) in round.ready where isOwn(connection, since: roundNumber) {
                attend(connection, isEnding: isEnding)
            }
            for connection in round.due where isOwn(connection, since: roundNumber) { checkTime(of: connection) }
            finishUnfinished()
            settleTouched()
            releaseCompleted()
            for exchange in finished { exchange.finish(nil) }
            finished.removeAll(keepingCapacity: true)
            let isOver = round.isOver
            round.clear()
            if isOver { return }
        }
    }

    /// Waits until there is something to do.
    ///
    /// Waking a thread takes longer than a response from a server on the same machine or near by. So if few requests
    /// are in flight and the previous wait was short, the thread stays awake for a moment.
    private func wait() {
        guard unfinished.isEmpty else { return poller.wait(into: &events, milliseconds: 0) }
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
        roundNumber += 1
        engine.state.withLock { state in
            state.isAsleep = false
            swap(&state.commands, &round.commands)
            for event in events where event.key != Poller.Event.wakeUp { note(event, &state) }
            let now = Nanoseconds.coarseNow
            while let target = state.timers.popDue(at: now) { note(target, at: now, &state) }
            state.takeActions()
            round.isOver = state.isDrained || state.phase == .draining && state.deadline <= now
        }
    }

    private func note(_ event: Poller.Event, _ state: inout Engine.State) {
        guard let connection = connection(of: event.key) else { return }
        if connection.owner == .caller {
            connection.hasMissedEvent = true
        } else if connection.isIdle {
            round.idle.append(connection)
        } else {
            round.ready.append((connection, event.isEnding))
        }
    }

    private func takeOut(_ connection: Connection, _ state: inout Engine.State) {
        connection.isTakenOut = state.pool.removeIdle(connection, of: connection.origin)
        connection.isIdle = false
    }

    private func note(_ target: Engine.TimerTarget, at now: Int64, _ state: inout Engine.State) {
        switch target {
        case .connection(let connection) where connection.owner == .caller:
            // Checked again soon: a caller owns a connection only for a short time.
            state.timers.lower(connection.timer, to: Nanoseconds.sum(now, Engine.unwatchedMax))
        case .connection(let connection) where connection.isIdle:
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
            guard let dial = dials[handshake], let timer = dial.timer else { return }
            // Another handshake would wait for the same two look-ups.
            let mustWait = dial.isLookingUp && dials.values.contains { $0 !== dial && $0.waits(with: dial) }
            if !mustWait {
                state.pool.isSlow(handshake, of: origin, isStalled: now - dial.begin >= Self.stalledHandshake)
            }
            guard !state.pool.giveUpUnwanted(handshake, of: origin) else { return }
            let time = mustWait ? Self.slowHandshake : Self.unwantedHandshake
            state.timers.lower(timer, to: Nanoseconds.sum(now, time))
        case .nextAddress(let handshake):
            round.dials.append(handshake)
        }
    }

    private func noteIdle(_ connection: Connection, at now: Int64, _ state: inout Engine.State) {
        let end = Nanoseconds.sum(connection.idleSince, engine.idleAgeMax)
        let watchBy = Nanoseconds.sum(connection.idleSince, Engine.unwatchedMax)
        if end <= now {
            takeOut(connection, &state)
            round.tooOld.append(connection)
        } else if connection.isWatched {
            state.timers.lower(connection.timer, to: end)
        } else if watchBy <= now {
            takeOut(connection, &state)
            round.suspects.append(connection)
        } else {
            state.timers.lower(connection.timer, to: watchBy)
        }
    }

    // MARK: - Connections

    func connection(of key: UInt64) -> Connection? {
        let slot = Int(key & 0xFFFF_FFFF)
        guard slot < slots.count, slots[slot].turn == UInt32(truncatingIfNeeded: key >> 32) else { return nil }
        return slots[slot].connection
    }

    /// Notes that the pool gets a connection, which a caller may own from then on.
    func noteRelease(of connection: Connection) {
        slots[connection.slot].release = roundNumber
    }

    /// Whether a connection that the loop owned in that round, and that was in use, still is.
    private func isOwn(_ connection: Connection, since round: UInt64) -> Bool {
        self.connection(of: connection.key) === connection && slots[connection.slot].release < round
    }

    /// Makes a connection of a socket.
    func makeConnection(_ descriptor: Int32, for dial: Dial, attempt: Int) -> Connection {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(Slot()) }
        slots[slot].turn &+= 1
        let key = UInt64(slots[slot].turn) << 32 | UInt64(slot)
        let connection = Connection(descriptor, for: dial, attempt: attempt, poller, key: key, engine.gathering)
        slots[slot].connection = connection
        engine.state.withLock { connection.timer = $0.timers.add(.connection(connection), due: .max) }
        return connection
    }

    /// Closes a connection that the loop owns and that is no longer in the pool.
    func close(_ connection: Connection) {
        guard !connection.isClosed else { return }
        connection.close()
        slots[connection.slot].connection = nil
        freeSlots.append(connection.slot)
        engine.state.withLock { state in
            state.timers.remove(connection.timer)
            if connection.isTakenOut { state.pool.dropIdle(of: connection.origin) }
            connection.isTakenOut = false
        }
    }

    /// Checks a connection that was idle at its event; a caller may own it by now.
    ///
    /// If nothing was received, it stays in the pool: the event may be for bytes that its last caller has read.
    private func look(at connection: Connection) {
        guard !connection.isClosed, connection.hasBytesOrEnd else { return }
        let isTakenOut = engine.state.withLock { state in
            guard connection.isIdle else { return false }
            takeOut(connection, &state)
            return connection.isTakenOut
        }
        if isTakenOut { inspect(connection) }
    }

    /// Checks an idle connection that was taken out of the pool, and gives it back if it can still be used.
    private func inspect(_ connection: Connection) {
        guard !connection.isClosed else { return }
        guard connection.isSilent() else { return close(connection) }
        _ = connection.watch()
        noteRelease(of: connection)
        engine.state.withLock { state in
            connection.isTakenOut = false
            connection.isIdle = state.pool.restoreIdle(connection, of: connection.origin)
            state.timers.lower(connection.timer, to: Nanoseconds.sum(connection.idleSince, engine.idleAgeMax))
            state.takeActions()
        }
    }

    // MARK: - Commands

    private func obey(_ command: Engine.Command) {
        switch command {
        case .start(let exchange, let connection): start(exchange, over: connection)
        case .connect(let handshake, let origin, let site): connect(handshake, origin, site)
        case .cancelHandshake(let handshake): cancelDial(handshake)
        case .identified(let handshake, let outcome): identified(handshake, outcome)
        case .resolved(let handshake, let outcome): resolved(handshake, outcome)
        case .cancel(let exchange): cancel(exchange)
        case .goOn(let exchange): goOn(exchange)
        case .attend(let connection):
            guard !connection.isClosed else { return }
            if let exchange = connection.exchange, engine.state.withLock({ _ in exchange.isCancelled }) {
                return end(exchange, over: connection, CancellationError())
            }
            attend(connection, isEnding: true)
        case .close(let connection):
            if case .http2(let carrier) = connection.stage { return close(connection, carrier) }
            close(connection)
        }
    }

    /// Has a connection read on after the others have had their turn.
    func postpone(_ connection: Connection) {
        if connection.postponedIn == 0 { unfinished.append(connection) }
        connection.postponedIn = roundNumber
    }

    private func finishUnfinished() {
        guard !unfinished.isEmpty else { return }
        let connections = unfinished
        unfinished.removeAll(keepingCapacity: true)
        for connection in connections {
            let round = connection.postponedIn
            // Connections postponed in this round continue in the next one.
            guard round < roundNumber else {
                unfinished.append(connection)
                continue
            }
            connection.postponedIn = 0
            if isOwn(connection, since: round) { attend(connection, isEnding: true) }
        }
    }

    // MARK: - The end

    private func end() {
        let error = TransportError(.shutDown, "the transport was shut down")
        let exchanges = engine.state.withLock { state in
            state.phase = .ended
            return state.abandonAll()
        }
        for exchange in finished { exchange.finish(nil) }
        finished = []
        for exchange in exchanges { exchange.finish(exchange.site?.error(error) ?? error) }
        for dial in Array(dials.values) { forget(dial) }
        // A caller may still own a connection for a moment.
        while true {
            let left = slots.compactMap(\.connection)
            if left.isEmpty { break }
            let own = engine.state.withLock { _ in left.filter { $0.owner == .loop } }
            for connection in own {
                if case .http2(let carrier) = connection.stage {
                    close(connection, carrier, connection.site.error(error))
                } else if let exchange = connection.exchange {
                    end(exchange, over: connection, error)
                } else {
                    close(connection)
                }
            }
            if own.count < left.count { usleep(100) }
        }
        engine.state.withLock { state in
            (state.commands, state.poller) = ([], nil)
        }
    }
}
#endif
