import Foundation
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10))) struct LimitMachineTests {
    private typealias Machine = LimitMachine<Int>

    private static let start = ContinuousClock.now

    @Test(arguments: [
        (CallLimit(inFlightMax: 1, queueMax: 3), 0, 5),
        (CallLimit(inFlightMax: 1, queueMax: 12), 12, 4),
        (CallLimit(inFlightMax: 2, rate: .perSecond(1, burst: 2), queueMax: 2), 0, 5),
        (CallLimit(rate: CallLimit.Rate(2, per: .seconds(5)), queueMax: 10), 8, 4),
        (CallLimit(inFlightMax: 3, queueMax: 0), 0, 5),
        (CallLimit(queueMax: 2), 4, 4),
    ])
    func everyOrderOfEventsKeepsTheLimit(limit: CallLimit, arrivals: Int, depth: Int) {
        // `scripts/explore` goes further.
        var exploration = LimitExploration(limit, depth: Effort.isFull ? depth + 2 : depth)
        exploration.run(after: arrivals)
        print("limits: \(exploration.statesCount) states")
        #expect(exploration.violations == [])
        #expect(exploration.statesCount > 5_000)
    }

    /// A request of a group obeys its limit and the origin's.
    @Test(arguments: [
        (CallLimit(inFlightMax: 1, queueMax: 3), CallLimit(inFlightMax: 1, queueMax: 3), 5),
        (CallLimit(inFlightMax: 2, queueMax: 1), CallLimit(rate: .perSecond(1), queueMax: 2), 5),
        (CallLimit(rate: CallLimit.Rate(2, per: .seconds(5))), CallLimit(inFlightMax: 2, queueMax: 0), 5),
        (CallLimit(), CallLimit(inFlightMax: 2, rate: .perSecond(2, burst: 2)), 5),
    ])
    func twoLimitsTogetherLoseNobody(group: CallLimit, origin: CallLimit, depth: Int) {
        var exploration = TwoLimitsExploration(group: group, origin: origin, depth: Effort.isFull ? depth + 1 : depth)
        exploration.run()
        print("two limits: \(exploration.statesCount) states")
        #expect(exploration.violations == [])
        #expect(exploration.statesCount > 5_000)
    }

    @Test func theHighestPriorityIsFirstAndEveryFourthIsTheOldest() {
        var machine = Machine(CallLimit(inFlightMax: 1))
        #expect(machine.admitAtOnce(at: Self.start) == true)
        for id in 0..<8 { arrive(id, priority: 9, &machine) }
        for id in 100..<108 { arrive(id, priority: 25, &machine) }
        var order: [Int] = []
        while machine.waitingCount > 0 {
            machine.finish(.sent(nil, since: Self.start, succeeded: true), at: Self.start)
            order += machine.admit(at: Self.start)
        }
        #expect(order == [100, 101, 102, 0, 103, 104, 105, 1, 106, 107, 2, 3, 4, 5, 6, 7])
    }

    private func arrive(_ id: Int, priority: UInt8, _ machine: inout Machine) {
        guard case .waiting = machine.arrive(id, priority: priority, deadline: nil, at: Self.start) else {
            Issue.record("\(id) doesn't wait")
            return
        }
    }

    @Test func aBurstIsFollowedByTheRate() {
        var machine = Machine(CallLimit(rate: .perSecond(10, burst: 5)))
        for id in 0..<20 { _ = machine.arrive(id, priority: 21, deadline: nil, at: Self.start) }
        #expect(machine.inFlight == 5 && machine.waitingCount == 15)
        var now = Self.start
        var gaps: [Duration] = []
        while let wake = machine.wake(at: now) {
            gaps.append(now.duration(to: wake))
            now = wake
            #expect(machine.admit(at: now).count == 1)
        }
        #expect(gaps == Array(repeating: .milliseconds(100), count: 15))
    }

    @Test func aCallThatWouldStartTooLateIsRejectedAtOnce() {
        var machine = Machine(CallLimit(rate: .perSecond(1)))
        #expect(machine.admitAtOnce(at: Self.start) == true)
        func arrive(_ id: Int, priority: UInt8, within seconds: Int) -> Machine.Arrival {
            machine.arrive(id, priority: priority, deadline: Self.start + .seconds(seconds), at: Self.start)
        }
        guard case .tooLate(let earliest) = arrive(1, priority: 21, within: 1) else {
            Issue.record("1 doesn't start too late")
            return
        }
        #expect(earliest == Self.start + .seconds(1))
        guard case .waiting = arrive(2, priority: 21, within: 2), case .waiting = arrive(3, priority: 21, within: 3)
        else {
            Issue.record("2 or 3 is rejected")
            return
        }
        // Two are ahead of an equal one, and none of one with a higher priority.
        guard case .tooLate = arrive(4, priority: 21, within: 3), case .waiting = arrive(5, priority: 25, within: 3)
        else {
            Issue.record("the calls ahead are not counted")
            return
        }
    }

    @Test func rejectionsHalveTheBoundAndSuccessesRaiseIt() {
        var machine = Machine(CallLimit(inFlightMax: 8))
        for _ in 0..<8 { #expect(machine.admitAtOnce(at: Self.start) == true) }
        let rejection = QuotaReport(isConcurrencyRejection: true)
        machine.finish(.sent(rejection, since: Self.start, succeeded: true), at: Self.start)
        #expect(machine.inFlightMax(at: Self.start) == 4)
        // Those that were sent together count once.
        machine.finish(.sent(rejection, since: Self.start, succeeded: true), at: Self.start + .milliseconds(900))
        #expect(machine.inFlightMax(at: Self.start) == 4 && machine.inFlight == 6)
        var now = Self.start + .seconds(1)
        machine.finish(.sent(rejection, since: Self.start, succeeded: true), at: now)
        #expect(machine.inFlightMax(at: Self.start) == 2)
        for _ in 0..<5 { machine.finish(.sent(nil, since: Self.start, succeeded: true), at: now) }
        var successesCount = 0
        while machine.inFlightMax(at: Self.start) != 8, successesCount < 1_000 {
            now += .milliseconds(1)
            while machine.admitAtOnce(at: now) {}
            #expect(machine.inFlight == machine.inFlightMax(at: Self.start))
            machine.finish(.sent(nil, since: Self.start, succeeded: true), at: now)
            successesCount += 1
        }
        // About as many successes as the bound for each step.
        #expect((20...60).contains(successesCount))
    }

    @Test func aServiceMayNameTheBoundItself() {
        var machine = Machine(CallLimit())
        #expect(machine.inFlightMax(at: Self.start) == nil && machine.admitAtOnce(at: Self.start))
        machine.finish(.sent(QuotaReport(concurrencyMax: 3), since: Self.start, succeeded: true), at: Self.start)
        #expect(machine.inFlightMax(at: Self.start) == 3)
        #expect(machine.admitAtOnce(at: Self.start) == true)
        machine.finish(.sent(QuotaReport(concurrencyMax: 0), since: Self.start, succeeded: true), at: Self.start)
        #expect(machine.inFlightMax(at: Self.start) == 1)
    }

    @Test func bounds() {
        var machine = Machine(
            CallLimit(inFlightMax: -1, rate: CallLimit.Rate(0, per: .seconds(-1), burst: 0), queueMax: -5)
        )
        #expect(machine.inFlightMax(at: Self.start) == 1 && machine.admitAtOnce(at: Self.start))
        guard case .queueFull = machine.arrive(1, priority: 0, deadline: nil, at: Self.start) else {
            Issue.record("a queue of less than none")
            return
        }
        let far = Duration.seconds(Int64.max / 4)
        var slow = Machine(CallLimit(rate: CallLimit.Rate(1, per: far, burst: .max)))
        for _ in 0..<1_000 { #expect(slow.admitAtOnce(at: Self.start) == true) }
        slow.finish(.sent(QuotaReport(pause: far), since: Self.start, succeeded: true), at: Self.start)
        _ = slow.arrive(1, priority: 0, deadline: Self.start + .seconds(1), at: Self.start)
        slow.finish(
            .sent(
                QuotaReport(quotas: [Quota(limit: .max, remaining: .max, resetsIn: far)]),
                since: Self.start,
                succeeded: true,
            ),
            at: Self.start + .seconds(3600),
        )
        // A minute after the pause, the slow start is over.
        #expect(slow.admitAtOnce(at: Self.start + .seconds(3659)) == false)
        #expect(slow.admitAtOnce(at: Self.start + .seconds(3660)) == true)
    }
}
