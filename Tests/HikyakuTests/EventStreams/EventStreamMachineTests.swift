import HikyakuBase
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite struct EventStreamMachineTests {
    typealias Machine = EventStreamMachine

    private static let policy = RetryPolicy(
        attemptsMax: 4,
        delay: .seconds(1),
        delayMax: .seconds(4),
        retryAfterMax: .seconds(60),
    )
    private static let start = ContinuousClock.now
    private static let lost = Machine.End.transient(.connectionReset, retryAfter: nil)

    private func decide(
        _ machine: inout Machine,
        _ end: Machine.End,
        at now: ContinuousClock.Instant = start,
        retry: Duration? = nil,
        unit: Double = 1,
        hasBudget: Bool = true,
    ) -> Machine.Decision {
        machine.decision(after: end, at: now, retry: retry, unit: unit) { hasBudget }
    }

    @Test func pausesGrowAndStartAgainAfterAnEvent() {
        var machine = Machine(Self.policy, mayReconnect: true)
        #expect(decide(&machine, Self.lost) == .connect(after: .seconds(1)))
        #expect(decide(&machine, Self.lost) == .connect(after: .seconds(2)))
        machine.connected(at: Self.start)
        machine.received()
        #expect(decide(&machine, Self.lost) == .connect(after: .seconds(1)))
        #expect(decide(&machine, Self.lost, unit: 0) == .connect(after: .zero))
        #expect(decide(&machine, Self.lost) == .connect(after: .seconds(4)))
        #expect(decide(&machine, Self.lost) == .fail)
    }

    @Test func aServiceThatClosesAtOnceGetsABoundedNumberOfConnections() {
        var machine = Machine(Self.policy, mayReconnect: true)
        for _ in 0..<3 {
            machine.connected(at: Self.start)
            guard case .connect = decide(&machine, .closed) else {
                Issue.record("it ended early")
                return
            }
        }
        machine.connected(at: Self.start)
        #expect(decide(&machine, .closed) == .fail)
    }

    @Test func aQuietConnectionIsNotAFailure() {
        var machine = Machine(Self.policy, mayReconnect: true)
        for _ in 0..<100 {
            machine.connected(at: Self.start)
            #expect(decide(&machine, .closed, at: Self.start + .seconds(4)) == .connect(after: .seconds(1)))
        }
    }

    @Test func theServicesTimesAreAddedAndBounded() {
        var machine = Machine(Self.policy, mayReconnect: true)
        machine.received()
        #expect(decide(&machine, .closed, retry: .seconds(3), unit: 0) == .connect(after: .seconds(3)))
        machine.received()
        #expect(decide(&machine, .closed, retry: .seconds(999)) == .connect(after: .seconds(61)))
        machine.received()
        let limited = Machine.End.transient(.unacceptableStatus, retryAfter: .seconds(20))
        #expect(decide(&machine, limited, retry: .seconds(3)) == .connect(after: .seconds(21)))
        #expect(decide(&machine, .transient(.unacceptableStatus, retryAfter: .seconds(61))) == .fail)
    }

    @Test func aSpentBudgetMakesPausesLong() {
        var machine = Machine(Self.policy, mayReconnect: true)
        #expect(decide(&machine, Self.lost, unit: 0, hasBudget: false) == .connect(after: .seconds(2)))
        #expect(decide(&machine, Self.lost, unit: 1, hasBudget: false) == .connect(after: .seconds(4)))
        // After its events, a stream may be closed as often as the service wants.
        machine.received()
        #expect(decide(&machine, .closed, unit: 0, hasBudget: false) == .connect(after: .zero))
    }

    @Test(arguments: [false, true])
    func endsAreFinal(_ mayReconnect: Bool) {
        var machine = Machine(Self.policy, mayReconnect: mayReconnect)
        machine.received()
        #expect(decide(&machine, .terminated) == .end)
        #expect(decide(&machine, .noContent) == .end)
        #expect(decide(&machine, .failed) == .fail)
    }

    @Test func aRequestThatMayNotBeRepeatedHasOneConnection() {
        var machine = Machine(Self.policy, mayReconnect: false)
        machine.received()
        #expect(decide(&machine, .closed) == .end)
        #expect(decide(&machine, Self.lost) == .fail)
    }

    /// All orders of what may happen to seven connections, with what must hold after each.
    @Test func allOrdersOfEndsKeepTheRules() {
        struct World {
            var machine: Machine
            var now = EventStreamMachineTests.start
            var idle = 0
            var path: [String] = []
        }
        let ends: [Machine.End] = [
            .closed, Self.lost, .transient(.unacceptableStatus, retryAfter: .seconds(9)), .terminated, .noContent,
            .failed,
        ]
        var states = 0
        func explore(_ world: World, depth: Int) {
            guard depth > 0 else { return }
            for end in ends {
                for (connects, brings, lasts) in [
                    (false, false, false), (true, false, false), (true, true, false), (true, false, true),
                ] {
                    for hasBudget in [true, false] {
                        var world = world
                        if connects { world.machine.connected(at: world.now) }
                        if brings { world.machine.received() }
                        if lasts { world.now += .seconds(5) }
                        let decision = decide(
                            &world.machine,
                            end,
                            at: world.now,
                            retry: .milliseconds(500),
                            unit: 0.5,
                            hasBudget: hasBudget,
                        )
                        states += 1
                        world.idle = brings || lasts ? 1 : world.idle + 1
                        world.path.append("\(end) \(brings) \(lasts)")
                        switch end {
                        case .terminated, .noContent: #expect(decision == .end, "\(world.path)")
                        case .failed: #expect(decision == .fail, "\(world.path)")
                        case .closed, .transient:
                            guard world.idle < Self.policy.attemptsMax else {
                                #expect(decision == .fail, "\(world.path)")
                                continue
                            }
                            guard case .connect(let pause) = decision else {
                                Issue.record("it ended early: \(world.path)")
                                continue
                            }
                            let stated: Duration =
                                if case .transient(_, .some) = end { .seconds(9) } else {
                                    .milliseconds(500)
                                }
                            #expect(pause >= stated && pause <= stated + .seconds(4), "\(world.path)")
                            world.now += pause
                            explore(world, depth: depth - 1)
                        }
                    }
                }
            }
        }
        explore(World(machine: Machine(Self.policy, mayReconnect: true)), depth: 3)
        #expect(states > 10_000)
    }
}
