public import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock that only a test moves: `clock.advance(by: .seconds(60))`.
///
/// ```swift
/// let clock = ManualClock()
/// let transport = MockTransport(clock: clock)
/// transport.enqueue(.never)
/// let client = APIClient(transport: transport, options: ClientOptions(timeout: .seconds(60), clock: clock))
/// let call = client.call(Shop.Dishes())
/// // … once `clock.pendingCount` says that the call waits:
/// clock.advance(by: .seconds(60))
/// await #expect(throws: APIError<ShopError>.self) { try await call.value }
/// ```
public final class ManualClock: HTTPClock {
    fileprivate struct State: Sendable {
        var now = ContinuousClock.now
        var lastID = 0
        var pending: [Int: (instant: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
    }

    private let state: Lock<State>
    private let start: (instant: ContinuousClock.Instant, date: Date)

    /// Makes a clock at an arbitrary instant.
    ///
    /// - Parameter date: What its wall clock shows then.
    public init(date: Date = Date()) {
        let state = State()
        self.state = Lock(state)
        start = (state.now, date)
    }

    /// The clock's current instant.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }

    /// The wall clock's time, which passes only with the clock's.
    public var date: Date { start.date.addingTimeInterval(start.instant.duration(to: now) / .seconds(1)) }

    /// The number of scheduled actions.
    public var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Schedules an action for an instant; an action that is due runs at once.
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

    /// Moves the clock forward, and runs each action at its instant, including those that are scheduled on the way.
    ///
    /// A negative duration does nothing.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.now.advanced(by: max(duration, .zero)) }
        while let action = state.withLock({ $0.nextAction(until: end) }) { action() }
        state.withLock { $0.now = max($0.now, end) }
    }
}

extension ManualClock.State {
    /// Moves to the earliest action that is due by then, and removes it.
    fileprivate mutating func nextAction(until end: ContinuousClock.Instant) -> (@Sendable () -> Void)? {
        let earliest = pending.min { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }
        guard let earliest, earliest.value.instant <= end else { return nil }
        now = max(now, earliest.value.instant)
        pending[earliest.key] = nil
        return earliest.value.action
    }
}
