/// The decisions of one circuit: which attempts are sent, and when the circuit changes.
///
/// Closed → open → half-open → closed or open. It has no clock and no randomness of its own, and a fixed size.
package struct CircuitMachine: Sendable {
    /// What an attempt says about the service.
    enum Outcome: Sendable {
        case success
        case failure
        /// The caller's deadline ended it: only its duration counts.
        case deadline
        /// Nothing: it was cancelled, or failed for a reason that lies elsewhere.
        case neutral
    }

    /// The permission for one attempt, which has to be returned at its end.
    struct Token: Sendable, Equatable {
        fileprivate let circuit: UInt64
        fileprivate let generation: UInt64
        /// The round of probes that it belongs to.
        fileprivate let round: UInt64
    }

    enum Admission: Sendable, Equatable {
        case allowed(Token)
        /// The time until an attempt is allowed, at the latest.
        case rejected(retryAfter: Duration)
    }

    /// The state of a circuit, for events and for people.
    package struct Report: Sendable, Equatable {
        let state: CircuitChange.State
        /// The attempts in the window, or the probes that have ended.
        let counts: CircuitCounts
        /// The time until the first probe of an open circuit.
        var probesAfter: Duration?
    }

    private enum State: Sendable {
        case closed
        case open(until: ContinuousClock.Instant, CircuitCounts)
        case halfOpen(Probing)
    }

    private struct Probing: Sendable {
        /// How many more probes may be sent.
        var freeCount: Int
        var counts = CircuitCounts()
        var round: UInt64 = 0
        /// When the probes that have not ended are replaced by others.
        var renewal: ContinuousClock.Instant
    }

    private let policy: CircuitBreaker
    /// Distinguishes it from a circuit that was forgotten.
    private let id: UInt64
    private var state = State.closed
    /// The number of changes; the end of an attempt from before the last one means nothing.
    private var generation: UInt64 = 0
    private var window: CircuitWindow
    private var lastUse: ContinuousClock.Instant

    init(_ policy: CircuitBreaker, id: UInt64 = 0, at now: ContinuousClock.Instant) {
        self.policy = policy
        self.id = id
        window = CircuitWindow(policy.window, at: now)
        lastUse = now
    }
}

extension CircuitMachine {
    /// Decides whether an attempt is sent.
    ///
    /// - Returns: The decision, and a report if the circuit has become half-open by it.
    mutating func admit(at now: ContinuousClock.Instant) -> (admission: Admission, change: Report?) {
        lastUse = max(lastUse, now)
        switch state {
        case .closed:
            return (.allowed(token()), nil)
        case .open(let until, _):
            guard now >= until else { return (.rejected(retryAfter: now.duration(to: until)), nil) }
            generation += 1
            state = .halfOpen(Probing(freeCount: probesMax - 1, renewal: now + renewalDuration))
            return (.allowed(token()), report(at: now))
        case .halfOpen(var probing):
            if probing.freeCount == 0, now >= probing.renewal {
                probing.round += 1
                (probing.freeCount, probing.renewal) = (probesMax, now + renewalDuration)
            }
            guard probing.freeCount > 0 else {
                return (.rejected(retryAfter: now.duration(to: probing.renewal)), nil)
            }
            probing.freeCount -= 1
            state = .halfOpen(probing)
            return (.allowed(token(of: probing.round)), nil)
        }
    }

    /// Takes the end of an attempt.
    ///
    /// - Parameters:
    ///   - token: The attempt's token.
    ///   - outcome: What the attempt says about the service.
    ///   - duration: How long it took.
    ///   - now: The present instant.
    ///   - unit: A random number from 0 to 1 for the time that the circuit stays open.
    /// - Returns: A report if the circuit has opened or closed by it.
    mutating func end(
        _ token: Token,
        _ outcome: Outcome,
        after duration: Duration,
        at now: ContinuousClock.Instant,
        unit: Double,
    ) -> Report? {
        guard token.circuit == id, token.generation == generation else { return nil }
        let counts = counts(outcome, duration)
        switch state {
        case .open:
            return nil
        case .closed:
            guard let counts else { return nil }
            window.add(counts, at: now)
            guard exceeds(window.total) else { return nil }
            return open(window.total, at: now, unit)
        case .halfOpen(var probing):
            guard let counts else {
                if token.round == probing.round { probing.freeCount += 1 }
                state = .halfOpen(probing)
                return nil
            }
            probing.counts += counts
            if counts.failures + counts.slow > 0 { return open(probing.counts, at: now, unit) }
            state = .halfOpen(probing)
            return probing.counts.calls >= probesMax ? close(at: now) : nil
        }
    }

