#if os(Linux)
import Testing

@testable import HikyakuWire

private final class Line {}
private typealias TestPool = Pool<String, Int, Line>

extension Pool {
    /// Admits a call; each test here is about calls of the same priority.
    fileprivate mutating func admit(_ call: Call, to origin: Origin) -> Admission {
        admit(call, to: origin, priority: 21)
    }
}

/// The pool without sockets: calls are numbers, and what is to be done is looked at step by step.
@Suite struct PoolTests {
    private static func pool(perOrigin: Int = 64, inFlight: Int = 1024, queued: Int = 100) -> TestPool {
        TestPool(TestPool.Limits(perOriginMax: perOrigin, inFlightMax: inFlight, queuedMax: queued))
    }

    /// What the pool wants done, in words.
    private static func actions(_ pool: inout TestPool, _ lines: [String: Line] = [:]) -> [String] {
        pool.takeActions().map { action in
            func name(_ line: Line) -> String { lines.first { $0.value === line }?.key ?? "?" }
            return switch action {
            case .start(let call, let line): "start \(call) \(name(line))"
            case .wait(let call, _): "wait \(call)"
            case .connect(let handshake, _): "connect \(handshake)"
            case .cancel(let handshake): "cancel \(handshake)"
            case .close(let line): "close \(name(line))"
            }
        }
    }

    private static func ticket(_ admission: TestPool.Admission) throws -> Int {
        switch admission {
        case .waiting(let ticket): return ticket
        default: throw NoTicket()
        }
    }

    private struct NoTicket: Error {}

    @Test func aCallGetsItsOriginsLastIdleConnection() {
        var pool = Self.pool()
        let (a, b) = (pool.addOrigin("a", "site a"), pool.addOrigin("b", "site b"))
        let lines = [Line(), Line(), Line()]
        for (number, origin) in [a, a, b].enumerated() { _ = pool.admit(number, to: origin) }
        #expect(Self.actions(&pool) == ["connect 1", "connect 2", "connect 3"])
        for (number, line) in lines.enumerated() {
            #expect(pool.connected(UInt64(number + 1), line, of: [a, a, b][number]) == false)
        }
        let names = ["x": lines[0], "y": lines[1], "z": lines[2]]
        #expect(Self.actions(&pool, names) == ["start 0 x", "start 1 y", "start 2 z"])
        for (number, line) in lines.enumerated() { #expect(pool.release(line, of: [a, a, b][number]) == true) }
        guard case .connection(let last) = pool.admit(9, to: a) else { return #expect(Bool(false)) }
        #expect(last === lines[1])
        #expect(pool.site(of: a) == "site a" && pool.origin("b") == b && !pool.hasActions)
    }

    @Test func theFirstConnectionServesTheLongestWait() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "")
        for call in 1...3 { _ = pool.admit(call, to: origin) }
        _ = pool.takeActions()
        let line = Line()
        // The handshake that was begun last is done first.
        #expect(pool.connected(3, line, of: origin) == false)
        #expect(Self.actions(&pool, ["x": line]) == ["start 1 x"])
        // When the call is over, the next one has its connection, and one handshake is for later.
        #expect(pool.release(line, of: origin) == false)
        #expect(Self.actions(&pool, ["x": line]) == ["start 2 x"])
        let other = Line()
        #expect(pool.connected(2, other, of: origin) == false)
        #expect(Self.actions(&pool, ["y": other]) == ["start 3 y"])
        #expect(pool.connected(1, Line(), of: origin) == true)
        #expect(pool.inFlightCount == 2)
    }

