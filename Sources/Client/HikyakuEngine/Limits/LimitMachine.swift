import HikyakuBase

/// How a request ended that a limit has admitted.
enum AdmittedEnd {
    /// It was not sent; with the number of its start.
    case notSent(start: UInt64)
    /// It was sent at an instant; with what its response says, if there was one, and whether it succeeded.
    case sent(QuotaReport?, since: ContinuousClock.Instant, succeeded: Bool)
}

/// The decisions of one limit: requests arrive, leave and end, and others are admitted.
///
/// It has no clock. A decision takes time for the number of distinct priorities and of learned quotas, whatever the
/// number of waiting requests.
struct LimitMachine<Waiter: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant
    typealias Ticket = WaitingLines<Waiter>.Ticket

    enum Arrival {
        case admitted
        case waiting(Ticket)
        /// The queue is full.
        case queueFull
        /// The request could not start before this instant, which is after its deadline.
        case tooLate(Instant)
    }

    private let queueMax: Int
    private var schedule: CallLimit.Rate.Schedule?
    private var bound: InFlightBound
    private var quotas = LearnedQuotas()
    private var lines = WaitingLines<Waiter>()
    private(set) var inFlight = 0
    /// The number of the last start.
    private(set) var startsCount: UInt64 = 0

    init(_ limit: CallLimit) {
        queueMax = limit.queueMax
        schedule = limit.rate.map { CallLimit.Rate.Schedule($0) }
        bound = InFlightBound(limit.inFlightMax)
    }

    var waitingCount: Int { lines.count }

    /// The present bound of the requests in flight; `nil` for none.
    func inFlightMax(at now: Instant) -> Int? { bound.value(at: now) }

    /// Admits a request if none waits and nothing delays it.
    mutating func admitAtOnce(at now: Instant) -> Bool {
        guard lines.isEmpty, admission(at: now) == .now else { return false }
        start(at: now)
        return true
    }

    /// Takes a request.
    mutating func arrive(_ waiter: Waiter, priority: UInt8, deadline: Instant?, at now: Instant) -> Arrival {
        if admitAtOnce(at: now) { return .admitted }
        guard lines.count < queueMax else { return .queueFull }
        if let deadline {
            let ahead = lines.count(from: priority)
            if case .at(let earliest) = timeAdmission(after: ahead, at: now), earliest >= deadline {
                return .tooLate(earliest)
            }
        }
        return .waiting(lines.append(waiter, priority: priority))
    }

    /// Removes a waiting request.
    ///
    /// - Returns: The request; `nil` if it doesn't wait any more.
    mutating func leave(_ ticket: Ticket) -> Waiter? { lines.remove(ticket) }

    /// Records the end of an admitted request.
    mutating func finish(_ end: AdmittedEnd, at now: Instant) {
        let count = inFlight
        inFlight = max(0, inFlight - 1)
        let (report, sent, succeeded): (QuotaReport?, Instant, Bool)
        switch end {
        case .notSent(let start):
            // After other starts, nothing is given back: they were spaced from this one.
            guard start == startsCount else { return }
            schedule?.cancelLastStart()
            return quotas.cancelLastStart()
        case .sent(let itsReport, let since, let hasSucceeded):
            (report, sent, succeeded) = (itsReport, since, hasSucceeded)
        }
        if let max = report?.concurrencyMax { bound.learn(max, at: now) }
        if report?.isConcurrencyRejection == true {
            bound.reject(inFlight: count, at: now)
        } else if succeeded {
            bound.succeed(inFlight: count)
        }
        if let pause = report?.pause {
            bound.restart(at: quotas.close(for: pause, at: now))
        } else {
            quotas.learn(report?.quotas ?? [], since: sent, at: now)
        }
    }

    /// Admits the waiting requests that may start now.
    ///
    /// - Returns: These requests, in their order.
    mutating func admit(at now: Instant) -> [Waiter] {
        var admitted: [Waiter] = []
        while !lines.isEmpty, admission(at: now) == .now, let waiter = lines.popNext() {
            start(at: now)
            admitted.append(waiter)
        }
        return admitted
    }

    /// When `admit(at:)` may admit the next request without another event; `nil` if none waits, or only the end of
    /// another request admits one.
    func wake(at now: Instant) -> Instant? {
        guard !lines.isEmpty else { return nil }
        return switch admission(at: now) {
        case .now: now
        case .at(let instant): instant
        case .afterAnother: nil
        }
    }

    /// How long the rate and the quotas delay a request that arrives now, and the quotas.
    func report(at now: Instant) -> (delay: Duration, quotas: [CallExplanation.Limit.Quota]) {
        var delay = Duration.zero
        if case .at(let instant) = timeAdmission(at: now) { delay = max(.zero, now.duration(to: instant)) }
        return (delay, quotas.report(at: now))
    }

    /// Whether nothing is left of what happened before.
    func isIdle(at now: Instant) -> Bool {
        lines.isEmpty && inFlight == 0 && quotas.isIdle(at: now) && schedule?.isIdle(at: now) != false
    }

    private func admission(at now: Instant) -> Admission {
        if let max = bound.value(at: now), inFlight >= max { return .afterAnother }
        return timeAdmission(at: now)
    }

    /// When the rate and the quotas admit a request after `ahead` others.
    private func timeAdmission(after ahead: Int = 0, at now: Instant) -> Admission {
        let admission = quotas.admission(after: ahead, inFlight: inFlight, at: now)
        guard let earliest = schedule?.earliest(after: ahead), earliest > now else { return admission }
        return admission.combined(with: .at(earliest))
    }

    private mutating func start(at now: Instant) {
        quotas.start(inFlight: inFlight, at: now)
        schedule?.start(at: now)
        inFlight += 1
        startsCount &+= 1
    }
}

