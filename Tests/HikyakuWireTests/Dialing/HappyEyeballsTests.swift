#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// RFC 8305: which address is tried when, and what wins.
struct HappyEyeballsTests {
    private typealias Machine = HappyEyeballs
    private typealias Action = HappyEyeballs.Action

    private static let start = ContinuousClock.now
    private static let (sixA, sixB) = (address("fd00::a"), address("fd00::b"))
    private static let (fourA, fourB) = (address("10.0.0.1"), address("10.0.0.2"))
    private static let (six, four) = ([sixA, sixB], [fourA, fourB])
    private static let refused = TransportError(.connectionRefused, "refused")
    private static let unreachable = TransportError(.networkUnreachable, "unreachable")

    private static func address(_ text: String) -> SocketAddress { SocketAddress.numeric(text, port: 443)[0] }

    private static func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    // MARK: - Single courses

    @Test func familiesTakeTurnsEvery250Milliseconds() {
        var machine = Machine()
        let start = machine.found(Self.six + Self.four, at: Self.at(0))
        #expect(start == [.start(0, Self.sixA), .setTimer(Self.at(250))])
        #expect(machine.timerFired(at: Self.at(249)) == [])
        #expect(machine.timerFired(at: Self.at(250)) == [.start(1, Self.fourA), .setTimer(Self.at(500))])
        #expect(machine.timerFired(at: Self.at(500)) == [.start(2, Self.sixB), .setTimer(Self.at(750))])
        #expect(machine.timerFired(at: Self.at(760)) == [.start(3, Self.fourB)])
        #expect(machine.attemptSucceeded(2) == [.close(0), .close(1), .close(3), .succeed(2)])
        #expect(machine.isOver)
        #expect(machine.attemptSucceeded(1) == [] && machine.attemptFailed(0, Self.refused, at: Self.at(800)) == [])
        #expect(machine.timerFired(at: Self.at(9000)) == [] && machine.cancel() == [])
    }

    /// The system's order is kept within each family, and says which one is first.
    @Test func theFirstAddressDeterminesTheFamily() {
        var machine = Machine()
        let list = [Self.four[0], Self.four[1], Self.six[0], Self.four[0]]
        #expect(machine.found(list, at: Self.at(0)) == [.start(0, Self.fourA), .setTimer(Self.at(250))])
        let second = machine.attemptFailed(0, Self.refused, at: Self.at(1))
        #expect(second == [.start(1, Self.sixA), .setTimer(Self.at(251))])
        let third = machine.attemptFailed(1, Self.unreachable, at: Self.at(2))
        #expect(third == [.start(2, Self.fourB), .setTimer(nil)])
        #expect(machine.attemptFailed(2, Self.unreachable, at: Self.at(3)) == [.fail])
        #expect(machine.failure.reason == .connectionRefused)
        #expect(machine.failure.message == "refused (3 addresses were tried)")
    }

    @Test func aHostWithoutAddressesIsNotFound() {
        var machine = Machine()
        #expect(machine.found([], at: Self.at(0)) == [.fail])
        #expect(machine.failure.reason == .hostNotFound)
        #expect(machine.found(Self.six, at: Self.at(1)) == [])
    }

    @Test func addressesAndAttemptsAreBounded() {
        var machine = Machine()
        let list = (0..<1000).map { Self.address("10.0.\($0 / 256).\($0 % 256)") }
        var actions = machine.found(list, at: Self.at(0))
        var startCount = 0
        var now = 0
        while let timer = actions.compactMap({ if case .setTimer(let instant) = $0 { instant } else { nil } }).last {
            startCount += 1
            actions = machine.timerFired(at: timer)
            now += 250
        }
        #expect(startCount == 5 && actions == [.start(5, list[5])])
        for number in 0..<32 {
            let next = machine.attemptFailed(number, Self.refused, at: Self.at(now))
            #expect(next.contains(.start(number + 6, list[number + 6])) == (number + 6 < 32))
        }
        #expect(machine.isOver)
    }

