/// Lets an attempt pass if its circuit allows it, and reports to the circuit how it ended.
///
/// It runs inside the retries, so that each attempt counts, and outside the limits, so that an attempt that is rejected
/// takes no slot.
package struct BreakerStep: CallStep {
    package let policy: CircuitBreaker
    package let circuits: CircuitBreakers
    /// Returns a random number from 0 to 1.
    package let random: @Sendable () -> Double

    /// `nil` without a breaker.
    init?(_ options: ClientOptions, _ circuits: CircuitBreakers) {
        guard let policy = options.circuitBreaker else { return nil }
        (self.policy, self.circuits, random) = (policy, circuits, options.random)
    }

    package var stage: CallStage { .attempt }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        let key = CircuitBreakers.Key(of: context.call)
        let start = context.clock.now
        let token = try circuits.token(for: key, policy, at: start) { context.call.report($0, of: key, at: start) }
        let queuedBefore = context.queuedTime(at: start)
        let result = await Result { try await next(request, context) }
        let now = context.clock.now
        var outcome = CircuitMachine.Outcome(of: result, context, at: now)
        // A wait for the client's own limits says nothing about the service.
        var duration = start.duration(to: now) - (context.queuedTime(at: now) - queuedBefore)
        // The service has answered with a redirect. What followed was another one's.
        if context.hasLeftOrigin(with: try? result.get()) { (outcome, duration) = (.success, .zero) }
        let change = circuits.end(token, outcome, of: key, after: duration, at: now, unit: random())
        if let change { context.call.report(change, of: key, at: now) }
        return try result.get()
    }

    package func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext) {
        explanation.circuit = circuits.explanation(of: context.call, at: explanation.now)
    }
}

extension CircuitMachine.Outcome {
    /// What the result of an attempt says about the service.
    fileprivate init(
        of result: Result<HTTPResponse, any Error>,
        _ context: RequestContext,
        at now: ContinuousClock.Instant,
    ) {
        switch result {
        case .success(let response):
            self = response.status.isBreakdown && !context.call.accepts(response.status) ? .failure : .success
        case .failure(let error as TransportError) where error.reason == .deadline:
            self = .deadline
        case .failure(let error as TransportError) where !error.isOfCredential && !CallCancellation.isCancelled:
            self = error.isBreakdown ? .failure : .neutral
        case .failure:
            // A stopped call ends with the error of whatever waited: the deadline says why it was stopped.
            self = context.deadline.map { $0 <= now } ?? false ? .deadline : .neutral
        }
    }
}

extension HTTPStatus {
    /// Whether the service fails, whatever is requested.
    fileprivate var isBreakdown: Bool { isServerError && Transience(self) != nil }
}

extension TransportError {
    /// Whether the failure of an exchange says that the service fails; without a network, no service can be reached.
    fileprivate var isBreakdown: Bool { transience != nil && reason != .networkUnreachable }
}

extension CallInformation {
    /// Sends a change of the call's circuit to the observer.
    fileprivate func report(
        _ report: CircuitMachine.Report,
        of key: CircuitBreakers.Key,
        at now: ContinuousClock.Instant,
    ) {
        emit(.circuit(CircuitChange(report, of: key)), at: now)
    }
}
