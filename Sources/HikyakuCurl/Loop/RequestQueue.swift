#if os(Linux)
/// Who may be on the way, and who waits: in a line for each origin, and by turns between the origins.
///
/// A slow service so holds up nobody but those who want it too, until the limit for all is reached; and from then on,
/// whatever ends makes room for the origin that has waited longest for its turn. Nothing here takes longer when more
/// is waiting.
struct RequestQueue<Element> {
    struct Limits {
        /// How many may be on the way to one origin, as long as it isn't known to take several over one connection.
        var perOriginMax: Int
        /// How many may be on the way in all.
        var inFlightMax: Int
        /// How many may wait in all.
        var queuedMax: Int
    }

    /// An origin's place; it holds as long as something of the origin is on the way or waits.
    typealias Origin = Int
    /// A place in a line; it holds as long as its element waits.
    typealias Ticket = Int

    enum Admission: Equatable {
        /// The element may go at once.
        case now(Origin)
        case later(Ticket)
        /// There is no more room to wait.
        case full
    }

    /// How many may be on the way to an origin that takes several over one connection, at least.
    ///
    /// So many libcurl sends over one. For more it opens further connections, each of which the server may refuse.
    static var streamsPerConnection: Int { 100 }

    private struct Place {
        var key: String
        var inFlightCount = 0
        var limit: Int
        var isMultiplexed = false
        var first = -1
        var last = -1
        /// Whether the origin stands in the round, though perhaps with nobody left in its line.
        var isInRound = false
        var nextInRound = -1

        var isUnused: Bool { inFlightCount == 0 && first < 0 && !isInRound }
    }

    private struct Entry {
        var element: Element?
        var origin: Origin
        var previous = -1
        var next = -1
    }

    private let limits: Limits
    private var places: [Place] = []
    private var freePlaces: [Origin] = []
    private var origins: [String: Origin] = [:]
    private var originCountToPrune = RequestQueue.originCountMin
    private var entries: [Entry] = []
    private var freeEntries: [Ticket] = []
    private var firstInRound = -1
    private var lastInRound = -1
    private var lastOrigin: (prefix: String, origin: Origin)?

    /// How many of the elements are on the way.
    private(set) var inFlightCount = 0
    /// How many of them wait.
    private(set) var count = 0

    private static var originCountMin: Int { 256 }

    init(_ limits: Limits) {
        self.limits = Limits(
            perOriginMax: max(limits.perOriginMax, 1),
            inFlightMax: max(limits.inFlightMax, 1),
            queuedMax: max(limits.queuedMax, 0),
        )
    }

    var isEmpty: Bool { count == 0 }

    // MARK: - Coming and going

    /// Lets an element go, puts it in its line, or refuses it.
    ///
    /// - Parameters:
    ///   - element: What wants to go.
    ///   - url: Where to.
    ///   - needsConnection: Whether it shares no connection, whatever the origin takes: it then has another line.
    /// - Returns: Which of the three.
    mutating func admit(_ element: Element, to url: String, needsConnection: Bool = false) -> Admission {
        var origin = origin(of: url)
        if needsConnection, places[origin].isMultiplexed { origin = unsharedPlace(of: origin) }
        // Who waits for the next turn comes first.
        if inFlightCount < limits.inFlightMax, firstInRound < 0, places[origin].first < 0, hasRoom(origin) {
            places[origin].inFlightCount += 1
            inFlightCount += 1
            return .now(origin)
        }
        guard count < limits.queuedMax else { return .full }
        let ticket = enqueue(element, origin)
        enterRound(origin)
        return .later(ticket)
    }

    /// Makes room: one on the way to the origin is no more.
    mutating func leave(_ origin: Origin) {
        places[origin].inFlightCount -= 1
        inFlightCount -= 1
        enterRound(origin)
    }

    /// The next one that may go, until no more may.
    mutating func next() -> (Element, Origin)? {
        while inFlightCount < limits.inFlightMax, firstInRound >= 0 {
            let origin = leaveRound()
            guard hasRoom(origin), places[origin].first >= 0, let element = remove(places[origin].first) else {
                continue
            }
            places[origin].inFlightCount += 1
            inFlightCount += 1
            enterRound(origin)
            return (element, origin)
        }
        return nil
    }

