import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10))) struct CircuitMachineTests {
    private typealias Outcome = CircuitMachine.Outcome

    private static let start = ContinuousClock.now
    private static let policy = CircuitBreaker(
        callsMin: 4,
        window: .seconds(10),
        openDuration: .seconds(5),
        probesMax: 2,
    )

    private static func token(
        _ machine: inout CircuitMachine,
        at second: Double,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) throws -> CircuitMachine.Token {
        let admission = machine.admit(at: start + .seconds(second)).admission
        guard case .allowed(let token) = admission else {
            Issue.record("\(admission)", sourceLocation: sourceLocation)
            throw NothingThrown()
        }
        return token
    }

    /// Sends attempts one after the other, each of which takes a second; returns the states that followed.
    @discardableResult
    private static func run(
        _ machine: inout CircuitMachine,
        _ outcomes: [Outcome],
        at second: Double = 0,
    ) throws -> [CircuitChange.State?] {
        try outcomes.map { outcome in
            let token = try token(&machine, at: second)
            return machine.end(token, outcome, after: .seconds(1), at: start + .seconds(second), unit: 0)?.state
        }
    }

    private static func opened(_ policy: CircuitBreaker = policy) throws -> CircuitMachine {
        var machine = CircuitMachine(policy, at: start)
        try run(&machine, [.failure, .failure, .failure])
        #expect(try run(&machine, [.failure]) == [.open])
        return machine
    }

    // MARK: - When it opens

    @Test(
        arguments: [
            ([.failure, .failure, .failure], nil),
            ([.success, .success, .failure, .failure], nil),
            ([.success, .failure, .failure, .failure], .open),
            // Also a success may complete the number of attempts that it needs.
            ([.failure, .failure, .failure, .success], .open),
            ([.failure, .failure, .failure, .neutral, .neutral, .deadline], nil),
            ([.neutral, .failure, .neutral, .failure, .failure, .success], .open),
        ] as [([CircuitMachine.Outcome], CircuitChange.State?)]
    )
    func itOpensAboveTheRate(_ outcomes: [CircuitMachine.Outcome], _ last: CircuitChange.State?) throws {
        var machine = CircuitMachine(Self.policy, at: Self.start)
        let changes = try Self.run(&machine, outcomes)
        #expect(changes.dropLast().allSatisfy { $0 == nil } && changes.last == last)
    }

    @Test func whatIsOlderThanTheWindowIsForgotten() throws {
        var machine = CircuitMachine(Self.policy, at: Self.start)
        #expect(try Self.run(&machine, [.failure, .failure, .failure], at: 0.5) == [nil, nil, nil])
        #expect(try Self.run(&machine, [.success, .failure, .failure, .success], at: 10.5) == [nil, nil, nil, nil])
        #expect(machine.report(at: Self.start + .seconds(10.5)).counts.calls == 4)
        #expect(machine.report(at: Self.start + .seconds(30)).counts == CircuitCounts())
    }

    @Test func slowAttemptsOpenIt() throws {
        var policy = Self.policy
        policy.slowCallDuration = .seconds(1)
        policy.failureRateMax = 1
        var machine = CircuitMachine(policy, at: Self.start)
        #expect(try Self.run(&machine, [.success, .failure, .neutral, .deadline]) == [nil, nil, nil, nil])
        #expect(try Self.run(&machine, [.deadline]) == [.open])
        let report = machine.report(at: Self.start)
        #expect(report.counts == CircuitCounts(calls: 4, failures: 1, slow: 4))
    }

    // MARK: - Open and half-open

    @Test func anOpenCircuitSaysWhenAProbeIsAllowed() throws {
        var machine = try Self.opened()
        #expect(machine.admit(at: Self.start).admission == .rejected(retryAfter: .seconds(5)))
        #expect(machine.admit(at: Self.start + .seconds(4)).admission == .rejected(retryAfter: .seconds(1)))
        let (_, change) = machine.admit(at: Self.start + .seconds(5))
        #expect(change?.state == .halfOpen)
    }

    @Test func theTimeHasARandomPart() throws {
        for (unit, seconds) in [(0, 5), (0.5, 5.5), (1, 6), (2, 6), (-1, 5), (.nan, 5)] as [(Double, Double)] {
            var machine = CircuitMachine(Self.policy, at: Self.start)
            try Self.run(&machine, [.failure, .failure, .failure])
            let token = try Self.token(&machine, at: 0)
            let report = machine.end(token, .failure, after: .zero, at: Self.start, unit: unit)
            #expect(report?.probesAfter.map { abs($0 / .seconds(1) - seconds) < 1e-6 } == true, "\(unit)")
        }
    }

    @Test func asManyProbesMustSucceed() throws {
        var machine = try Self.opened()
        let probes = [try Self.token(&machine, at: 5), try Self.token(&machine, at: 5)]
        #expect(machine.admit(at: Self.start + .seconds(6)).admission == .rejected(retryAfter: .seconds(4)))
        let now = Self.start + .seconds(7)
        #expect(machine.end(probes[0], .success, after: .zero, at: now, unit: 0) == nil)
        // A success doesn't make room for another probe.
        #expect(machine.admit(at: now).admission == .rejected(retryAfter: .seconds(3)))
        let report = machine.end(probes[1], .success, after: .zero, at: now, unit: 0)
        #expect(report?.state == .closed && report?.counts.calls == 2)
        // It starts anew.
        #expect(machine.report(at: now).counts == CircuitCounts())
        #expect(try Self.run(&machine, [.failure, .failure, .failure, .failure], at: 7) == [nil, nil, nil, .open])
    }

    @Test func oneFailedProbeOpensItAgain() throws {
        var machine = try Self.opened()
        let probes = [try Self.token(&machine, at: 5), try Self.token(&machine, at: 5)]
        let now = Self.start + .seconds(6)
        #expect(machine.end(probes[0], .failure, after: .zero, at: now, unit: 0)?.state == .open)
        // The other probe belongs to the past.
        #expect(machine.end(probes[1], .success, after: .zero, at: now, unit: 0) == nil)
        #expect(machine.admit(at: now).admission == .rejected(retryAfter: .seconds(5)))
    }

    @Test func aSlowProbeOpensItAgain() throws {
        var policy = Self.policy
        policy.slowCallDuration = .seconds(3)
        var machine = try Self.opened(policy)
        let probe = try Self.token(&machine, at: 5)
        let change = machine.end(probe, .success, after: .seconds(3), at: Self.start + .seconds(8), unit: 0)
        #expect(change?.state == .open && change?.counts == CircuitCounts(calls: 1, failures: 0, slow: 1))
    }

    @Test func aCancelledProbeIsReplaced() throws {
        var machine = try Self.opened()
        let first = try Self.token(&machine, at: 5)
        _ = try Self.token(&machine, at: 5)
        let now = Self.start + .seconds(5)
        #expect(machine.end(first, .neutral, after: .zero, at: now, unit: 0) == nil)
        _ = try Self.token(&machine, at: 5)
        #expect(machine.admit(at: now).admission == .rejected(retryAfter: .seconds(5)))
    }

    @Test func probesThatNeverEndAreReplaced() throws {
        var machine = try Self.opened()
        let lost = [try Self.token(&machine, at: 5), try Self.token(&machine, at: 5)]
        let others = [try Self.token(&machine, at: 10), try Self.token(&machine, at: 10)]
        let now = Self.start + .seconds(10)
        #expect(machine.admit(at: now).admission == .rejected(retryAfter: .seconds(5)))
        // The slot of an earlier round is not given back a second time.
        #expect(machine.end(lost[0], .neutral, after: .zero, at: now, unit: 0) == nil)
        #expect(machine.admit(at: now).admission == .rejected(retryAfter: .seconds(5)))
        // A late success counts as well.
        #expect(machine.end(lost[1], .success, after: .zero, at: now, unit: 0) == nil)
        #expect(machine.end(others[0], .success, after: .zero, at: now, unit: 0)?.state == .closed)
    }

    @Test func whatBeganBeforeTheChangeDoesNotCount() throws {
        var machine = CircuitMachine(Self.policy, at: Self.start)
        let old = try (0..<8).map { _ in try Self.token(&machine, at: 0) }
        try Self.run(&machine, [.failure, .failure, .failure, .failure])
        let probes = [try Self.token(&machine, at: 5), try Self.token(&machine, at: 5)]
        let now = Self.start + .seconds(5)
        for token in old.prefix(4) { #expect(machine.end(token, .failure, after: .zero, at: now, unit: 0) == nil) }
        for probe in probes { _ = machine.end(probe, .success, after: .zero, at: now, unit: 0) }
        for token in old.suffix(4) { #expect(machine.end(token, .failure, after: .zero, at: now, unit: 0) == nil) }
        #expect(machine.report(at: now) == CircuitMachine.Report(state: .closed, counts: CircuitCounts()))
    }

    @Test func aTokenOfAForgottenCircuitMeansNothing() throws {
        var forgotten = CircuitMachine(Self.policy, id: 1, at: Self.start)
        let token = try Self.token(&forgotten, at: 0)
        var machine = CircuitMachine(Self.policy, id: 2, at: Self.start)
        #expect(machine.end(token, .failure, after: .zero, at: Self.start, unit: 0) == nil)
        #expect(machine.report(at: Self.start).counts.calls == 0)
    }

    // MARK: - Strange policies

    /// Nothing overflows, whatever an app sets.
    @Test(arguments: [Duration.zero, .seconds(-5), .nanoseconds(1), .seconds(Int64.max / 4)])
    func anyPolicyIsAllowed(_ duration: Duration) throws {
        for rate in [-1, 0, 0.5, 1, .infinity, .nan] {
            for count in [Int.min, 0, 1, .max] {
                let policy = CircuitBreaker(
                    failureRateMax: rate,
                    slowCallDuration: duration,
                    slowRateMax: rate,
                    callsMin: count,
                    window: duration,
                    openDuration: duration,
                    probesMax: count,
                )
                var machine = CircuitMachine(policy, at: Self.start)
                for second in [0, 1, -1, 1_000_000_000] {
                    let now = Self.start + .seconds(second)
                    guard case .allowed(let token) = machine.admit(at: now).admission else { continue }
                    _ = machine.end(token, .failure, after: duration, at: now, unit: 1)
                    _ = machine.report(at: now)
                    _ = machine.isIdle(at: now)
                }
                if rate >= 1 || rate.isNaN || count == .max { #expect(machine.isClosed) }
            }
        }
    }
}
