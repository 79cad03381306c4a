@testable import Hikyaku
@testable import HikyakuEngine

/// All orders of events of one limit up to a depth, and what must hold after each.
///
/// What the limit does is compared with a plain list of the waiting requests and of the starts so far.
struct LimitExploration {
    typealias Machine = LimitMachine<Int>
    typealias Instant = ContinuousClock.Instant

    /// One event.
    enum Event: CaseIterable {
        case arriveLow, arriveHigh, arriveHurried
        case leaveFirst, leaveLast
        case end, endUnsent, endWithPause, endWithQuota, endRejected
        case wake, later
    }

    private struct Waiting {
        let id: Int
        let priority: UInt8
        let ticket: Machine.Ticket
    }

    /// What was learned last, and how many requests may still start before its window ends.
    private struct Allowance {
        let end: Instant
        var count: Int
    }

    private struct World {
        var machine: Machine
        var now: Instant
        var lastID = 0
        /// The oldest first.
        var waiting: [Waiting] = []
        /// When the requests in flight were sent.
        var sent: [Instant] = []
        var inFlight: Int { sent.count }
        var starts: [Instant] = []
        /// The numbers of the starts of those in flight.
        var numbers: [UInt64] = []
        var startsCount: UInt64 = 0
        var isLastCancelled = false
        /// How often in a row a request was admitted that was not the oldest.
        var passes = 0
        var closedUntil: Instant?
        var allowance: Allowance?
    }

    let limit: CallLimit
    let depth: Int
    private(set) var statesCount = 0
    /// The first broken rules, with the events that led to them.
    private(set) var violations: [String] = []
    private var path: [Event] = []

    init(_ limit: CallLimit, depth: Int) {
        self.limit = limit
        self.depth = depth
    }

    /// - Parameter arrivals: How many requests have arrived before, every other one with a high priority.
    mutating func run(after arrivals: Int = 0) {
        var world = World(machine: LimitMachine(limit), now: .now)
        for number in 0..<arrivals { arrive(number.isMultiple(of: 2) ? 9 : 25, nil, &world) }
        explore(world)
    }

    private mutating func explore(_ world: World) {
        guard path.count < depth, violations.count < 10 else { return }
        for event in Event.allCases {
            var world = world
            path.append(event)
            if apply(event, to: &world) {
                statesCount += 1
                checkState(world)
                explore(world)
            }
            path.removeLast()
        }
    }

    private mutating func expect(_ holds: Bool, _ rule: String) {
        if !holds, violations.count < 10 { violations.append("\(rule), after \(path)") }
    }

    /// - Returns: Whether the event is possible.
    private mutating func apply(_ event: Event, to world: inout World) -> Bool {
        switch event {
        case .arriveLow: arrive(9, nil, &world)
        case .arriveHigh: arrive(25, nil, &world)
        case .arriveHurried: arrive(25, world.now + .seconds(2), &world)
        case .leaveFirst, .leaveLast:
            let index = event == .leaveFirst ? 0 : world.waiting.count - 1
            guard world.waiting.indices.contains(index) else { return false }
            let left = world.waiting.remove(at: index)
            expect(world.machine.leave(left.ticket) == left.id, "a request that leaves gets its own place back")
            expect(world.machine.leave(left.ticket) == nil, "it leaves once")
            if index == 0 { world.passes = 0 }
            admit(&world)
        case .end, .endUnsent, .endWithPause, .endWithQuota, .endRejected:
            guard world.inFlight > 0 else { return false }
            end(event, &world)
        case .wake:
            guard let wake = world.machine.wake(at: world.now) else { return false }
            expect(wake > world.now, "the limit wakes later")
            world.now = wake
            let before = world.waiting.count
            admit(&world)
            let isBlocked = world.machine.wake(at: world.now) == nil
            expect(world.waiting.count < before || isBlocked, "nobody is woken for nothing")
        case .later:
            world.now += .seconds(7)
            admit(&world)
        }
        return true
    }

