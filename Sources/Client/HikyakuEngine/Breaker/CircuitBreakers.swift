import HikyakuBase

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

extension CircuitBreakers {
    /// The state of the circuit that the attempts of a call use; closed before the first attempt.
    package func explanation(of call: CallInformation, at now: ContinuousClock.Instant) -> CircuitChange {
        let key = Key(of: call)
        return CircuitChange(state(of: key, at: now) ?? .init(state: .closed, counts: CircuitCounts()), of: key)
    }
}
