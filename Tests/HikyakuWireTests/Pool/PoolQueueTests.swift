#if os(Linux)
import HikyakuBase
import TestSupport
import Testing

@testable import HikyakuWire

/// The order in which a pool lets calls go, and its limits, where every handshake succeeds at once.
@Suite struct PoolQueueTests {
    private func queue(perOrigin: Int = 2, inFlight: Int = 100, queued: Int = 100) -> TestQueue {
        TestQueue(perOrigin: perOrigin, inFlight: inFlight, queued: queued)
    }

    @Test func anOriginTakesAsManyAsItsLimitAndTheRestInTheirOrder() {
        var queue = queue()
        #expect(queue.admit(5, "a") == ["a0", "a1"])
        #expect(queue.pool.inFlightCount == 2)
        #expect(queue.end("a0") == ["a2"])
        #expect(queue.end("a2") == ["a3"])
        #expect(queue.end("a1") == ["a4"])
        #expect(queue.end("a4").isEmpty && queue.pool.inFlightCount == 1)
        #expect(queue.end("a3").isEmpty && queue.pool.isEmpty)
    }

    @Test(arguments: [true, false])
    func aConnectionThatEndsMakesRoomAsOneThatIsKept(_ keeps: Bool) {
        var queue = queue(perOrigin: 1)
        _ = queue.admit(3, "a")
        #expect(queue.end("a0", keeps: keeps) == ["a1"])
        #expect(queue.end("a1", keeps: keeps) == ["a2"])
        #expect(queue.connectionCount == (keeps ? 1 : 3))
    }

    @Test func aFullOriginHoldsUpNoOther() {
        var queue = queue()
        #expect(queue.admit(50, "slow").count == 2)
        #expect(queue.admit(2, "quick").count == 2)
    }

