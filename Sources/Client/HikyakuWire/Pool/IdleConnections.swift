#if os(Linux)
/// The connections of one origin that have no call, of those that carry one at a time; the last used is the next.
struct IdleConnections<Connection: AnyObject> {
    private var entries: [(connection: Connection, turn: UInt64)] = []
    /// How many were taken out to be checked.
    private var heldCount = 0

    /// Whether there are none, and none that may come back.
    var isUnused: Bool { entries.isEmpty && heldCount == 0 }
    /// When the connection that has been idle for longest became so, as a number that grows with each that does.
    var oldestTurn: UInt64? { entries.first?.turn }

    func isLast(_ connection: Connection) -> Bool { entries.last?.connection === connection }

    mutating func add(_ connection: Connection, turn: UInt64) { entries.append((connection, turn)) }
    mutating func popLast() -> Connection? { entries.popLast()?.connection }
    mutating func removeOldest() -> Connection { entries.removeFirst().connection }
    mutating func removeAll() { entries = [] }

    /// Takes a connection out, until ``endHold()``; `false` when it isn't idle.
    mutating func hold(_ connection: Connection) -> Bool {
        guard let index = entries.lastIndex(where: { $0.connection === connection }) else { return false }
        entries.remove(at: index)
        heldCount += 1
        return true
    }

    mutating func endHold() { heldCount -= 1 }
}
#endif
