/// Work that can be overtaken: its outcome is the first of what the work itself, a cancellation and others say.
///
/// States: idle → waiting → running → finished; an outcome may come at any of them, and then nothing follows.
package final class Race<Value: Sendable>: Sendable {
    fileprivate enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case running(CheckedContinuation<Value, any Error>, Task<Void, Never>)
        case finished(Result<Value, any Error>)
    }

    private let state = Lock(State.idle)

    package init() {}

    /// Runs the work in a task of its own and waits for the first outcome; a later one is dropped.
    package func run(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(with: continuation, for: work)
            }
        } onCancel: {
            finish(with: .failure(CancellationError()))
        }
    }

    /// Settles the outcome unless it is settled, and cancels the work.
    ///
    /// - Returns: Whether it wasn't settled before.
    @discardableResult
    package func finish(with outcome: Result<Value, any Error>) -> Bool {
        let before = state.withLock { state in
            defer { if !state.isFinished { state = .finished(outcome) } }
            return state
        }
        switch before {
        case .idle:
            return true
        case .finished:
            return false
        case .waiting(let continuation):
            continuation.resume(with: outcome)
        case .running(let continuation, let task):
            task.cancel()
            continuation.resume(with: outcome)
        }
        return true
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
        let task = Task {
            do {
                finish(with: .success(try await work()))
            } catch {
                finish(with: .failure(error))
            }
        }
        let isOvertaken = state.withLock { state in
            guard case .waiting = state else { return true }
            state = .running(continuation, task)
            return false
        }
        if isOvertaken { task.cancel() }
    }
}

extension Race.State {
    fileprivate var isFinished: Bool {
        if case .finished = self { true } else { false }
    }
}
