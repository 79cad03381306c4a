/// The causes of errors of a circuit.
package enum CircuitCause: FailureCause {
    case circuitOpen

    package var facts: CauseFacts {
        switch self {
        case .circuitOpen: CauseFacts(.circuitOpen)
        }
    }
}
