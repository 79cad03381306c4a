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

    /// `nil` for a status that isn't transient.
    ///
    /// A status of 5xx that isn't registered is as transient as 500 (RFC 9110, section 15); those from 600 on are used
    /// to turn clients away.
    package init?(_ status: HTTPStatus) {
        switch status.code {
        case 429: self = .notDone
        case 501, 505...508, 510, 511: return nil
        case 408, 425, 500..<600: self = .unknown
        default: return nil
        }
    }
}
