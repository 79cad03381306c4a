import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite struct LearnedQuotaTests {
    private typealias Machine = LimitMachine<Int>

    private static let start = ContinuousClock.now

    /// A limit that only learns, after one response.
    private static func machine(after report: QuotaReport) -> Machine {
        var machine = Machine(CallLimit())
        _ = machine.admitAtOnce(at: start)
        machine.finish(.sent(report, since: Self.start, succeeded: true), at: start)
        return machine
    }

    private static func quota(_ remaining: Int, of limit: Int? = nil, in seconds: Int) -> QuotaReport {
        QuotaReport(quotas: [Quota(limit: limit, remaining: remaining, resetsIn: .seconds(seconds))])
    }

    /// The seconds after which each of several requests that wait together starts; each ends at once, and its response
    /// says nothing.
    private func starts(_ count: Int, of machine: Machine) -> [Double] {
        var (machine, now) = (machine, Self.start)
        var starts: [Double] = []
        func started() {
            starts.append(Self.start.duration(to: now) / .seconds(1))
            machine.finish(.sent(nil, since: Self.start, succeeded: true), at: now)
        }
        for id in 0..<count {
            if case .admitted = machine.arrive(id, priority: 21, deadline: nil, at: now) { started() }
        }
        while let wake = machine.wake(at: now) {
            now = wake
            for _ in machine.admit(at: now) { started() }
        }
        return starts
    }

    @Test func theLastQuarterIsSpreadOverTheTimeLeft() {
        // Ten of a hundred in a minute: one each six seconds.
        let tenth = starts(11, of: Self.machine(after: Self.quota(10, of: 100, in: 60)))
        #expect(tenth == [0, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60])
        // Of twelve left of sixteen, the first eight are free.
        let starts = starts(12, of: Self.machine(after: Self.quota(12, of: 16, in: 40)))
        #expect(starts == [0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 20, 30])
    }

    @Test func withoutAnyLeftTheResetIsAwaited() {
        #expect(starts(1, of: Self.machine(after: Self.quota(0, of: 5, in: 30))) == [30])
        // A second that was rounded away.
        #expect(starts(1, of: Self.machine(after: Self.quota(0, in: 0))) == [1])
        // Nothing says until when.
        let unknown = QuotaReport(quotas: [Quota(remaining: 0)])
        #expect(starts(1, of: Self.machine(after: unknown)) == [0])
    }

    @Test func aHostileResetStopsTheClientForAnHourAtMost() {
        let year = 365 * 86_400
        #expect(starts(1, of: Self.machine(after: Self.quota(0, in: year))) == [3600])
        #expect(starts(1, of: Self.machine(after: QuotaReport(pause: .seconds(year)))) == [3600])
    }

    @Test func afterTheResetAWholeWindowIsAssumed() {
        var machine = Self.machine(after: Self.quota(0, of: 3, in: 10))
        for id in 0..<10 { _ = machine.arrive(id, priority: 21, deadline: nil, at: Self.start) }
        let reset = Self.start + .seconds(10)
        #expect(machine.wake(at: Self.start) == reset)
        // Not all ten at once: the new window may have no more than the last one.
        #expect(machine.admit(at: reset) == [0, 1, 2])
        #expect(machine.wake(at: reset) == nil)
        machine.finish(.sent(Self.quota(2, of: 3, in: 10), since: Self.start, succeeded: true), at: reset)
        #expect(machine.admit(at: reset) == [])
        machine.finish(.sent(Self.quota(1, of: 3, in: 10), since: Self.start, succeeded: true), at: reset)
        machine.finish(.sent(Self.quota(0, of: 3, in: 10), since: Self.start, succeeded: true), at: reset)
        #expect(machine.admit(at: reset) == [] && machine.wake(at: reset) == reset + .seconds(10))
    }

    @Test func requestsInFlightCountAsSpent() {
        var machine = Machine(CallLimit())
        for _ in 0..<4 { _ = machine.admitAtOnce(at: Self.start) }
        machine.finish(.sent(Self.quota(4, of: 4, in: 60), since: Self.start, succeeded: true), at: Self.start)
        // Three are in flight, so one is left, which is the last quarter.
        #expect(machine.admitAtOnce(at: Self.start) == true)
        #expect(machine.admitAtOnce(at: Self.start) == false)
        // A response that was counted earlier arrives later: the fewest left counts.
        machine.finish(.sent(Self.quota(1, of: 4, in: 60), since: Self.start, succeeded: true), at: Self.start)
        machine.finish(.sent(Self.quota(3, of: 4, in: 60), since: Self.start, succeeded: true), at: Self.start)
        #expect(machine.inFlight == 2 && !machine.admitAtOnce(at: Self.start))
    }

    @Test func aResponseThatIsNewerReplacesWhatWasKnown() {
        var machine = Self.machine(after: Self.quota(1, of: 4, in: 60))
        let later = Self.start + .seconds(1)
        #expect(machine.admitAtOnce(at: later) == true)
        // It was sent after the last response had been received, and the service has more again.
        machine.finish(.sent(Self.quota(3, of: 4, in: 60), since: later, succeeded: true), at: later + .seconds(30))
        #expect(machine.admitAtOnce(at: later + .seconds(60)) == true)
        #expect(machine.admitAtOnce(at: later + .seconds(60)) == true)
        // This one was sent before, and says less and for a longer time.
        machine.finish(.sent(Self.quota(0, of: 4, in: 60), since: later, succeeded: true), at: later + .seconds(61))
        #expect(machine.admitAtOnce(at: later + .seconds(120)) == false)
        #expect(machine.admitAtOnce(at: later + .seconds(121)) == true)
    }

    /// The other consumer of the quota has taken the last one, and the window has ended at the service, but not here.
    @Test func aResponseOfTheNextWindowIsNotMixedWithTheLast() {
        var machine = Machine(CallLimit())
        for _ in 0..<2 { _ = machine.admitAtOnce(at: Self.start) }
        let received = [Self.start + .seconds(60.2), Self.start + .seconds(60.9)]
        machine.finish(.sent(Self.quota(0, of: 100, in: 1), since: Self.start, succeeded: true), at: received[0])
        let sent = Self.start + .seconds(60.1)
        machine.finish(.sent(Self.quota(99, of: 100, in: 60), since: sent, succeeded: true), at: received[1])
        for _ in 0..<70 { #expect(machine.admitAtOnce(at: received[1]) == true) }
    }

    @Test func theStrictestOfSeveralQuotasCounts() {
        var report = Self.quota(50, of: 100, in: 60)
        report.quotas.append(Quota(name: "daily", limit: 1000, remaining: 0, resetsIn: .seconds(90)))
        #expect(starts(1, of: Self.machine(after: report)) == [90])
        // One that has started anew no longer matters.
        var machine = Self.machine(after: report)
        _ = machine.arrive(1, priority: 21, deadline: nil, at: Self.start)
        #expect(machine.admit(at: Self.start + .seconds(90)) == [1])
        machine.finish(
            .sent(Self.quota(49, of: 100, in: 60), since: Self.start, succeeded: true),
            at: Self.start + .seconds(90),
        )
        for _ in 0..<24 { #expect(machine.admitAtOnce(at: Self.start + .seconds(90)) == true) }
    }

    @Test func aPauseOverridesWhatWasKnown() {
        var machine = Machine(CallLimit())
        for _ in 0..<2 { _ = machine.admitAtOnce(at: Self.start) }
        machine.finish(.sent(Self.quota(0, of: 5, in: 600), since: Self.start, succeeded: true), at: Self.start)
        #expect(machine.admitAtOnce(at: Self.start + .seconds(20)) == false)
        machine.finish(.sent(QuotaReport(pause: .seconds(20)), since: Self.start, succeeded: true), at: Self.start)
        #expect(machine.admitAtOnce(at: Self.start + .seconds(19)) == false)
        #expect(machine.admitAtOnce(at: Self.start + .seconds(20)) == true)
    }

    /// A service that has just recovered gets one request, and as many more as have succeeded.
    @Test func afterAPauseTheRequestsStartSlowly() {
        var machine = Self.machine(after: QuotaReport(pause: .seconds(5)))
        for id in 0..<1000 { _ = machine.arrive(id, priority: 21, deadline: nil, at: Self.start) }
        var now = Self.start + .seconds(5)
        var rounds: [Int] = []
        var (inFlight, left) = (machine.admit(at: now).count, 1000)
        while inFlight > 0 {
            rounds.append(inFlight)
            left -= inFlight
            now += .milliseconds(100)
            for _ in 0..<inFlight { machine.finish(.sent(nil, since: now, succeeded: true), at: now) }
            inFlight = machine.admit(at: now).count
        }
        #expect(left == 0 && rounds.prefix(6) == [1, 2, 4, 8, 16, 32] && rounds.count == 10)
    }

    @Test func failuresAfterAPauseAdmitNoMore() {
        var machine = Self.machine(after: QuotaReport(pause: .seconds(5)))
        for id in 0..<1000 { _ = machine.arrive(id, priority: 21, deadline: nil, at: Self.start) }
        let end = Self.start + .seconds(5)
        for second in 0..<59 {
            let now = end + .seconds(second)
            #expect(machine.admit(at: now).count == 1)
            machine.finish(.sent(nil, since: now, succeeded: false), at: now)
        }
        // A minute later it no longer matters.
        #expect(machine.admit(at: end + .seconds(60)).count == 1000 - 59)
    }

    @Test func aNumberOfConcurrentRequestsIsForgottenAMinuteAfterItWasStated() {
        let machine = Self.machine(after: QuotaReport(concurrencyMax: 3))
        #expect(machine.inFlightMax(at: Self.start + .seconds(59)) == 3)
        #expect(machine.inFlightMax(at: Self.start + .seconds(60)) == nil)
    }

    @Test func aRequestThatWasNotSentTakesNoTurn() {
        var machine = Machine(CallLimit(rate: .perMinute(1)))
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(machine.admitAtOnce(at: Self.start) == true)
            machine.finish(.notSent(start: number), at: Self.start)
        }
        #expect(machine.admitAtOnce(at: Self.start) == true)
        #expect(machine.admitAtOnce(at: Self.start) == false)
        // A later start is spaced from this one, so nothing is given back.
        #expect(machine.admitAtOnce(at: Self.start + .seconds(60)) == true)
        machine.finish(.notSent(start: 4), at: Self.start + .seconds(60))
        #expect(machine.admitAtOnce(at: Self.start + .seconds(61)) == false)
        // The same for the pace of a quota: ten of a hundred are left for a minute.
        machine = Self.machine(after: Self.quota(10, of: 100, in: 60))
        for number in 2...4 as ClosedRange<UInt64> {
            #expect(machine.admitAtOnce(at: Self.start) == true)
            machine.finish(.notSent(start: number), at: Self.start)
        }
    }

    @Test func nothingThatMayBeSecretIsShownOfAName() {
        let names = ["core", "burst;pk=:c2VjcmV0:", "user 7", "ü", String(repeating: "a", count: 65)]
        let shown = ["core", "burst", "‹redacted›", "‹redacted›", "‹redacted›"]
        #expect(names.map { Quota.shownName($0) } == shown)
    }

    @Test func manyNamesAreBounded() {
        var report = QuotaReport()
        for name in 0..<100 {
            report.quotas.append(Quota(name: "\(name)", limit: 5, remaining: name < 8 ? 5 : 0, resetsIn: .seconds(60)))
        }
        #expect(starts(1, of: Self.machine(after: report)) == [0])
    }
}