    /// The state at an instant.
    mutating func report(at now: ContinuousClock.Instant) -> Report {
        switch state {
        case .closed:
            window.advance(to: now)
            return Report(state: .closed, counts: window.total)
        case .open(let until, let counts):
            return Report(state: .open, counts: counts, probesAfter: max(.zero, now.duration(to: until)))
        case .halfOpen(let probing):
            return Report(state: .halfOpen, counts: probing.counts)
        }
    }

    /// Whether it is closed, and nothing that it has counted matters any more, so that it may be forgotten.
    func isIdle(at now: ContinuousClock.Instant) -> Bool {
        isClosed && lastUse.duration(to: now) > policy.window
    }

    var isClosed: Bool { if case .closed = state { true } else { false } }
}

extension CircuitMachine {
    private var probesMax: Int { max(1, policy.probesMax) }
    private var openDuration: Duration { min(max(policy.openDuration, .zero), .farFuture) }
    private var renewalDuration: Duration { max(openDuration, .seconds(1)) }

    private func token(of round: UInt64 = 0) -> Token { Token(circuit: id, generation: generation, round: round) }

    /// What an attempt adds to the counts; `nil` if it says nothing.
    private func counts(_ outcome: Outcome, _ duration: Duration) -> CircuitCounts? {
        let isSlow = policy.slowCallDuration.map { duration >= $0 } ?? false
        guard outcome == .success || outcome == .failure || (outcome == .deadline && isSlow) else { return nil }
        return CircuitCounts(calls: 1, failures: outcome == .failure ? 1 : 0, slow: isSlow ? 1 : 0)
    }

    private func exceeds(_ total: CircuitCounts) -> Bool {
        guard total.calls >= max(1, policy.callsMin) else { return false }
        return total.failureRate > policy.failureRateMax || total.slowRate > policy.slowRateMax
    }

    private mutating func open(
        _ counts: CircuitCounts,
        at now: ContinuousClock.Instant,
        _ unit: Double,
    ) -> Report {
        generation += 1
        let jitter = unit > 0 ? openDuration * (min(unit, 1) * 0.2) : .zero
        state = .open(until: now + openDuration + jitter, counts)
        return report(at: now)
    }

    private mutating func close(at now: ContinuousClock.Instant) -> Report {
        let report = Report(state: .closed, counts: report(at: now).counts)
        generation += 1
        state = .closed
        window = CircuitWindow(policy.window, at: now)
        return report
    }
}

/// The attempts of a window, or the probes of a half-open circuit.
struct CircuitCounts: Sendable, Hashable {
    var calls = 0
    var failures = 0
    var slow = 0

    var failureRate: Double { rate(failures) }
    var slowRate: Double { rate(slow) }

    private func rate(_ count: Int) -> Double { calls > 0 ? Double(count) / Double(calls) : 0 }

    static func += (left: inout Self, right: Self) {
        left.calls += right.calls
        left.failures += right.failures
        left.slow += right.slow
    }

    static func -= (left: inout Self, right: Self) {
        left.calls -= right.calls
        left.failures -= right.failures
        left.slow -= right.slow
    }
}

/// The counts of the last part of time, in a fixed number of buckets.
struct CircuitWindow: Sendable {
    static let bucketsCount = 10

    /// The counts of all buckets.
    private(set) var total = CircuitCounts()
    private var buckets = [CircuitCounts](repeating: CircuitCounts(), count: bucketsCount)
    /// The number of the newest bucket, counted from the start.
    private var newest: Int64 = 0
    private let start: ContinuousClock.Instant
    private let bucketDuration: Duration

    /// Creates a window that is empty.
    init(_ duration: Duration, at start: ContinuousClock.Instant) {
        self.start = start
        bucketDuration = min(max(duration, .milliseconds(1)), .farFuture) / Self.bucketsCount
    }

    /// Adds counts, and forgets those that are too old.
    mutating func add(_ counts: CircuitCounts, at now: ContinuousClock.Instant) {
        advance(to: now)
        buckets[Self.position(of: newest)] += counts
        total += counts
    }

    /// Forgets the buckets that are too old; a clock that runs backwards changes nothing.
    mutating func advance(to now: ContinuousClock.Instant) {
        let number = bucketNumber(at: now)
        guard number > newest else { return }
        for step in 1...min(number - newest, Int64(Self.bucketsCount)) {
            let position = Self.position(of: newest + step)
            total -= buckets[position]
            buckets[position] = CircuitCounts()
        }
        newest = number
    }

    private func bucketNumber(at now: ContinuousClock.Instant) -> Int64 {
        // Above the bound, a Double can't count, and an Int64 could overflow.
        Int64(min(max(0, start.duration(to: now) / bucketDuration), 1e15))
    }

    private static func position(of number: Int64) -> Int { Int(number % Int64(bucketsCount)) }
}
