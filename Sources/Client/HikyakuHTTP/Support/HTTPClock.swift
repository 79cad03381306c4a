import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The client's clock, which a test can replace by a manual one.
///
/// ```swift
/// struct FastClock: HTTPClock {       // for a demonstration: ten seconds pass in one
///     let start = ContinuousClock.now
///     var now: ContinuousClock.Instant { start.advanced(by: start.duration(to: .now) * 10) }
///
///     func schedule(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> HTTPClockTimer {
///         SystemClock().schedule(at: start.advanced(by: start.duration(to: instant) / 10), action)
///     }
/// }
/// let client = APIClient(options: ClientOptions(clock: FastClock()))
/// ```
/// `SystemClock` is the real one; HikyakuTesting has a `ManualClock`. An action runs on any thread and must not block.
public protocol HTTPClock: Sendable {
    /// The present instant; never runs backwards.
    var now: ContinuousClock.Instant { get }

    /// The wall clock's time, for dates that are sent and received; it may be changed at any time.
    ///
    /// Default: the machine's.
    var date: Date { get }

    /// Runs `action` once at `instant`, unless the returned timer is cancelled before.
    func schedule(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> HTTPClockTimer
}

extension HTTPClock {
    /// The machine's wall clock.
    public var date: Date { Date() }

    /// The wall clock's time in whole seconds since 1970; 0 for a date that is none.
    package var unixSeconds: Int64 { Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0 }
}

/// A scheduled action, which can be cancelled.
///
/// ```swift
/// let timer = SystemClock().schedule(at: .now.advanced(by: .seconds(5))) { log("no answer for five seconds") }
/// let dishes = try await client.send(Shop.Dishes())
/// timer.cancel()
/// ```
public struct HTTPClockTimer: Sendable {
    private let action: @Sendable () -> Void

    /// Makes a timer that is cancelled by `action`.
    public init(cancel action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Cancels the action.
    ///
    /// Does nothing if it has run; a running action is not waited for.
    public func cancel() {
        action()
    }
}

/// The machine's continuous clock, which also runs while the machine sleeps.
///
/// ```swift
/// let options = ClientOptions(clock: SystemClock())  // the default; a test passes a ManualClock
/// ```
/// All its timers share one sleeping task: a cancelled `Task.sleep` stays in memory until its instant, and a busy
/// client makes and cancels thousands of deadlines a second.
public struct SystemClock: HTTPClock {
    private static let timers = SystemTimers()

    /// Makes the clock; all instances share their timers.
    public init() {}

    /// The present instant.
    public var now: ContinuousClock.Instant { .now }

    /// Runs `action` at `instant`, usually within a few milliseconds after it.
    public func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer {
        let key = Self.timers.add(at: instant, action)
        return HTTPClockTimer { Self.timers.remove(key) }
    }
}

/// Pending actions and the one task that sleeps until the earliest.
///
/// Removing an action does not change the sleeper: it wakes once without need, and then sleeps until the earliest
/// action that is left. So adding and removing is cheap for any number of actions.
private final class SystemTimers: Sendable {
    fileprivate struct Pending {
        let instant: ContinuousClock.Instant
        let action: @Sendable () -> Void
    }

    fileprivate struct State {
        var pending = SlotTable<Pending>()
        /// When the sleeper wakes; `nil` when there is none.
        var wake: ContinuousClock.Instant?
        var sleeper: Task<Void, Never>?
    }

    private let state = Lock(State())
    /// A sleep of more than a few hundred years traps.
    private let latest = ContinuousClock.now.advanced(by: .farFuture)

    func add(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> SlotTable<Pending>.Key {
        let instant = min(instant, latest)
        let (key, isEarliest) = state.withLock { state in
            let key = state.pending.insert(Pending(instant: instant, action: action))
            return (key, state.planWake(at: instant))
        }
        if isEarliest { sleep(until: instant) }
        return key
    }

    func remove(_ key: SlotTable<Pending>.Key) {
        // The action is freed after unlocking, since freeing what it captures may run code.
        _ = state.withLock { $0.pending.remove(key) }
    }

    /// Starts the sleeper for a wake that was planned, and ends the one before, which would be late.
    private func sleep(until instant: ContinuousClock.Instant) {
        let sleeper = Task.detached { [self] in
            guard (try? await Task.sleep(until: instant, clock: .continuous)) != nil else { return }
            fire(at: instant)
        }
        let late: Task<Void, Never>? = state.withLock { state in
            guard state.wake == instant else { return sleeper }
            defer { state.sleeper = sleeper }
            return state.sleeper
        }
        late?.cancel()
    }

    private func fire(at wake: ContinuousClock.Instant) {
        let (due, next) = state.withLock { state -> ([Pending], ContinuousClock.Instant?) in
            // A sleeper that was replaced while it woke up leaves the work to its successor.
            guard state.wake == wake else { return ([], nil) }
            let now = ContinuousClock.now
            let due = state.pending.removeAll { $0.instant <= now }
            state.wake = nil
            state.sleeper = nil
            var next: ContinuousClock.Instant?
            state.pending.forEach { next = min(next ?? $0.instant, $0.instant) }
            if let next { _ = state.planWake(at: next) }
            return (due, next)
        }
        if let next { sleep(until: next) }
        for pending in due.sorted(by: { $0.instant < $1.instant }) { pending.action() }
    }
}

extension SystemTimers.State {
    /// Whether the sleeper has to wake earlier than it would.
    fileprivate mutating func planWake(at instant: ContinuousClock.Instant) -> Bool {
        if let wake, wake <= instant { return false }
        wake = instant
        return true
    }
}

extension Duration {
    /// A hundred years; later instants count as never.
    package static let farFuture = Duration.seconds(100 * 365 * 86_400 as Int64)
}
