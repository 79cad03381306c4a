import HikyakuBase

/// The requests that wait for a connection, and how many are in flight: by origin, and in all.
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
    }

    private struct Origin: Sendable {
        var running = 0
        var isMultiplexed = false
        /// The highest priority first; of equal ones, in the order in which they came.
        var waiting: [Waiting] = []

        var isIdle: Bool { running == 0 && waiting.isEmpty }
    }

    /// How many origins without requests are kept, since their protocol is known.
    private static var idleOriginsMax: Int { 256 }

    private let limits: Limits
    private var origins: [HTTPOrigin: Origin] = [:]
    /// The origin of each request that is in flight or waits.
    private var originOf: [ObjectIdentifier: HTTPOrigin] = [:]
    private(set) var runningCount = 0
    private(set) var waitingCount = 0

    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    var isEmpty: Bool { runningCount == 0 && waitingCount == 0 }

    /// Adds a request, which starts now unless a limit is reached.
    mutating func enter(_ element: Element, origin name: HTTPOrigin, priority: UInt8) -> Entry {
        var origin = origins[name] ?? Origin()
        // A request never overtakes those of the same priority that wait already.
        let waits = !hasRoom(origin) || (origin.waiting.first.map { $0.priority >= priority } ?? false)
        if waits {
            guard waitingCount < limits.waitingMax else { return .full }
            let place = origin.waiting.partitioningIndex { $0.priority < priority }
            origin.waiting.insert(Waiting(element: element, priority: priority), at: place)
            waitingCount += 1
        } else {
            origin.running += 1
            runningCount += 1
        }
        originOf[ObjectIdentifier(element)] = name
        origins[name] = origin
        return waits ? .waits : .starts
    }

    /// Removes a request that has ended, in flight or waiting.
    ///
    /// - Returns: The requests that start now.
    mutating func leave(_ element: Element) -> [Element] {
        guard let name = originOf.removeValue(forKey: ObjectIdentifier(element)), var origin = origins[name]
        else { return [] }
        if let place = origin.waiting.firstIndex(where: { $0.element === element }) {
            origin.waiting.remove(at: place)
            waitingCount -= 1
        } else {
            origin.running -= 1
            runningCount -= 1
        }
        keep(origin, name)
        return startNext(first: name)
    }

    /// Notes whether an origin's requests share a connection.
    ///
    /// - Returns: The requests that start now.
    mutating func note(isMultiplexed: Bool, at name: HTTPOrigin) -> [Element] {
        guard var origin = origins[name], origin.isMultiplexed != isMultiplexed else { return [] }
        origin.isMultiplexed = isMultiplexed
        keep(origin, name)
        return startNext(first: name)
    }

    /// Removes all requests.
    ///
    /// - Returns: Those that waited.
    mutating func removeAll() -> [Element] {
        let waiting = origins.values.flatMap { $0.waiting.map(\.element) }
        self = WaitingLine(limits)
        return waiting
    }

    private func hasRoom(_ origin: Origin) -> Bool {
        runningCount < limits.inFlightMax && (origin.isMultiplexed || origin.running < limits.perOriginMax)
    }

    private mutating func keep(_ origin: Origin, _ name: HTTPOrigin) {
        let isForgotten = origin.isIdle && (!origin.isMultiplexed || origins.count > Self.idleOriginsMax)
        origins[name] = isForgotten ? nil : origin
    }

    /// Starts what has room now: first of the origin that has changed, then of the others if all waited for each other.
    private mutating func startNext(first name: HTTPOrigin) -> [Element] {
        var started = start(at: name)
        guard waitingCount > 0, runningCount < limits.inFlightMax else { return started }
        let others = origins.filter { !$0.value.waiting.isEmpty && hasRoom($0.value) }
            .sorted {
                ($0.value.waiting[0].priority, $1.key.description) > ($1.value.waiting[0].priority, $0.key.description)
            }
        for other in others { started += start(at: other.key) }
        return started
    }

    private mutating func start(at name: HTTPOrigin) -> [Element] {
        guard var origin = origins[name] else { return [] }
        var started: [Element] = []
        while !origin.waiting.isEmpty, hasRoom(origin) {
            started.append(origin.waiting.removeFirst().element)
            origin.running += 1
            runningCount += 1
            waitingCount -= 1
        }
        origins[name] = origin
        return started
    }
}

extension Array {
    /// The first index whose element fulfils a condition that all later ones fulfil too; the end if none does.
    fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
