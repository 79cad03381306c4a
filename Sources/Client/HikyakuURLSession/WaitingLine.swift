import HikyakuBase

/// The requests that wait for a connection, and those in flight: by origin, and in all.
///
/// URLSession itself would hold a task back without a word: its first byte's time would run while it waits, and a later
/// request could not overtake it. So a task is started when its origin has a free connection. Over HTTP/2 and HTTP/3
/// many requests share a connection: an origin that is known to use these has no limit of its own.
struct WaitingLine<Element: AnyObject & Sendable>: Sendable {
    /// The limits of one transport.
    struct Limits: Sendable {
        /// Requests in flight, over all origins.
        var inFlightMax = 1024
        /// Requests in flight to one origin over HTTP/1.1, where each has a connection.
        var perOriginMax = 64
        var waitingMax = 10_000
    }

    /// What becomes of a request that was added.
    enum Entry {
        case starts, waits, full
    }

    private struct Waiting: Sendable {
        let element: Element
        let priority: UInt8
        /// Which one it was of all that have waited.
        let order: UInt64
    }

    private struct Origin: Sendable {
        var runningCount = 0
        var isMultiplexed = false
        var waiting = WaitingLines<Waiting>()

        var isIdle: Bool { runningCount == 0 && waiting.isEmpty }
    }

    /// Where a request is; it is retained, so that no other one can have its identifier.
    private struct Place: Sendable {
        let element: Element
        let origin: HTTPOrigin
        /// `nil` for a request in flight.
        var ticket: WaitingLines<Waiting>.Ticket?
    }

    /// How many origins without requests are kept, since their protocol is known.
    private static var idleOriginsMax: Int { 256 }

    private let limits: Limits
    private var origins: [HTTPOrigin: Origin] = [:]
    private var places: [ObjectIdentifier: Place] = [:]
    private(set) var runningCount = 0
    private var lastOrder: UInt64 = 0
    /// How many were started after they had waited.
    private var startedCount: UInt64 = 0

    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    var waitingCount: Int { places.count - runningCount }
    var isEmpty: Bool { places.isEmpty }

    /// Whether a request is in flight.
    func isRunning(_ element: Element) -> Bool {
        places[ObjectIdentifier(element)].map { $0.ticket == nil } ?? false
    }

    /// Adds a request, which starts now unless a limit is reached.
    mutating func enter(_ element: Element, origin name: HTTPOrigin, priority: UInt8) -> Entry {
        var origin = origins[name] ?? Origin()
        var place = Place(element: element, origin: name)
        // What waits already has room only for a moment, since it is started as soon as it has.
        if hasRoom(origin) {
            origin.runningCount += 1
            runningCount += 1
        } else {
            guard waitingCount < limits.waitingMax else { return .full }
            lastOrder += 1
            let waiting = Waiting(element: element, priority: priority, order: lastOrder)
            place.ticket = origin.waiting.append(waiting, priority: priority)
        }
        places[ObjectIdentifier(element)] = place
        origins[name] = origin
        return place.ticket == nil ? .starts : .waits
    }

    /// Removes a request that has ended, in flight or waiting; does nothing if it was removed before.
    ///
    /// - Returns: The requests that start now.
    mutating func leave(_ element: Element) -> [Element] {
        guard let place = places.removeValue(forKey: ObjectIdentifier(element)), var origin = origins[place.origin]
        else { return [] }
        if let ticket = place.ticket {
            _ = origin.waiting.remove(ticket)
        } else {
            origin.runningCount -= 1
            runningCount -= 1
        }
        keep(origin, place.origin)
        return startNext()
    }

    /// Notes whether an origin's requests share a connection.
    ///
    /// - Returns: The requests that start now.
    mutating func note(isMultiplexed: Bool, at name: HTTPOrigin) -> [Element] {
        guard var origin = origins[name], origin.isMultiplexed != isMultiplexed else { return [] }
        origin.isMultiplexed = isMultiplexed
        keep(origin, name)
        return startNext()
    }

    /// Removes all requests, and returns them.
    mutating func removeAll() -> [Element] {
        let elements = places.values.map(\.element)
        self = WaitingLine(limits)
        return elements
    }

    private func hasRoom(_ origin: Origin) -> Bool {
        runningCount < limits.inFlightMax && (origin.isMultiplexed || origin.runningCount < limits.perOriginMax)
    }

    private mutating func keep(_ origin: Origin, _ name: HTTPOrigin) {
        let isForgotten = origin.isIdle && (!origin.isMultiplexed || origins.count > Self.idleOriginsMax)
        origins[name] = isForgotten ? nil : origin
    }

    /// Starts what has room now: over all origins the highest priority first, and every fourth time the oldest.
    private mutating func startNext() -> [Element] {
        var started: [Element] = []
        while waitingCount > 0, runningCount < limits.inFlightMax {
            guard let name = originToStart, var origin = origins[name], let next = origin.waiting.popNext() else {
                break
            }
            origin.runningCount += 1
            runningCount += 1
            startedCount &+= 1
            origins[name] = origin
            places[ObjectIdentifier(next.element)]?.ticket = nil
            started.append(next.element)
        }
        return started
    }

    private var originToStart: HTTPOrigin? {
        var first: (name: HTTPOrigin, waiting: Waiting)?
        for (name, origin) in origins where hasRoom(origin) {
            guard let next = origin.waiting.next else { continue }
            if first.map({ isBefore(next, $0.waiting) }) ?? true { first = (name, next) }
        }
        return first?.name
    }

    private func isBefore(_ one: Waiting, _ other: Waiting) -> Bool {
        guard startedCount % 4 != 3, one.priority != other.priority else { return one.order < other.order }
        return one.priority > other.priority
    }
}
