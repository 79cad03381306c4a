import HikyakuBase

/// The state of one limit, which all calls share that it applies to.
final class Limiter: Sendable {
    fileprivate typealias Waiter = CheckedContinuation<UInt64, any Error>
    fileprivate typealias Machine = LimitMachine<Waiter>

    fileprivate struct State: Sendable {
        var machine: Machine
        /// When waiting requests are looked at next; `nil` if nothing is scheduled.
        var wake: ContinuousClock.Instant?
        var timer: HTTPClockTimer?
    }

    /// What is done after unlocking.
    fileprivate struct Effects: Sendable {
        var admitted: [Waiter] = []
        /// The number of the first start of those that are admitted.
        var firstStart: UInt64 = 0
        var wake: ContinuousClock.Instant?
        var stale: HTTPClockTimer?
    }

    /// The group's name, or the origin, for events and errors.
    let name: String
    let learnsQuota: Bool
    private let state: Lock<State>

    init(_ limit: CallLimit, name: String) {
        self.name = name
        learnsQuota = limit.learnsQuota
        state = Lock(State(machine: LimitMachine(limit)))
    }

    deinit {
        state.withLock(\.timer)?.cancel()
    }

    /// Waits until the limit admits a request, which then is in flight until ``finish(_:by:)``.
    ///
    /// - Returns: The number of its start.
    /// - Throws: `CancellationError` for a cancelled call; ``TransportError`` if the queue is full, or the deadline too
    ///   early.
    func admit(_ context: RequestContext) async throws -> UInt64 {
        let now = context.clock.now
        let start = state.withLock { $0.machine.admitAtOnce(at: now) ? $0.machine.startsCount : nil }
        if let start { return start }
        context.call.emit(.waitingForLimit(name))
        let later = try await context.spending(.queueing) {
            try await wait(context, priority: Task.currentPriority.rawValue)
        }
        context.call.emit(.admittedByLimit(name, after: now.duration(to: context.clock.now)))
        return later
    }

    /// Records the end of an admitted request.
    func finish(_ end: AdmittedEnd, by clock: any HTTPClock) {
        let now = clock.now
        let effects = state.withLock { state in
            state.machine.finish(end, at: now)
            return state.settle(at: now)
        }
        perform(effects, by: clock)
    }

    /// Whether nothing is left of what happened before.
    func isIdle(at now: ContinuousClock.Instant) -> Bool { state.withLock { $0.machine.isIdle(at: now) } }

    /// How many requests are in flight, and how many wait.
    var counts: (inFlight: Int, waiting: Int) { state.withLock { ($0.machine.inFlight, $0.machine.waitingCount) } }

    /// The state at an instant.
    func explanation(of limit: CallLimit, at now: ContinuousClock.Instant) -> CallExplanation.Limit {
        state.withLock { state in
            let (delay, quotas) = state.machine.report(at: now)
            return CallExplanation.Limit(
                name: name,
                limit: limit,
                inFlightCount: state.machine.inFlight,
                inFlightMax: state.machine.inFlightMax(at: now),
                waitingCount: state.machine.waitingCount,
                delay: delay,
                quotas: quotas,
            )
        }
    }

