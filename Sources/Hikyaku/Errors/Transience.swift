extension APIFailure {
    /// Whether the service may have done what was asked, and doing it again may do harm.
    ///
    /// A request that isn't idempotent was sent, and nothing says that it was not processed.
    var mayHaveBeenDone: Bool {
        guard context.attempt > 0, !context.isIdempotent else { return false }
        switch phase {
        case .transport, .timedOut, .decoding, .limit, .other: return Transience(self) != .notDone
        case .service, .unacceptableStatus: return Transience(self) == .unknown
        case .invalidRequest, .unauthorized, .cancelled: return false
        }
    }
}

/// What a transient failure says about the request.
enum Transience: Sendable {
    /// The service has not processed it.
    case notDone
    /// The service may have processed it.
    case unknown

    /// `nil` for a failure that isn't transient.
    init?(_ reason: FailureReason) {
        switch reason {
        case .hostNotFound, .connectionRefused, .networkUnreachable, .connectionFailed, .connectTimeout, .proxyFailed:
            self = .notDone
        case .connectionClosed, .connectionReset, .truncatedHeaders, .truncatedResponse, .missingLastChunk,
            .firstByteTimeout, .idleTimeout:
            self = .unknown
        default: return nil
        }
    }

    /// `nil` for a status that isn't transient.
    init?(_ status: HTTPStatus) {
        switch status.code {
        case 429: self = .notDone
        case 408, 425, 500, 502, 503, 504: self = .unknown
        default: return nil
        }
    }

    /// `nil` for a failure that isn't transient.
    init?(_ failure: some APIFailure) {
        switch failure.phase {
        case .service, .unacceptableStatus:
            guard let status = failure.response?.status else { return nil }
            self.init(status)
        default:
            switch failure.reason {
            // Another call has its own deadline, and finds another queue; another attempt of this one doesn't.
            case .queueFull, .circuitOpen, .rateLimited: self = .notDone
            case .deadline: self = .unknown
            default: self.init(failure.reason)
            }
        }
    }
}
