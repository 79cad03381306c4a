#if os(Linux)
import HikyakuBase

/// Decides which call gets which connection: by origin, and in turn between the origins.
///
/// A call is *queued* until the limits allow it to be in flight, then *waiting* until it has a connection, then
/// *active*. Of the calls that are queued for an origin, the one with the highest priority is the next, and every
/// fourth time the oldest. An idle connection is given to the next call of its origin, the last used one first; a
/// *shared* connection carries several calls at a time. If there is no connection, a handshake is begun for each
/// waiting call, or one for all of them at an origin whose connections are shared. A handshake belongs to no call:
/// the first connection that is ready serves the call that has waited longest. If a waiting call is cancelled, a
/// handshake is cancelled with it. If a call got another connection, its handshake goes on and makes an idle
/// connection, unless that takes too long. The connections and handshakes of an origin are never more than the calls
/// that may be in flight to it.
///
/// A slow origin delays only its own calls, until the limit for all origins is reached. From then on, each call that
/// ends makes room for the origin whose turn is next. The pool has no effects itself: ``takeActions()`` returns what
/// has to be done, in order.
struct Pool<Site, Call, Connection: AnyObject> {
    /// An origin's index; it is valid while the origin has calls, handshakes or connections.
    typealias Origin = Int
    /// Identifies a waiting call.
    typealias Ticket = CallLines<Call>.Ticket
    typealias QueueTicket = WaitingLines<Call>.Ticket
    /// Identifies one handshake; numbers are not used again.
    typealias Handshake = UInt64

    private let limits: Limits
    private var states: [OriginState] = []
    private var origins = OriginIndex()
    private var lines = CallLines<Call>()
    private var queuedCount = 0
    /// The origins with a queued call that may be in flight, in turn.
    private var round = CallLines<Origin>()
    private var roundLine = CallLines<Origin>.Line()
    private var idleCount = 0
    private var turn: UInt64 = 0
    private var lastHandshake: Handshake = 0
    private var actions: [Action] = []

    /// How many calls have a connection or wait for one.
    private(set) var inFlightCount = 0

    init(_ limits: Limits) {
        self.limits = Limits(
            perOriginMax: max(limits.perOriginMax, 1),
            inFlightMax: max(limits.inFlightMax, 1),
            queuedMax: max(limits.queuedMax, 0),
        )
    }

    /// How many calls may be queued.
    var queuedMax: Int { limits.queuedMax }
    /// Whether no call is in flight or queued.
    var isEmpty: Bool { inFlightCount == 0 && queuedCount == 0 }
    var hasActions: Bool { !actions.isEmpty }

    /// Takes the actions that have to be carried out, in order.
    mutating func takeActions() -> [Action] {
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }

    // MARK: - Origins

    func origin(_ key: String) -> Origin? { origins[key] }

    /// Adds an origin, unless it is there.
    mutating func addOrigin(_ key: String, _ site: Site, sharesHandshakes: Bool = false) -> Origin {
        if let origin = origins[key] { return origin }
        let origin = origins.add(key) { [states] in states[$0].isUnused }
        let state = OriginState(key: key, site: site, sharesHandshakes: sharesHandshakes)
        if origin < states.count { states[origin] = state } else { states.append(state) }
        return origin
    }

    /// Notes that an origin's connections take one call each, so that each call needs a handshake.
    mutating func noteUnshared(_ origin: Origin) {
        guard states[origin].sharesHandshakes else { return }
        states[origin].sharesHandshakes = false
        connectWaiting(origin)
    }

    /// Notes that an origin requires HTTP/1.1.
    mutating func noteWantsHTTP1(_ origin: Origin) {
        states[origin].wantsHTTP1 = true
        noteUnshared(origin)
    }

    func wantsHTTP1(_ origin: Origin) -> Bool { states[origin].wantsHTTP1 }

    /// Notes that a response is complete; ``release(_:of:)`` does so by itself.
    mutating func noteResponse(of origin: Origin) { states[origin].trust.earn() }

