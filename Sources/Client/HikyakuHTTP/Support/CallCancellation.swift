import HikyakuBase

/// The cancellation of one call, which does not cancel the task that made it.
///
/// A call ends at its deadline, or when its app cancels it (`cancelAll`), while the task that waits for it continues.
/// So everything that waits inside of a call has to end on two signals: the cancellation of its task, and this one.
/// ``withHandler(isolation:_:onCancel:)`` reacts to both. A transport, middleware, token provider, signer or cookie
/// store that uses it wherever it waits can declare that by `endsOnCancellation`, which saves each call a task.
///
/// A task that is started inside of a call by `Task { }` may receive the call's cancellation too; a detached one
/// doesn't.
public enum CallCancellation {
    /// The call in which the present task works; `nil` for work that belongs to no call, or to several.
    @TaskLocal package static var scope: CallScope?

    /// The state of the call in which the present task works, if it ends by that alone.
    package static var current: CallStop? { scope?.stop }

    /// Whether the call or its task has been cancelled.
    public static var isCancelled: Bool { Task.isCancelled || current?.error != nil }

    /// Runs an operation with a handler for the cancellation of its call or its task.
    ///
    /// ```swift
    /// let waiter = Waiter()
    /// try await CallCancellation.withHandler {
    ///     try await waiter.wait()
    /// } onCancel: {
    ///     waiter.cancel()      // ends the wait with CancellationError
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The caller's actor, on which the operation runs.
    ///   - operation: The operation that waits.
    ///   - cancel: Called on cancellation, at once if the call was cancelled before; on any thread, perhaps twice, and
    ///     perhaps while or after the operation returns.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public static func withHandler<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Value,
        onCancel cancel: @escaping @Sendable () -> Void,
    ) async rethrows -> Value {
        guard let stop = current else {
            return try await withTaskCancellationHandler(operation: operation, onCancel: cancel, isolation: isolation)
        }
        let id = stop.add(cancel)
        defer { stop.remove(id) }
        return try await withTaskCancellationHandler(operation: operation, onCancel: cancel, isolation: isolation)
    }
}

/// A part of a call that may declare that it ends soon after its cancellation: transports, middleware, token providers,
/// signers and cookie stores.
public protocol CancellationPromise {
    /// Whether all that it waits for ends soon after its call is cancelled, by a ``CallCancellation`` or by its task.
    /// Default: `false`.
    ///
    /// If it is `false` for any part of a call, the call runs in a separate task, so that its caller does not wait
    /// beyond the deadline. That costs some microseconds and a change of threads.
    var endsOnCancellation: Bool { get }
}

extension CancellationPromise {
    /// `false`.
    public var endsOnCancellation: Bool { false }
}

/// The call that the present work is a part of: what ends its waits, and when it must have ended.
package struct CallScope: Sendable {
    /// Ends each wait; `nil` if the task is cancelled with the call, so that it needs no other signal.
    package let stop: CallStop?
    /// The latest end of the call, which calls inside of it inherit.
    package let deadline: ContinuousClock.Instant?

    package init(stop: CallStop?, deadline: ContinuousClock.Instant?) {
        (self.stop, self.deadline) = (stop, deadline)
    }
}

/// Whether one call was stopped, and the handlers to call then.
///
/// All copies share one state. Running → stopped or over, once; handlers that are added later are called at once.
package struct CallStop: Sendable {
    private struct Handler {
        let id: UInt64
        let run: @Sendable () -> Void
    }

    private struct State {
        var error: (any Error)?
        var isOver = false
        var lastID: UInt64 = 0
        /// The first handler, which is usually the only one.
        var first: Handler?
        /// The other handlers, of tasks that the call has started.
        var others: [Handler] = []
    }

    private let state = Lock(State())

    package init() {}

    /// Why the call was stopped; `nil` if it was not.
    package var error: (any Error)? { state.withLock(\.error) }

    /// Stops the call with an error, unless it was stopped before.
    ///
    /// - Returns: Whether this call has stopped it; `false` if it was stopped or over before.
    @discardableResult
    package func stop(with error: any Error) -> Bool {
        let handlers: [Handler]? = state.withLock { state in
            guard state.error == nil, !state.isOver else { return nil }
            state.error = error
            defer { (state.first, state.others) = (nil, []) }
            return (state.first.map { [$0] } ?? []) + state.others
        }
        for handler in handlers ?? [] { handler.run() }
        return handlers != nil
    }

    /// Ends the call, which then can't be stopped any more.
    ///
    /// - Returns: The error by which it was stopped before.
    package func end() -> (any Error)? {
        state.withLock { state in
            state.isOver = true
            // Tasks that it has started and that continue are not stopped from now on.
            return state.error.take()
        }
    }

    package func add(_ handler: @escaping @Sendable () -> Void) -> UInt64 {
        let (id, isStopped) = state.withLock { state in
            state.lastID += 1
            let added = Handler(id: state.lastID, run: handler)
            if state.error != nil {
                // It is called below.
            } else if state.first == nil {
                state.first = added
            } else {
                state.others.append(added)
            }
            return (state.lastID, state.error != nil)
        }
        if isStopped { handler() }
        return id
    }

    package func remove(_ id: UInt64) {
        // The closure is freed after unlocking, since freeing what it captures may run code.
        _ = state.withLock { state -> Handler? in
            if let first = state.first, first.id == id {
                state.first = nil
                return first
            }
            return state.others.firstIndex { $0.id == id }.map { state.others.remove(at: $0) }
        }
    }
}
