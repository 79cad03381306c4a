#if os(Linux)
import HikyakuBase
import TestSupport
import Testing

@testable import HikyakuWire

private final class Line {}
private typealias TestPool = Pool<String, Int, Line>

/// The pool without sockets, held against a model while anything happens.
@Suite struct PoolRandomTests {
    /// Every sequence of steps leaves counts that add up, no call lost, and none with two connections.
    @Test(arguments: Model.Kind.allCases)
    fileprivate func whateverHappensNoCallIsLost(_ kind: Model.Kind) async {
        let seed = testSeed()
        print("seed of the pool's steps: \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            // The threads that run tests are few.
            await Task.yield()
            var model = Model(kind)
            for _ in 0..<200 { model.step(&generator) }
            model.drain()
            #expect(model.problem == nil, "\(model.problem ?? "")")
        }
    }
}

/// Drives a pool at random, as a loop would, and holds it against what it must keep to.
private struct Model {
    enum Kind: CaseIterable {
        case own, sharedHandshakes, shared
    }

    private var pool = TestPool(TestPool.Limits(perOriginMax: 3, inFlightMax: 5, queuedMax: 20))
    private let kind: Kind
    private var origins: [Int] = []
    private var waiting: [Int: (ticket: Int, origin: Int)] = [:]
    private var queued: [Int: (ticket: WaitingLines<Int>.Ticket, origin: Int, priority: UInt8)] = [:]
    /// How many queued calls of each origin had their turn.
    private var turnCounts: [Int: Int] = [:]
    private var active: [Int: (line: Line, origin: Int)] = [:]
    /// The shared connections that take calls, and how many.
    private var lines: [(line: Line, origin: Int, callsMax: Int)] = []
    /// What was allowed the last time, and holds for new connections.
    private var allowed: [Int: Int] = [:]
    private var handshakes: [UInt64: Int] = [:]
    private var needingNew: Set<Int> = []
    private var originOf: [Int: Int] = [:]
    private var lastCall = 0
    private(set) var problem: String?

    init(_ kind: Kind) {
        self.kind = kind
        origins = (0..<3).map { pool.addOrigin("\($0)", "", sharesHandshakes: kind != .own) }
    }

    mutating func step(_ generator: inout SeededGenerator) {
        switch Int.random(in: 0..<(kind == .shared ? 11 : 8), using: &generator) {
        case 0, 1, 2:
            admit(origins.randomElement(using: &generator) ?? 0, [9, 21, 25].randomElement(using: &generator) ?? 0)
        case 3: if let (call, _) = active.randomEntry(using: &generator) { end(call, keeps: true) }
        case 4: if let (call, _) = active.randomEntry(using: &generator) { end(call, keeps: false) }
        case 5: cancel(&generator)
        case 6: if let (handshake, _) = handshakes.randomEntry(using: &generator) { finish(handshake, true) }
        case 7: if let (handshake, _) = handshakes.randomEntry(using: &generator) { finish(handshake, false) }
        case 8: changeLimit(&generator)
        case 9: retire(&generator)
        default: repeatCall(&generator)
        }
        obey()
        check()
    }

    mutating func drain() {
        for _ in 0..<1000 where !pool.isEmpty {
            for handshake in handshakes.keys { finish(handshake, true) }
            obey()
            for call in active.keys { end(call, keeps: true) }
            obey()
        }
        if !pool.isEmpty { problem = "calls are left" }
        if !(active.isEmpty && waiting.isEmpty && queued.isEmpty) { problem = "calls are lost" }
    }

    private mutating func admit(_ origin: Int, _ priority: UInt8) {
        lastCall += 1
        originOf[lastCall] = origin
        switch pool.admit(lastCall, to: origin, priority: priority) {
        case .connection(let line): active[lastCall] = (line, origin)
        case .shared(let line): start(lastCall, line, origin)
        case .waiting(let ticket): waiting[lastCall] = (ticket, origin)
        case .queued(let ticket): queued[lastCall] = (ticket, origin, priority)
        case .full: break
        }
    }

    private mutating func start(_ call: Int, _ line: Line, _ origin: Int) {
        let count = active.values.count { $0.line === line }
        let callsMax = kind == .shared ? lines.first { $0.line === line }?.callsMax ?? 0 : 1
        if count >= callsMax { problem = "a connection has too many calls" }
        active[call] = (line, origin)
    }

    private mutating func end(_ call: Int, keeps: Bool) {
        guard let (line, origin) = active.removeValue(forKey: call) else { return }
        if kind == .shared {
            pool.leave(line, of: origin)
        } else if keeps {
            pool.release(line, of: origin)
        } else {
            pool.leave(origin)
        }
    }

    private mutating func changeLimit(_ generator: inout SeededGenerator) {
        guard let index = lines.indices.randomElement(using: &generator) else { return }
        lines[index].callsMax = Int.random(in: 1...3, using: &generator)
        allowed[lines[index].origin] = lines[index].callsMax
        pool.setCallsMax(lines[index].callsMax, of: lines[index].line, lines[index].origin)
    }

