/// The rules of a subscription to a call: the first demand starts it, the value and the completion are sent once, and
/// nothing is sent after a cancellation, which also cancels the call.
///
/// They are Combine's rules without Combine, so that they are tested on every platform. Each function says what is to
/// be done; nothing is done under a lock.
struct CallDelivery: Sendable {
    private enum Phase: Sendable {
        case idle
        /// The call is being started; it may end or be cancelled meanwhile.
        case starting
        case running
        /// The value is being sent.
        case delivering
        case over
    }

    private var phase = Phase.idle
    private var isCancelled = false

    /// Takes a demand.
    ///
    /// - Returns: Whether the call is to be started now.
    mutating func demand(isPositive: Bool) -> Bool {
        guard isPositive, case .idle = phase else { return false }
        phase = .starting
        return true
    }

    /// Notes that the call was started.
    ///
    /// - Returns: Whether it is to be cancelled, since the subscription was cancelled meanwhile.
    mutating func started() -> Bool {
        if case .starting = phase { phase = .running }
        return isCancelled
    }

    /// Notes that the call has ended.
    ///
    /// - Returns: Whether its outcome is to be sent.
    mutating func settled() -> Bool {
        switch phase {
        case .starting, .running:
            phase = .delivering
            return true
        case .idle, .delivering, .over: return false
        }
    }

    /// Notes that the value was sent, by whose receiver the subscription may have been cancelled.
    ///
    /// - Returns: Whether the completion is to be sent.
    mutating func delivered() -> Bool {
        guard case .delivering = phase else { return false }
        phase = .over
        return true
    }

    /// Cancels the subscription.
    ///
    /// - Returns: Whether a call that was started is to be cancelled.
    mutating func cancel() -> Bool {
        defer { (phase, isCancelled) = (.over, true) }
        if case .running = phase { return true }
        return false
    }
}
