#if os(Linux)
import Glibc
import HikyakuHTTP

// What a caller does with a connection that it owns.
extension Engine {
    /// For how long a caller that is alone stays awake for the answer: 60 us in nanoseconds.
    private static let lookout: Int64 = 60_000
    /// How long a connection may be idle without being watched: 100 ms in nanoseconds.
    static let unwatchedMax: Int64 = 100_000_000

    /// Writes a request on its caller's thread, and leaves the rest to the loop.
    func write(_ exchange: Exchange, over connection: Connection) {
        connection.exchange = exchange
        let isWhole = begin(exchange, over: connection)
        if !connection.isWatched { watch(connection) }
        giveBack(connection, exchange, mustAttend: !isWhole)
    }

    /// Sends as much of a request as goes without waiting; `false` where that isn't all.
    private func begin(_ exchange: Exchange, over connection: Connection) -> Bool {
        guard connection.isSilent() else {
            connection.isSuspect = true
            return false
        }
        exchange.begin(on: connection)
        return exchange.transmit(over: connection, readsStream: false) == .sent
    }

    /// Adds the connection to the loop's poller again, which reports at once what came before.
    private func watch(_ connection: Connection) {
        connection.isWatched = connection.poller.add(connection.descriptor, key: connection.key)
    }

    private func giveBack(_ connection: Connection, _ exchange: Exchange, mustAttend: Bool) {
        let poller = state.withLock { state in
            connection.owner = .loop
            if mustAttend || connection.hasMissedEvent || exchange.isCancelled || state.phase != .running {
                connection.hasMissedEvent = false
                state.commands.append(.attend(connection))
            }
            return state.sleeper()
        }
        poller?.wakeUp()
    }

    // MARK: - A caller that is alone

    enum Attempt {
        /// Nothing was done: the exchange is to be submitted.
        case notBegun
        /// The exchange has its outcome.
        case over((any Error)?)
        /// The request is on its way, and the caller still owns the connection: ``handOver(_:_:)`` is next.
        case begun(Connection)
    }

    /// Carries a whole exchange on its caller's thread, if it is alone and the one before was answered within
    /// ``patience``.
    ///
    /// To wake the loop's thread, and this one again, takes as long as a server on the same machine needs. But the
    /// thread is one of the few that run all tasks, and so it stays for ``lookout`` at most.
    func attempt(_ exchange: Exchange) -> Attempt {
        guard exchange.mayBeQuick, let connection = takeQuick(exchange) else { return .notBegun }
        connection.exchange = exchange
        if connection.isWatched {
            connection.poller.remove(connection.descriptor)
            connection.isWatched = false
        }
        guard begin(exchange, over: connection) else { return .begun(connection) }
        let begin = Nanoseconds.now
        return withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 16) { room in
            while true {
                switch connection.receive(into: room) {
                case .bytes(let count):
                    let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
                    exchange.received()
                    switch exchange.feed(bytes) {
                    case .more: continue
                    case .complete:
                        release(connection, exchange)
                        return .over(nil)
                    case .failed(let error):
                        abandon(connection, exchange)
                        return .over(connection.site.error(error))
                    }
                case .blocked:
                    guard Nanoseconds.now - begin < Self.lookout else {
                        state.withLock { $0.quickOrigin = -1 }
                        return .begun(connection)
                    }
                    sched_yield()
                case .end, .failed:
                    // The loop reads the same once more, and knows what to do.
                    return .begun(connection)
                }
            }
        }
    }

    /// Gives the loop a connection whose exchange isn't over.
    func handOver(_ exchange: Exchange, _ connection: Connection) {
        watch(connection)
        state.withLock { $0.isCallerWaiting = false }
        giveBack(connection, exchange, mustAttend: true)
    }

    private func takeQuick(_ exchange: Exchange) -> Connection? {
        state.withLock { state in
            guard state.quickOrigin >= 0, !state.isCallerWaiting, state.phase == .running, !exchange.isCancelled,
                state.isLastComplete, state.origin(of: exchange.url) == state.quickOrigin
            else { return nil }
            (exchange.origin, exchange.site) = (state.quickOrigin, state.pool.site(of: state.quickOrigin))
            guard let connection = state.pool.takeAtOnce(for: exchange.origin) else { return nil }
            state.lend(connection, to: exchange)
            state.isCallerWaiting = true
            return connection
        }
    }

    private func release(_ connection: Connection, _ exchange: Exchange) {
        exchange.prepareResponse()
        guard exchange.keepsConnection else { return abandon(connection, exchange) }
        connection.exchange = nil
        let isWatched = connection.isWatched
        let poller = state.withLock { state in
            connection.owner = .loop
            _ = state.complete(exchange)
            state.carriedCount += 1
            state.isCallerWaiting = false
            let now = Nanoseconds.coarseNow
            connection.idleSince = now
            connection.hasMissedEvent = false
            connection.isIdle = state.pool.release(connection, of: exchange.origin)
            // The loop watches it again when no caller has come back by then.
            let due = Nanoseconds.sum(now, isWatched ? idleAgeMax : min(idleAgeMax, Self.unwatchedMax))
            state.timers.lower(connection.timer, to: due)
            state.takeActions()
            return state.sleeper()
        }
        poller?.wakeUp()
    }

    /// Leaves a connection to the loop that can't be used any more.
    private func abandon(_ connection: Connection, _ exchange: Exchange) {
        connection.exchange = nil
        let poller = state.withLock { state in
            connection.owner = .loop
            exchange.phase = .over
            state.isCallerWaiting = false
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
