/// The calls that a client, and those that come from the same one, have in flight.
final class CallsInFlight: Sendable {
    private struct State: Sendable {
        var calls = SlotTable<CallInformation>()
        /// When deadlines are looked at next; `nil` where nothing is planned.
        var wake: ContinuousClock.Instant?
        /// What looks at them then.
        var timer: HTTPClockTimer?
    }

    private let state = Lock(State())

    deinit {
        state.withLock(\.timer)?.cancel()
    }

    /// Notes a call until ``end(_:)``, and stops it at its deadline.
    ///
    /// One timer, for the earliest deadline, serves all calls, since few reach theirs. When that call is over by then,
    /// the timer is set to the earliest deadline that is left.
    func begin(_ call: CallInformation) -> SlotTable<CallInformation>.Key {
        let (key, isEarliest) = state.withLock { state in
            let key = state.calls.insert(call)
            guard let deadline = call.deadline, state.wake.map({ deadline < $0 }) ?? true else { return (key, false) }
            state.wake = deadline
            return (key, true)
        }
        if isEarliest, let deadline = call.deadline { wake(at: deadline, by: call.clock) }
        return key
    }

    func end(_ key: SlotTable<CallInformation>.Key) {
        // The request goes after unlocking: what it holds may run code when it does.
        _ = state.withLock { $0.calls.remove(key) }
    }

    private func wake(at instant: ContinuousClock.Instant, by clock: any HTTPClock) {
        let timer = clock.schedule(at: instant) { [weak self] in self?.stopLate(at: instant, by: clock) }
        let stale: HTTPClockTimer? = state.withLock { state in
            // It has fired by now, or an earlier one has come.
            guard state.wake == instant else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        stale?.cancel()
    }

    /// Stops the calls whose deadline has come.
    private func stopLate(at wake: ContinuousClock.Instant, by clock: any HTTPClock) {
        let now = clock.now
        let (late, next) = state.withLock { state -> ([CallInformation], ContinuousClock.Instant?) in
            // An earlier one has taken the place of this one.
            guard state.wake == wake else { return ([], nil) }
            let late = state.calls.removeAll { $0.deadline.map { $0 <= now } ?? false }
            (state.wake, state.timer) = (nil, nil)
            state.calls.forEach { call in
                if let deadline = call.deadline { state.wake = min(state.wake ?? deadline, deadline) }
            }
            return (late, state.wake)
        }
        for call in late { call.stop.stop(with: call.deadlineError) }
        if let next { self.wake(at: next, by: clock) }
    }

    /// Cancels the calls that a condition holds for, those that began first before the others.
    ///
    /// - Returns: How many.
    func cancel(where condition: (any APIRequest) -> Bool) -> Int {
        state.withLock(\.calls.values).filter { $0.request.map(condition) ?? false }
            .count { $0.stop.stop(with: CancellationError()) }
    }

    var count: Int { state.withLock(\.calls.count) }
}

extension APIRequest {
    /// The request, or one that it has inside, if it is of that type.
    fileprivate func unwrapped<Other: APIRequest>(as type: Other.Type) -> Other? {
        if let request = self as? Other { return request }
        return (self as? any RequestProxy)?.unwrappedBase(as: type)
    }
}

extension RequestProxy {
    fileprivate func unwrappedBase<Other: APIRequest>(as type: Other.Type) -> Other? { request.unwrapped(as: type) }
}

extension APIClient {
    /// Cancels the calls in flight of one type of request, however they were started, if a condition holds for them.
    ///
    /// ```swift
    /// client.cancelAll(Qiita.Items.self) { $0.page > 3 }
    /// ```
    /// Calls of this client are looked at, and of all that come from the same one: by authorizing, logging and so on. A
    /// request in proxies counts too. Each call ends as `.cancelled`; what is over, and a streamed body that is still
    /// being read, stays as it is.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; their level doesn't matter here.
    ///   - condition: Whether a request's call is cancelled; by default all are.
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll<R: APIRequest>(_ type: R.Type, where condition: (R) -> Bool = { _ in true }) -> Int {
        core.parts.calls.cancel { request in request.unwrapped(as: type).map(condition) ?? false }
    }

    /// Cancels all calls in flight of this client, and of all that come from the same one.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll() -> Int {
        core.parts.calls.cancel { _ in true }
    }
}
