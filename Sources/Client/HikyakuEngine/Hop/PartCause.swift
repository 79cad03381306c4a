/// The causes of errors of a response with a part of a body.
package enum PartCause: FailureCause {
    case unexpectedPart

    package var facts: CauseFacts {
        switch self {
        case .unexpectedPart: CauseFacts(.unexpectedPart)
        }
    }
}

extension FailureReason {
    /// The body is a part of the resource, and no part was requested.
    public static let unexpectedPart = FailureReason(
        .transport,
        "unexpectedPart",
        "The service sent only a part of the response.",
        .reportToService,
        hint: "The response is a part that was not requested. A cache in between may be broken: report it to its "
            + "operator or to the service.",
    )
}
