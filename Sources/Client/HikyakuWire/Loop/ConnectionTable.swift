#if os(Linux)
import HikyakuBase
import HikyakuHTTP

/// The connections of one loop, by the keys under which the poller reports their events.
///
/// Only the loop's thread uses it.
final class ConnectionTable {
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

    private let engine: Engine
    private let poller: Poller
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    /// Connections that have more to read, but let others go first: each once.
    private var postponed: [Connection] = []
    /// The number of the loop's present round.
    private(set) var round: UInt64 = 0

    init(_ engine: Engine, _ poller: Poller) {
        (self.engine, self.poller) = (engine, poller)
    }

    var all: [Connection] { slots.compactMap(\.connection) }

    func beginRound() {
        round += 1
    }

    func connection(of key: UInt64) -> Connection? {
        let slot = Int(key & 0xFFFF_FFFF)
        guard slot < slots.count, slots[slot].turn == UInt32(truncatingIfNeeded: key >> 32) else { return nil }
        return slots[slot].connection
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

    /// Notes that the pool gets a connection, which a caller may own from then on.
    func noteRelease(of connection: Connection) {
        slots[connection.slot].release = round
    }

    /// Whether a connection that the loop owned in that round, and that was in use, still is.
    func isOwn(_ connection: Connection, since round: UInt64) -> Bool {
        self.connection(of: connection.key) === connection && slots[connection.slot].release < round
    }

    /// Has a connection read on after the others have had their turn.
    func postpone(_ connection: Connection) {
        if connection.postponedIn == 0 { postponed.append(connection) }
        connection.postponedIn = round
    }

    var hasPostponed: Bool { !postponed.isEmpty }

    /// Takes the connections that were postponed in an earlier round, with that round; others have to wait.
    func takePostponed() -> [(connection: Connection, round: UInt64)] {
        guard hasPostponed else { return [] }
        let due = postponed.filter { $0.postponedIn < round }.map { ($0, $0.postponedIn) }
        postponed.removeAll { $0.postponedIn < round }
        for (connection, _) in due { connection.postponedIn = 0 }
        return due
    }

    /// Ends a connection that the loop owns and that is no longer in the pool; one that has ended is ignored.
    func close(_ connection: Connection) {
        if connection.life.handle(.ended) == [.close] { remove(connection) }
    }

    /// Closes the socket of a connection whose life has ended.
    func remove(_ connection: Connection) {
        connection.close()
        slots[connection.slot].connection = nil
        freeSlots.append(connection.slot)
        engine.state.withLock { state in
            state.timers.remove(connection.timer)
            if connection.use == .examined { state.pool.dropIdle(of: connection.origin) }
            connection.use.giveBack()
        }
    }
}
#endif
