/// An error of the call itself, on its way through the steps around it.
///
/// The wrapper distinguishes it from an error of another call that a step has made, such as a token refresh.
package protocol SettledError: Error {
    /// Why the call failed.
    var reason: FailureReason { get }
    /// The line for logs: the call, the reason, the details and the hint.
    var line: String { get }
    /// The reason and the details, without the service's words for people.
    var logText: String { get }
    /// The code of the service's failure that may be shown.
    var shownCode: String? { get }
}

/// The error of another call, such as a token's refresh, as far as the steps of a call look at it.
package protocol InnerFailure: Error {
    /// Why the call failed.
    var reason: FailureReason { get }
    /// The status of its response, if it has one.
    var status: HTTPStatus? { get }
    /// Whether the cause may be gone a moment later.
    var isTransient: Bool { get }
    /// The line for logs, without the hint.
    var line: String { get }
    /// What a developer can do.
    var hint: String? { get }
    /// The pause before the next request, if the service has stated one.
    var retryAfter: Duration? { get }
}

extension InnerFailure {
    /// Whether a response says it: the service's own failure, or a status.
    var isOfResponse: Bool { reason.phase == .service || reason.phase == .unacceptableStatus }
}
