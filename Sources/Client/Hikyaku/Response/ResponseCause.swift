/// The causes of errors of a response that is read.
package enum ResponseCause: FailureCause {
    case definition, defect, bodyTooLarge, changedStatus, memory

    package var facts: CauseFacts {
        switch self {
        case .definition: CauseFacts(.definition)
        case .defect: CauseFacts(.defect)
        case .bodyTooLarge: CauseFacts(.bodyTooLarge)
        case .changedStatus: CauseFacts(.bodyTooLarge, hint: Self.changedStatusHint)
        case .memory: CauseFacts(.outOfMemory)
        }
    }
}

extension ResponseCause {
    private static let changedStatusHint =
        "Accept the status that the service sends, accepts(_:), in place of another one by a middleware."
}

extension FailureReason {
    /// The request's `Definition` is invalid: two parts of it share a key.
    public static let definition = FailureReason(
        .invalidRequest,
        "definition",
        "The app could not make the request.",
        .report,
        hint: "Correct the request's Definition: the reason says what is wrong with it.",
    )
    /// The response to a request of an event stream is something else, by its `Content-Type`.
    public static let notAnEventStream = FailureReason(
        .transport,
        "notAnEventStream",
        "The service sends no updates here.",
        .reportToService,
        hint: "Check the URL, and what the service needs to send a stream: a header, or a member of the body.",
    )
}