    private mutating func arrive(_ priority: UInt8, _ deadline: Instant?, _ world: inout World) {
        world.lastID += 1
        let before = world.waiting.count
        switch world.machine.arrive(world.lastID, priority: priority, deadline: deadline, at: world.now) {
        case .admitted:
            expect(world.waiting.isEmpty, "nobody overtakes those that wait")
            started(&world)
        case .waiting(let ticket):
            expect(before < max(0, limit.queueMax), "the queue has its bound")
            world.waiting.append(Waiting(id: world.lastID, priority: priority, ticket: ticket))
        case .queueFull: expect(before >= limit.queueMax, "the queue is full only at its bound")
        case .tooLate(let earliest):
            expect(deadline.map { earliest >= $0 } == true, "only a late request is rejected")
        }
        admit(&world)
    }

    private mutating func end(_ event: Event, _ world: inout World) {
        var report: QuotaReport?
        switch event {
        case .endWithPause: report = QuotaReport(pause: .seconds(3))
        case .endWithQuota: report = QuotaReport(quotas: [Quota(limit: 4, remaining: 2, resetsIn: .seconds(9))])
        case .endRejected: report = QuotaReport(isConcurrencyRejection: true)
        default: break
        }
        // The last one that was sent ends first with a quota, so that newer and older responses overtake each other.
        let sent = event == .endWithQuota ? world.sent.removeLast() : world.sent.removeFirst()
        let start = event == .endWithQuota ? world.numbers.removeLast() : world.numbers.removeFirst()
        world.machine.finish(
            event == .endUnsent ? .notSent(start: start) : .sent(report, since: sent, succeeded: true),
            at: world.now,
        )
        switch event {
        case .endUnsent:
            world.allowance?.count += 1
            // Only the last start is given back.
            if start == world.startsCount, !world.isLastCancelled {
                world.starts.removeLast()
                world.isLastCancelled = true
            }
        case .endWithPause:
            world.closedUntil = max(world.closedUntil ?? world.now, world.now + .seconds(3))
            world.allowance = nil
        case .endWithQuota:
            world.allowance = Allowance(end: world.now + .seconds(9), count: 2 - world.inFlight)
        default: break
        }
        admit(&world)
    }

    private mutating func admit(_ world: inout World) {
        for id in world.machine.admit(at: world.now) {
            guard let index = world.waiting.firstIndex(where: { $0.id == id }) else {
                expect(false, "only a waiting request is admitted, once")
                continue
            }
            let highest = world.waiting.map(\.priority).max()
            let isFirst = world.waiting.first { $0.priority == highest }?.id == id
            expect(index == 0 || isFirst, "the oldest is admitted, or the first of the highest priority")
            world.passes = index == 0 ? 0 : world.passes + 1
            expect(world.passes <= 3, "of four that are admitted, one is the oldest")
            world.waiting.remove(at: index)
            started(&world)
        }
    }

    /// Checks one start.
    private mutating func started(_ world: inout World) {
        world.startsCount += 1
        world.sent.append(world.now)
        world.numbers.append(world.startsCount)
        world.starts.append(world.now)
        world.isLastCancelled = false
        expect(world.inFlight <= limit.inFlightMax ?? .max, "no more are in flight than allowed")
        expect(world.inFlight <= world.machine.inFlightMax(at: world.now) ?? .max, "the lowered bound applies")
        expect(world.closedUntil.map { $0 <= world.now } ?? true, "nothing starts before Retry-After ends")
        if world.allowance.map({ world.now < $0.end }) == true {
            world.allowance?.count -= 1
            expect(world.allowance.map { $0.count >= 0 } == true, "no more start than the quota allows")
        }
        guard let rate = limit.rate else { return }
        let interval = rate.period / rate.count
        for (index, start) in world.starts.enumerated() {
            let count = world.starts.count - index
            let allowed = rate.burst + Int(start.duration(to: world.now) / interval)
            expect(count <= allowed, "no window has more than the rate allows")
        }
    }

    private mutating func checkState(_ world: World) {
        expect(world.machine.waitingCount == world.waiting.count, "nobody is lost")
        expect(world.machine.inFlight == world.inFlight, "the requests in flight are counted")
        if !world.waiting.isEmpty, world.inFlight == 0 {
            expect(world.machine.wake(at: world.now).map { $0 > world.now } == true, "a wake-up is due if any wait")
        }
        if world.waiting.isEmpty {
            expect(world.machine.wake(at: world.now) == nil, "nobody is woken if nobody waits")
        }
    }
}
