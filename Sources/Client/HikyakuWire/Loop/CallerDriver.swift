#if os(Linux)
import Glibc
import HikyakuBase
import HikyakuHTTP

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
