public import Hikyaku
public import HikyakuBase

/// A closure that is called with each value of a stream, until it is cancelled or released.
///
/// ```swift
/// let subscription = hub.updates(of: Dish.self, id: 1).subscribe { show($0.value) }
/// ```
/// Keep it as long as the values are needed, in a property or in a `CancellationScope`.
public final class BroadcastSubscription: Sendable {
    private let calls: SubscriptionCalls

    fileprivate init(_ calls: SubscriptionCalls) {
        self.calls = calls
    }

    deinit {
        calls.end()
    }

    /// Ends the subscription: buffered values are dropped, and the closure is released.
    ///
    /// When this returns on the main actor, a closure on the main actor is not called any more. A closure on another
    /// queue isn't either when this was called on that queue; otherwise it may be running at this moment.
    public func cancel() {
        calls.end()
    }

    /// Whether it was cancelled, or its stream has ended.
    public var isOver: Bool { calls.isOver }

    /// Cancels the subscription when the scope is cancelled or released.
    ///
    /// - Parameter scope: The scope; it keeps the subscription until that is over.
    /// - Returns: The subscription.
    @discardableResult
    public func kept(in scope: CancellationScope) -> BroadcastSubscription {
        scope.keep(cancelling: { self.cancel() }) { calls.whenOver($0) }
        return self
    }
}

extension BroadcastSubscription: Redacted {
    /// Whether it is over.
    public var description: String { isOver ? "a subscription that is over" : "a subscription" }
}

/// The state that a subscription shares with the task that calls its closure.
///
/// Running → over, once.
private final class SubscriptionCalls: Sendable {
    private struct State: Sendable {
        var isOver = false
        var task: Task<Void, Never>?
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    var isOver: Bool { state.withLock(\.isOver) }

    /// Sets the task, which is cancelled if this is over already.
    func run(in task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    func end() {
        let before: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state = State(isOver: true) }
            return state
        }
        before?.task?.cancel()
        for handler in before?.handlers ?? [] { handler() }
    }

    /// Calls a closure when this is over, or at once if it is.
    func whenOver(_ handler: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.handlers.append(handler) }
            return state.isOver
        }
        if isOver { handler() }
    }
}

extension BroadcastStream {
    /// Calls a closure on the main actor with each value, from the first one that was published after the stream was
    /// made.
    ///
    /// ```swift
    /// let changes = Broadcast<Dish>()
    /// let subscription = changes.subscribe().subscribe { dish in show(dish) }
    /// ```
    /// A loop in a `Task` subscribes as early as this, if the stream is made before the task. This one needs no task to
    /// cancel, and its end is exact: see ``BroadcastSubscription/cancel()``. The values come in order, one at a time,
    /// and never synchronously. They are this subscriber's: another reader of the stream takes values away from it.
    ///
    /// - Parameter body: Called with each value.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe(_ body: @escaping @MainActor @Sendable (Model) -> Void) -> BroadcastSubscription {
        subscription { calls in
            Task { @MainActor in
                var values = makeAsyncIterator()
                while let value = await values.next(isolation: MainActor.shared), !calls.isOver { body(value) }
                calls.end()
            }
        }
    }

    /// Calls a closure on a queue with each value, from the first one that was published after the stream was made.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on; the next value waits until the closure has returned.
    ///   - body: Called with each value, in order.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Model) -> Void,
    ) -> BroadcastSubscription {
        subscription { calls in
            UnstructuredTask.start {
                for await value in self where !calls.isOver {
                    await queue.complete { if !calls.isOver { body(value) } }
                }
                calls.end()
            }
        }
    }

    /// Starts the task of a subscription, which doesn't end with the call that it is started in.
    private func subscription(_ start: (SubscriptionCalls) -> Task<Void, Never>) -> BroadcastSubscription {
        let calls = SubscriptionCalls()
        calls.run(in: CallCancellation.$scope.withValue(nil) { start(calls) })
        return BroadcastSubscription(calls)
    }
}

extension Broadcast {
    /// Subscribes at once, and calls a closure on the main actor with each value that is published from now on.
    ///
    /// ```swift
    /// @MainActor final class MenuModel {
    ///     private let scope = CancellationScope()
    ///     private(set) var newest: Dish?
    ///
    ///     init(changes: Broadcast<Dish>) {
    ///         changes.subscribe { [weak self] dish in self?.newest = dish }.kept(in: scope)
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - policy: The overflow policy: how many values are buffered while the main actor is busy.
    ///   - body: Called with each value, in order, one at a time, and never synchronously.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe(
        _ policy: BroadcastPolicy = .standard,
        _ body: @escaping @MainActor @Sendable (Model) -> Void,
    ) -> BroadcastSubscription {
        subscribe(policy).subscribe(body)
    }

    /// Subscribes at once, and calls a closure on a queue with each value that is published from now on.
    ///
    /// - Parameters:
    ///   - policy: The overflow policy: how many values are buffered while the queue is busy.
    ///   - queue: The queue that the closure is called on; the next value waits until the closure has returned.
    ///   - body: Called with each value, in order.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe(
        _ policy: BroadcastPolicy = .standard,
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Model) -> Void,
    ) -> BroadcastSubscription {
        subscribe(policy).subscribe(on: queue, body)
    }
}
