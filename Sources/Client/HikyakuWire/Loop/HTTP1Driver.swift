#if os(Linux)
import HikyakuBase
import Glibc
import HikyakuHTTP

/// Carries the exchanges of HTTP/1.1 over the connections that the loop owns, each with one exchange at a time.
///
/// Only the loop's thread uses it.
final class HTTP1Driver {
    private let engine: Engine
    private let table: ConnectionTable
    private let buffer: UnsafeMutableRawBufferPointer
    /// Complete exchanges with their connections, which the pool gets at the end of the round.
    private var completed: [(exchange: Exchange, connection: Connection)] = []
    /// Exchanges whose callers are resumed at the end of the round.
    private var finished: [Exchange] = []

    /// How often a connection reads before others have their turn.
    private static let readsMax = 8
    /// From how many bytes on a streamed body is received directly into its reader's piece, without a copy.
    private static let directMin = 16 * 1024

    init(_ engine: Engine, _ table: ConnectionTable, _ buffer: UnsafeMutableRawBufferPointer) {
        (self.engine, self.table, self.buffer) = (engine, table, buffer)
    }

    /// Begins an exchange that has waited for its connection.
    func start(_ exchange: Exchange, over connection: Connection, isCancelled: Bool) {
        // A shared connection may have ended since the exchange was assigned to it.
        guard connection.life.stage == .open else {
            return engine.repeatExchange(exchange, from: connection, .unsent, needsNew: false)
        }
        connection.exchange = exchange
        guard !isCancelled else { return end(exchange, over: connection, CancellationError()) }
        // A new connection is not suspicious, and may have received a session ticket already.
        guard !connection.isKept || connection.isSilent() else { return lose(exchange, connection, nil) }
        exchange.begin(on: connection)
        carry(exchange, over: connection, isEnding: true)
    }

    /// Handles an event of a connection.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - isEnding: Whether the peer may have closed its side, so that reading goes on up to the end.
    func attend(_ connection: Connection, isEnding: Bool) {
        guard let exchange = connection.exchange else { return }
        carry(exchange, over: connection, isEnding: isEnding)
    }

    /// Continues an exchange whose reader or source is ready.
    func goOn(_ exchange: Exchange, over connection: Connection) {
        guard connection.exchange === exchange else { return }
        // The time that passed until now is the caller's.
        exchange.stage.move(at: Nanoseconds.coarseNow)
        exchange.isReceivingPaused = false
        carry(exchange, over: connection, isEnding: true)
    }

    /// Sends and receives as much as possible without waiting; when it returns, a caller may own the connection.
    private func carry(_ exchange: Exchange, over connection: Connection, isEnding: Bool) {
        guard !connection.isSuspect else { return lose(exchange, connection, nil) }
        guard connection.watch() else {
            let fault = IOFault(systemError: errno)
            let text = "epoll: \(fault.text)"
            return end(
                exchange,
                over: connection,
                connection.site.error(fault.isOfDescriptors ? .descriptors : .defect, text),
            )
        }
        guard send(exchange, over: connection), !exchange.isReceivingPaused else { return }
        receive(exchange, over: connection, isEnding: isEnding)
    }

    /// Sends as much of the request as possible; `false` if that has ended the exchange.
    private func send(_ exchange: Exchange, over connection: Connection) -> Bool {
        guard !exchange.sender.isSent, exchange.sendingFault == nil else { return true }
        let progress = exchange.transmit(over: connection, readsStream: true)
        if progress == .sourceFailed {
            end(exchange, over: connection, exchange.sourceError)
            return false
        }
        if progress == .more { table.postpone(connection) }
        return true
    }

    private func receive(_ exchange: Exchange, over connection: Connection, isEnding: Bool) {
        for _ in 0..<Self.readsMax {
            let wasHeld = exchange.sender.isHeld
            switch receiveOnce(exchange, over: connection) {
            case .fed(.more, let isShort):
                // The server has just agreed to the body.
                if wasHeld, !exchange.sender.isHeld, !send(exchange, over: connection) { return }
                // Bytes that come after a short read have their own event, except over TLS.
                if isShort, !isEnding, connection.tls == nil { return pause(exchange, connection) }
            case .fed(.complete, _):
                exchange.closePiece()
                // If the end of the connection came with the response, no further event reports it.
                let mayHaveEnded = isEnding || connection.hasPending
                return complete(exchange, over: connection, keeps: !mayHaveEnded || connection.isSilent())
            case .fed(.failed(let error), _):
                exchange.closePiece()
                return end(exchange, over: connection, connection.site.error(error))
            case .blocked:
                return pause(exchange, connection)
            case .full:
                pause(exchange, connection)
                if !exchange.isReceivingPaused { table.postpone(connection) }
                return
            case .end(let isProven):
                exchange.closePiece()
                return receivedEnd(exchange, connection, isProven: isProven)
            case .failed(let fault):
                exchange.closePiece()
                return lose(exchange, connection, fault)
            }
        }
        pause(exchange, connection)
        if !exchange.isReceivingPaused { table.postpone(connection) }
    }

    private enum Reading {
        case fed(Exchange.Fed, isShort: Bool)
        case blocked
        /// There is no room for more of a streamed body.
        case full
        case end(isProven: Bool)
        case failed(IOFault)
    }

