import HikyakuBase

/// Sends a request again after transient failures.
///
/// It is inside of sharing, so that one series of attempts serves all calls that share an exchange. A token that
/// expires during a pause is replaced after the 401, as always.
package final class RetryStep: StepOfEveryCall {
    package let policy: RetryPolicy
    package let budgets: RetryBudgets
    /// The circuits of the client's calls; `nil` if it has no circuit breaker.
    package let circuits: CircuitBreakers?
    /// Returns a random number from 0 to 1.
    package let random: @Sendable () -> Double

    init(_ options: ClientOptions, _ budgets: RetryBudgets, _ circuits: CircuitBreakers) {
        policy = options.retryPolicy
        self.budgets = budgets
        self.circuits = options.circuitBreaker == nil ? nil : circuits
        random = options.random
    }

    package var stage: CallStage { .call }
    /// Whether anything is sent again.
    package var isActive: Bool { policy.attemptsMax > 1 }

    /// An upload in parts sends its messages again by itself.
    package func applies(to call: CallInformation) -> Bool { isActive && call.upload == nil }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        guard isActive else { return try await next(request, context) }
        var start = next.held?.start ?? context.clock.now
        var result = await Result { try await next(request, context) }
        if let status = result.status, policy.transience(of: status) == nil {
            if status.earnsRetries { noteSuccess(from: start, context) }
            return try result.get()
        }
        context.noteRetryEnd(nil)
        let mayRepeat = context.call.mayRepeat(request)
        guard mayRepeat || result.isNotDone else { return try result.get() }
        var series = RetrySeries(
            self,
            context,
            isReplayable: request.body?.isReplayable != false,
            // Sending again with another token belongs to the same attempt.
            retriesCount: context.wasRejected ? context.retriesCount : 0,
        )
        while mayRepeat || result.isNotDone, let pause = series.pause(after: result, from: start) {
            // A response that isn't returned is released before the pause, so that its connection is free.
            result = .failure(CancellationError())
            try await series.wait(until: pause)
            start = context.clock.now
            result = await Result { try await next(request, context) }
        }
        let response = try result.get()
        if response.status.earnsRetries, policy.transience(of: response.status) == nil {
            noteSuccess(from: start, context)
        }
        return response
    }

    /// Whether the step may have something to do with a response.
    @inline(__always)
    func concerns(_ response: HTTPResponse) -> Bool { isActive && policy.transience(of: response.status) != nil }

    package func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext) {
        let reason = context.call.repeatability(of: request)
        let isReplayable = request.body?.isReplayable != false
        let origin = context.environment.base.origin
        explanation.retries = CallExplanation.Retries(
            attemptsMax: max(1, policy.attemptsMax),
            mayRepeat: reason.isAllowed && isReplayable,
            why: reason.isAllowed && !isReplayable ? "\(RetryEnd.body)" : reason.text(for: request.method),
            budgetLeft: policy.budget.map { budgets.available($0, for: origin, at: explanation.now) },
            end: context.retries.end,
        )
    }

    /// Counts a successful request for the budget of its origin.
    ///
    /// - Parameters:
    ///   - start: When its last attempt started, so that the clock isn't read again.
    ///   - context: Its call.
    @inline(never)
    package func noteSuccess(from start: ContinuousClock.Instant, _ context: RequestContext) {
        if isActive, let budget = policy.budget {
            budgets.deposit(budget, for: context.environment.base.origin, at: start)
        }
    }

    /// Decides about another attempt.
    ///
    /// - Parameters:
    ///   - result: How the last attempt ended.
    ///   - start: When it started.
    ///   - context: The call.
    ///   - machine: The machine of this series of attempts.
    ///   - needsBudget: Whether another attempt takes a retry from the budget.
    /// - Returns: When another attempt starts; `nil` if the result is the request's.
    package func pause(
        after result: Result<HTTPResponse, any Error>,
        from start: ContinuousClock.Instant,
        _ context: RequestContext,
        _ machine: inout RetryMachine,
        needsBudget: Bool = true,
    ) -> ContinuousClock.Instant? {
        guard let outcome = outcome(of: result, context), !CallCancellation.isCancelled else {
            context.noteRetryEnd(nil)
            return nil
        }
        let now = context.clock.now
        // Another call with more time may have joined the exchange.
        machine.deadline = context.attemptsDeadline
        let decision = machine.decision(after: outcome, from: start, to: now, unit: random()) { pause, isFree in
            if circuits?.isOpen(for: context.call, from: now, for: pause) == true { return .circuitOpen }
            guard needsBudget, !isFree, let budget = policy.budget else { return nil }
            return budgets.withdraw(budget, for: context.environment.base.origin, at: now) ? nil : .budget
        }
        switch decision {
        case .end(let end):
            context.noteRetryEnd(end)
            return nil
        case .again(let pause):
            if case .success(let response) = result {
                context.call.log?.receives(response)
                context.call.received(response.beginning())
            }
            context.noteRetry(of: outcome, at: now, pause: pause)
            return now.advanced(by: pause)
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
            if response.headers.stripeShouldRetry == false { return nil }
            return .response(response.status, retryAfter: response.retryAfter(at: context.clock.unixSeconds))
        case .failure(let error as TransportError) where !error.isOfCredential:
            return .failure(error.reason, error.transience)
        case .failure:
            // A cancellation, or an error of a step, which only that step can judge.
            return nil
        }
    }
}