    /// Notes that a request is sent once more without a retry of the client.
    mutating func noteLoss(of origin: Origin) { states[origin].trust.lose() }

    func trustsReuse(of origin: Origin) -> Bool { states[origin].trust.isGiven }

    func site(of origin: Origin) -> Site { states[origin].site }
    /// Whether one handshake is for all waiting calls of an origin.
    func sharesHandshakes(_ origin: Origin) -> Bool { states[origin].sharesHandshakes }
    /// The oldest handshake in progress.
    func handshake(of origin: Origin) -> Handshake? { states[origin].handshakes.first }
    /// The newest handshake that waiting calls share; if it is slow, another one is begun.
    func newestShared(of origin: Origin) -> Handshake? {
        let state = states[origin]
        return state.sharesHandshakes && state.waitingCount > 0 ? state.handshakes.last : nil
    }

    // MARK: - Calls

    /// An idle connection for a call that may be in flight at once; `nil` if the call has to be admitted.
    mutating func takeAtOnce(for origin: Origin) -> Connection? {
        guard mayEnter(origin), let connection = takeIdle(origin) else { return nil }
        enter(origin)
        return connection
    }

    /// Assigns a connection to a call, lets it wait, queues it by its priority, or rejects it.
    mutating func admit(_ call: Call, to origin: Origin, priority: @autoclosure () -> UInt8) -> Admission {
        guard mayEnter(origin) else {
            guard queuedCount < limits.queuedMax else { return .full }
            queuedCount += 1
            let ticket = states[origin].queued.append(call, priority: priority())
            enterRound(origin)
            return .queued(ticket)
        }
        enter(origin)
        if let connection = takeShared(origin) { return .shared(connection) }
        if let connection = takeIdle(origin) { return .connection(connection) }
        return .waiting(wait(call, origin))
    }

    /// Has a call wait again that gives up its connection.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - origin: The call's origin.
    ///   - connection: The connection that it gives up.
    ///   - needsNew: Whether existing connections may be dead too; then it gets a new one, before all other calls.
    /// - Returns: The call's ticket, unless an action gives it a connection.
    mutating func readmit(_ call: Call, to origin: Origin, from connection: Connection, needsNew: Bool) -> Ticket {
        noteDeparture(from: connection, origin)
        let ticket = states[origin].wait(call, needsNew: needsNew, in: &lines)
        serveShared(origin)
        connectWaiting(origin)
        return ticket
    }

    /// Removes a queued call; `nil` if it is no longer queued.
    @discardableResult
    mutating func removeQueued(_ ticket: QueueTicket, of origin: Origin) -> Call? {
        guard let call = states[origin].queued.remove(ticket) else { return nil }
        queuedCount -= 1
        return call
    }

    /// Removes a waiting call, which is no longer in flight.
    ///
    /// - Parameters:
    ///   - ticket: The call's ticket.
    ///   - origin: The call's origin.
    ///   - isLate: Whether it waited too long, so that the oldest handshake is given up rather than the newest.
    /// - Returns: The call; `nil` if it is no longer waiting.
    @discardableResult
    mutating func removeWaiting(_ ticket: Ticket, of origin: Origin, isLate: Bool = false) -> Call? {
        guard let call = states[origin].removeWaiting(ticket, in: &lines) else { return nil }
        if !states[origin].sharesHandshakes {
            cancelHandshake(of: origin, oldest: isLate)
        } else if states[origin].waitingCount == 0 {
            cancelSharedHandshakes(of: origin)
        }
        leave(origin)
        return call
    }

    /// A call ended, and its connection with it.
    mutating func leave(_ origin: Origin) {
        states[origin].inFlightCount -= 1
        inFlightCount -= 1
        enterRound(origin)
        if !roundLine.isEmpty { advance() }
    }

