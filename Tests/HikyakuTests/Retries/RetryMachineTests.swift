import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10))) struct RetryMachineTests {
    private typealias Outcome = RetryMachine.Outcome

    private static let start = ContinuousClock.now

    private static let transient: [Outcome] = [
        .response(503, retryAfter: nil), .response(429, retryAfter: .seconds(2)), .failure(.connectionReset),
        .response(500, retryAfter: .seconds(3)),
    ]
    private static let final: [Outcome] = [
        .response(404, retryAfter: .seconds(1)), .response(501, retryAfter: nil), .failure(.malformedResponse),
        .failure(.deadline),
    ]

    /// What one step of the exploration saw.
    private struct Step {
        let outcome: Outcome
        let isTransient: Bool
        let unit: Double
        let isInBudget: Bool
        let duration: Duration

        var stated: Duration {
            if case .response(_, let retryAfter?) = outcome { retryAfter } else { .zero }
        }
    }

    private static var steps: [Step] {
        (transient.map { ($0, true) } + final.map { ($0, false) }).flatMap { outcome, isTransient in
            [0, 0.5].flatMap { unit in
                [true, false].flatMap { isInBudget in
                    [Duration.milliseconds(1), .seconds(3)].map {
                        Step(
                            outcome: outcome,
                            isTransient: isTransient,
                            unit: unit,
                            isInBudget: isInBudget,
                            duration: $0,
                        )
                    }
                }
            }
        }
    }

    /// All orders of outcomes until each call has ended, for several policies and deadlines.
    @Test func everyOrderOfOutcomesKeepsThePolicy() {
        var statesCount = 0
        for (attemptsMax, jitter) in (0...4).flatMap({ [($0, RetryPolicy.Jitter.full), ($0, .decorrelated)] }) {
            for deadline in [nil, Duration.seconds(4), .seconds(30)] {
                for isReplayable in [true, false] {
                    var policy = RetryPolicy(attemptsMax: attemptsMax, delay: .seconds(1), delayMax: .seconds(3))
                    policy.retryAfterMax = .seconds(2)
                    policy.jitter = jitter
                    let machine = RetryMachine(
                        policy,
                        deadline: deadline.map { Self.start + $0 },
                        isReplayable: isReplayable,
                    )
                    explore(machine, at: Self.start, policy, deadline, isReplayable, depth: 1, &statesCount)
                }
            }
        }
        print("retries: \(statesCount) states")
        #expect(statesCount > 10_000)
    }

    private func explore(
        _ machine: RetryMachine,
        at start: ContinuousClock.Instant,
        _ policy: RetryPolicy,
        _ deadline: Duration?,
        _ isReplayable: Bool,
        depth: Int,
        _ statesCount: inout Int,
    ) {
        for step in Self.steps {
            statesCount += 1
            var machine = machine
            var withdrawals = 0
            let now = start + step.duration
            let decision = machine.decision(after: step.outcome, from: start, to: now, unit: step.unit) { _, _ in
                withdrawals += 1
                return step.isInBudget ? nil : .budget
            }
            #expect(machine.attemptsCount == depth)
            switch decision {
            case .end(let end):
                #expect((end == nil) == !step.isTransient)
                #expect((end == .budget) == (withdrawals == 1))
                if end == .attemptsMax { #expect(depth >= policy.attemptsMax) }
                if end == .body { #expect(!isReplayable) }
                let room = deadline.map { now.duration(to: Self.start + $0) }
                if end == .deadline { #expect(room.map { $0 <= step.duration } == true) }
                if end == .retryAfter {
                    #expect(step.stated > .seconds(2) || room.map { $0 <= step.stated + step.duration } == true)
                }
                if end == .budget { #expect(step.stated <= .seconds(2)) }
            case .again(let pause):
                #expect(step.isTransient && isReplayable && step.isInBudget && withdrawals == 1)
                #expect(depth < policy.attemptsMax)
                #expect(step.stated <= .seconds(2))
                #expect(pause >= step.stated && pause <= step.stated + policy.delayMax)
                if let deadline {
                    #expect(Self.start.duration(to: now + pause) < deadline)
                } else if policy.jitter == .decorrelated {
                    #expect(pause >= step.stated + policy.delay)
                }
                guard depth < 3 else { continue }
                explore(machine, at: now + pause, policy, deadline, isReplayable, depth: depth + 1, &statesCount)
            }
        }
    }

    /// The pauses of a client whose random numbers are always the same.
    @Test(arguments: [
        (RetryPolicy.Jitter.full, 1.0, [1.0, 2, 4, 8, 10]), (.full, 0.5, [0.5, 1, 2, 4, 5]),
        (.full, 0, [0, 0, 0, 0, 0]),
        (.decorrelated, 1, [3, 9, 10, 10, 10]), (.decorrelated, 0.5, [2, 3.5, 5.75, 9.125, 10]),
        (.decorrelated, 0, [1, 1, 1, 1, 1]),
    ])
    func pausesGrow(_ jitter: RetryPolicy.Jitter, _ unit: Double, _ pauses: [Double]) {
        let policy = RetryPolicy(attemptsMax: 6, delay: .seconds(1), delayMax: .seconds(10), jitter: jitter)
        var machine = RetryMachine(policy, deadline: nil, isReplayable: true)
        for pause in pauses {
            let decision = machine.decision(
                after: .failure(.connectionReset),
                from: Self.start,
                to: Self.start,
                unit: unit,
            ) { _, _ in nil }
            #expect(decision == .again(after: .seconds(pause)))
        }
    }

    @Test func theShortestAttemptMustFitBeforeTheDeadline() {
        let policy = RetryPolicy(attemptsMax: 5, delay: .zero)
        var machine = RetryMachine(policy, deadline: Self.start + .seconds(10), isReplayable: true)
        let first = machine.decision(
            after: .failure(.connectionReset),
            from: Self.start,
            to: Self.start + .seconds(4),
            unit: 1,
        ) { _, _ in nil }
        #expect(first == .again(after: .zero))
        let second = machine.decision(
            after: .failure(.connectionReset),
            from: Self.start + .seconds(4),
            to: Self.start + .seconds(8),
            unit: 1,
        ) { _, _ in nil }
        #expect(second == .end(.deadline))
    }

    /// Nothing overflows, whatever an app sets.
    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max / 4), .nanoseconds(1)])
    func anyDurationsAreAllowed(_ duration: Duration) {
        let policy = RetryPolicy(
            attemptsMax: .max,
            delay: duration,
            delayMax: .seconds(Int64.max / 4),
            retryAfterMax: .seconds(Int64.max / 4),
        )
        var machine = RetryMachine(policy, deadline: nil, isReplayable: true)
        for unit in [0, 0.3, 1, 2, -1, Double.nan] {
            for retryAfter in [nil, Duration.seconds(-1), .seconds(Int64.max / 4)] {
                let decision = machine.decision(
                    after: .response(503, retryAfter: retryAfter),
                    from: Self.start,
                    to: Self.start,
                    unit: unit,
                ) { _, _ in nil }
                guard case .again(let pause) = decision else {
                    Issue.record("\(decision)")
                    continue
                }
                #expect(pause >= .zero && pause <= .seconds(400 * 365 * 86_400))
            }
        }
    }
}
