#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// RFC 8305: which address is tried when, and what wins.
struct HappyEyeballsTests {
    private typealias Eyes = HappyEyeballs<String>
    private typealias Action = DialAction<String>

    private static let start = ContinuousClock.now
    private static let six = ["6a", "6b"].map { DialAddress(family: .ipv6, address: $0) }
    private static let four = ["4a", "4b"].map { DialAddress(family: .ipv4, address: $0) }
    private static let refused = TransportError(.connectionRefused, "refused")
    private static let unreachable = TransportError(.networkUnreachable, "unreachable")
    private static let notFound = TransportError(.hostNotFound, "not found")

    private static func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    // MARK: - Single courses

    @Test func familiesTakeTurnsEvery250Milliseconds() {
        var eyes = Eyes([.ipv6, .ipv4])
        #expect(eyes.found(Self.six, by: .ipv6, at: Self.at(0)) == [.start(0, "6a"), .setTimer(Self.at(250))])
        #expect(eyes.found(Self.four, by: .ipv4, at: Self.at(10)) == [])
        #expect(eyes.timerFired(at: Self.at(249)) == [])
        #expect(eyes.timerFired(at: Self.at(250)) == [.start(1, "4a"), .setTimer(Self.at(500))])
        #expect(eyes.timerFired(at: Self.at(500)) == [.start(2, "6b"), .setTimer(Self.at(750))])
        #expect(eyes.timerFired(at: Self.at(760)) == [.start(3, "4b")])
        #expect(eyes.attemptSucceeded(2) == [.close(0), .close(1), .close(3), .succeed(2)])
        #expect(eyes.isOver)
        #expect(eyes.attemptSucceeded(1) == [] && eyes.attemptFailed(0, Self.refused, at: Self.at(800)) == [])
        #expect(eyes.timerFired(at: Self.at(9000)) == [] && eyes.cancel() == [])
    }

    @Test func iPv4WaitsAMomentForIPv6() {
        var eyes = Eyes([.ipv6, .ipv4])
        #expect(eyes.found(Self.four, by: .ipv4, at: Self.at(0)) == [.setTimer(Self.at(50))])
        var late = eyes
        #expect(eyes.found(Self.six, by: .ipv6, at: Self.at(49)) == [.start(0, "6a"), .setTimer(Self.at(299))])
        #expect(late.timerFired(at: Self.at(50)) == [.start(0, "4a"), .setTimer(Self.at(300))])
        #expect(late.found(Self.six, by: .ipv6, at: Self.at(60)) == [])
        #expect(late.timerFired(at: Self.at(300)) == [.start(1, "6a"), .setTimer(Self.at(550))])
        var none = Eyes([.ipv6, .ipv4])
        _ = none.found(Self.four, by: .ipv4, at: Self.at(0))
        #expect(none.found([], by: .ipv6, at: Self.at(5)) == [.start(0, "4a"), .setTimer(Self.at(255))])
    }

    /// One list has the system's order, which is kept within each family, and says which one is first.
    @Test func oneListSaysWhichFamilyIsFirst() {
        var eyes = Eyes([.both])
        let list = [Self.four[0], Self.four[1], Self.six[0], Self.four[0]]
        #expect(eyes.found(list, by: .both, at: Self.at(0)) == [.start(0, "4a"), .setTimer(Self.at(250))])
        #expect(eyes.attemptFailed(0, Self.refused, at: Self.at(1)) == [.start(1, "6a"), .setTimer(Self.at(251))])
        #expect(eyes.attemptFailed(1, Self.unreachable, at: Self.at(2)) == [.start(2, "4b"), .clearTimer])
        #expect(eyes.attemptFailed(2, Self.unreachable, at: Self.at(3)) == [.fail])
        #expect(eyes.failure.reason == .connectionRefused)
        #expect(eyes.failure.message == "refused (3 addresses were tried)")
    }

    @Test func aHostWithoutAddressesIsNotFound() {
        var eyes = Eyes([.ipv6, .ipv4])
        #expect(eyes.lookUpFailed(.ipv6, Self.notFound, at: Self.at(0)) == [])
        #expect(eyes.lookUpFailed(.ipv6, Self.notFound, at: Self.at(0)) == [])
        #expect(eyes.found([], by: .ipv4, at: Self.at(1)) == [.fail])
        #expect(eyes.failure.reason == .hostNotFound)
        var empty = Eyes([.both])
        #expect(empty.found([], by: .both, at: Self.at(0)) == [.fail])
        #expect(empty.failure.reason == .hostNotFound)
    }

