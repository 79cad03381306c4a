import HikyakuBase

/// Cancels the calls, subscriptions and tasks that are kept in it when it is released: those of a screen, with the
/// screen.
///
/// ```swift
/// @MainActor final class MenuModel {
///     private let scope = CancellationScope()
///     private(set) var dishes: [Dish] = []
///
///     func load() {
///         client.call(Shop.Dishes()).success { [weak self] in self?.dishes = $0 }.kept(in: scope)
///     }
/// }
/// ```
/// What has ended is dropped at once, so that a scope never grows with the number of calls over time. It may be used on
/// any thread, also by what it cancels. Closures of what it keeps should capture its owner weakly: otherwise the owner
/// lives as long as they do.
public final class CancellationScope: Sendable {
    private struct State: Sendable {
        var isCancelled = false
        /// In the order in which they were added.
        var cancellers: [(id: UInt64, cancel: @Sendable () -> Void)] = []
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    /// Creates an empty scope.
    public init() {}

    deinit {
        cancel()
    }

    /// Cancels everything that is kept, in the order in which it was added, and from now on everything that is added.
    ///
    /// Calling it again changes nothing.
    public func cancel() {
        let cancellers = state.withLock { state in
            state.isCancelled = true
            defer { state.cancellers = [] }
            return state.cancellers
        }
        for canceller in cancellers { canceller.cancel() }
    }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// How many calls, subscriptions and tasks are kept that have not ended.
    public var count: Int { state.withLock(\.cancellers.count) }

    /// Keeps work until it has ended; cancels it at once if the scope was cancelled.
    ///
    /// - Parameters:
    ///   - cancel: Cancels the work; called once at most. The scope keeps what it captures.
    ///   - whenEnded: Gets the function to call when the work has ended, which is at once if it has ended already. It
    ///     does not keep the scope.
    package func keep(
        cancelling cancel: @escaping @Sendable () -> Void,
        whenEnded: (@escaping @Sendable () -> Void) -> Void,
    ) {
        let id: UInt64? = state.withLock { state in
            guard !state.isCancelled else { return nil }
            state.lastID += 1
            state.cancellers.append((state.lastID, cancel))
            return state.lastID
        }
        guard let id else { return cancel() }
        whenEnded { [weak self] in self?.drop(id) }
    }

    private func drop(_ id: UInt64) {
        // Released after unlocking, since that may run code.
        _ = state.withLock { state in
            state.cancellers.firstIndex { $0.id == id }.map { state.cancellers.remove(at: $0) }
        }
    }
}

extension CancellationScope: CustomStringConvertible {
    /// What is kept, by its number.
    public var description: String { "CancellationScope of \(count)" }
}

extension APICall {
    /// Cancels the call, with all calls of its chain that are in flight, when the scope is cancelled or released.
    ///
    /// - Parameter scope: The scope; it keeps the call until the call has ended.
    /// - Returns: The call.
    @discardableResult
    public func kept(in scope: CancellationScope) -> APICall {
        scope.keep(cancelling: { self.cancel() }) { drop in whenSettled { _ in drop() } }
        return self
    }
}

extension Task {
    /// Cancels the task when the scope is cancelled or released.
    ///
    /// - Parameter scope: The scope; it keeps the task until the task has ended.
    /// - Returns: The task.
    @discardableResult
    public func kept(in scope: CancellationScope) -> Task {
        scope.keep(cancelling: { self.cancel() }) { drop in
            _ = UnstructuredTask.startDetached {
                _ = await self.result
                drop()
            }
        }
        return self
    }
}