    /// Receives once, and reads what came; a streamed body of known length directly into its reader's piece.
    private func receiveOnce(_ exchange: Exchange, over connection: Connection) -> Reading {
        var room = buffer.count
        var isDirect = false
        if exchange.isStreaming {
            guard let left = exchange.openPiece() else { return .fed(exchange.outOfMemory, isShort: false) }
            // Reading 0 bytes would look like the end.
            guard left > 0 else { return .full }
            isDirect = exchange.directBytes >= min(Self.directMin, left)
            room = min(left, isDirect ? exchange.directBytes : room)
        }
        let received =
            isDirect
            ? exchange.receiveToPiece(upTo: room) { connection.receive(into: $0) }
            : connection.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        switch received {
        case .bytes(let count):
            exchange.received()
            guard !isDirect else { return .fed(exchange.feedDirect(count), isShort: count < room) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            return .fed(exchange.feed(bytes), isShort: count < room)
        case .blocked: return .blocked
        case .end(let isProven): return .end(isProven: isProven)
        case .failed(let fault): return .failed(fault)
        }
    }

    /// Gives a stream's reader what was received, and stops receiving while it has enough to read.
    private func pause(_ exchange: Exchange, _ connection: Connection) {
        exchange.isReceivingPaused = exchange.closePiece()
        guard exchange.isStreaming, connection.gathering.isOn || exchange.directBytes >= Gathering.bytesMin else {
            return limitTime(of: exchange, connection)
        }
        connection.noteRead(bytesLeft: exchange.directBytes)
        limitTime(of: exchange, connection)
    }

    private func receivedEnd(_ exchange: Exchange, _ connection: Connection, isProven: Bool) {
        guard exchange.hasResponseBegun else { return lose(exchange, connection, exchange.sendingFault) }
        switch exchange.feedEnd(isProven: isProven) {
        case .complete: complete(exchange, over: connection, keeps: false)
        case .failed(let error): end(exchange, over: connection, connection.site.error(error))
        case .more: end(exchange, over: connection, Exchange.defect("a response has no end"))
        }
    }

    // MARK: - Time

    /// Sets the timer by which the loop checks the exchange's timeout.
    private func limitTime(of exchange: Exchange, _ connection: Connection) {
        guard !exchange.isHeldBack else { return }
        var end = exchange.stage.end
        if connection.gathering.isOn { end = min(end, Nanoseconds.sum(Nanoseconds.coarseNow, Gathering.delayMax)) }
        engine.state.withLock { $0.timers.lower(connection.timer, to: end) }
    }

    /// Ends the exchange of a connection if its time is up.
    func checkTime(of connection: Connection) {
        guard !connection.isClosed, let exchange = connection.exchange, !exchange.isHeldBack else { return }
        if connection.endGathering(at: Nanoseconds.now) { return carry(exchange, over: connection, isEnding: true) }
        let now = Nanoseconds.coarseNow
        guard exchange.stage.end <= now else { return limitTime(of: exchange, connection) }
        if exchange.isExpectationOver(at: now) {
            exchange.goAhead()
            return carry(exchange, over: connection, isEnding: true)
        }
        end(exchange, over: connection, connection.site.error(exchange.timeoutError))
    }

    // MARK: - Outcomes

    private func complete(_ exchange: Exchange, over connection: Connection, keeps: Bool) {
        guard keeps, exchange.keepsConnection else { return end(exchange, over: connection, nil) }
        connection.isKept = true
        connection.endGathering(at: 0, isOver: true)
        connection.exchange = nil
        exchange.prepareResponse()
        table.noteRelease(of: connection)
        completed.append((exchange, connection))
    }

    /// Gives the connections of complete exchanges to the pool, all under one lock, which callers need too.
    func releaseCompleted() {
        guard !completed.isEmpty else { return }
        engine.state.withLock { state in
            for (exchange, connection) in completed {
                state.complete(exchange, patience: engine.patience)
                state.release(connection, of: exchange.origin, idleMax: engine.idleAgeMax)
            }
            state.takeActions()
        }
        // From here on, callers may own the connections.
        for (exchange, _) in completed { finished.append(exchange) }
        completed.removeAll(keepingCapacity: true)
    }

    /// Resumes the callers of complete exchanges.
    func finishExchanges() {
        for exchange in finished { exchange.finish(nil) }
        finished.removeAll(keepingCapacity: true)
    }

    /// Ends an exchange, and closes its connection.
    func end(_ exchange: Exchange, over connection: Connection, _ error: (any Error)?) {
        connection.exchange = nil
        let error = error.map(exchange.withResponse)
        if error == nil { exchange.prepareResponse() }
        engine.state.withLock { state in
            exchange.phase = .over
            state.pool.leave(exchange.origin)
            state.takeActions()
        }
        table.close(connection)
        exchange.finish(error)
    }

    /// The connection is lost: the request is sent over a new one, if that is allowed.
    private func lose(_ exchange: Exchange, _ connection: Connection, _ fault: IOFault?) {
        let error = TransportError.lost(fault ?? exchange.sendingFault)
        let loss = exchange.sender.hasBegun ? Exchange.Loss.sent : .unsent
        if var error = exchange.prepareReplay(isAllowed: connection.isKept, loss, after: error) {
            // Nothing of the request was written.
            if loss == .unsent { error.transience = .notDone }
            return end(exchange, over: connection, connection.site.error(error))
        }
        connection.exchange = nil
        exchange.sendingFault = nil
        table.close(connection)
        engine.repeatExchange(exchange, from: connection, loss, needsNew: true)
    }
}

extension TransportError {
    /// The error for a lost connection; without a fault, the server has closed it.
    static func lost(_ fault: IOFault?) -> TransportError {
        guard let fault else {
            return WireCause.closed.error("the server closed the connection without a response")
        }
        let cause: WireCause =
            fault.tlsText != nil ? fault.tlsCause : fault.systemError == EPIPE ? .closed : .reset
        return cause.error(fault.text, underlyingError: fault.error)
    }
}
#endif
