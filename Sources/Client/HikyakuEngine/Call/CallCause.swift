/// The causes of errors of the call as a whole.
package enum CallCause: FailureCause {
    case deadline

    package var facts: CauseFacts {
        switch self {
        case .deadline: CauseFacts(.deadline)
        }
    }
}

extension FailureReason {
    /// The call's `timeout` passed.
    public static let deadline = FailureReason(
        .timedOut,
        "deadline",
        "This took too long.",
        .tryAgain,
        hint: "Raise the request's timeout.",
    )
    /// The service responded with its own failure.
    public static let service = FailureReason(.service, "service")
    /// The status isn't accepted, and no failure could be read from the body.
    public static let unacceptableStatus = FailureReason(.unacceptableStatus, "unacceptableStatus")
    /// Hikyaku reached a state that should be impossible; please report it with the message.
    public static let defect = FailureReason(
        .other,
        "defect",
        "Something unexpected happened in the app.",
        .report,
        hint: "This is a bug of Hikyaku: please report it with the description of this error.",
    )
    /// A middleware or a token provider threw.
    public static let other = FailureReason(.other, "other")
}

/// The underlying error of a call that a policy of the client has rejected for some time: its circuit breaker or a
/// limit.
package struct PolicyRejection: Error {
    /// The time until the policy allows a call; `nil` if that is unknown.
    package let retryAfter: Duration?
}
