#if os(Linux)
import HikyakuBase

extension Pool {
    /// The state of one origin.
    struct OriginState {
        let key: String
        let site: Site
        var inFlightCount = 0
        var idle = IdleConnections<Connection>()
        var shared = SharedConnections<Connection>()
        /// The handshakes in progress, the oldest first.
        var handshakes: [Handshake] = []
        private(set) var waitingCount = 0
        private var waiting = CallLines<Call>.Line()
        /// The waiting calls whose connection was dead; they get a new connection only.
        private var waitingForNew = CallLines<Call>.Line()
        var queued = WaitingLines<Call>()
        /// Whether one handshake is for all waiting calls, since its connection may be shared.
        var sharesHandshakes: Bool
        /// How many shared handshakes have failed while calls waited.
        var failedCount = 0
        /// The number of calls that the server last allowed on a shared connection; it applies to a new connection
        /// until the server sends another.
        var callsMax = Int.max
        /// Whether the server requires HTTP/1.1.
        var wantsHTTP1 = false
        var trust = ReuseTrust()
        /// Whether the origin is in the round; its queue may be empty by now.
        var isInRound = false

        init(key: String, site: Site, sharesHandshakes: Bool) {
            (self.key, self.site, self.sharesHandshakes) = (key, site, sharesHandshakes)
        }

        var isUnused: Bool {
            inFlightCount == 0 && queued.isEmpty && idle.isUnused && shared.isEmpty && handshakes.isEmpty && !isInRound
        }
    }
}

// Waiting calls; all origins have their lines in the same table.
extension Pool.OriginState {
    typealias Lines = CallLines<Call>

    /// Whether a call waits that any connection may serve.
    var hasWaitingForAny: Bool { !waiting.isEmpty }
    var hasWaitingForNew: Bool { !waitingForNew.isEmpty }

    mutating func wait(_ call: Call, needsNew: Bool = false, in lines: inout Lines) -> Lines.Ticket {
        waitingCount += 1
        return needsNew ? lines.append(call, to: &waitingForNew) : lines.append(call, to: &waiting)
    }

    /// Removes a call that waits; `nil` if it is no longer there.
    mutating func removeWaiting(_ ticket: Lines.Ticket, in lines: inout Lines) -> Call? {
        let isForNew = lines.holds(ticket, in: waitingForNew)
        return counted(isForNew ? lines.remove(ticket, from: &waitingForNew) : lines.remove(ticket, from: &waiting))
    }

    mutating func popWaitingForAny(in lines: inout Lines) -> Call? { counted(lines.popFirst(of: &waiting)) }
    mutating func popWaitingForNew(in lines: inout Lines) -> Call? { counted(lines.popFirst(of: &waitingForNew)) }

    /// Removes the call that has waited longest.
    mutating func popWaiting(in lines: inout Lines) -> Call? {
        popWaitingForNew(in: &lines) ?? popWaitingForAny(in: &lines)
    }

    private mutating func counted(_ call: Call?) -> Call? {
        if call != nil { waitingCount -= 1 }
        return call
    }
}

// Handshakes.
extension Pool.OriginState {
    /// How many handshakes there should be at least.
    var wantedHandshakeCount: Int { sharesHandshakes ? min(waitingCount, 1) : waitingCount }

    /// Whether a slow handshake would serve no call; each waiting call needs a shared one.
    var hasUnwantedHandshake: Bool { sharesHandshakes ? waitingCount == 0 : handshakes.count > waitingCount }

    mutating func removeHandshake(_ handshake: Pool.Handshake) -> Bool {
        guard let index = handshakes.firstIndex(of: handshake) else { return false }
        handshakes.remove(at: index)
        return true
    }

    /// Removes a handshake if there are more than calls that wait.
    mutating func popSurplusHandshake(oldest: Bool) -> Pool.Handshake? {
        guard handshakes.count > waitingCount else { return nil }
        return oldest ? handshakes.removeFirst() : handshakes.removeLast()
    }

    /// Notes that a handshake has failed, which is removed already.
    ///
    /// - Returns: The calls that fail with it: those without a handshake, or with shared ones all or none.
    mutating func popFailed(in lines: inout Lines) -> [Call] {
        let wantedCount = sharesHandshakes ? sharedWantedCount() : nil
        var calls: [Call] = []
        while handshakes.count < wantedCount ?? waitingCount, let call = popWaiting(in: &lines) { calls.append(call) }
        return calls
    }

    /// How many handshakes there must be for the calls to keep waiting after a shared handshake has failed.
    ///
    /// Another handshake may still succeed; with the third failure, the calls fail.
    private mutating func sharedWantedCount() -> Int {
        failedCount += 1
        return handshakes.isEmpty || failedCount >= 3 ? .max : 0
    }
}

// Idle connections, shared or not.
extension Pool.OriginState {
    /// When the connection that has been idle for longest became so; the largest number if there is none.
    var oldestIdleTurn: UInt64 { min(idle.oldestTurn ?? .max, shared.oldestIdleTurn ?? .max) }

    /// Removes the connection that has been idle for longest.
    mutating func removeOldestIdle() -> Connection? {
        idle.oldestTurn == oldestIdleTurn ? idle.removeOldest() : shared.removeOldestIdle()
    }
}
#endif