    @Test func aHandshakeThatNoCallWaitsForIsGivenUpInTheEnd() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "")
        for call in 1...2 { _ = pool.admit(call, to: origin) }
        let line = Line()
        _ = pool.connected(1, line, of: origin)
        #expect(pool.giveUpUnwanted(2, of: origin) == false)
        pool.release(line, of: origin)
        _ = pool.takeActions()
        #expect(pool.giveUpUnwanted(2, of: origin) == true)
        #expect(Self.actions(&pool) == ["cancel 2"])
        #expect(pool.giveUpUnwanted(1, of: origin) == false)
    }

    @Test func aHandshakeEndsWithItsLastCall() throws {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "")
        let tickets = try (1...3).map { try Self.ticket(pool.admit($0, to: origin)) }
        _ = pool.takeActions()
        #expect(pool.removeWaiting(tickets[1], of: origin) == 2)
        #expect(pool.removeWaiting(tickets[1], of: origin) == nil)
        #expect(Self.actions(&pool) == ["cancel 3"])
        // Who waited too long waited for the oldest.
        #expect(pool.removeWaiting(tickets[0], of: origin, isLate: true) == 1)
        #expect(Self.actions(&pool) == ["cancel 1"])
        #expect(pool.handshake(of: origin) == 2)
        #expect(pool.removeWaiting(tickets[2], of: origin) == 3)
        #expect(Self.actions(&pool) == ["cancel 2"])
        #expect(pool.isEmpty)
    }

    @Test func aFailedHandshakeEndsOneCall() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "")
        for call in 1...2 { _ = pool.admit(call, to: origin) }
        _ = pool.takeActions()
        #expect(pool.failed(2, of: origin) == [1])
        #expect(pool.failed(2, of: origin) == [])
        #expect(pool.failed(1, of: origin) == [2])
        #expect(pool.isEmpty && !pool.hasActions)
    }

    @Test func aSharedHandshakeServesAllWaitingCalls() throws {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        var tickets = try (1...4).map { try Self.ticket(pool.admit($0, to: origin)) }
        #expect(Self.actions(&pool) == ["connect 1"])
        pool.isSlow(1, of: origin)
        #expect(Self.actions(&pool) == ["connect 2"])
        // The first is for them as well, however few they are.
        for (number, ticket) in tickets.enumerated().dropFirst() {
            #expect(pool.removeWaiting(ticket, of: origin) == number + 1)
        }
        #expect(pool.giveUpUnwanted(1, of: origin) == false)
        for call in 2...4 { tickets[call - 1] = try Self.ticket(pool.admit(call, to: origin)) }
        #expect(Self.actions(&pool) == [])
        // It is the newest one that has to be slow for one more.
        pool.isSlow(1, of: origin)
        #expect(Self.actions(&pool) == [])
        #expect(pool.failed(1, of: origin) == [])
        // After a failure as before it.
        pool.isSlow(2, of: origin)
        #expect(Self.actions(&pool) == ["connect 3"])
        for (number, ticket) in tickets.enumerated().dropLast() {
            #expect(pool.removeWaiting(ticket, of: origin) == number + 1)
            #expect(Self.actions(&pool) == [])
        }
        #expect(pool.removeWaiting(tickets[3], of: origin) == 4)
        #expect(Self.actions(&pool) == ["cancel 2", "cancel 3"])
        for call in 5...6 { _ = pool.admit(call, to: origin) }
        #expect(pool.failed(4, of: origin) == [5, 6])
        #expect(pool.isEmpty)
    }

    /// Whichever of them fails in between, calls get another try 250 ms after the newest one, and know of three
    /// failures.
    @Test(arguments: [[1], [2], [2, 1]]) func handshakesThatStallKeepNoOtherFromBeginning(_ failing: [UInt64]) {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        _ = pool.admit(1, to: origin)
        pool.isSlow(1, of: origin)
        let ended = failing.flatMap { pool.failed($0, of: origin) }
        guard failing.count == 1 else { return #expect(ended == [1] && pool.isEmpty) }
        #expect(ended == [])
        _ = pool.takeActions()
        pool.isSlow(failing[0] == 1 ? 2 : 1, of: origin)
        #expect(Self.actions(&pool) == ["connect 3"])
        pool.isSlow(3, of: origin)
        #expect(Self.actions(&pool) == ["connect 4"])
        #expect(pool.failed(3, of: origin) == [])
        #expect(pool.failed(4, of: origin) == [1])
        #expect(pool.isEmpty)
    }

    /// Where there are as many as may be, the one that has stalled for long makes way.
    @Test func amongAllThatStallTheOldestMakesWay() throws {
        var pool = TestPool(TestPool.Limits(perOriginMax: 2, inFlightMax: 10, queuedMax: 10))
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        let ticket = try Self.ticket(pool.admit(1, to: origin))
        pool.isSlow(1, of: origin)
        pool.isSlow(2, of: origin)
        #expect(Self.actions(&pool) == ["connect 1", "connect 2"])
        pool.isSlow(1, of: origin, isStalled: true)
        #expect(Self.actions(&pool) == ["cancel 1", "connect 3"])
        pool.isSlow(1, of: origin, isStalled: true)
        #expect(Self.actions(&pool) == [])
        #expect(pool.removeWaiting(ticket, of: origin) == 1)
        pool.isSlow(2, of: origin, isStalled: true)
        #expect(Self.actions(&pool) == ["cancel 2", "cancel 3"])
    }

    /// One that stalls keeps calls neither from further tries nor from knowing of their failure.
    @Test func besideAStalledHandshakeAThirdFailureEndsTheCalls() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        for call in 1...2 { _ = pool.admit(call, to: origin) }
        pool.isSlow(1, of: origin)
        #expect(Self.actions(&pool) == ["connect 1", "connect 2"])
        #expect(pool.failed(2, of: origin) == [])
        pool.isSlow(1, of: origin)
        #expect(Self.actions(&pool) == ["connect 3"])
        #expect(pool.failed(3, of: origin) == [])
        pool.isSlow(1, of: origin)
        #expect(Self.actions(&pool) == ["connect 4"])
        #expect(pool.failed(4, of: origin) == [1, 2])
        #expect(Self.actions(&pool) == ["cancel 1"])
        #expect(pool.isEmpty)
        // The next calls have as many tries.
        _ = pool.admit(3, to: origin)
        pool.isSlow(5, of: origin)
        #expect(pool.failed(6, of: origin) == [])
        #expect(pool.failed(5, of: origin) == [3])
    }

    @Test func aSharedConnectionCarriesAsManyCallsAsItTakes() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        let lines = ["x": Line(), "y": Line()]
        guard let x = lines["x"], let y = lines["y"] else { return }
        for call in 1...3 { _ = pool.admit(call, to: origin) }
        #expect(Self.actions(&pool) == ["connect 1"])
        #expect(pool.connectedShared(1, x, of: origin, callsMax: 2) == true)
        #expect(Self.actions(&pool, lines) == ["start 1 x", "start 2 x", "connect 2"])
        #expect(pool.connectedShared(2, y, of: origin, callsMax: 2) == true)
        #expect(Self.actions(&pool, lines) == ["start 3 y"])
        // The oldest connection with room is the next call's.
        pool.leave(x, of: origin)
        guard case .shared(let line) = pool.admit(4, to: origin) else { return #expect(Bool(false)) }
        #expect(line === x)
        // Fewer are allowed: the present ones continue, and no new one is added.
        pool.setCallsMax(1, of: x, origin)
        pool.leave(x, of: origin)
        guard case .shared(let other) = pool.admit(5, to: origin) else { return #expect(Bool(false)) }
        #expect(other === y)
        guard case .waiting = pool.admit(6, to: origin) else { return #expect(Bool(false)) }
        #expect(Self.actions(&pool) == ["connect 3"])
        pool.setCallsMax(3, of: x, origin)
        #expect(Self.actions(&pool, lines) == ["start 6 x", "cancel 3"])
        #expect(pool.inFlightCount == 4)
    }

    @Test func aSharedConnectionThatTakesNoMoreKeepsItsCalls() throws {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        let lines = ["x": Line(), "y": Line()]
        guard let x = lines["x"], let y = lines["y"] else { return }
        for call in 1...2 { _ = pool.admit(call, to: origin) }
        #expect(pool.connectedShared(1, x, of: origin, callsMax: 10) == true)
        _ = pool.takeActions()
        #expect(pool.removeShared(x, of: origin, onlyIfIdle: true) == false)
        #expect(pool.removeShared(x, of: origin) == true)
        #expect(pool.removeShared(x, of: origin) == false)
        // A call of it is sent again, before those that may use any connection.
        guard case .waiting = pool.admit(3, to: origin) else { return #expect(Bool(false)) }
        _ = pool.readmit(1, to: origin, from: x, needsNew: true)
        #expect(Self.actions(&pool) == ["connect 2"])
        #expect(pool.connectedShared(2, y, of: origin, callsMax: 1) == true)
        #expect(Self.actions(&pool, lines) == ["start 1 y", "connect 3"])
        pool.leave(x, of: origin)
        #expect(pool.inFlightCount == 2)
        // And one that may use any that is there gets the place that is free.
        _ = pool.readmit(1, to: origin, from: y, needsNew: false)
        #expect(Self.actions(&pool, lines) == ["start 3 y"])
        pool.leave(y, of: origin)
        #expect(Self.actions(&pool, lines) == ["start 1 y", "cancel 3"])
        pool.leave(y, of: origin)
        #expect(pool.isEmpty)
        #expect(pool.removeShared(y, of: origin, onlyIfIdle: true) == true)
        #expect(pool.connectedShared(99, x, of: origin, callsMax: 1) == false)
    }

    /// The server allowed no more on the previous connection, and would reject more.
    @Test func aNewConnectionTakesWhatWasAllowedTheLastTime() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        let lines = ["x": Line(), "y": Line()]
        guard let x = lines["x"], let y = lines["y"] else { return }
        for call in 1...6 { _ = pool.admit(call, to: origin) }
        _ = pool.connectedShared(1, x, of: origin, callsMax: 2)
        pool.setCallsMax(1, of: x, origin)
        _ = pool.takeActions()
        _ = pool.connectedShared(2, y, of: origin, callsMax: 10)
        #expect(Self.actions(&pool, lines) == ["start 3 y", "connect 3"])
        pool.setCallsMax(2, of: y, origin)
        #expect(Self.actions(&pool, lines) == ["start 4 y"])
    }

    /// Any other may be as dead as the one that the call was on.
    @Test func aCallThatNeedsANewConnectionGetsTheNewOne() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        let lines = ["x": Line(), "y": Line(), "z": Line()]
        guard let x = lines["x"], let y = lines["y"], let z = lines["z"] else { return }
        for call in 1...2 { _ = pool.admit(call, to: origin) }
        _ = pool.connectedShared(1, x, of: origin, callsMax: 1)
        _ = pool.connectedShared(2, y, of: origin, callsMax: 1)
        pool.leave(y, of: origin)
        _ = pool.removeShared(x, of: origin)
        _ = pool.takeActions()
        _ = pool.readmit(1, to: origin, from: x, needsNew: true)
        #expect(Self.actions(&pool) == ["connect 3"])
        _ = pool.connectedShared(3, z, of: origin, callsMax: 1)
        #expect(Self.actions(&pool, lines) == ["start 1 z"])
    }

    /// Two are in progress for the one call, each of which it may need.
    @Test func aSharedHandshakeIsWantedWhileACallWaits() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        _ = pool.admit(1, to: origin)
        pool.isSlow(1, of: origin)
        #expect(Self.actions(&pool) == ["connect 1", "connect 2"])
        #expect(pool.giveUpUnwanted(1, of: origin) == false)
        let line = Line()
        _ = pool.connectedShared(2, line, of: origin, callsMax: 10)
        #expect(Self.actions(&pool, ["x": line]) == ["start 1 x", "cancel 1"])
    }

    @Test func calledForHTTP1EachCallGetsAHandshake() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "", sharesHandshakes: true)
        for call in 1...3 { _ = pool.admit(call, to: origin) }
        #expect(Self.actions(&pool) == ["connect 1"])
        pool.noteWantsHTTP1(origin)
        #expect(Self.actions(&pool) == ["connect 2", "connect 3"])
        #expect(pool.wantsHTTP1(origin) && !pool.sharesHandshakes(origin))
    }

    @Test func theOldestIdleConnectionIsClosedBeSharedOrNot() {
        var pool = Self.pool(inFlight: 2)
        let origins = ["a", "b", "c", "d"].map { pool.addOrigin($0, "", sharesHandshakes: true) }
        let lines = ["a": Line(), "b": Line(), "c": Line(), "d": Line()]
        for (number, name) in ["a", "b", "c", "d"].enumerated() {
            guard let line = lines[name] else { return }
            _ = pool.admit(number, to: origins[number])
            _ = pool.takeActions()
            if name == "b" {
                #expect(pool.connected(UInt64(number + 1), line, of: origins[number]) == false)
                pool.release(line, of: origins[number])
            } else {
                #expect(pool.connectedShared(UInt64(number + 1), line, of: origins[number], callsMax: 9) == true)
                pool.leave(line, of: origins[number])
            }
            let closed = Self.actions(&pool, lines).filter { $0.hasPrefix("close") }
            #expect(closed == [[], [], ["close a"], ["close b"]][number])
        }
        #expect(pool.isEmpty)
    }

    @Test func aCallWhoseConnectionDiedWaitsForANewOneBeforeAllOthers() throws {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "")
        let (dead, other) = (Line(), Line())
        for call in 1...2 { _ = pool.admit(call, to: origin) }
        for (handshake, line) in [(UInt64(1), dead), (2, other)] { _ = pool.connected(handshake, line, of: origin) }
        pool.release(other, of: origin)
        _ = pool.takeActions()
        // Not over the idle one, which may be as dead.
        _ = pool.readmit(1, to: origin, from: dead, needsNew: true)
        #expect(Self.actions(&pool) == ["connect 3"])
        // Nor over one that becomes free.
        guard case .connection(let idle) = pool.admit(6, to: origin) else { return #expect(Bool(false)) }
        #expect(idle === other)
        #expect(pool.release(other, of: origin) == true)
        let new = Line()
        #expect(pool.connected(3, new, of: origin) == false)
        #expect(Self.actions(&pool, ["new": new]) == ["start 1 new"])
        let ticket = pool.readmit(1, to: origin, from: new, needsNew: true)
        #expect(pool.removeWaiting(ticket, of: origin) == 1)
        #expect(Self.actions(&pool) == ["connect 4", "cancel 4"])
    }

    // MARK: - The queue

    @Test func originsTakeTurns() {
        var pool = Self.pool(perOrigin: 1, inFlight: 2)
        let origins = ["a", "b", "c"].map { pool.addOrigin($0, "") }
        for call in 0..<9 { _ = pool.admit(call, to: origins[call % 3]) }
        #expect(Self.actions(&pool) == ["connect 1", "connect 2"])
        let lines = [Line(), Line(), Line()]
        for (number, line) in lines.prefix(2).enumerated() {
            _ = pool.connected(UInt64(number + 1), line, of: origins[number])
        }
        let names = ["a": lines[0], "b": lines[1], "c": lines[2]]
        #expect(Self.actions(&pool, names) == ["start 0 a", "start 1 b"])
        pool.release(lines[0], of: origins[0])
        #expect(Self.actions(&pool, names) == ["wait 2", "connect 3"])
        _ = pool.connected(3, lines[2], of: origins[2])
        #expect(Self.actions(&pool, names) == ["start 2 c"])
        pool.release(lines[1], of: origins[1])
        #expect(Self.actions(&pool, names) == ["start 3 a"])
        pool.release(lines[2], of: origins[2])
        #expect(Self.actions(&pool, names) == ["start 4 b"])
    }

    @Test func theQueueHasALimitAndACancelledCallMakesRoom() throws {
        var pool = Self.pool(perOrigin: 1, queued: 2)
        let origin = pool.addOrigin("a", "")
        _ = pool.admit(1, to: origin)
        guard case .queued(let ticket) = pool.admit(2, to: origin) else { return #expect(Bool(false)) }
        _ = pool.admit(3, to: origin)
        guard case .full = pool.admit(4, to: origin) else { return #expect(Bool(false)) }
        #expect(pool.removeQueued(ticket, of: origin) == 2)
        #expect(pool.removeQueued(ticket, of: origin) == nil)
        guard case .queued = pool.admit(5, to: origin) else { return #expect(Bool(false)) }
        #expect(pool.removeAll().sorted() == [1, 3, 5])
        #expect(pool.isEmpty)
    }

    // MARK: - Idle connections

    @Test func theOldestIdleConnectionGoesWhenThereAreTooMany() {
        var pool = Self.pool(perOrigin: 2, inFlight: 2)
        let lines = (0..<4).map { _ in Line() }
        let names = Dictionary(uniqueKeysWithValues: lines.enumerated().map { ("\($0.offset)", $0.element) })
        for (number, line) in lines.enumerated() {
            let origin = pool.addOrigin("origin \(number)", "")
            _ = pool.admit(number, to: origin)
            _ = pool.connected(UInt64(number + 1), line, of: origin)
            pool.release(line, of: origin)
        }
        let closed = Self.actions(&pool, names).filter { $0.hasPrefix("close") }
        #expect(closed == ["close 0", "close 1"])
    }

    @Test func anIdleConnectionThatIsLookedAtKeepsItsOrigin() {
        var pool = Self.pool()
        let origin = pool.addOrigin("a", "")
        let line = Line()
        _ = pool.admit(1, to: origin)
        _ = pool.connected(1, line, of: origin)
        pool.release(line, of: origin)
        #expect(pool.removeIdle(line, of: origin) == true)
        #expect(pool.removeIdle(line, of: origin) == false)
        for number in 0..<1000 { _ = pool.addOrigin("other \(number)", "") }
        #expect(pool.origin("a") == origin)
        #expect(pool.restoreIdle(line, of: origin) == true)
        #expect(pool.removeIdle(line, of: origin) == true)
        pool.dropIdle(of: origin)
        for number in 1000..<4000 { _ = pool.addOrigin("other \(number)", "") }
        #expect(pool.origin("a") == nil)
    }
}
#endif