    @Test func addressesAndAttemptsAreBounded() {
        var eyes = Eyes([.both])
        let list = (0..<1000).map { DialAddress(family: .ipv4, address: "\($0)") }
        var actions = eyes.found(list, by: .both, at: Self.at(0))
        var startCount = 0
        var now = 0
        while let timer = actions.compactMap({ if case .setTimer(let instant) = $0 { instant } else { nil } }).last {
            startCount += 1
            actions = eyes.timerFired(at: timer)
            now += 250
        }
        #expect(startCount == 5 && actions == [.start(5, "5")])
        for number in 0..<32 {
            let next = eyes.attemptFailed(number, Self.refused, at: Self.at(now))
            #expect(next.contains(.start(number + 6, "\(number + 6)")) == (number + 6 < 32))
        }
        #expect(eyes.isOver)
    }

    @Test func cancellingClosesWhatRuns() {
        var eyes = Eyes([.ipv6, .ipv4])
        _ = eyes.found(Self.six, by: .ipv6, at: Self.at(0))
        #expect(eyes.cancel() == [.close(0), .clearTimer])
        #expect(eyes.isOver && eyes.found(Self.four, by: .ipv4, at: Self.at(1)) == [])
    }

    // MARK: - All orders

    /// One course through all that can happen, with what must hold at each step.
    private struct Course {
        var eyes: Eyes
        var now = 0
        var lookUps: Set<Eyes.LookUp>
        var running: [Int: String] = [:]
        var started: [String] = []
        var failed = 0
        var lastStart: Int?
        /// Whether an attempt has failed since the last one began.
        var mayStart = true
        var timer: ContinuousClock.Instant?
        var end: Action?

        init(_ lookUps: Set<Eyes.LookUp>) {
            (eyes, self.lookUps) = (Eyes(lookUps), lookUps)
        }

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
                    if !running.isEmpty || timer != nil || !lookUps.isEmpty { return "it fails too early" }
                    end = action
                }
            }
            let isStuck = end == nil && running.isEmpty && timer == nil && lookUps.isEmpty
            return isStuck ? "nothing will happen any more" : nil
        }
    }

    /// Every order in which answers, failures and the timer can come, for two addresses of each family.
    @Test(arguments: [false, true])
    func whateverComesWhenItEndsOnceAndRightly(isOneList: Bool) {
        var (courseCount, problems) = (0, [String]())
        var stack = [Course(isOneList ? [.both] : [.ipv6, .ipv4])]
        while let course = stack.popLast() {
            guard course.end == nil else {
                courseCount += 1
                if course.end == .fail, course.eyes.failure.message.isEmpty { problems.append("no reason") }
                continue
            }
            func follow(_ change: (inout Course) -> [Action]) {
                var next = course
                next.now += 20
                let actions = change(&next)
                if let problem = next.take(actions) { return problems.append("\(problem): \(next.started)") }
                stack.append(next)
            }
            for lookUp in course.lookUps {
                let addresses = lookUp == .ipv6 ? Self.six : lookUp == .ipv4 ? Self.four : Self.four + Self.six
                for found in [addresses, []] {
                    follow {
                        $0.lookUps.remove(lookUp)
                        return $0.eyes.found(found, by: lookUp, at: Self.at($0.now))
                    }
                }
                follow {
                    $0.lookUps.remove(lookUp)
                    return $0.eyes.lookUpFailed(lookUp, Self.notFound, at: Self.at($0.now))
                }
            }
            for number in course.running.keys {
                follow { $0.eyes.attemptSucceeded(number) }
                follow {
                    $0.running[number] = nil
                    $0.mayStart = true
                    return $0.eyes.attemptFailed(number, Self.refused, at: Self.at($0.now))
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
                    return $0.eyes.timerFired(at: Self.at($0.now))
                }
            }
        }
        #expect(problems == [])
        #expect(courseCount > (isOneList ? 10 : 1000))
        print("Happy eyeballs: \(courseCount) orders of events\(isOneList ? " of one list" : "")")
    }
}
#endif
