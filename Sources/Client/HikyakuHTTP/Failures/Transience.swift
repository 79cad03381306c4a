/// What a transient failure says about the request.
package enum Transience: Sendable {
    /// The service has not processed it.
    case notDone
    /// The service may have processed it.
    case unknown

    /// `nil` for a failure that isn't transient.
    package init?(_ reason: FailureReason) {
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
}
