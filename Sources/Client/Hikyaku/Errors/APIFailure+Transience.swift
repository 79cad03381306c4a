extension APIFailure {
    /// Whether the service may have done what was requested, and doing it again may do harm.
    ///
    /// A request that isn't idempotent was sent, and nothing says that it was not processed. Or the service reports a
    /// conflict after an attempt whose outcome is unknown.
    var mayHaveBeenDone: Bool {
        if context.wasProcessed { return true }
        // The conflict may be with an earlier attempt of the same call.
        if response?.status == .conflict, context.earlierAttempts.contains(where: \.mayHaveBeenProcessed) {
            return true
        }
        guard context.attempt > 0, !context.isIdempotent else { return false }
        // The only attempt had no connection yet.
        if context.attempt == 1, context.spending?.isConnecting == true { return false }
        switch phase {
        case .transport, .timedOut, .decoding, .limit, .other:
            return Transience(self) != .notDone && !reason.isOfUnsentRequest
        case .service, .unacceptableStatus:
            return response.map { $0.status == 408 || $0.status.isServerError && $0.status != 501 } ?? true
        case .invalidRequest, .unauthorized, .cancelled: return false
        }
    }
}

extension APIFailure {
    /// Whether the service says that what the request names doesn't exist.
    var isOfMissingResource: Bool { response.map { $0.status == .notFound || $0.status == 410 } ?? false }
}

extension EarlierAttempt {
    fileprivate var mayHaveBeenProcessed: Bool {
        (status.map { Transience($0) } ?? Transience(reason)) == .unknown
    }
}

extension CallContext {
    /// Whether the original request was processed: a redirect led from a request that isn't idempotent to a GET, whose
    /// failure says nothing about it.
    var wasProcessed: Bool { redirects.contains { $0.method != $0.nextMethod && !$0.method.isIdempotent } }
}

/// A failure of a service that may say by itself whether it passes, whatever its status.
package protocol PassingFailure: ServiceFailure {
    /// Whether it passes; `nil` if the status decides.
    var isPassing: Bool? { get }
}

extension Transience {
    /// `nil` for a failure that isn't transient.
    init?(_ failure: some APIFailure) {
        switch failure.phase {
        case .service, .unacceptableStatus:
            guard let status = failure.response?.status else { return nil }
            guard let known = failure.context.transience ?? Transience(status) else { return nil }
            self = known
        default:
            switch failure.reason {
            // Another call has its own deadline, and finds another queue; another attempt of this one doesn't.
            case .queueFull, .circuitOpen, .rateLimited: self = .notDone
            case .deadline: self = .unknown
            default:
                guard let transience = failure.context.transience ?? Transience(failure.reason) else { return nil }
                self = transience
            }
        }
    }
}

extension APIError: InnerFailure {
    package var status: HTTPStatus? { response?.status }
}

extension AnyAPIFailure: InnerFailure {
    package var status: HTTPStatus? { response?.status }
}