    /// A call has its response, and its connection can carry another.
    ///
    /// - Returns: Whether the connection is idle; otherwise it has another call by an action, or is closed by one.
    @discardableResult
    mutating func release(_ connection: Connection, of origin: Origin) -> Bool {
        noteResponse(of: origin)
        if trustsReuse(of: origin) { give(connection, origin) } else { actions.append(.close(connection)) }
        leave(origin)
        return isIdle(connection, origin)
    }

    // MARK: - Shared connections

    /// A handshake has made a connection that takes several calls.
    ///
    /// - Returns: Whether it is needed; its calls are in the actions.
    mutating func connectedShared(
        _ handshake: Handshake,
        _ connection: Connection,
        of origin: Origin,
        callsMax: Int,
    ) -> Bool {
        guard states[origin].removeHandshake(handshake) else { return false }
        (states[origin].sharesHandshakes, states[origin].failedCount) = (true, 0)
        turn += 1
        states[origin].shared.add(connection, callsMax: min(callsMax, states[origin].callsMax), turn: turn)
        idleCount += 1
        serveThoseForNew(origin, connection)
        serveShared(origin)
        connectWaiting(origin)
        if idleCount > limits.inFlightMax { closeOldestIdle() }
        return true
    }

    func isIdleShared(_ connection: Connection, of origin: Origin) -> Bool {
        states[origin].shared.isIdle(connection)
    }

    /// Sets how many calls a shared connection takes, at least 1.
    mutating func setCallsMax(_ callsMax: Int, of connection: Connection, _ origin: Origin) {
        states[origin].callsMax = callsMax
        states[origin].shared.setCallsMax(callsMax, of: connection)
        serveShared(origin)
    }

    /// A call on a shared connection ended.
    mutating func leave(_ connection: Connection, of origin: Origin) {
        noteDeparture(from: connection, origin)
        serveShared(origin)
        leave(origin)
    }

    /// Assigns no further call to a shared connection; its calls continue.
    ///
    /// - Returns: `false` where it isn't shared any more, or isn't idle and was to be.
    @discardableResult
    mutating func removeShared(_ connection: Connection, of origin: Origin, onlyIfIdle: Bool = false) -> Bool {
        guard let wasIdle = states[origin].shared.remove(connection, onlyIfIdle: onlyIfIdle) else { return false }
        if wasIdle { idleCount -= 1 }
        return true
    }

    // MARK: - Connections

    /// Takes a connection out of those that are idle, until ``restoreIdle(_:of:)`` or ``dropIdle(of:)``; `false` when
    /// it isn't idle.
    mutating func removeIdle(_ connection: Connection, of origin: Origin) -> Bool {
        guard states[origin].idle.hold(connection) else { return false }
        idleCount -= 1
        return true
    }

    /// A connection that was taken out doesn't come back.
    mutating func dropIdle(of origin: Origin) {
        states[origin].idle.endHold()
    }

    /// Gives a connection back that was taken out by ``removeIdle(_:of:)``.
    ///
    /// - Returns: Whether it is idle; otherwise it has a call by an action.
    mutating func restoreIdle(_ connection: Connection, of origin: Origin) -> Bool {
        states[origin].idle.endHold()
        give(connection, origin)
        return isIdle(connection, origin)
    }

    /// A handshake has made a connection.
    ///
    /// - Returns: Whether it is idle; otherwise it has a call by an action. `nil` if it is no longer needed.
    mutating func connected(_ handshake: Handshake, _ connection: Connection, of origin: Origin) -> Bool? {
        guard states[origin].removeHandshake(handshake) else { return nil }
        if let call = states[origin].popWaitingForNew(in: &lines) {
            start(call, connection, origin)
        } else {
            give(connection, origin)
        }
        return isIdle(connection, origin)
    }

