/// The causes of errors of a limit.
package enum LimitCause: FailureCause {
    case queueFull, rateLimited

    package var facts: CauseFacts {
        switch self {
        case .queueFull: CauseFacts(.queueFull)
        case .rateLimited: CauseFacts(.rateLimited)
        }
    }
}
