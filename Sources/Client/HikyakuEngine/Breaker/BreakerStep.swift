import HikyakuBase

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

/// The circuits of all origins and groups that the calls of a client and of those derived from it have used.
package final class CircuitBreakers: Sendable {
    /// What shares a circuit.
    package struct Key: Hashable, Sendable, CustomStringConvertible {
        let origin: HTTPOrigin
        /// The name of the group; `nil` for all other requests to the origin.
        let group: String?

        package var description: String { group.map { "\(origin), \($0)" } ?? "\(origin)" }
    }

    private struct State {
        var circuits = KeptStates<Key, CircuitMachine>()
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    /// The token for an attempt.
    ///
    /// - Parameters:
    ///   - key: What shares the circuit.
    ///   - policy: The policy for a circuit that isn't known yet.
    ///   - now: The present instant.
    ///   - halfOpened: Called if the attempt is the first probe.
    /// - Returns: The token, for ``end(_:_:of:after:at:unit:)``.
    /// - Throws: `TransportError` with ``FailureReason/circuitOpen`` if the circuit rejects the attempt.
    func token(
        for key: Key,
        _ policy: CircuitBreaker,
        at now: ContinuousClock.Instant,
        halfOpened: (CircuitMachine.Report) -> Void,
    ) throws(TransportError) -> CircuitMachine.Token {
        let (admission, change) = state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            return state.circuits.change(
                key,
                orNew: CircuitMachine(policy, id: id, at: now),
                forgetting: { $0.isIdle(at: now) },
                orElse: \.isClosed,
                by: { $0.admit(at: now) },
            )
        }
        if let change { halfOpened(change) }
        switch admission {
        case .allowed(let token): return token
        case .rejected(let retryAfter):
            throw CircuitCause.circuitOpen.error(
                "the circuit of \(key) is open; the next probe is allowed in \(retryAfter.milliseconds) ms",
                underlyingError: PolicyRejection(retryAfter: retryAfter),
            )
        }
    }

    /// Takes the end of an attempt.
    ///
    /// - Returns: A report if the circuit has opened or closed by it.
    func end(
        _ token: CircuitMachine.Token,
        _ outcome: CircuitMachine.Outcome,
        of key: Key,
        after duration: Duration,
        at now: ContinuousClock.Instant,
        unit: Double,
    ) -> CircuitMachine.Report? {
        let change = state.withLock {
            $0.circuits.changeKnown(key) { $0.end(token, outcome, after: duration, at: now, unit: unit) }
        }
        return change ?? nil
    }

    /// The state of a circuit at an instant; `nil` if no attempt has used it.
    package func state(of key: Key, at now: ContinuousClock.Instant) -> CircuitMachine.Report? {
        state.withLock { $0.circuits.changeKnown(key) { $0.report(at: now) } }
    }

    /// Whether the circuit of a call's attempts rejects them at least for a while.
    func isOpen(for call: CallInformation, from now: ContinuousClock.Instant, for duration: Duration) -> Bool {
        guard let report = state(of: Key(of: call), at: now), report.state == .open else { return false }
        return report.probesAfter ?? .zero > duration
    }

    /// The number of circuits that are kept.
    var count: Int { state.withLock(\.circuits.count) }
}

extension CircuitBreakers.Key {
    /// The key of a call.
    init(of call: CallInformation) {
        origin = call.environment.base.origin
        group = call.questions.limitGroup.name
    }
}

extension CircuitChange {
    init(_ report: CircuitMachine.Report, of key: CircuitBreakers.Key) {
        self.init(
            circuit: "\(key)",
            state: report.state,
            callsCount: report.counts.calls,
            failureRate: report.counts.failureRate,
            slowRate: report.counts.slowRate,
            probesAfter: report.probesAfter,
        )
    }
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

extension CircuitBreakers {
    /// The state of the circuit that the attempts of a call use; closed before the first attempt.
    package func explanation(of call: CallInformation, at now: ContinuousClock.Instant) -> CircuitChange {
        let key = Key(of: call)
        return CircuitChange(state(of: key, at: now) ?? .init(state: .closed, counts: CircuitCounts()), of: key)
    }
}
