import HikyakuBase

/// Work that can end early: its outcome is the first one that the work itself, a cancellation or another caller sets.
///
/// States: idle → waiting → running → finished, or idle → here → finished. An outcome may be set in any of
/// them; a later one is ignored.
package final class Race<Value: Sendable>: Sendable {
    fileprivate enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case running(CheckedContinuation<Value, any Error>, Task<Void, Never>)
        /// The work runs in the task that waits for it; the closure is called with an outcome that is set early.
        case here(@Sendable (any Error) -> Void)
        case finished(Result<Value, any Error>)
    }

    private let state = Lock(State.idle)

    package init() {}

    /// Runs the work in its own task and waits for the first outcome; a later one is dropped.
    package func run(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await CallCancellation.withHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(with: continuation, for: work)
            }
        } onCancel: {
            self.finish(with: .failure(CancellationError()))
        }
    }

    /// Runs the work in the current task, which nothing waits for; a closure is called if an outcome is set early.
    ///
    /// It saves a task for callers that already have their own.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - onEarlyEnd: Called at once with a failure that is set before the work has ended; it must cancel the task.
    /// - Returns: The work's return value.
    /// - Throws: The work's error, or the failure that was set early.
    package func runHere(
        _ work: () async throws -> Value,
        onEarlyEnd: @escaping @Sendable (any Error) -> Void,
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            let known: Result<Value, any Error>? = state.withLock { state in
                if case .finished(let known) = state { return known }
                state = .here(onEarlyEnd)
                return nil
            }
            if let known { return try known.get() }
            let outcome = await Result(work)
            if case .finished(let known) = replace(with: outcome) { return try known.get() }
            return try outcome.get()
        } onCancel: {
            finish(with: .failure(CancellationError()))
        }
    }

    /// Settles the outcome unless it is settled, and cancels the work.
    ///
    /// - Returns: Whether it was not settled before.
    @discardableResult
    package func finish(with outcome: Result<Value, any Error>) -> Bool {
        switch replace(with: outcome) {
        case .idle:
            return true
        case .finished:
            return false
        case .waiting(let continuation):
            continuation.resume(with: outcome)
        case .running(let continuation, let task):
            task.cancel()
            continuation.resume(with: outcome)
        case .here(let onEarlyEnd):
            if case .failure(let error) = outcome { onEarlyEnd(error) }
        }
        return true
    }

    /// Sets the outcome, if there is none.
    ///
    /// - Returns: The state before. It is released after unlocking, since it may have a closure.
    private func replace(with outcome: Result<Value, any Error>) -> State {
        state.withLock { state in
            if case .finished = state { return state }
            defer { state = .finished(outcome) }
            return state
        }
    }

    private func wait(
        with continuation: CheckedContinuation<Value, any Error>,
        for work: @escaping @Sendable () async throws -> Value,
    ) {
        let outcome: Result<Value, any Error>? = state.withLock { state in
            if case .finished(let outcome) = state { return outcome }
            state = .waiting(continuation)
            return nil
        }
        if let outcome { return continuation.resume(with: outcome) }
        let task = UnstructuredTask.start { [self] in
            do {
                finish(with: .success(try await work()))
            } catch {
                finish(with: .failure(error))
            }
        }
        let hasEnded = state.withLock { state in
            guard case .waiting = state else { return true }
            state = .running(continuation, task)
            return false
        }
        if hasEnded { task.cancel() }
    }
}

extension Result {
    /// The error, if it is one.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension Result where Failure == any Error {
    /// The outcome of asynchronous work.
    package init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}

extension CallStop {
    /// Ends a race when the call is stopped, until the handler with the returned number is removed.
    package func ends<Value: Sendable>(_ race: Race<Value>) -> UInt64 {
        add {
            // Without an error the call has ended, and so has the race.
            if let error = self.error { race.finish(with: .failure(error)) }
        }
    }
}
