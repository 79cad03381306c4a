/// The causes of errors of an event stream.
package enum EventStreamCause: FailureCause {
    case notEventStream, eventTooLarge, streamEnded, streamsEnded

    package var facts: CauseFacts {
        switch self {
        case .notEventStream: CauseFacts(.notAnEventStream)
        case .eventTooLarge: CauseFacts(.eventTooLarge)
        case .streamEnded: CauseFacts(.truncatedResponse)
        case .streamsEnded: CauseFacts(.truncatedResponse)
        }
    }
}
