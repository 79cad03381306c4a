import Foundation
import HikyakuBase
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10))) struct RetryBudgetTests {
    private typealias Level = RetryBudget.Level

    private static let start = ContinuousClock.now

    @Test func requestsEarnRetries() {
        let budget = RetryBudget(ratio: 0.5, reserve: 0)
        var level = Level(at: Self.start)
        var allowed = [level.withdraw(budget, at: Self.start)]
        for _ in 0..<2 {
            level.deposit(budget, at: Self.start)
            allowed.append(level.withdraw(budget, at: Self.start))
        }
        allowed.append(level.withdraw(budget, at: Self.start))
        #expect(allowed == [false, false, true, false])
    }

    @Test func theReserveFillsInTenMinutesOrByRequests() {
        let budget = RetryBudget(ratio: 0.5, reserve: 10)
        var level = Level(at: Self.start)
        func counts(at seconds: [Int]) -> [Int] {
            seconds.map { second in
                (0..<20).count { _ in level.withdraw(budget, at: Self.start + .seconds(second)) }
            }
        }
        // A clock that runs backwards gives nothing.
        #expect(counts(at: [0, 66, 666, 666, 0]) == [10, 1, 10, 0, 0])
        for _ in 0..<4 { level.deposit(budget, at: Self.start + .seconds(666)) }
        #expect(counts(at: [666]) == [2])
    }

    @Test func whatWasEarnedIsForgotten() {
        let budget = RetryBudget(ratio: 0.25, reserve: 2)
        for (pause, allowedCount) in [(0, 20), (9, 20), (19, 20), (20, 2), (3600, 2)] {
            var level = Level(at: Self.start)
            // At the start of the second part of time.
            for _ in 0..<80 { level.deposit(budget, at: Self.start + .seconds(10)) }
            let end = Self.start + .seconds(10 + pause)
            #expect((0..<50).count { _ in level.withdraw(budget, at: end) } == allowedCount, "after \(pause) s")
        }
    }

    /// The load on a service that fails each attempt of a client with few calls, after it has worked for long.
    @Test(arguments: [6, 12, 60, 600, 6000]) func aFailingServiceGetsFewRetries(_ callsPerMinute: Int) {
        let budget = RetryBudget()
        var level = Level(at: Self.start)
        let interval = Duration.seconds(60) / callsPerMinute
        for number in 0..<(10 * callsPerMinute) { level.deposit(budget, at: Self.start + interval * number) }
        let retriesCount = (0..<(4 * callsPerMinute)).count { half in
            level.withdraw(budget, at: Self.start + .seconds(600) + interval / 2 * half)
        }
        #expect(Double(2 * callsPerMinute + retriesCount) <= 1.2 * Double(2 * callsPerMinute))
    }

    /// The load on a service, however requests and failures are mixed.
    @Test func retriesNeverExceedTheRatioAndTheReserve() {
        let seed = testSeed()
        print("seed of the budget: \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(200) {
            let budget = RetryBudget()
            var level = Level(at: Self.start)
            var (requestsCount, retriesCount) = (0, 0)
            for _ in 0..<1000 {
                if Bool.random(using: &random) {
                    requestsCount += 1
                    level.deposit(budget, at: Self.start)
                } else if level.withdraw(budget, at: Self.start) {
                    retriesCount += 1
                }
                #expect(Double(retriesCount) <= 2 + 0.2 * Double(requestsCount) + 1e-6)
            }
        }
    }

    /// All orders of successes, retries and pauses up to a depth, compared with plain lists of when they happened.
    @Test(arguments: [
        (RetryBudget(), 8), (RetryBudget(ratio: 0.5, reserve: 1), 8), (RetryBudget(ratio: 1.5, reserve: 0), 8),
    ])
    func everyOrderOfEventsKeepsTheBudget(budget: RetryBudget, depth: Int) {
        var exploration = RetryBudgetExploration(budget, depth: Effort.isFull ? depth + 2 : depth)
        exploration.run()
        print("budget: \(exploration.statesCount) states")
        #expect(exploration.violations == [])
        #expect(exploration.statesCount > 50_000)
    }

    @Test func strangeBudgetsAreAllowed() {
        for ratio in [-1, 0, 1e300, .infinity, .nan] {
            for reserve in [Int.min, -1, 0, Int.max] {
                let budget = RetryBudget(ratio: ratio, reserve: reserve)
                var level = Level(at: Self.start)
                level.deposit(budget, at: Self.start)
                let isAllowed = level.withdraw(budget, at: Self.start + .seconds(1))
                #expect(isAllowed == (ratio >= 1 || reserve == .max))
                #expect(level.balance <= Level.balanceMax)
            }
        }
    }

    @Test func eachOriginHasItsOwn() {
        let budgets = RetryBudgets()
        let budget = RetryBudget(ratio: 0, reserve: 1)
        let one = HTTPOrigin(scheme: "https", host: "a.example", port: nil)
        let other = HTTPOrigin(scheme: "https", host: "b.example", port: nil)
        #expect(budgets.withdraw(budget, for: one, at: Self.start))
        #expect(!budgets.withdraw(budget, for: one, at: Self.start))
        #expect(budgets.withdraw(budget, for: other, at: Self.start))
    }

    @Test func thousandsOfOriginsAreForgotten() {
        let budgets = RetryBudgets()
        for number in 0..<3000 {
            let origin = HTTPOrigin(scheme: "https", host: "h\(number).example", port: nil)
            // Of a service that always fails, only retries are counted.
            if number.isMultiple(of: 2) {
                budgets.deposit(RetryBudget(), for: origin, at: Self.start)
            } else {
                _ = budgets.withdraw(RetryBudget(), for: origin, at: Self.start)
            }
            #expect(budgets.count <= 1000)
        }
    }
}

