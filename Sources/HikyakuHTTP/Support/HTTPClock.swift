/// Time as the client sees it, so that a test can move it by hand.
///
/// `SystemClock` is the real one; HikyakuTesting has a `ManualClock`. An action runs on any thread and must not block.
public protocol HTTPClock: Sendable {
    /// The present instant; never runs backwards.
    var now: ContinuousClock.Instant { get }

    /// Runs `action` once when `instant` has come, unless the returned timer is cancelled before.
    func schedule(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> HTTPClockTimer
}

/// An action that waits for its time.
public struct HTTPClockTimer: Sendable {
    private let action: @Sendable () -> Void

    /// Makes a timer that is cancelled by `action`.
    public init(cancel action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Forgets the action.
    ///
    /// Does nothing when it has run; an action that is just running is not waited for.
    public func cancel() {
        action()
    }
}

/// The machine's own time, which goes on while it sleeps.
///
/// All its timers share one sleeping task, since a `Task.sleep` that is cancelled stays in memory until its time has
/// come, and a busy client makes and cancels thousands of deadlines a second.
public struct SystemClock: HTTPClock {
    private static let timers = SystemTimers()

    /// Makes the clock; all of them are one.
    public init() {}

    /// The present instant.
    public var now: ContinuousClock.Instant { .now }

    /// Runs `action` at `instant`, as a rule within a few milliseconds after it.
    public func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer {
        let id = Self.timers.add(at: instant, action)
        return HTTPClockTimer { Self.timers.remove(id) }
    }
}

/// Pending actions and the one task that sleeps until the earliest.
///
/// A removed action leaves the sleeper as it is: it wakes for nothing at most once, and then sleeps until the earliest
/// that is left. So adding and removing costs a dictionary's insertion and removal.
private final class SystemTimers: Sendable {
    private struct Pending {
        let instant: ContinuousClock.Instant
        let action: @Sendable () -> Void
    }

    private struct State {
        var lastID: UInt64 = 0
        var pending: [UInt64: Pending] = [:]
        var wake: ContinuousClock.Instant?
        var sleeper: Task<Void, Never>?
    }

    private let state = Lock(State())

    func add(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.pending[state.lastID] = Pending(instant: instant, action: action)
            sleep(until: instant, &state)
            return state.lastID
        }
    }

    func remove(_ id: UInt64) {
        // The action is dropped after unlocking: what it holds may run code when it goes.
        _ = state.withLock { $0.pending.removeValue(forKey: id) }
    }

    private func sleep(until instant: ContinuousClock.Instant, _ state: inout State) {
        if let wake = state.wake, wake <= instant { return }
        state.sleeper?.cancel()
        state.wake = instant
        state.sleeper = Task.detached { [self] in
            guard (try? await Task.sleep(until: instant, clock: .continuous)) != nil else { return }
            fire(at: instant)
        }
    }

    private func fire(at wake: ContinuousClock.Instant) {
        let due = state.withLock { state -> [Pending] in
            // A sleeper that was replaced while it woke up leaves the work to its successor.
            guard state.wake == wake else { return [] }
            let now = ContinuousClock.now
            let due = state.pending.filter { $0.value.instant <= now }
            for id in due.keys { state.pending[id] = nil }
            state.wake = nil
            state.sleeper = nil
            if let next = state.pending.values.lazy.map(\.instant).min() { sleep(until: next, &state) }
            return Array(due.values)
        }
        for pending in due.sorted(by: { $0.instant < $1.instant }) { pending.action() }
    }
}