    /// A handshake failed.
    ///
    /// - Returns: The calls that fail with it. If more calls wait than handshakes are left, that is the one that has
    ///   waited longest; with shared handshakes, it is all calls or none.
    mutating func failed(_ handshake: Handshake, of origin: Origin) -> [Call] {
        guard states[origin].removeHandshake(handshake) else { return [] }
        let calls = states[origin].popFailed(in: &lines)
        if states[origin].sharesHandshakes, states[origin].waitingCount == 0 { cancelSharedHandshakes(of: origin) }
        for _ in calls { leave(origin) }
        return calls
    }

    /// Notes that a shared handshake is slow: if it is the newest, another one is begun.
    ///
    /// - Parameters:
    ///   - handshake: The handshake.
    ///   - origin: Its origin.
    ///   - isStalled: Whether it has taken so long that it is replaced if no further handshake is allowed.
    mutating func isSlow(_ handshake: Handshake, of origin: Origin, isStalled: Bool = false) {
        let state = states[origin]
        guard state.sharesHandshakes, state.waitingCount > 0 else { return }
        if state.handshakes.count < limits.perOriginMax {
            if state.handshakes.last == handshake { connect(origin) }
        } else if isStalled, states[origin].removeHandshake(handshake) {
            actions.append(.cancel(handshake))
            connect(origin)
        }
    }

    /// Gives up a slow handshake that no call waits for; `true` if it is gone.
    mutating func giveUpUnwanted(_ handshake: Handshake, of origin: Origin) -> Bool {
        guard states[origin].hasUnwantedHandshake else { return false }
        if states[origin].removeHandshake(handshake) { actions.append(.cancel(handshake)) }
        return true
    }

    /// Empties all lines and forgets all handshakes and idle connections.
    mutating func removeAll() -> [Call] {
        var calls: [Call] = []
        for origin in states.indices {
            while let call = states[origin].popWaiting(in: &lines) {
                calls.append(call)
                states[origin].inFlightCount -= 1
                inFlightCount -= 1
            }
            while let call = states[origin].queued.popNext() { calls.append(call) }
            states[origin].idle.removeAll()
            states[origin].handshakes = []
            states[origin].shared = SharedConnections()
            states[origin].isInRound = false
        }
        (idleCount, queuedCount, actions) = (0, 0, [])
        (round, roundLine) = (CallLines(), CallLines.Line())
        return calls
    }
}

extension Pool {
    private func hasRoom(_ origin: Origin) -> Bool { states[origin].inFlightCount < limits.perOriginMax }

    /// Whether a call may be in flight without being queued; calls that are queued already come first.
    private func mayEnter(_ origin: Origin) -> Bool {
        inFlightCount < limits.inFlightMax && roundLine.isEmpty && states[origin].queued.isEmpty && hasRoom(origin)
    }

    private mutating func enter(_ origin: Origin) {
        states[origin].inFlightCount += 1
        inFlightCount += 1
    }

    private mutating func wait(_ call: Call, _ origin: Origin) -> Ticket {
        let ticket = states[origin].wait(call, in: &lines)
        connectWaiting(origin)
        return ticket
    }

    /// Begins as many handshakes as there are calls for.
    private mutating func connectWaiting(_ origin: Origin) {
        while states[origin].handshakes.count < states[origin].wantedHandshakeCount { connect(origin) }
    }

    /// Cancels a handshake if there are more than calls that wait; `false` when there aren't.
    @discardableResult
    private mutating func cancelHandshake(of origin: Origin, oldest: Bool) -> Bool {
        guard let handshake = states[origin].popSurplusHandshake(oldest: oldest) else { return false }
        actions.append(.cancel(handshake))
        return true
    }

    /// Cancels shared handshakes that no call waits for.
    private mutating func cancelSharedHandshakes(of origin: Origin) {
        states[origin].failedCount = 0
        while cancelHandshake(of: origin, oldest: true) {}
    }

    private mutating func connect(_ origin: Origin) {
        lastHandshake += 1
        states[origin].handshakes.append(lastHandshake)
        actions.append(.connect(lastHandshake, origin))
    }