    private mutating func retire(_ generator: inout SeededGenerator) {
        guard let index = lines.indices.randomElement(using: &generator) else { return }
        let (line, origin, _) = lines[index]
        let isIdle = !active.values.contains { $0.line === line }
        let onlyIfIdle = Bool.random(using: &generator)
        let isRemoved = pool.removeShared(line, of: origin, onlyIfIdle: onlyIfIdle)
        if isRemoved != (isIdle || !onlyIfIdle) { problem = "a connection is idle for one, and not for the other" }
        if isRemoved { lines.remove(at: index) }
    }

    private mutating func repeatCall(_ generator: inout SeededGenerator) {
        guard let (call, (line, origin)) = active.randomEntry(using: &generator) else { return }
        active[call] = nil
        let needsNew = Bool.random(using: &generator)
        if needsNew { needingNew.insert(call) } else { needingNew.remove(call) }
        let ticket = pool.readmit(call, to: origin, from: line, needsNew: needsNew)
        waiting[call] = (ticket, origin)
    }

    private mutating func cancel(_ generator: inout SeededGenerator) {
        if let (call, place) = waiting.randomEntry(using: &generator) {
            if pool.removeWaiting(place.ticket, of: place.origin) != call { problem = "a waiting call isn't there" }
            waiting[call] = nil
        } else if let (call, place) = queued.randomEntry(using: &generator) {
            if pool.removeQueued(place.ticket, of: place.origin) != call { problem = "a queued call isn't there" }
            queued[call] = nil
        }
    }

    private mutating func finish(_ handshake: UInt64, _ isGood: Bool) {
        guard let origin = handshakes.removeValue(forKey: handshake) else { return }
        if isGood, kind == .shared {
            let line = Line()
            let callsMax = Int(handshake % 3) + 1
            lines.append((line, origin, min(callsMax, allowed[origin] ?? .max)))
            if !pool.connectedShared(handshake, line, of: origin, callsMax: callsMax) {
                problem = "a handshake isn't known"
            }
        } else if isGood {
            if pool.connected(handshake, Line(), of: origin) == nil { problem = "a handshake isn't known" }
        } else {
            for call in pool.failed(handshake, of: origin) where waiting.removeValue(forKey: call) == nil {
                problem = "a call fails that doesn't wait"
            }
        }
        obey()
    }

    private mutating func obey() {
        for action in pool.takeActions() {
            switch action {
            case .start(let call, let line):
                let isKnown = waiting.removeValue(forKey: call) != nil || dequeue(call)
                if !isKnown { problem = "a false start" }
                start(call, line, originOf[call] ?? 0)
            case .wait(let call, let ticket):
                if !dequeue(call) { problem = "a call waits that wasn't queued" }
                waiting[call] = (ticket, originOf[call] ?? 0)
            case .connect(let handshake, let origin): handshakes[handshake] = origin
            case .cancel(let handshake): handshakes[handshake] = nil
            case .close(let line):
                if active.values.contains(where: { $0.line === line }) { problem = "a connection in use is closed" }
                lines.removeAll { $0.line === line }
            }
        }
    }

    /// Notes that a queued call has its turn, which is the oldest's every fourth time, and else that of the first one
    /// with the highest priority; `false` if it isn't queued.
    private mutating func dequeue(_ call: Int) -> Bool {
        guard let (_, origin, _) = queued[call] else { return false }
        turnCounts[origin, default: 0] += 1
        // The calls are numbered in the order in which they come.
        let line = queued.filter { $0.value.origin == origin }.sorted { $0.key < $1.key }
        let highest = line.map(\.value.priority).max()
        let next =
            turnCounts[origin]?.isMultiple(of: 4) == true ? line.first : line.first { $0.value.priority == highest }
        if next?.key != call { problem = "a call goes before its turn" }
        queued[call] = nil
        return true
    }

    private mutating func check() {
        if pool.inFlightCount != active.count + waiting.count { problem = "the count of calls in flight" }
        if pool.inFlightCount > 5 { problem = "too many in flight" }
        for origin in origins {
            let isWaiting = waiting.values.contains { $0.origin == origin }
            if isWaiting, !handshakes.values.contains(origin) { problem = "a call waits for nothing" }
            let inFlight = (active.values.map(\.origin) + waiting.values.map(\.origin)).count { $0 == origin }
            if inFlight > 3 { problem = "too many at one origin" }
            let busy = Set(active.values.filter { $0.origin == origin }.map { ObjectIdentifier($0.line) }).count
            if busy + handshakes.values.count(where: { $0 == origin }) > 3 { problem = "too many connections" }
            let hasRoom = lines.contains { entry in
                entry.origin == origin && active.values.count { $0.line === entry.line } < entry.callsMax
            }
            let isForAny = waiting.contains { $0.value.origin == origin && !needingNew.contains($0.key) }
            if hasRoom, isForAny { problem = "a call waits beside a connection with room" }
        }
    }
}
#endif
