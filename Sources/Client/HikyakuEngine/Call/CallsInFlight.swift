package import HikyakuBase

/// The calls in flight of a client, and of all clients derived from the same one.
package final class CallsInFlight: Sendable {
    private struct State: Sendable {
        var calls = SlotTable<CallInformation>()
        /// When deadlines are checked next; `nil` if nothing is scheduled.
        var wake: ContinuousClock.Instant?
        /// The timer that checks them.
        var timer: HTTPClockTimer?
    }

    private let state = Lock(State())

    deinit {
        state.withLock(\.timer)?.cancel()
    }

    /// Registers a call until ``end(_:)``, and stops it at its deadline.
    ///
    /// One timer, for the earliest deadline, serves all calls, since few reach theirs. If that call has ended by then,
    /// the timer is set to the earliest remaining deadline.
    package func begin(_ call: CallInformation) -> SlotTable<CallInformation>.Key {
        let (key, isEarliest) = state.withLock { state in
            let key = state.calls.insert(call)
            guard let deadline = call.deadline, state.wake.map({ deadline < $0 }) ?? true else { return (key, false) }
            state.wake = deadline
            return (key, true)
        }
        if isEarliest, let deadline = call.deadline { wake(at: deadline, by: call.clock) }
        return key
    }

    package func end(_ key: SlotTable<CallInformation>.Key) {
        // The request is released after unlocking: its deinit may run code.
        _ = state.withLock { $0.calls.remove(key) }
    }

    private func wake(at instant: ContinuousClock.Instant, by clock: any HTTPClock) {
        let timer = clock.schedule(at: instant) { [weak self] in self?.stopLate(at: instant, by: clock) }
        let stale: HTTPClockTimer? = state.withLock { state in
            // The timer has fired meanwhile, or was replaced by an earlier one.
            guard state.wake == instant else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        stale?.cancel()
    }

    /// Stops the calls that have reached their deadline.
    private func stopLate(at wake: ContinuousClock.Instant, by clock: any HTTPClock) {
        let now = clock.now
        let (late, next) = state.withLock { state -> ([CallInformation], ContinuousClock.Instant?) in
            // An earlier timer has replaced this one.
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

    /// Cancels the calls that match a condition, in the order in which they started.
    ///
    /// - Returns: How many calls were cancelled.
    package func cancel(where condition: (CallInformation) -> Bool) -> Int {
        state.withLock(\.calls.values).filter(condition)
            .count { $0.stop.stop(with: CancellationError()) }
    }

    var count: Int { state.withLock(\.calls.count) }
}