    /// Takes an element out of its line; `nil` when it isn't there any more.
    @discardableResult
    mutating func remove(_ ticket: Ticket) -> Element? {
        guard entries.indices.contains(ticket), let element = entries[ticket].element else { return nil }
        let entry = entries[ticket]
        if entry.previous >= 0 {
            entries[entry.previous].next = entry.next
        } else {
            places[entry.origin].first = entry.next
        }
        if entry.next >= 0 {
            entries[entry.next].previous = entry.previous
        } else {
            places[entry.origin].last = entry.previous
        }
        entries[ticket].element = nil
        freeEntries.append(ticket)
        count -= 1
        return element
    }

    /// Empties all lines.
    mutating func removeAll() -> [Element] {
        let tickets = entries.indices.filter { entries[$0].element != nil }
        return tickets.compactMap { remove($0) }
    }

    /// Notes whether the origin takes several requests over one connection.
    mutating func note(_ origin: Origin, isMultiplexed: Bool) {
        guard places[origin].isMultiplexed != isMultiplexed else { return }
        places[origin].isMultiplexed = isMultiplexed
        places[origin].limit = limit(isMultiplexed: isMultiplexed)
        enterRound(origin)
    }

    /// Whether the origin is known to take several requests over one connection.
    func isMultiplexed(_ origin: Origin) -> Bool { places[origin].isMultiplexed }

    /// Whether others are on the way to the origin beside the one that asks.
    func hasSeveral(_ origin: Origin) -> Bool { places[origin].inFlightCount > 1 }

    // MARK: - Lines and the round

    private func hasRoom(_ origin: Origin) -> Bool { places[origin].inFlightCount < places[origin].limit }

    private func limit(isMultiplexed: Bool) -> Int {
        isMultiplexed ? max(limits.perOriginMax, Self.streamsPerConnection) : limits.perOriginMax
    }

    private mutating func enqueue(_ element: Element, _ origin: Origin) -> Ticket {
        let entry = Entry(element: element, origin: origin, previous: places[origin].last)
        let ticket: Ticket
        if let free = freeEntries.popLast() {
            ticket = free
            entries[ticket] = entry
        } else {
            ticket = entries.count
            entries.append(entry)
        }
        if entry.previous >= 0 { entries[entry.previous].next = ticket } else { places[origin].first = ticket }
        places[origin].last = ticket
        count += 1
        return ticket
    }

    /// Puts an origin at the end of the round, if one of its line may go and it isn't in there.
    private mutating func enterRound(_ origin: Origin) {
        guard places[origin].first >= 0, !places[origin].isInRound, hasRoom(origin) else { return }
        places[origin].isInRound = true
        places[origin].nextInRound = -1
        if lastInRound >= 0 { places[lastInRound].nextInRound = origin } else { firstInRound = origin }
        lastInRound = origin
    }

    private mutating func leaveRound() -> Origin {
        let origin = firstInRound
        firstInRound = places[origin].nextInRound
        if firstInRound < 0 { lastInRound = -1 }
        places[origin].isInRound = false
        return origin
    }

    // MARK: - Origins

    private mutating func origin(of url: String) -> Origin {
        if let lastOrigin, OriginKey.hasPrefix(url, lastOrigin.prefix) { return lastOrigin.origin }
        let key = OriginKey.key(of: url)
        let origin = origins[key] ?? makePlace(key)
        lastOrigin = (OriginKey.prefix(of: url), origin)
        return origin
    }

    /// The place for those that don't share the origin's connection, beside which they have theirs.
    private mutating func unsharedPlace(of origin: Origin) -> Origin {
        // No URL has a blank.
        let key = places[origin].key + " unshared"
        return origins[key] ?? makePlace(key, limit: max(limits.perOriginMax - 1, 1))
    }

    private mutating func makePlace(_ key: String, limit: Int? = nil) -> Origin {
        if origins.count >= originCountToPrune { prune() }
        let place = Place(key: key, limit: limit ?? limits.perOriginMax)
        let origin: Origin
        if let free = freePlaces.popLast() {
            origin = free
            places[origin] = place
        } else {
            origin = places.count
            places.append(place)
        }
        origins[key] = origin
        return origin
    }

    /// Forgets origins that nobody wants at the moment, so that there aren't ever more of them.
    private mutating func prune() {
        for (key, origin) in origins where places[origin].isUnused {
            origins[key] = nil
            freePlaces.append(origin)
        }
        // Twice as many as are left: so looking through them costs the same for each that comes.
        originCountToPrune = max(Self.originCountMin, origins.count * 2)
        lastOrigin = nil
    }
}
#endif
