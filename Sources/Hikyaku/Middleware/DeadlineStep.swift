/// Ends a call when its time is over, whatever the steps inside are doing.
///
/// The steps inside run in a task of their own, which is cancelled then. The caller isn't kept waiting until they have
/// noticed: a step that doesn't look for cancellation can't hold up a deadline or a cancelled caller.
struct DeadlineStep: HTTPMiddleware {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        guard let deadline = context.deadline else { return try await next(request) }
        guard context.clock.now < deadline else { throw Self.passed(context) }
        let race = Race<HTTPResponse>()
        let timer = context.clock.schedule(at: deadline) { race.finish(with: .failure(Self.passed(context))) }
        defer { timer.cancel() }
        return try await race.run { try await next(request) }
    }

    private static func passed(_ context: RequestContext) -> TransportError {
        TransportError(.deadline, "the call took longer than \(context.allowed)")
    }
}

extension RequestContext {
    fileprivate var allowed: Duration { deadline.map { start.duration(to: $0) } ?? .zero }
}

/// Work that can be overtaken: its outcome is the first of what the work itself, a cancellation and others say.
///
/// States: idle → running → finished, or idle → finished when an outcome comes before the work was started.
final class Race<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case running(CheckedContinuation<Value, any Error>, Task<Void, Never>)
        case finished(Result<Value, any Error>)
    }

    private let state = Lock(State.idle)

    /// Runs the work in a task of its own and waits for the first outcome; a later one is dropped.
    func run(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Value, any Error>? = state.withLock { state in
                    if case .finished(let outcome) = state { return outcome }
                    let task = Task {
                        do {
                            finish(with: .success(try await work()))
                        } catch {
                            finish(with: .failure(error))
                        }
                    }
                    state = .running(continuation, task)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            finish(with: .failure(CancellationError()))
        }
    }

    /// Settles the outcome unless it is settled, and cancels the work.
    func finish(with outcome: Result<Value, any Error>) {
        let running: (CheckedContinuation<Value, any Error>, Task<Void, Never>)? = state.withLock { state in
            switch state {
            case .idle:
                state = .finished(outcome)
                return nil
            case .running(let continuation, let task):
                state = .finished(outcome)
                return (continuation, task)
            case .finished:
                return nil
            }
        }
        guard let (continuation, task) = running else { return }
        task.cancel()
        continuation.resume(with: outcome)
    }
}