extension Result where Success == HTTPResponse {
    /// The status of the response.
    fileprivate var status: HTTPStatus? { if case .success(let response) = self { response.status } else { nil } }
}

extension Result {
    /// Whether nothing of the request was sent, or the server has said that it did not process it: whatever its method
    /// is, it may be sent again.
    fileprivate var isNotDone: Bool {
        if case .failure(let error as TransportError) = self { error.transience == .notDone } else { false }
    }
}

extension HTTPStatus {
    /// Whether the service has processed the request, which adds to the budget of its retries.
    @inline(__always)
    package var earnsRetries: Bool { code < 500 && Transience(self) == nil }
}

extension CallInformation {
    /// Whether sending a request again does no harm.
    ///
    /// It is read after a failure only.
    package func mayRepeat(_ request: HTTPRequest) -> Bool { repeatability(of: request).isAllowed }

    /// Why sending a request again does no harm, or may do some.
    package func repeatability(of request: HTTPRequest) -> Repeatability {
        if request.headers["Idempotency-Key"]?.isEmpty == false { return .key }
        guard questions.isIdempotent else { return request.method.isIdempotent ? .deniedByRequest : .otherMethod }
        if request.method.isIdempotent { return .idempotentMethod }
        // `prepare(_:)` or a middleware may have changed the method, about which the request says nothing.
        return questions.method.isIdempotent ? .otherMethod : .declaredByRequest
    }
}

/// Why a request may be sent again, or not.
package enum Repeatability {
    case key, idempotentMethod, declaredByRequest
    case otherMethod, deniedByRequest

    fileprivate func text(for method: HTTPMethod) -> String {
        switch self {
        case .key: "it has an idempotency key"
        case .idempotentMethod: "\(method) is idempotent"
        case .declaredByRequest: "the request says that it is idempotent"
        case .otherMethod: "\(method) is not idempotent"
        case .deniedByRequest: "the request says that it is not idempotent"
        }
    }

    package var isAllowed: Bool {
        switch self {
        case .key, .idempotentMethod, .declaredByRequest: true
        case .otherMethod, .deniedByRequest: false
        }
    }
}

extension RequestContext {
    /// How many retries were made.
    var retriesCount: Int { retries.earlier.count }

    fileprivate func noteRetry(
        of outcome: RetryMachine.Outcome,
        at now: ContinuousClock.Instant,
        pause: Duration,
    ) {
        let (reason, status): (FailureReason, HTTPStatus?) =
            switch outcome {
            case .response(let status, _): (.unacceptableStatus, status)
            case .failure(let reason, _): (reason, nil)
            }
        note(EarlierAttempt(number: attempt, reason: reason, status: status, elapsed: start.duration(to: now)))
        call.recordedSpending().noteEnd(status.map { .status($0) } ?? .failure(reason), at: now)
        call.emit(.retrying(reason, after: pause), at: now)
    }
}
