public import Hikyaku
import HikyakuBase

/// A clock that stands still until a test moves it: `clock.advance(by: .seconds(60))`.
public final class ManualClock: HTTPClock {
    fileprivate struct State: Sendable {
        var now = ContinuousClock.now
        var lastID = 0
        var pending: [Int: (instant: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
    }

    private let state = Lock(State())

    /// Makes a clock that stands at some instant.
    public init() {}

    /// The instant at which the clock stands.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }

    /// How many actions wait for their time.
    public var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Keeps an action until the clock is moved to its instant; one whose time has come runs at once.
    public func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer {
        let id: Int? = state.withLock { state in
            guard instant > state.now else { return nil }
            state.lastID += 1
            state.pending[state.lastID] = (instant, action)
            return state.lastID
        }
        guard let id else {
            action()
            return HTTPClockTimer {}
        }
        return HTTPClockTimer { [self] in
            _ = state.withLock { $0.pending.removeValue(forKey: id) }
        }
    }

    /// Moves the clock on, stopping at each action whose time comes on the way to run it, those that it adds included.
    ///
    /// A negative duration moves nothing.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.now.advanced(by: max(duration, .zero)) }
        while let action = state.withLock({ $0.nextAction(until: end) }) { action() }
        state.withLock { $0.now = max($0.now, end) }
    }
}

extension ManualClock.State {
    /// Moves on to the earliest action that is due by then, and takes it out.
    fileprivate mutating func nextAction(until end: ContinuousClock.Instant) -> (@Sendable () -> Void)? {
        let earliest = pending.min { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }
        guard let earliest, earliest.value.instant <= end else { return nil }
        now = max(now, earliest.value.instant)
        pending[earliest.key] = nil
        return earliest.value.action
    }
}
