@testable import Hikyaku
@testable import HikyakuEngine

/// All orders of events of the limits of a group and of its origin up to a depth, and what must hold after each.
///
/// A request is admitted by its group, then by the origin, and holds its place in the group while it waits for the
/// origin, as in `LimitStep`. Some requests have no group.
struct TwoLimitsExploration {
    typealias Machine = LimitMachine<Int>
    typealias Instant = ContinuousClock.Instant

    enum Event: CaseIterable {
        case arriveInGroup, arriveHighInGroup, arriveOutside, arriveHurried
        case leaveGroup, leaveOrigin
        case end, endWithPause, endGroupQuota, endRejected
        case wake
    }

    private enum Stage {
        case waiting(limit: Int, Machine.Ticket)
        case sent(Instant)
    }

    private struct Request {
        /// 0 for one of the group, 1 for one of the origin alone.
        let firstLimit: Int
        let priority: UInt8
        let deadline: Instant?
        var stage: Stage?
        /// The number of its start in each limit.
        var starts: [UInt64?] = [nil, nil]
    }

    private struct World {
        /// The group's, and the origin's.
        var machines: [Machine]
        var now: Instant
        var lastID = 0
        /// Those that wait or are in flight.
        var requests: [Int: Request] = [:]
        var closedUntil: Instant?
        var sentCount = 0
    }

    let group: CallLimit
    let origin: CallLimit
    let depth: Int
    private(set) var statesCount = 0
    /// The first broken rules, with the events that led to them.
    private(set) var violations: [String] = []
    private var path: [Event] = []

    init(group: CallLimit, origin: CallLimit, depth: Int) {
        (self.group, self.origin, self.depth) = (group, origin, depth)
    }

    mutating func run() {
        explore(World(machines: [LimitMachine(group), LimitMachine(origin)], now: .now))
    }