/// All orders of events of one budget up to a depth, and what must hold after each.
private struct RetryBudgetExploration {
    enum Event: CaseIterable { case succeed, succeedOften, retry, wait, waitLong }

    private struct World {
        var level: RetryBudget.Level
        var now: ContinuousClock.Instant
        var successesCount = 0
        var retries: [ContinuousClock.Instant] = []
        /// When the last request succeeded.
        var lastSuccess: ContinuousClock.Instant?
    }

    let budget: RetryBudget
    let depth: Int
    private(set) var statesCount = 0
    private(set) var violations: [String] = []
    private var path: [Event] = []

    init(_ budget: RetryBudget, depth: Int) { (self.budget, self.depth) = (budget, depth) }

    mutating func run() {
        let now = ContinuousClock.now
        explore(World(level: RetryBudget.Level(at: now), now: now), since: now)
    }

    private mutating func explore(_ world: World, since start: ContinuousClock.Instant) {
        guard path.count < depth, violations.count < 10 else { return }
        for event in Event.allCases {
            var world = world
            path.append(event)
            apply(event, &world)
            statesCount += 1
            check(world, since: start)
            explore(world, since: start)
            path.removeLast()
        }
    }

    private mutating func expect(_ holds: Bool, _ rule: String) {
        if !holds, violations.count < 10 { violations.append("\(rule), after \(path)") }
    }

    private mutating func apply(_ event: Event, _ world: inout World) {
        switch event {
        case .succeed, .succeedOften:
            let count = event == .succeed ? 1 : 30
            let before = world.level.available(budget, at: world.now)
            for _ in 0..<count { world.level.deposit(budget, at: world.now) }
            world.successesCount += count
            world.lastSuccess = world.now
            expect(world.level.available(budget, at: world.now) >= before, "a success costs nothing")
        case .retry:
            let before = world.level.available(budget, at: world.now)
            let isAllowed = world.level.withdraw(budget, at: world.now)
            expect(isAllowed == (before > 0), "a retry is allowed if one is available")
            if isAllowed { world.retries.append(world.now) }
            let after = world.level.available(budget, at: world.now)
            expect(after == max(0, before - 1), "a retry costs one")
        case .wait: world.now += .seconds(7)
        case .waitLong: world.now += .seconds(120)
        }
    }

    private mutating func check(_ world: World, since start: ContinuousClock.Instant) {
        let reserve = Double(budget.reserve)
        let minutes = start.duration(to: world.now) / .seconds(60)
        let earned = budget.ratio * Double(world.successesCount) + reserve * (1 + minutes / 10)
        expect(Double(world.retries.count) <= earned + 1e-9, "no more retries than successes and the reserve allow")
        let recent = world.retries.count { $0.duration(to: world.now) < .seconds(60) }
        expect(Double(recent) <= 100 + reserve + 1, "no flood after a time without failures")
        if world.lastSuccess.map({ $0.duration(to: world.now) >= .seconds(20) }) ?? true {
            let available = world.level.available(budget, at: world.now)
            expect(Double(available) <= reserve, "what was earned is forgotten")
        }
    }
}
