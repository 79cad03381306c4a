/// The causes of errors of a response with a part of a body.
package enum PartCause: FailureCause {
    case unexpectedPart

    package var facts: CauseFacts {
        switch self {
        case .unexpectedPart: CauseFacts(.unexpectedPart)
        }
    }
}
