#if os(Linux)
import HikyakuBase
import HikyakuHTTP

/// Drives the connections of HTTP/2, each with several exchanges.
///
/// The loop always owns them. Only the loop's thread uses this object.
final class HTTP2Driver {
    private let engine: Engine
    private let table: ConnectionTable
    private let dialer: Dialer
    private let buffer: UnsafeMutableRawBufferPointer
    /// The connections to write to at the end of the round.
    private var touched: [Connection] = []
    /// The exchanges whose callers are resumed at the end of the round.
    private var finished: [Exchange] = []

    /// How often a connection is flushed again before others have their turn.
    private static let flushesMax = 8
    /// How many times 128 KiB are read after sending failed: what the server had sent before.
    private static let readsMaxAtEnd = 512

    init(_ engine: Engine, _ table: ConnectionTable, _ dialer: Dialer, _ buffer: UnsafeMutableRawBufferPointer) {
        (self.engine, self.table, self.dialer, self.buffer) = (engine, table, dialer, buffer)
    }

    /// A handshake has made a connection on which the server chose HTTP/2.
    func open(_ connection: Connection) {
        guard let (dial, _) = connection.dial else { return table.close(connection) }
        let carrier: HTTP2Carrier
        do throws(TransportError) { carrier = try HTTP2Carrier(for: dial.site, engine.http2Limits) } catch {
            return dialer.fail(connection, dial, dial.site.error(error))
        }
        // The server's limit may have come with the end of the handshake; requests beyond it would be refused.
        let opening = receiveAll(connection, carrier)
        guard carrier.exchangesMax > 0 else {
            let error = carrier.error ?? WireCause.noStreams.error("the server accepts no requests")
            return dialer.fail(connection, dial, dial.site.error(error))
        }
        guard connection.life.handle(.sessionBegan) == [.offer] else { return table.close(connection) }
        connection.carrier = carrier
        dialer.conclude(dial, with: connection)
        let (isWanted, isIdle) = engine.state.withLock { state in
            state.beginIdleTime(of: connection, max: engine.idleAgeMax)
            let isWanted = state.pool.connectedShared(
                dial.handshake,
                connection,
                of: dial.origin,
                callsMax: carrier.exchangesMax,
            )
            let isIdle = state.pool.isIdleShared(connection, of: dial.origin)
            dialer.hastenHandshake(to: dial.origin, &state)
            state.takeActions()
            return (isWanted, isIdle)
        }
        guard isWanted else { return close(connection, carrier) }
        // The preface goes out with the first requests.
        connection.isKept = isIdle
        if isIdle { touch(connection, carrier) }
        // No event reports what is left to read.
        if case .blocked = opening { return }
        table.postpone(connection)
    }

    /// Begins an exchange that was assigned to the connection; `trustsReuse` is the origin's.
    func start(_ exchange: Exchange, over connection: Connection, _ carrier: HTTP2Carrier, trustsReuse: Bool) {
        let (isKept, now) = (connection.isKept, Nanoseconds.coarseNow)
        guard carrier.start(exchange, isOnKept: isKept, isTrusted: trustsReuse, at: now) else {
            // The connection may have run out of stream numbers, which no event reports.
            noteLimit(connection, carrier, isNew: true)
            touch(connection, carrier)
            return engine.repeatExchange(exchange, from: connection, .unsent, needsNew: false)
        }
        exchange.begin(on: connection)
        engine.state.withLock { state in
            let limits = exchange.stage.limits
            let shortest = exchange.sender.isHeld ? min(limits.shortest, limits.expectation) : limits.shortest
            let due = Nanoseconds.sum(Nanoseconds.coarseNow, shortest)
            state.timers.lower(connection.timer, to: due)
        }
        touch(connection, carrier)
    }

    /// Continues an exchange whose reader or source is ready.
    func goOn(_ exchange: Exchange, over connection: Connection, _ carrier: HTTP2Carrier) {
        carrier.goOn(exchange, at: Nanoseconds.coarseNow)
        touch(connection, carrier)
    }

    func cancel(_ exchange: Exchange, over connection: Connection, _ carrier: HTTP2Carrier) {
        carrier.abandon(exchange, CancellationError(), at: Nanoseconds.coarseNow)
        touch(connection, carrier)
    }

    /// Has the connection written to once, at the end of the round.
    private func touch(_ connection: Connection, _ carrier: HTTP2Carrier) {
        guard !carrier.isTouched else { return }
        carrier.isTouched = true
        touched.append(connection)
    }

    /// Writes to the connections that were touched.
    func settleTouched() {
        guard !touched.isEmpty else { return }
        let connections = touched
        touched.removeAll(keepingCapacity: true)
        for connection in connections {
            guard let carrier = connection.carrier else { continue }
            carrier.isTouched = false
            settle(connection, carrier)
        }
    }

    // MARK: - Bytes

    /// Reads and writes as much as possible without waiting.
    func drive(_ connection: Connection, _ carrier: HTTP2Carrier) {
        switch receiveAll(connection, carrier) {
        case .blocked: settle(connection, carrier)
        case .bytes:
            settle(connection, carrier)
            if !connection.isClosed { table.postpone(connection) }
        case .end: end(connection, carrier, nil)
        case .failed(let fault): end(connection, carrier, fault)
        }
    }

