import HikyakuBase
import HikyakuHTTP

/// Sends a request again after transient failures.
///
/// It runs inside the app's middleware, which sees one response for each call, and outside authorization, so that each
/// attempt gets the token of its time.
struct RetryStep: HTTPMiddleware {
    let policy: RetryPolicy
    let budgets: RetryBudgets
    /// Returns a random number from 0 to 1.
    let random: @Sendable () -> Double

    var endsOnCancellation: Bool { true }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        let origin = context.environment.base.origin
        if let budget = policy.budget { budgets.deposit(budget, for: origin, at: context.clock.now) }
        guard context.call.mayRepeat(request) else { return try await next(request) }

        context.noteRetryEnd(nil)
        var machine = RetryMachine(
            policy,
            deadline: context.deadline,
            isReplayable: request.body?.isReplayable != false,
        )
        while true {
            // A response that isn't returned is released before the pause, so that its connection is free.
            switch try await attempt(request, context, origin, &machine, next) {
            case .response(let response): return response
            case .pause(let end): try await context.clock.sleep(until: end)
            }
        }
    }

    private enum Attempt {
        case response(HTTPResponse)
        /// Another attempt follows at an instant.
        case pause(until: ContinuousClock.Instant)
    }

    /// - Throws: The error of the attempt, if it is the call's.
    private func attempt(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ origin: HTTPOrigin,
        _ machine: inout RetryMachine,
        _ next: MiddlewareNext,
    ) async throws -> Attempt {
        let start = context.clock.now
        let result = await Result { try await next(request) }
        guard let outcome = outcome(of: result, context), !CallCancellation.isCancelled else {
            return .response(try result.get())
        }
        let now = context.clock.now
        let decision = machine.decision(after: outcome, from: start, to: now, unit: random()) {
            policy.budget.map { budgets.withdraw($0, for: origin, at: now) } ?? true
        }
        switch decision {
        case .end(let end):
            context.noteRetryEnd(end)
            return .response(try result.get())
        case .again(let pause):
            if case .success(let response) = result { context.call.log?.receives(response) }
            context.noteRetry(of: outcome, at: now, pause: pause)
            return .pause(until: now.advanced(by: pause))
        }
    }

    /// The outcome of an attempt, if the policy may have something to decide.
    private func outcome(
        of result: Result<HTTPResponse, any Error>,
        _ context: RequestContext,
    ) -> RetryMachine.Outcome? {
        switch result {
        case .success(let response):
            guard !context.call.accepts(response.status) else { return nil }
            return .response(response.status, retryAfter: response.headers.retryAfter)
        case .failure(let error as TransportError) where !error.isOfCredential:
            return .failure(error.reason)
        case .failure:
            // A cancellation, or an error of a step, which only that step can judge.
            return nil
        }
    }
}

extension CallInformation {
    /// Whether sending a request again does no harm.
    fileprivate func mayRepeat(_ request: HTTPRequest) -> Bool {
        if request.headers["Idempotency-Key"]?.isEmpty == false { return true }
        guard choices.isIdempotent else { return false }
        // `prepare(_:)` or a middleware may have changed the method, about which the request says nothing.
        return request.method.isIdempotent || !self.request.writtenMethod.isIdempotent
    }
}

extension RequestContext {
    fileprivate func noteRetry(
        of outcome: RetryMachine.Outcome,
        at now: ContinuousClock.Instant,
        pause: Duration,
    ) {
        let (reason, status): (FailureReason, HTTPStatus?) =
            switch outcome {
            case .response(let status, _): (.unacceptableStatus, status)
            case .failure(let reason): (reason, nil)
            }
        note(EarlierAttempt(number: attempt, reason: reason, status: status, elapsed: start.duration(to: now)))
        call.observer?.observe(
            TransportEvent(
                exchange: call.recorder?.exchange ?? 0,
                instant: now,
                kind: .retrying(reason, after: pause),
            )
        )
    }
}

extension HTTPClock {
    /// Waits for an instant.
    ///
    /// - Throws: `CancellationError` if the call or its task is cancelled before.
    func sleep(until instant: ContinuousClock.Instant) async throws {
        let sleep = Sleep()
        let timer = schedule(at: instant) { sleep.end(.success(())) }
        defer { timer.cancel() }
        try await CallCancellation.withHandler {
            try await withCheckedThrowingContinuation { sleep.begin($0) }
        } onCancel: {
            sleep.end(.failure(CancellationError()))
        }
    }
}

/// One wait; its first end counts.
private final class Sleep: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, any Error>)
        case ended(Result<Void, any Error>)
    }

    private let state = Lock(State.idle)

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let known: Result<Void, any Error>? = state.withLock { state in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let known { continuation.resume(with: known) }
    }

    func end(_ result: Result<Void, any Error>) {
        let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(result) } }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(with: result)
    }
}
