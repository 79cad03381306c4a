#if os(Linux)
/// The connections of one origin that carry several calls at a time, and how many each may take.
struct SharedConnections<Connection: AnyObject> {
    private struct Entry {
        let connection: Connection
        var callsMax: Int
        var callCount = 0
        /// When it became idle, as a number that grows with each connection that does.
        var turn: UInt64
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    /// When the connection that has been idle for longest became so.
    var oldestIdleTurn: UInt64? { entries.filter { $0.callCount == 0 }.map(\.turn).min() }

    mutating func add(_ connection: Connection, callsMax: Int, turn: UInt64) {
        entries.append(Entry(connection: connection, callsMax: callsMax, turn: turn))
    }

    /// Assigns one more call to the oldest connection that has room, so that the others may become idle.
    ///
    /// - Parameter wanted: The only connection that may be used, if there is one.
    /// - Returns: The connection, and whether it was idle; `nil` if no connection has room.
    mutating func take(_ wanted: Connection?) -> (connection: Connection, wasIdle: Bool)? {
        let found = entries.firstIndex { entry in
            entry.callCount < entry.callsMax && (wanted == nil || entry.connection === wanted)
        }
        guard let index = found else { return nil }
        entries[index].callCount += 1
        return (entries[index].connection, entries[index].callCount == 1)
    }

    func isIdle(_ connection: Connection) -> Bool {
        index(of: connection).map { entries[$0].callCount == 0 } ?? false
    }

    /// A call has left its connection.
    ///
    /// - Returns: Whether the connection has become idle; `false` for one that was removed and takes no further calls.
    mutating func leave(_ connection: Connection, turn: UInt64) -> Bool {
        guard let index = index(of: connection) else { return false }
        entries[index].callCount -= 1
        guard entries[index].callCount == 0 else { return false }
        entries[index].turn = turn
        return true
    }

    /// Sets how many calls a connection may carry; calls beyond that limit continue.
    mutating func setCallsMax(_ callsMax: Int, of connection: Connection) {
        guard let index = index(of: connection) else { return }
        entries[index].callsMax = callsMax
    }

    /// Removes a connection, whose calls continue.
    ///
    /// - Returns: Whether it was idle; `nil` if it was not here, or is not idle although `onlyIfIdle` was set.
    mutating func remove(_ connection: Connection, onlyIfIdle: Bool = false) -> Bool? {
        guard let index = index(of: connection) else { return nil }
        let isIdle = entries[index].callCount == 0
        guard isIdle || !onlyIfIdle else { return nil }
        entries.remove(at: index)
        return isIdle
    }

    /// Removes the connection that has been idle for longest.
    mutating func removeOldestIdle() -> Connection? {
        guard let turn = oldestIdleTurn,
            let index = entries.firstIndex(where: { $0.callCount == 0 && $0.turn == turn })
        else { return nil }
        return entries.remove(at: index).connection
    }

    private func index(of connection: Connection) -> Int? {
        entries.firstIndex { $0.connection === connection }
    }
}
#endif
