import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// All orders of events up to a depth, compared with a model that keeps every attempt.
@Suite(.timeLimit(.minutes(10))) struct CircuitExplorationTests {
    private enum Event {
        case advance(Duration)
        case admit
        case end(isFirst: Bool, CircuitMachine.Outcome)
    }

    private static let start = ContinuousClock.now
    /// The random part of the time that a circuit stays open, the same each time.
    private static let unit = 0.5

    private static let events: [Event] =
        [.milliseconds(700), .milliseconds(3100), .milliseconds(11_300)].map { .advance($0) } + [.admit]
        + [true, false].flatMap { isFirst in
            [CircuitMachine.Outcome.success, .failure, .neutral, .deadline].map { .end(isFirst: isFirst, $0) }
        }

    private static let policies: [CircuitBreaker] = [nil, Duration.seconds(2)].flatMap { slow in
        [1, 2].map { probesMax in
            CircuitBreaker(
                slowCallDuration: slow,
                callsMin: 2,
                window: .seconds(10),
                openDuration: .seconds(5),
                probesMax: probesMax,
            )
        }
    }

    private struct World {
        var machine: CircuitMachine
        var model: CircuitModel
        var now = CircuitExplorationTests.start
        var running: [(token: CircuitMachine.Token, ticket: CircuitModel.Ticket, start: ContinuousClock.Instant)] = []

        init(_ policy: CircuitBreaker) {
            machine = CircuitMachine(policy, at: now)
            model = CircuitModel(policy, at: now)
        }

        /// Applies an event to both; `nil` if nothing can end.
        mutating func apply(_ event: Event) -> String? {
            switch event {
            case .advance(let duration): now += duration
            case .admit: return admit()
            case .end(let isFirst, let outcome):
                let (token, ticket, start) = isFirst ? running.removeFirst() : running.removeLast()
                let duration = start.duration(to: now)
                _ = machine.end(token, outcome, after: duration, at: now, unit: CircuitExplorationTests.unit)
                model.end(ticket, outcome, after: duration, at: now)
            }
            return nil
        }

        /// - Returns: How machine and model differ.
        private mutating func admit() -> String? {
            switch (machine.admit(at: now).admission, model.admit(at: now)) {
            case (.allowed(let token), let ticket?): running.append((token, ticket, now))
            case (.rejected(let retryAfter), nil):
                if retryAfter <= .zero { return "a rejection for \(retryAfter)" }
            case (let admission, let ticket): return "\(admission), but the model has \(ticket as Any)"
            }
            return nil
        }

        /// What must hold in each state; `nil` if it does.
        func violation(_ policy: CircuitBreaker) -> String? {
            var machine = machine
            let report = machine.report(at: now)
            if report.state != model.state { return "\(report.state), not \(model.state)" }
            if report.state != .open, report.counts != model.counts(at: now) {
                return "\(report.counts), not \(model.counts(at: now))"
            }
            if model.runningProbesCount > policy.probesMax { return "\(model.runningProbesCount) probes" }
            // Whatever was lost, an attempt is allowed after some time.
            guard case .allowed = machine.admit(at: now + .seconds(7)).admission else { return "it stays closed off" }
            return nil
        }
    }

    @Test(arguments: policies) func everyOrderOfEventsKeepsThePolicy(_ policy: CircuitBreaker) {
        var statesCount = 0
        let failure: [Event] = [.admit, .end(isFirst: true, .failure)]
        let opening: [Event] = [.admit] + failure + failure
        // From the start, from the open circuit with an attempt from before, and from the half-open one.
        for beginning in [[], opening, opening + [.advance(.seconds(6)), .admit]] {
            var world = World(policy)
            for event in beginning {
                if let difference = world.apply(event) { Issue.record("\(difference) at the beginning") }
            }
            explore(world, policy, depth: 5, [], &statesCount)
        }
        print("circuits: \(statesCount) states")
        #expect(statesCount > 10_000)
    }

    private func explore(
        _ world: World,
        _ policy: CircuitBreaker,
        depth: Int,
        _ path: [Event],
        _ statesCount: inout Int,
    ) {
        statesCount += 1
        // An expectation for each state would take longer than the exploration.
        if let violation = world.violation(policy) {
            Issue.record("\(violation) after \(path)")
            return
        }
        guard depth > 0 else { return }
        for event in Self.events {
            if case .end(let isFirst, _) = event, world.running.count < (isFirst ? 1 : 2) { continue }
            var next = world
            if let difference = next.apply(event) {
                Issue.record("\(difference) after \(path + [event])")
                continue
            }
            explore(next, policy, depth: depth - 1, path + [event], &statesCount)
        }
    }
}

