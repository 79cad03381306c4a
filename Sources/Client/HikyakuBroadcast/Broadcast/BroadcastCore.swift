import Hikyaku
import HikyakuBase

/// Work to do after unlocking, since it runs other code: resuming waiting readers, and releasing dropped values.
struct BroadcastOutcome<Model: Sendable>: Sendable {
    fileprivate let values: [Model]
    /// The readers to resume, each with the index of the value that it gets.
    fileprivate var wakes: [(waiter: BroadcastWaiter<Model>, index: Int)] = []
    /// Kept until the outcome is released.
    fileprivate var dropped: [Model] = []

    fileprivate init(_ values: [Model]) {
        self.values = values
    }

    func settle() {
        for wake in wakes { wake.waiter.resume(returning: values[wake.index]) }
    }
}

private struct BroadcastState<Model: Sendable> {
    /// Unordered.
    var subscribers: [BroadcastSubscriber<Model>] = []
    var isFinished = false
    var latest: Model?

    /// - Returns: Whether it was present.
    mutating func remove(_ subscriber: BroadcastSubscriber<Model>) -> Bool {
        guard let place = subscriber.place else { return false }
        subscriber.place = nil
        let last = subscribers.removeLast()
        if last !== subscriber {
            subscribers[place] = last
            last.place = place
        }
        return true
    }
}

/// The state that a broadcast shares with its subscribers, protected by one lock.
final class BroadcastCore<Model: Sendable>: Sendable {
    private let state = Lock(BroadcastState<Model>())
    private let keepsLatest: Bool
    private let onUnwatched: (@Sendable () -> Void)?

    init(keepsLatest: Bool = true, onUnwatched: (@Sendable () -> Void)? = nil) {
        self.keepsLatest = keepsLatest
        self.onUnwatched = onUnwatched
    }

    var latest: Model? { state.withLock { $0.latest } }
    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    func offer(_ value: Model) -> BroadcastOutcome<Model> { offer(contentsOf: [value]) }

    func offer(contentsOf values: [Model]) -> BroadcastOutcome<Model> {
        var outcome = BroadcastOutcome(values)
        guard let last = values.last else { return outcome }
        state.withLock { state in
            let count = values.count
            for subscriber in state.subscribers {
                // Iterating over the indices of an array is slow if its type isn't known.
                var index = 0
                while index < count {
                    if let waiter = subscriber.offer(values[index], dropped: &outcome.dropped) {
                        outcome.wakes.append((waiter, index))
                    }
                    index += 1
                }
            }
            guard keepsLatest else { return }
            if let latest = state.latest { outcome.dropped.append(latest) }
            state.latest = last
        }
        return outcome
    }
}

// MARK: - Subscribers

extension BroadcastCore {
    func add(_ policy: BroadcastPolicy, known: Model?) -> BroadcastSubscriber<Model> {
        let subscriber = BroadcastSubscriber<Model>(policy)
        state.withLock { state in
            if policy.beginsWithLatest, let latest = state.latest ?? known {
                var dropped: [Model] = []
                _ = subscriber.offer(latest, dropped: &dropped)
            }
            guard !state.isFinished else { return }
            subscriber.place = state.subscribers.count
            state.subscribers.append(subscriber)
        }
        return subscriber
    }

    func lostCount(of subscriber: BroadcastSubscriber<Model>) -> Int {
        state.withLock { _ in subscriber.lostCount }
    }

    func take(for subscriber: BroadcastSubscriber<Model>, reportingLosses: Bool) -> BroadcastRead<Model> {
        state.withLock { _ in subscriber.take(reportingLosses: reportingLosses) }
    }

    func wait(
        _ waiter: BroadcastWaiter<Model>,
        for subscriber: BroadcastSubscriber<Model>,
        reportingLosses: Bool,
    ) {
        let waits = state.withLock { _ in subscriber.wait(waiter, reportingLosses: reportingLosses) }
        if !waits { waiter.resume(returning: nil) }
    }

    /// Ends a subscriber at once, and drops its buffered values.
    func forget(_ subscriber: BroadcastSubscriber<Model>) {
        let (waiters, values, isLast) = state.withLock { state in
            let wasThere = state.remove(subscriber)
            return (subscriber.takeWaiters(), subscriber.takeValues(), wasThere && state.subscribers.isEmpty)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
        // Releasing the values may run code, so it happens here.
        _ = consume values
        if isLast { onUnwatched?() }
    }

    /// Ends all subscribers, each after its buffered values.
    func finish() {
        let (waiters, latest) = state.withLock { state in
            let (subscribers, latest) = (state.subscribers, state.latest)
            state = BroadcastState(isFinished: true)
            for subscriber in subscribers { subscriber.place = nil }
            return (subscribers.flatMap { $0.takeWaiters() }, latest)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
        _ = consume latest
    }
}