    @Test func originsTakeTurnsWhenThereIsRoomForOneOnly() {
        var queue = queue(perOrigin: 10, inFlight: 1)
        var call = queue.admit(1, "first").first
        for (host, count) in [("a", 4), ("b", 2), ("c", 1)] { #expect(queue.admit(count, host).isEmpty) }
        var order: [String] = []
        while let last = call {
            let next = queue.end(last)
            #expect(next.count <= 1)
            call = next.first
            order += next
        }
        #expect(order == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"])
    }

    @Test func aHighPriorityIsNextAndEveryFourthIsTheOldest() {
        var queue = queue(perOrigin: 1, queued: 1_000)
        _ = queue.admit(641, "a", priority: 9)
        for number in 0..<4 { _ = queue.admit("high\(number)", "a", priority: 25) }
        _ = queue.admit("middle", "a", priority: 21)
        var order = ["a0"]
        while let next = queue.end(order[order.count - 1]).first { order.append(next) }
        let first = ["a0", "high0", "high1", "high2", "a1", "high3", "middle", "a2", "a3"]
        #expect(order.prefix(first.count) == first[...])
        #expect(order.dropFirst(first.count) == (4...640).map { "a\($0)" }[...], "the others keep their order")
        #expect(queue.pool.isEmpty)
    }

    /// Of calls with a high priority that never end to come.
    @Test func aLowPriorityDoesNotWaitForever() {
        var queue = queue(perOrigin: 1)
        #expect(queue.admit("first", "a") == .now)
        for number in 0..<10 { _ = queue.admit("low\(number)", "a", priority: 9) }
        var (call, order) = ("first", [String]())
        for number in 0..<40 {
            _ = queue.admit("high\(number)", "a", priority: 25)
            call = queue.end(call).first ?? ""
            order.append(call)
        }
        #expect(order.filter { $0.hasPrefix("low") } == (0..<10).map { "low\($0)" })
        #expect(order.prefix(4) == ["high0", "high1", "high2", "low0"])
    }

    @Test func aPriorityIsThatOfItsOriginOnly() {
        var queue = queue(perOrigin: 10, inFlight: 1)
        #expect(queue.admit("first", "first") == .now)
        _ = queue.admit(2, "a", priority: 9)
        for call in ["b0", "b1"] { _ = queue.admit(call, "b", priority: 25) }
        var order = ["first"]
        while let next = queue.end(order[order.count - 1]).first { order.append(next) }
        #expect(order.dropFirst() == ["a0", "b0", "a1", "b1"])
    }

    @Test func onlyTheQueueNeedsAPriority() {
        var pool = Pool<String, String, TestQueue.Line>(.init(perOriginMax: 1, inFlightMax: 1, queuedMax: 1))
        let origin = pool.addOrigin("a", "")
        var count = 0
        func priority() -> UInt8 {
            count += 1
            return 21
        }
        _ = pool.admit("a0", to: origin, priority: priority())
        #expect(count == 0)
        _ = pool.admit("a1", to: origin, priority: priority())
        #expect(count == 1)
        guard case .full = pool.admit("a2", to: origin, priority: priority()) else { return #expect(Bool(false)) }
        #expect(count == 1)
    }

    @Test func waitingCallsPrecedeNewOnes() {
        var queue = queue(perOrigin: 10, inFlight: 2)
        #expect(queue.admit(2, "first").count == 2)
        _ = queue.admit(2, "a")
        #expect(queue.end("first0") == ["a0"])
        #expect(queue.admit(1, "b").isEmpty, "a was here before")
        #expect(queue.end("a0") == ["a1"])
        #expect(queue.end("a1") == ["b0"])
    }

    @Test func oneCallAboveTheQueueLimitIsRejected() {
        var queue = queue(perOrigin: 1, queued: 2)
        #expect(queue.admit(3, "a").count == 1)
        #expect(queue.admit("late", "a") == .full)
        #expect(queue.admit(1, "b").count == 1, "who needn't wait isn't refused")
        #expect(queue.end("a0") == ["a1"])
        #expect(queue.admit("later", "a") != .full)
    }

    @Test func whatIsTakenOutNeverComes() throws {
        var queue = queue(perOrigin: 1, queued: 3)
        _ = queue.admit(1, "a")
        let tickets = (1...3).compactMap { number -> TestQueue.Ticket? in
            guard case .queued(let ticket) = queue.admit("a\(number)", "a") else { return nil }
            return ticket
        }
        try #require(tickets.count == 3)
        #expect(queue.remove(tickets[1], "a") == "a2")
        #expect(queue.remove(tickets[1], "a") == nil)
        #expect(queue.admit("a4", "a") != .full, "its place is free again")
        #expect(queue.remove(tickets[1], "a") == nil, "the ticket is not that of the next call in its slot")
        #expect(queue.end("a0") == ["a1"])
        #expect(queue.end("a1") == ["a3"])
        #expect(queue.end("a3") == ["a4"])
        #expect(queue.end("a4").isEmpty && queue.pool.isEmpty)
    }

    /// Of one origin that is full, and of several for which there is no room.
    @Test(arguments: [(1, 100), (10, 2)])
    func removingAllLeavesNothing(_ perOrigin: Int, _ inFlight: Int) {
        var queue = queue(perOrigin: perOrigin, inFlight: inFlight)
        let begun = queue.admit(4, "a") + queue.admit(3, "b")
        #expect(queue.pool.removeAll().count == 7 - begun.count)
        for call in begun { #expect(queue.end(call, keeps: false).isEmpty) }
        #expect(queue.pool.isEmpty && !queue.pool.hasActions)
        #expect(queue.admit("new", "a") == .now)
        #expect(queue.admit("other", "b") == .now)
    }

    /// As when the system could not start a thread for the loop, and does for the next request.
    @Test func removingAllThatWaitLeavesRoomForOthers() {
        var pool = Pool<String, String, TestQueue.Line>(.init(perOriginMax: 10, inFlightMax: 1, queuedMax: 100))
        let (a, b) = (pool.addOrigin("a", ""), pool.addOrigin("b", ""))
        for (call, origin) in [("a0", a), ("a1", a), ("b0", b)] { _ = pool.admit(call, to: origin, priority: 21) }
        #expect(pool.removeAll().sorted() == ["a0", "a1", "b0"])
        guard case .waiting = pool.admit("b1", to: b, priority: 21) else { return #expect(Bool(false)) }
        #expect(pool.inFlightCount == 1)
    }

    @Test func limitsBelowOneStillLetOneGo() {
        var queue = queue(perOrigin: -1, inFlight: 0, queued: -5)
        #expect(queue.admit("a0", "a") == .now)
        #expect(queue.admit("a1", "a") == .full)
        #expect(queue.pool.queuedMax == 0)
        #expect(queue.end("a0").isEmpty)
        #expect(queue.admit("b0", "b") == .now)
    }

    /// Whatever happens, no call is lost, goes twice or goes beyond a limit; many origins come and go.
    @Test func countsHoldInAnyOrder() async {
        let seed = testSeed()
        print("seed of the pool's queue: \(seed)")
        var random = SeededGenerator(seed: seed)
        var queue = queue(perOrigin: 3, inFlight: 20, queued: 50)
        var waiting: [String: TestQueue.Ticket] = [:]
        for number in 0..<Effort.rounds(20_000) {
            // The threads that run tests are few.
            if number.isMultiple(of: 500) { await Task.yield() }
            var begun: [String] = []
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let host = Bool.random(using: &random) ? "h\(Int.random(in: 0..<8, using: &random))" : "h\(number)"
                switch queue.admit("\(number)", host) {
                case .now: break
                case .queued(let ticket): waiting["\(number)"] = ticket
                case .full: #expect(waiting.count == 50)
                }
            case 5:
                if let (call, ticket) = waiting.sorted(by: { $0.key < $1.key }).randomElement(using: &random) {
                    #expect(queue.remove(ticket, queue.hosts[call] ?? "") == call)
                    waiting[call] = nil
                }
            default:
                if let call = queue.active.keys.sorted().randomElement(using: &random) {
                    begun = queue.end(call, keeps: Bool.random(using: &random))
                }
            }
            for call in begun { #expect(waiting.removeValue(forKey: call) != nil) }
            #expect(queue.pool.inFlightCount == queue.active.count && queue.active.count <= 20)
            #expect(Dictionary(grouping: queue.active.values) { $0.host }.values.allSatisfy { $0.count <= 3 })
        }
        while let call = queue.active.keys.first {
            for begun in queue.end(call) { #expect(waiting.removeValue(forKey: begun) != nil) }
        }
        #expect(waiting.isEmpty && queue.pool.isEmpty)
    }
}

/// A pool whose handshakes are done as soon as they are begun, so that a call that may go has a connection.
private struct TestQueue {
    final class Line {}
    typealias Ticket = WaitingLines<String>.Ticket

    enum Admission: Equatable {
        case now, queued(Ticket), full
    }

    var pool: Pool<String, String, Line>
    /// The calls that have a connection.
    private(set) var active: [String: (line: Line, host: String)] = [:]
    /// Where each call goes.
    private(set) var hosts: [String: String] = [:]
    private(set) var connectionCount = 0

    init(perOrigin: Int, inFlight: Int, queued: Int) {
        pool = Pool(Pool.Limits(perOriginMax: perOrigin, inFlightMax: inFlight, queuedMax: queued))
    }

    mutating func admit(_ call: String, _ host: String, priority: UInt8 = 21) -> Admission {
        hosts[call] = host
        let admission = pool.admit(call, to: pool.addOrigin(host, ""), priority: priority)
        if case .connection(let line) = admission { active[call] = (line, host) }
        obey()
        switch admission {
        case .connection, .shared, .waiting: return .now
        case .queued(let ticket): return .queued(ticket)
        case .full: return .full
        }
    }

    /// Admits the calls `a0`, `a1` … of the host `a`, and gives those that may go.
    mutating func admit(_ count: Int, _ host: String, priority: UInt8 = 21) -> [String] {
        (0..<count).map { "\(host)\($0)" }.filter { admit($0, host, priority: priority) == .now }
    }

    mutating func remove(_ ticket: Ticket, _ host: String) -> String? {
        pool.removeQueued(ticket, of: pool.addOrigin(host, ""))
    }

    /// Ends a call, and gives those that go now, in their order.
    mutating func end(_ call: String, keeps: Bool = true) -> [String] {
        guard let (line, host) = active.removeValue(forKey: call) else { return [] }
        let origin = pool.addOrigin(host, "")
        if keeps { pool.release(line, of: origin) } else { pool.leave(origin) }
        return obey()
    }

    /// Does what the pool wants done, and gives the calls that were queued or waited, and have a connection now.
    @discardableResult
    private mutating func obey() -> [String] {
        var begun: [String] = []
        while pool.hasActions {
            for action in pool.takeActions() {
                switch action {
                case .start(let call, let line):
                    #expect(active[call] == nil && !active.values.contains { $0.line === line })
                    active[call] = (line, hosts[call] ?? "")
                    begun.append(call)
                case .connect(let handshake, let origin):
                    connectionCount += 1
                    #expect(pool.connected(handshake, Line(), of: origin) != nil)
                case .wait, .cancel, .close: break
                }
            }
        }
        return begun
    }
}
#endif
