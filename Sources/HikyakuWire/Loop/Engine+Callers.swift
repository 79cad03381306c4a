#if os(Linux)
import Glibc
import HikyakuHTTP

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
#endif