    @Test func cancellingClosesWhatRuns() {
        var machine = Machine()
        _ = machine.found(Self.six, at: Self.at(0))
        #expect(machine.cancel() == [.close(0), .setTimer(nil)])
        #expect(machine.isOver && machine.attemptFailed(0, Self.refused, at: Self.at(1)) == [])
    }

    // MARK: - All orders

    /// One course through all that can happen, with what must hold at each step.
    private struct Course {
        var machine = Machine()
        var now = 0
        var hasAddresses = false
        var running: [Int: SocketAddress] = [:]
        var started: [SocketAddress] = []
        var failed = 0
        var lastStart: Int?
        /// Whether an attempt has failed since the last one began.
        var mayStart = true
        var timer: ContinuousClock.Instant?
        var end: Action?

        mutating func take(_ actions: [Action]) -> String? {
            if end != nil, !actions.isEmpty { return "something follows the end" }
            for action in actions {
                switch action {
                case .start(let number, let address):
                    if number != started.count || started.contains(address) { return "\(address) is tried twice" }
                    if let lastStart, now - lastStart < 250, !mayStart { return "\(address) is tried too early" }
                    (lastStart, mayStart) = (now, false)
                    started.append(address)
                    running[number] = address
                case .close(let number):
                    if running.removeValue(forKey: number) == nil { return "\(number) is closed, and not open" }
                case .setTimer(let instant): timer = instant
                case .succeed(let number):
                    if running.removeValue(forKey: number) == nil { return "\(number) wins, and isn't open" }
                    if !running.isEmpty || timer != nil { return "something goes on" }
                    end = action
                case .fail:
                    if !running.isEmpty || timer != nil || !hasAddresses { return "it fails too early" }
                    end = action
                }
            }
            let isStuck = end == nil && running.isEmpty && timer == nil && hasAddresses
            return isStuck ? "nothing will happen any more" : nil
        }
    }

    /// Every order in which answers, failures and the timer can come, for three addresses of one family and two of the
    /// other.
    @Test(arguments: [false, true])
    func whateverComesWhenItEndsOnceAndRightly(beginsWithIPv6: Bool) {
        var (courseCount, problems) = (0, [String]())
        let more = Self.address(beginsWithIPv6 ? "fd00::c" : "10.0.0.3")
        let addresses = beginsWithIPv6 ? Self.six + Self.four + [more] : Self.four + Self.six + [more]
        var stack = [Course()]
        while let course = stack.popLast() {
            guard course.end == nil else {
                courseCount += 1
                if course.end == .fail, course.machine.failure.message.isEmpty { problems.append("no reason") }
                continue
            }
            func follow(_ change: (inout Course) -> [Action]) {
                var next = course
                next.now += 20
                let actions = change(&next)
                if let problem = next.take(actions) { return problems.append("\(problem): \(next.started)") }
                stack.append(next)
            }
            for found in [addresses, []] where !course.hasAddresses {
                follow {
                    $0.hasAddresses = true
                    return $0.machine.found(found, at: Self.at($0.now))
                }
            }
            for number in course.running.keys {
                follow { $0.machine.attemptSucceeded(number) }
                follow {
                    $0.running[number] = nil
                    $0.mayStart = true
                    return $0.machine.attemptFailed(number, Self.refused, at: Self.at($0.now))
                }
            }
            if let timer = course.timer {
                follow {
                    $0.timer = nil
                    let wait = timer - Self.start
                    $0.now = max(
                        $0.now,
                        Int(wait.components.seconds * 1000 + wait.components.attoseconds / 1_000_000_000_000_000),
                    )
                    return $0.machine.timerFired(at: Self.at($0.now))
                }
            }
        }
        #expect(problems == [])
        #expect(courseCount > 1000)
        print("Happy eyeballs: \(courseCount) orders of events")
    }
}
#endif
