/// When a limit admits the next request.
enum Admission: Equatable {
    case now
    /// Not before an instant.
    case at(ContinuousClock.Instant)
    /// When a request in flight has ended.
    case afterAnother

    /// The later one.
    func combined(with other: Admission) -> Admission {
        switch (self, other) {
        case (.afterAnother, _), (_, .afterAnother): .afterAnother
        case (.at(let one), .at(let other)): .at(max(one, other))
        case (.at, .now): self
        case (.now, _): other
        }
    }
}

/// What a service's responses stated about the requests that it still allows.
///
/// It has no clock. The limit that owns it says how many requests are in flight, which the service may not have counted
/// yet.
struct LearnedQuotas: Sendable {
    /// No response delays requests for longer than this.
    static let delayMax = Duration.seconds(3600)
    /// The number of quotas that are kept, by their names.
    private static let countMax = 8

    private var known: [(name: String, quota: PacedQuota)] = []
    /// When the service's `Retry-After` ends.
    private var closedUntil: ContinuousClock.Instant?

    /// When the next request may start, after `ahead` others.
    func admission(after ahead: Int = 0, inFlight: Int, at now: ContinuousClock.Instant) -> Admission {
        var admission = Admission.now
        if let closedUntil, closedUntil > now { admission = .at(closedUntil) }
        for (_, quota) in known {
            admission = admission.combined(with: quota.admission(inFlight: inFlight + ahead, at: now))
        }
        return admission
    }

    /// Records the start of a request, beside those in flight.
    mutating func start(inFlight: Int, at now: ContinuousClock.Instant) {
        for index in known.indices { known[index].quota.start(inFlight: inFlight, at: now) }
    }

    /// Takes back the last start, of a request that was not sent.
    mutating func cancelLastStart() {
        for index in known.indices { known[index].quota.cancelLastStart() }
    }

    /// Learns from the response to a request that was sent at an instant.
    mutating func learn(_ quotas: [Quota], since sent: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
        for index in known.indices.reversed() where !quotas.contains(where: { $0.name == known[index].name }) {
            // It was probably counted. After the end of its window, the service seems to have no such quota any more.
            if !known[index].quota.spend(at: now) { known.remove(at: index) }
        }
        for quota in quotas.prefix(Self.countMax) {
            guard let learned = PacedQuota(quota, at: now) else { continue }
            if let index = known.firstIndex(where: { $0.name == quota.name }) {
                known[index].quota.merge(learned, since: sent, at: now)
            } else if known.count < Self.countMax {
                known.append((quota.name, learned))
            }
        }
    }

    /// Admits nothing for a duration: the service's `Retry-After`, which overrides all that is known.
    ///
    /// - Returns: When requests are admitted again.
    mutating func close(for duration: Duration, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        known = []
        let end = now.advanced(by: min(max(duration, .zero), Self.delayMax))
        let latest = max(closedUntil ?? end, end)
        closedUntil = latest
        return latest
    }

    /// The quotas whose windows have not ended.
    func report(at now: ContinuousClock.Instant) -> [CallExplanation.Limit.Quota] {
        known.filter { !$0.quota.isOver(at: now) }.map { $0.quota.report($0.name, at: now) }
    }

    /// Whether it delays nothing, and will not.
    func isIdle(at now: ContinuousClock.Instant) -> Bool {
        closedUntil.map { $0 <= now } ?? true && known.allSatisfy { $0.quota.isOver(at: now) }
    }
}

/// One quota of a service, and the pace at which it is spent.
private struct PacedQuota: Sendable {
    /// The requests that the service has left; it may not have counted those in flight yet.
    private var remaining: Int
    /// All requests of a window.
    private var full: Int
    /// When the window ends.
    private var reset: ContinuousClock.Instant
    /// When this was learned.
    private var learned: ContinuousClock.Instant
    /// When the next request of the last quarter starts.
    private var next: ContinuousClock.Instant?

    /// - Returns: `nil` if the quota delays nothing, since it doesn't say until when.
    init?(_ quota: Quota, at now: ContinuousClock.Instant) {
        guard let resetsIn = quota.resetsIn, quota.remaining >= 0 else { return nil }
        // Less than a second was rounded to none.
        let delay = resetsIn > .zero ? resetsIn : quota.remaining == 0 ? .seconds(1) : .zero
        guard delay > .zero else { return nil }
        remaining = quota.remaining
        full = max(quota.limit ?? 0, quota.remaining, 1)
        reset = now.advanced(by: min(delay, LearnedQuotas.delayMax))
        learned = now
    }

    func isOver(at now: ContinuousClock.Instant) -> Bool { reset <= now }

    func report(_ name: String, at now: ContinuousClock.Instant) -> CallExplanation.Limit.Quota {
        .init(name: Quota.shownName(name), remaining: remaining, limit: full, resetsIn: now.duration(to: reset))
    }

    func admission(inFlight: Int, at now: ContinuousClock.Instant) -> Admission {
        // After its end, another whole window is assumed until a response says more.
        guard reset > now else { return full > inFlight ? .now : .afterAnother }
        let available = remaining - inFlight
        guard available > 0 else { return .at(reset) }
        guard available <= full / 4, let next, next > now else { return .now }
        return .at(min(next, reset))
    }

    mutating func start(inFlight: Int, at now: ContinuousClock.Instant) {
        let available = remaining - inFlight
        guard reset > now, available > 0, available <= full / 4 else { return next = nil }
        next = now.advanced(by: now.duration(to: reset) / available)
    }

    /// Takes back the last start: the next one needs no pause after it.
    mutating func cancelLastStart() { next = nil }

    /// Counts a request whose response says nothing of this quota.
    ///
    /// - Returns: `false` if the quota is not known any more.
    mutating func spend(at now: ContinuousClock.Instant) -> Bool {
        guard reset > now else { return false }
        (remaining, learned) = (max(0, remaining - 1), now)
        return true
    }

    /// Takes over what the response to a request says that was sent at an instant.
    mutating func merge(
        _ other: PacedQuota,
        since sent: ContinuousClock.Instant,
        at now: ContinuousClock.Instant,
    ) {
        // A request that was sent after the last response had been received was counted after it, so its response is
        // newer. Other responses may arrive in another order than the service has counted: the fewest left accounts
        // for every request whose response was received.
        if reset > now, sent <= learned, !other.isOfNextWindow(after: self, since: sent, at: now) {
            remaining = min(remaining, other.remaining)
            full = max(full, other.full)
            reset = max(reset, other.reset)
            learned = now
        } else {
            let next = next
            self = other
            // It still matters if the service's window ends later with each request.
            self.next = next
        }
    }

    /// Whether a response with more left and a later end is about a window that began after that of `earlier`.
    ///
    /// The ends that responses of one window state differ by their rounding and their delays. If the fewest left were
    /// combined with the latest end, the whole next window would be lost.
    private func isOfNextWindow(
        after earlier: PacedQuota,
        since sent: ContinuousClock.Instant,
        at now: ContinuousClock.Instant,
    ) -> Bool {
        let inaccuracy = Duration.seconds(2) + sent.duration(to: now)
        return remaining > earlier.remaining && reset > earlier.reset.advanced(by: inaccuracy)
    }
}
