public import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The clock of ``VirtualTime``: it stands still while something runs, and then moves to the next timer at once.
///
/// It also is a clock of the standard library, for code that takes an `any Clock<Duration>`:
/// `try await Task.sleep(for: .seconds(3600), clock: time.clock)` takes microseconds.
///
/// An action that is due runs as soon as no task can run, on the executor of the virtual time. Actions at the same
/// instant run in the order in which they were scheduled.
public final class VirtualClock: HTTPClock, Clock {
    private let state: Lock<State>
    private let start: ContinuousClock.Instant

    init() {
        let start = ContinuousClock.now
        self.start = start
        state = Lock(State(now: start))
    }

    /// The clock's current instant.
    public var now: ContinuousClock.Instant { state.withLock(\.now) }

    /// The time since the clock was made.
    ///
    /// It is the same in each run with the same seed, unlike ``now``.
    public var elapsed: Duration { start.duration(to: now) }

    /// The wall clock's time: the first second of 2026 in UTC, and what has passed since.
    public var date: Date { Date(timeIntervalSince1970: 1_767_225_600 + elapsed / .seconds(1)) }

    /// A nanosecond, although the clock is exact.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of scheduled actions.
    public var pendingCount: Int { state.withLock(\.actions.count) }

    /// Schedules an action for an instant; one that is due doesn't run before this function has returned.
    public func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer {
        let number = state.withLock { $0.add(action, at: instant) }
        return HTTPClockTimer { [self] in
            // The action is freed after unlocking, since freeing what it captures may run code.
            _ = state.withLock { $0.actions.removeValue(forKey: number) }
        }
    }

    /// Waits until an instant.
    ///
    /// - Parameters:
    ///   - deadline: The instant.
    ///   - tolerance: Without effect: the wait ends exactly then.
    /// - Throws: `CancellationError` if the call or its task is cancelled before.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        try await ClockWait().run(until: deadline, by: self)
    }

    /// Moves to the earliest action, and removes it; `nil` if there is none.
    ///
    /// - Returns: The action, and whether time has passed.
    func takeNext() -> (action: @Sendable () -> Void, hasMoved: Bool)? {
        state.withLock { $0.takeNext() }
    }

    /// Removes all actions.
    func removeAll() {
        _ = state.withLock { state -> [UInt64: @Sendable () -> Void] in
            defer { (state.actions, state.order) = ([:], []) }
            return state.actions
        }
    }
}

extension VirtualClock {
    fileprivate struct Timer: Comparable {
        let instant: ContinuousClock.Instant
        let number: UInt64

        static func < (left: Timer, right: Timer) -> Bool {
            (left.instant, left.number) < (right.instant, right.number)
        }
    }

    fileprivate struct State {
        var now: ContinuousClock.Instant
        var lastNumber: UInt64 = 0
        var actions: [UInt64: @Sendable () -> Void] = [:]
        /// A binary heap, the earliest timer first; those that were cancelled remain until they are the first, or the
        /// majority.
        var order: [Timer] = []

        init(now: ContinuousClock.Instant) {
            self.now = now
        }

        mutating func add(_ action: @escaping @Sendable () -> Void, at instant: ContinuousClock.Instant) -> UInt64 {
            lastNumber += 1
            actions[lastNumber] = action
            if order.count > 64, order.count > 2 * actions.count {
                // A sorted array is a heap.
                order = order.filter { actions[$0.number] != nil }.sorted()
            }
            order.append(Timer(instant: instant, number: lastNumber))
            rise(from: order.count - 1)
            return lastNumber
        }

        mutating func takeNext() -> (action: @Sendable () -> Void, hasMoved: Bool)? {
            while let first = order.first {
                order.swapAt(0, order.count - 1)
                order.removeLast()
                sink()
                guard let action = actions.removeValue(forKey: first.number) else { continue }
                let hasMoved = first.instant > now
                now = max(now, first.instant)
                return (action, hasMoved)
            }
            return nil
        }

        private mutating func rise(from last: Int) {
            var index = last
            while index > 0, case let parent = (index - 1) / 2, order[index] < order[parent] {
                order.swapAt(index, parent)
                index = parent
            }
        }

        private mutating func sink() {
            var index = 0
            while true {
                let children = [2 * index + 1, 2 * index + 2].filter { $0 < order.count }
                guard let least = children.min(by: { order[$0] < order[$1] }), order[least] < order[index] else {
                    return
                }
                order.swapAt(index, least)
                index = least
            }
        }
    }
}