    private func wait(_ context: RequestContext, priority: UInt8) async throws -> UInt64 {
        let ticket = Lock<Machine.Ticket?>(nil)
        return try await CallCancellation.withHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let now = context.clock.now
                let (arrival, start, effects) = state.withLock { state in
                    let arrival = state.machine.arrive(
                        waiter,
                        priority: priority,
                        deadline: context.attemptsDeadline,
                        at: now,
                    )
                    return (arrival, state.machine.startsCount, state.settle(at: now))
                }
                perform(effects, by: context.clock)
                switch arrival {
                case .admitted: waiter.resume(returning: start)
                case .waiting(let taken):
                    ticket.withLock { $0 = taken }
                    if CallCancellation.isCancelled { leave(taken, by: context.clock) }
                case .queueFull:
                    waiter.resume(
                        throwing: LimitCause.queueFull.error("too many requests wait for the limit of \(name)")
                    )
                case .tooLate(let earliest):
                    let wait = now.duration(to: earliest)
                    let error = LimitCause.rateLimited.error(
                        "the limit of \(name) admits no request for \(wait.shortText)",
                        underlyingError: PolicyRejection(retryAfter: wait),
                    )
                    waiter.resume(throwing: error)
                }
            }
        } onCancel: {
            if let ticket = ticket.withLock(\.self) { self.leave(ticket, by: context.clock) }
        }
    }

    private func leave(_ ticket: Machine.Ticket, by clock: any HTTPClock) {
        let now = clock.now
        let (waiter, effects) = state.withLock { state in
            let waiter = state.machine.leave(ticket)
            return (waiter, state.settle(at: now))
        }
        perform(effects, by: clock)
        waiter?.resume(throwing: CancellationError())
    }

    private func perform(_ effects: Effects, by clock: any HTTPClock) {
        effects.stale?.cancel()
        for (start, waiter) in zip(effects.firstStart..., effects.admitted) { waiter.resume(returning: start) }
        guard let wake = effects.wake else { return }
        let timer = clock.schedule(at: wake) { [weak self] in self?.fire(at: wake, by: clock) }
        let stale: HTTPClockTimer? = state.withLock { state in
            // The timer has fired meanwhile, or was replaced.
            guard state.wake == wake, state.timer == nil else { return timer }
            state.timer = timer
            return nil
        }
        stale?.cancel()
    }

    private func fire(at wake: ContinuousClock.Instant, by clock: any HTTPClock) {
        let now = clock.now
        let effects = state.withLock { state in
            // An earlier timer has replaced this one.
            guard state.wake == wake else { return Effects() }
            (state.wake, state.timer) = (nil, nil)
            return state.settle(at: now)
        }
        perform(effects, by: clock)
    }
}

extension Limiter.State {
    /// Admits the waiting requests that may start, and plans when the others are looked at.
    fileprivate mutating func settle(at now: ContinuousClock.Instant) -> Limiter.Effects {
        let firstStart = machine.startsCount + 1
        var effects = Limiter.Effects(admitted: machine.admit(at: now), firstStart: firstStart)
        let wanted = machine.wake(at: now)
        // An earlier timer does no harm. Without anyone who waits, none is left.
        if let wake, let wanted, wake <= wanted { return effects }
        guard wake != nil || wanted != nil else { return effects }
        (effects.stale, timer) = (timer, nil)
        (effects.wake, wake) = (wanted, wanted)
        return effects
    }
}

/// The limits of all origins and groups that the calls of a client and of those derived from it have used.
package final class CallLimiters: Sendable {
    enum Key: Hashable {
        case origin(HTTPOrigin)
        case group(String)
    }

    private let limiters = Lock(KeptStates<Key, Limiter>())

    /// The state of a limit.
    ///
    /// If it was forgotten meanwhile, requests in flight still end in the one that has admitted them.
    func limiter(for key: Key, _ limit: CallLimit, at now: ContinuousClock.Instant) -> Limiter {
        limiters.withLock {
            $0.change(key, orNew: Limiter(limit, name: key.name), forgetting: { $0.isIdle(at: now) }, by: \.self)
        }
    }

    /// The limits that a call obeys, in their order, and their states; one that no call has used is as new.
    package func explanations(
        of call: CallInformation,
        _ limits: [LimitGroup: CallLimit],
        at now: ContinuousClock.Instant,
    ) -> [CallExplanation.Limit] {
        CallLimiters.keys(of: call, limits).map { key, limit in
            (self[key] ?? Limiter(limit, name: key.name)).explanation(of: limit, at: now)
        }
    }

    /// The limits that a call obeys, in their order.
    ///
    /// The group comes before the origin: a request that waits for its group holds no place that others could use.
    static func keys(of call: CallInformation, _ limits: [LimitGroup: CallLimit]) -> [(Key, CallLimit)] {
        let group = call.limitGroup
        var found: [(Key, CallLimit)] = []
        if let name = group.name, let limit = limits[group] { found.append((.group(name), limit)) }
        if let limit = limits[.origin] { found.append((.origin(call.environment.base.origin), limit)) }
        return found
    }

    /// The state of a limit; `nil` if no call has used it.
    subscript(key: Key) -> Limiter? { limiters.withLock { $0[key] } }

    /// The number of limits that are kept.
    var count: Int { limiters.withLock(\.count) }
}

extension CallLimiters.Key {
    fileprivate var name: String {
        switch self {
        case .origin(let origin): "\(origin)"
        case .group(let name): name
        }
    }
}
