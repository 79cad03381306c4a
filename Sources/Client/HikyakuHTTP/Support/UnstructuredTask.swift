/// Starts the unstructured tasks of the package, on the executor that a test has chosen.
///
/// A child task inherits the executor preference of its parent, but a task of `Task { }` does not (SE-0417). In virtual
/// time it would run on other threads, at another moment each time. So the package makes its tasks here. A call needs
/// none if all of its parts end on cancellation.
package enum UnstructuredTask {
    /// The executor, an `any TaskExecutor`: that type is newer than the oldest systems that the package supports.
    ///
    /// It is task-local since a `TaskExecutor` can't be got from a task before macOS 26.4.
    @TaskLocal package static var executor: (any Sendable)?

    /// Starts a task, which inherits task-local values and priority as one of `Task { }` does.
    @discardableResult
    package static func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            let executor = executor as? any TaskExecutor
        {
            return Task(executorPreference: executor, operation: work)
        }
        return Task(operation: work)
    }

    /// Starts a task with a value, as ``start(_:)`` does.
    package static func startThrowing<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            let executor = executor as? any TaskExecutor
        {
            return Task(executorPreference: executor, operation: work)
        }
        return Task(operation: work)
    }

    /// Starts a task with the current priority, and without task-local values except the executor.
    package static func startDetached(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let priority = Task.currentPriority
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            let executor = executor as? any TaskExecutor
        {
            return Task.detached(executorPreference: executor, priority: priority) {
                await $executor.withValue(executor, operation: work)
            }
        }
        return Task.detached(priority: priority, operation: work)
    }
}