    /// Receives as much as there is, or as fits into the buffer; TLS returns it in small pieces.
    private func receiveAll(_ connection: Connection, _ carrier: HTTP2Carrier) -> Received {
        var count = 0
        defer {
            if count > 0 {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                carrier.receive(bytes, at: Nanoseconds.coarseNow)
                if carrier.hasAnswered { connection.isKept = true }
            }
        }
        while count < buffer.count / 2 {
            let received = connection.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            guard case .bytes(let more) = received else { return received }
            count += more
        }
        return .bytes(count)
    }

    /// Writes the pending output, and ends the exchanges that have an outcome.
    private func settle(_ connection: Connection, _ carrier: HTTP2Carrier) {
        let hasMore = flush(connection, carrier)
        if let fault = carrier.sendingFault {
            // What the server sent before can still be read.
            for _ in 0..<Self.readsMaxAtEnd {
                guard case .bytes = receiveAll(connection, carrier) else { break }
            }
            return end(connection, carrier, fault)
        }
        noteLimit(connection, carrier)
        deliver(connection, carrier)
        if carrier.isOver { return close(connection, carrier) }
        if hasMore { table.postpone(connection) }
    }

    /// Writes what there is; `true` if the connection may take more.
    private func flush(_ connection: Connection, _ carrier: HTTP2Carrier) -> Bool {
        for _ in 0...Self.flushesMax {
            let hasMore = carrier.flush(buffer, at: Nanoseconds.coarseNow) { bytes in
                switch connection.send(bytes) {
                case .bytes(let count): return count
                case .blocked: return 0
                case .failed(let fault):
                    carrier.sendingFault = fault
                    return 0
                }
            }
            guard hasMore else { return false }
        }
        return true
    }

    // MARK: - Outcomes

    /// Reports to the pool how many exchanges the connection can carry.
    private func noteLimit(_ connection: Connection, _ carrier: HTTP2Carrier, isNew: Bool = false) {
        guard carrier.takeNewLimit() || carrier.isRetired || isNew else { return }
        let count = carrier.exchangesMax
        if count == 0 { carrier.isRetired = true }
        engine.state.withLock { state in
            if carrier.wantsHTTP1 { state.pool.noteWantsHTTP1(connection.origin) }
            if carrier.isRetired {
                state.pool.removeShared(connection, of: connection.origin)
            } else {
                state.pool.setCallsMax(count, of: connection, connection.origin)
            }
            state.takeActions()
        }
    }

    /// Ends the exchanges that are over, and repeats those that have to be sent again.
    private func deliver(_ connection: Connection, _ carrier: HTTP2Carrier) {
        let outcomes = carrier.takeOutcomes()
        guard !outcomes.isEmpty else { return }
        connection.isKept = true
        for (exchange, outcome) in outcomes {
            guard case .complete = outcome else { continue }
            exchange.prepareResponse()
        }
        engine.state.withLock { state in
            for (exchange, outcome) in outcomes {
                switch outcome {
                case .repeated: continue
                case .complete: state.pool.noteResponse(of: exchange.origin)
                case .failed: break
                }
                state.complete(exchange)
                state.pool.leave(connection, of: exchange.origin)
            }
            if carrier.isIdle { state.beginIdleTime(of: connection, max: engine.idleAgeMax) }
            state.takeActions()
        }
        for (exchange, outcome) in outcomes {
            switch outcome {
            case .complete: finished.append(exchange)
            case .failed(let error): exchange.finish(exchange.withResponse(error))
            case .repeated(let loss, let needsNew):
                engine.repeatExchange(exchange, from: connection, loss, needsNew: needsNew)
            }
        }
    }

    /// Resumes the callers of complete exchanges.
    func finishExchanges() {
        for exchange in finished { exchange.finish(nil) }
        finished.removeAll(keepingCapacity: true)
    }

    /// The server has closed the connection, or it has failed.
    private func end(_ connection: Connection, _ carrier: HTTP2Carrier, _ fault: IOFault?) {
        carrier.connectionEnded(fault.map { .lost($0) }, at: Nanoseconds.coarseNow)
        close(connection, carrier)
    }

    /// Closes a connection after sending GOAWAY; exchanges that it still carries end with the error.
    func close(_ connection: Connection, _ carrier: HTTP2Carrier, _ error: TransportError? = nil) {
        carrier.close(error)
        if carrier.sendingFault == nil { _ = flush(connection, carrier) }
        noteLimit(connection, carrier)
        deliver(connection, carrier)
        table.close(connection)
    }

    /// Closes a connection if it is idle; `false` if a call has just got it.
    private func closeIfIdle(_ connection: Connection, _ carrier: HTTP2Carrier) -> Bool {
        let isIdle = engine.state.withLock { state in
            state.pool.removeShared(connection, of: connection.origin, onlyIfIdle: true)
        }
        if isIdle { close(connection, carrier) }
        return isIdle
    }

    // MARK: - Time

    /// Ends the exchanges that have timed out, and closes the connection if it was idle for too long.
    func checkTimes(of connection: Connection, _ carrier: HTTP2Carrier) {
        let now = Nanoseconds.coarseNow
        var next = carrier.checkTimes(at: now)
        if carrier.isIdle {
            let end = Nanoseconds.sum(connection.idleSince, engine.idleAgeMax)
            if end <= now, closeIfIdle(connection, carrier) { return }
            next = max(end, Nanoseconds.sum(now, 1_000_000))
        }
        engine.state.withLock { $0.timers.lower(connection.timer, to: next) }
        settle(connection, carrier)
    }
}
#endif
