extension APIFailure {
    /// Whether the service may have done what was asked, and doing it again may do harm.
    ///
    /// A request that isn't idempotent was sent, and nothing says that it was not processed.
    var mayHaveBeenDone: Bool {
        if context.wasProcessed { return true }
        guard context.attempt > 0, !context.isIdempotent else { return false }
        switch phase {
        case .transport, .timedOut, .decoding, .limit, .other:
            return Transience(self) != .notDone && !FailureReason.ofUnsentRequests.contains(reason)
        case .service, .unacceptableStatus:
            return response.map { $0.status == 408 || $0.status.isServerError && $0.status != 501 } ?? true
        case .invalidRequest, .unauthorized, .cancelled: return false
        }
    }
}

extension CallContext {
    /// Whether the original request was processed: a redirect led from a request that isn't idempotent to a GET, whose
    /// failure says nothing about it.
    var wasProcessed: Bool { redirects.contains { $0.method != $0.nextMethod && !$0.method.isIdempotent } }
}

extension FailureReason {
    /// Reasons after an attempt in which the service has not got the request, or has rejected it.
    fileprivate static let ofUnsentRequests: Set<FailureReason> = [
        .certificateExpired, .certificateHostMismatch, .certificateSelfSigned, .certificateUntrusted,
        .certificatePinMismatch, .tlsFailed, .shutDown, .uploadTooLarge, .fileInUse, .tooManyPages, .pageLoop,
    ]
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
        case .hostNotFound, .connectionRefused, .networkUnreachable, .connectionFailed, .connectTimeout, .proxyFailed,
            .notProcessed:
            self = .notDone
        case .connectionClosed, .connectionReset, .truncatedHeaders, .truncatedResponse, .missingLastChunk,
            .firstByteTimeout, .idleTimeout:
            self = .unknown
        default: return nil
        }
    }

    /// `nil` for a status that isn't transient.
    ///
    /// A status of 5xx that isn't registered is as transient as 500 (RFC 9110, section 15); those from 600 on are used
    /// to turn clients away.
    init?(_ status: HTTPStatus) {
        switch status.code {
        case 429: self = .notDone
        case 501, 505...508, 510, 511: return nil
        case 408, 425, 500..<600: self = .unknown
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
