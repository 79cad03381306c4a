#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// RFC 8305: which address is tried when, and what wins.
struct HappyEyeballsTests {
    private typealias Machine = HappyEyeballs<String>
    private typealias Action = DialAction<String>

    private static let start = ContinuousClock.now
    private static let six = ["6a", "6b"].map { DialAddress(family: .ipv6, address: $0) }
    private static let four = ["4a", "4b"].map { DialAddress(family: .ipv4, address: $0) }
    private static let refused = TransportError(.connectionRefused, "refused")
    private static let unreachable = TransportError(.networkUnreachable, "unreachable")

    private static func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    // MARK: - Single courses

    @Test func familiesTakeTurnsEvery250Milliseconds() {
        var machine = Machine()
        let start = machine.found(Self.six + Self.four, at: Self.at(0))
        #expect(start == [.start(0, "6a"), .setTimer(Self.at(250))])
        #expect(machine.timerFired(at: Self.at(249)) == [])
        #expect(machine.timerFired(at: Self.at(250)) == [.start(1, "4a"), .setTimer(Self.at(500))])
        #expect(machine.timerFired(at: Self.at(500)) == [.start(2, "6b"), .setTimer(Self.at(750))])
        #expect(machine.timerFired(at: Self.at(760)) == [.start(3, "4b")])
        #expect(machine.attemptSucceeded(2) == [.close(0), .close(1), .close(3), .succeed(2)])
        #expect(machine.isOver)
        #expect(machine.attemptSucceeded(1) == [] && machine.attemptFailed(0, Self.refused, at: Self.at(800)) == [])
        #expect(machine.timerFired(at: Self.at(9000)) == [] && machine.cancel() == [])
    }

    /// The system's order is kept within each family, and says which one is first.
    @Test func theListSaysWhichFamilyIsFirst() {
        var machine = Machine()
        let list = [Self.four[0], Self.four[1], Self.six[0], Self.four[0]]
        #expect(machine.found(list, at: Self.at(0)) == [.start(0, "4a"), .setTimer(Self.at(250))])
        #expect(machine.attemptFailed(0, Self.refused, at: Self.at(1)) == [.start(1, "6a"), .setTimer(Self.at(251))])
        #expect(machine.attemptFailed(1, Self.unreachable, at: Self.at(2)) == [.start(2, "4b"), .clearTimer])
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
        let list = (0..<1000).map { DialAddress(family: .ipv4, address: "\($0)") }
        var actions = machine.found(list, at: Self.at(0))
        var startCount = 0
        var now = 0
        while let timer = actions.compactMap({ if case .setTimer(let instant) = $0 { instant } else { nil } }).last {
            startCount += 1
            actions = machine.timerFired(at: timer)
            now += 250
        }
        #expect(startCount == 5 && actions == [.start(5, "5")])
        for number in 0..<32 {
            let next = machine.attemptFailed(number, Self.refused, at: Self.at(now))
            #expect(next.contains(.start(number + 6, "\(number + 6)")) == (number + 6 < 32))
        }
        #expect(machine.isOver)
    }

    @Test func cancellingClosesWhatRuns() {
        var machine = Machine()
        _ = machine.found(Self.six, at: Self.at(0))
        #expect(machine.cancel() == [.close(0), .clearTimer])
        #expect(machine.isOver && machine.attemptFailed(0, Self.refused, at: Self.at(1)) == [])
    }

    // MARK: - All orders

    /// One course through all that can happen, with what must hold at each step.
    private struct Course {
        var machine = Machine()
        var now = 0
        var hasAddresses = false
        var running: [Int: String] = [:]
        var started: [String] = []
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
                case .clearTimer: timer = nil
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
    @Test(arguments: [DialAddress<String>.Family.ipv4, .ipv6])
    func whateverComesWhenItEndsOnceAndRightly(first: DialAddress<String>.Family) {
        var (courseCount, problems) = (0, [String]())
        let more = DialAddress(family: first, address: "more")
        let addresses = first == .ipv4 ? Self.four + Self.six + [more] : Self.six + Self.four + [more]
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