    /// Gives a connection that no call has to the first waiting one, or keeps it.
    private mutating func give(_ connection: Connection, _ origin: Origin) {
        guard let call = states[origin].popWaitingForAny(in: &lines) else { return addIdle(connection, origin) }
        start(call, connection, origin)
    }

    /// Whether a connection that was just given back is idle.
    private func isIdle(_ connection: Connection, _ origin: Origin) -> Bool {
        states[origin].idle.isLast(connection)
    }

    private mutating func start(_ call: Call, _ connection: Connection, _ origin: Origin) {
        actions.append(.start(call, connection))
        // The other calls may need a handshake of their own now.
        connectWaiting(origin)
    }

    private mutating func takeIdle(_ origin: Origin) -> Connection? {
        guard let connection = states[origin].idle.popLast() else { return nil }
        idleCount -= 1
        return connection
    }

    private mutating func takeShared(_ origin: Origin, _ connection: Connection? = nil) -> Connection? {
        guard let taken = states[origin].shared.take(connection) else { return nil }
        if taken.wasIdle { idleCount -= 1 }
        return taken.connection
    }

    /// Assigns waiting calls to shared connections, as far as these have room.
    private mutating func serveShared(_ origin: Origin) {
        while states[origin].hasWaitingForAny, let connection = takeShared(origin),
            let call = states[origin].popWaitingForAny(in: &lines)
        {
            actions.append(.start(call, connection))
            if states[origin].waitingCount == 0 { cancelSharedHandshakes(of: origin) }
        }
    }

    /// Assigns the calls that need a new connection to this new one, as far as it has room.
    private mutating func serveThoseForNew(_ origin: Origin, _ connection: Connection) {
        while states[origin].hasWaitingForNew, takeShared(origin, connection) != nil,
            let call = states[origin].popWaitingForNew(in: &lines)
        {
            actions.append(.start(call, connection))
        }
    }

    private mutating func noteDeparture(from connection: Connection, _ origin: Origin) {
        turn += 1
        guard states[origin].shared.leave(connection, turn: turn) else { return }
        idleCount += 1
        if idleCount > limits.inFlightMax { closeOldestIdle() }
    }

    private mutating func addIdle(_ connection: Connection, _ origin: Origin) {
        turn += 1
        states[origin].idle.add(connection, turn: turn)
        idleCount += 1
        if idleCount > limits.inFlightMax { closeOldestIdle() }
    }

    private mutating func closeOldestIdle() {
        if let connection = takeOldestIdle() { actions.append(.close(connection)) }
    }

    /// Takes out the connection, of any origin, that has been idle for longest.
    mutating func takeOldestIdle() -> Connection? {
        let oldest = states.indices.min { states[$0].oldestIdleTurn < states[$1].oldestIdleTurn }
        guard let oldest, let connection = states[oldest].removeOldestIdle() else { return nil }
        idleCount -= 1
        return connection
    }

    // MARK: - The round

    /// Puts queued calls in flight, in turn between the origins, until a limit is reached.
    private mutating func advance() {
        while inFlightCount < limits.inFlightMax, let origin = round.popFirst(of: &roundLine) {
            states[origin].isInRound = false
            guard hasRoom(origin), let call = states[origin].queued.popNext() else { continue }
            queuedCount -= 1
            enter(origin)
            if let connection = takeShared(origin) ?? takeIdle(origin) {
                actions.append(.start(call, connection))
            } else {
                // The call waits before a handshake is begun for it, so that the actions come in that order.
                actions.append(.wait(call, states[origin].wait(call, in: &lines)))
                connectWaiting(origin)
            }
            enterRound(origin)
        }
    }

    /// Adds an origin to the end of the round, if it has a queued call that may be in flight and is not in the round.
    private mutating func enterRound(_ origin: Origin) {
        guard !states[origin].queued.isEmpty, !states[origin].isInRound, hasRoom(origin) else { return }
        states[origin].isInRound = true
        _ = round.append(origin, to: &roundLine)
    }
}
#endif