/// A circuit that keeps each attempt, and counts them anew each time.
private struct CircuitModel {
    struct Ticket {
        let generation: Int
        let number: Int
    }

    private struct Attempt {
        let second: Int64
        let counts: CircuitCounts
    }

    private let policy: CircuitBreaker
    private(set) var state = CircuitChange.State.closed
    private var generation = 0
    private var attempts: [Attempt] = []
    private var windowStart: ContinuousClock.Instant
    private var reopening: ContinuousClock.Instant
    /// The instants at which the running probes that hold a slot have started, by number.
    private var slots: [Int: ContinuousClock.Instant] = [:]
    private var probes = CircuitCounts()
    private var roundStart: ContinuousClock.Instant
    private var lastNumber = 0

    init(_ policy: CircuitBreaker, at now: ContinuousClock.Instant) {
        self.policy = policy
        (windowStart, reopening, roundStart) = (now, now, now)
    }

    /// The probes that run, without those that were given up.
    var runningProbesCount: Int { slots.count }

    func counts(at now: ContinuousClock.Instant) -> CircuitCounts {
        guard state == .closed else { return probes }
        let second = windowStart.duration(to: now).components.seconds
        var total = CircuitCounts()
        for attempt in attempts where attempt.second > second - 10 { total += attempt.counts }
        return total
    }

    /// The successful probes of the present round hold their slots too.
    private var successesOfRound = 0

    mutating func admit(at now: ContinuousClock.Instant) -> Ticket? {
        if state == .open {
            guard now >= reopening else { return nil }
            change(to: .halfOpen)
            roundStart = now
        }
        lastNumber += 1
        guard state == .halfOpen else { return Ticket(generation: generation, number: lastNumber) }
        if slots.count + successesOfRound == policy.probesMax, now >= roundStart + .seconds(5) {
            (slots, successesOfRound, roundStart) = ([:], 0, now)
        }
        guard slots.count + successesOfRound < policy.probesMax else { return nil }
        slots[lastNumber] = now
        return Ticket(generation: generation, number: lastNumber)
    }

    mutating func end(
        _ ticket: Ticket,
        _ outcome: CircuitMachine.Outcome,
        after duration: Duration,
        at now: ContinuousClock.Instant,
    ) {
        guard ticket.generation == generation else { return }
        let hadSlot = slots.removeValue(forKey: ticket.number) != nil
        let isSlow = policy.slowCallDuration.map { $0 <= duration } == true
        if outcome == .neutral || (outcome == .deadline && !isSlow) { return }
        let counts = CircuitCounts(calls: 1, failures: outcome == .failure ? 1 : 0, slow: isSlow ? 1 : 0)
        if state == .closed {
            attempts.append(Attempt(second: windowStart.duration(to: now).components.seconds, counts: counts))
            let total = self.counts(at: now)
            let isTooMuch = 2 * total.failures > total.calls || 2 * total.slow > total.calls
            if total.calls >= policy.callsMin, isTooMuch { open(at: now) }
        } else {
            if hadSlot { successesOfRound += 1 }
            probes += counts
            if counts.failures > 0 || counts.slow > 0 {
                open(at: now)
            } else if probes.calls == policy.probesMax {
                change(to: .closed)
                (attempts, windowStart) = ([], now)
            }
        }
    }

    private mutating func open(at now: ContinuousClock.Instant) {
        change(to: .open)
        reopening = now + .milliseconds(5500)
    }

    private mutating func change(to state: CircuitChange.State) {
        self.state = state
        generation += 1
        (slots, successesOfRound, probes) = ([:], 0, CircuitCounts())
    }
}