/// How many requests may be in flight: as configured, or fewer for a while.
///
/// - After a service has rejected some as too many at once, the bound is halved. Each time that as many requests as the
///   bound have succeeded, it grows by one.
/// - After a pause that the service asked for, it is one, and each success adds one. So what has waited is not sent
///   at once to a service that has just recovered.
/// - A service may say how many it allows. That is forgotten a minute after the last response that says so.
private struct InFlightBound: Sendable {
    typealias Instant = ContinuousClock.Instant

    private let configured: Int?
    /// What the service has said, and until when that counts.
    private var stated: (max: Int, end: Instant)?
    /// The bound after rejections.
    private var lowered: Double?
    private var lastRejection: Instant?
    /// The bound after a pause, and until when it counts.
    private var restarting: (max: Int, end: Instant)?

    /// A higher bound after rejections means none.
    private static let loweredMax = 10_000.0
    private static let memory = Duration.seconds(60)

    init(_ configured: Int?) {
        self.configured = configured.map { max($0, 1) }
    }

    func value(at now: Instant) -> Int? {
        let timed = [stated, restarting].compactMap(\.self).filter { $0.end > now }.map(\.max)
        return ([configured, lowered.map { Int($0) }].compactMap(\.self) + timed).min()
    }

    mutating func learn(_ max: Int, at now: Instant) {
        stated = (Swift.max(max, 1), now + Self.memory)
    }

    /// Begins with one request after a pause that ends at an instant.
    mutating func restart(at end: Instant) {
        restarting = (1, end + Self.memory)
    }

    /// Records a rejection among `inFlight` requests.
    mutating func reject(inFlight: Int, at now: Instant) {
        // Those that were sent together are rejected together.
        if let lastRejection, lastRejection.duration(to: now) < .seconds(1) { return }
        lastRejection = now
        lowered = max(1, min(lowered ?? Self.loweredMax, Double(inFlight)) / 2)
    }

    /// Records a success among `inFlight` requests.
    mutating func succeed(inFlight: Int) {
        if let restarting { self.restarting?.max = min(restarting.max + 1, Int(Self.loweredMax)) }
        guard let bound = lowered, inFlight >= Int(bound) else { return }
        let raised = bound + 1 / bound
        let isAsBefore = raised >= Double(configured ?? .max) || raised >= Self.loweredMax
        lowered = isAsBefore ? nil : raised
    }
}
