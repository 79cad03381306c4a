/// The causes of errors of a response that is read.
package enum ResponseCause: FailureCause {
    case defect, bodyTooLarge, changedStatus, memory

    package var facts: CauseFacts {
        switch self {
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
