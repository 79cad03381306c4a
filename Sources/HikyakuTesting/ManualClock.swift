import Hikyaku

/// A clock that stands still until a test moves it: `clock.advance(by: .seconds(60))`.
public final class ManualClock: HTTPClock {
    private struct Pending: Sendable {
        let instant: ContinuousClock.Instant
        let action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var now = ContinuousClock.now
        var lastID = 0
        var pending: [Int: Pending] = [:]
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
            state.pending[state.lastID] = Pending(instant: instant, action: action)
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

    /// Moves the clock on, and runs in their order all actions whose time comes on the way.
    public func advance(by duration: Duration) {
        let due: [Pending] = state.withLock { state in
            let now = state.now.advanced(by: duration)
            state.now = now
            let due = state.pending.filter { $0.value.instant <= now }
            for id in due.keys { state.pending[id] = nil }
            return due.sorted { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }.map(\.value)
        }
        for pending in due { pending.action() }
    }
}