    private mutating func explore(_ world: World) {
        guard path.count < depth, violations.count < 10 else { return }
        for event in Event.allCases {
            var world = world
            path.append(event)
            if apply(event, to: &world) {
                statesCount += 1
                checkState(world)
                checkEnd(world)
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
        case .arriveInGroup: arrive(in: 0, 9, nil, &world)
        case .arriveHighInGroup: arrive(in: 0, 25, nil, &world)
        case .arriveOutside: arrive(in: 1, 9, nil, &world)
        case .arriveHurried: arrive(in: 0, 25, world.now + .seconds(2), &world)
        case .leaveGroup: return leave(0, &world)
        case .leaveOrigin: return leave(1, &world)
        case .end, .endWithPause, .endGroupQuota, .endRejected: return end(event, &world)
        case .wake:
            guard let next = world.machines.compactMap({ $0.wake(at: world.now) }).min() else { return false }
            expect(next > world.now, "a limit wakes later")
            world.now = next
            settle(&world)
        }
        return true
    }

    private mutating func arrive(in first: Int, _ priority: UInt8, _ deadline: Instant?, _ world: inout World) {
        world.lastID += 1
        world.requests[world.lastID] = Request(firstLimit: first, priority: priority, deadline: deadline)
        advance(world.lastID, to: first, &world)
        settle(&world)
    }

    /// Lets a request try to get a place of a limit, and the next one after it.
    private mutating func advance(_ id: Int, to limit: Int, _ world: inout World) {
        guard let request = world.requests[id] else { return expect(false, "only a request in the path advances") }
        guard limit < 2 else {
            world.requests[id]?.stage = .sent(world.now)
            world.sentCount += 1
            return expect(world.closedUntil.map { $0 <= world.now } ?? true, "nothing starts before Retry-After ends")
        }
        switch world.machines[limit].arrive(id, priority: request.priority, deadline: request.deadline, at: world.now) {
        case .admitted:
            world.requests[id]?.starts[limit] = world.machines[limit].startsCount
            advance(id, to: limit + 1, &world)
        case .waiting(let ticket): world.requests[id]?.stage = .waiting(limit: limit, ticket)
        case .queueFull, .tooLate: giveBack(id, &world)
        }
    }

    /// Ends a request that was not sent.
    private mutating func giveBack(_ id: Int, _ world: inout World) {
        guard let request = world.requests.removeValue(forKey: id) else { return }
        for (limit, start) in request.starts.enumerated() {
            if let start { world.machines[limit].finish(.notSent(start: start), at: world.now) }
        }
    }

    private mutating func leave(_ limit: Int, _ world: inout World) -> Bool {
        let waiting = world.requests.keys.sorted().first { id in
            if case .waiting(limit, _) = world.requests[id]?.stage { return true }
            return false
        }
        guard let id = waiting, case .waiting(_, let ticket) = world.requests[id]?.stage else { return false }
        expect(world.machines[limit].leave(ticket) == id, "a request that leaves gets its own place back")
        giveBack(id, &world)
        settle(&world)
        return true
    }

    private mutating func end(_ event: Event, _ world: inout World) -> Bool {
        let inFlight = world.requests.keys.sorted().first { id in
            if case .sent = world.requests[id]?.stage { return true }
            return false
        }
        guard let id = inFlight, let request = world.requests.removeValue(forKey: id),
            case .sent(let since) = request.stage
        else { return false }
        var reports: [QuotaReport?] = [nil, nil]
        switch event {
        case .endWithPause:
            reports[1] = QuotaReport(pause: .seconds(3))
            world.closedUntil = max(world.closedUntil ?? world.now, world.now + .seconds(3))
        case .endGroupQuota:
            reports[request.firstLimit] = QuotaReport(quotas: [Quota(limit: 4, remaining: 1, resetsIn: .seconds(9))])
        case .endRejected: reports[request.firstLimit] = QuotaReport(isConcurrencyRejection: true)
        default: break
        }
        // The origin first, as the step does.
        for limit in [1, 0] where request.starts[limit] != nil {
            world.machines[limit].finish(.sent(reports[limit], since: since, succeeded: true), at: world.now)
            admit(limit, &world)
        }
        settle(&world)
        return true
    }

    private mutating func admit(_ limit: Int, _ world: inout World) {
        let ids = world.machines[limit].admit(at: world.now)
        let first = world.machines[limit].startsCount &- UInt64(ids.count)
        for (index, id) in ids.enumerated() {
            guard case .waiting(limit, _) = world.requests[id]?.stage else {
                expect(false, "only a waiting request is admitted, once")
                continue
            }
            world.requests[id]?.stage = nil
            world.requests[id]?.starts[limit] = first &+ UInt64(index) &+ 1
        }
        for id in ids { advance(id, to: limit + 1, &world) }
    }

    /// Lets both limits admit what they can, until nothing changes.
    private mutating func settle(_ world: inout World) {
        var before = -1
        while before != counts(world) {
            before = counts(world)
            for limit in [1, 0] { admit(limit, &world) }
        }
    }

    /// Changes with each request that is admitted or removed.
    private func counts(_ world: World) -> Int {
        world.machines.reduce(world.requests.count * 1_000_000) { $0 + $1.waitingCount * 1_000 + Int($1.startsCount) }
    }

    private mutating func checkState(_ world: World) {
        for (limit, machine) in world.machines.enumerated() {
            let holders = world.requests.values.count { $0.starts[limit] != nil }
            let waiting = world.requests.values.count {
                if case .waiting(limit, _) = $0.stage { true } else { false }
            }
            expect(machine.inFlight == holders, "each place is held by one request, and none is lost")
            expect(machine.waitingCount == waiting, "nobody is lost")
            expect(
                machine.inFlight <= [group, origin][limit].inFlightMax ?? .max,
                "no more are in flight than allowed",
            )
            if waiting > 0, holders == 0 {
                expect(machine.wake(at: world.now).map { $0 > world.now } == true, "a wake-up is due if any wait")
            }
        }
        let outside = world.requests.values.count { $0.stage == nil }
        expect(outside == 0, "each request waits or is in flight")
    }

    /// From each state, all requests end if those in flight do, and time passes: the limits don't block each other.
    private mutating func checkEnd(_ world: World) {
        var world = world
        for _ in 0..<200 where !world.requests.isEmpty {
            if !apply(.end, to: &world), !apply(.wake, to: &world) { break }
        }
        expect(world.requests.isEmpty, "every request ends")
        expect(
            world.machines.allSatisfy { $0.inFlight == 0 && $0.waitingCount == 0 },
            "all places are free at the end",
        )
    }
}
