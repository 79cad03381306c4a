/// What a transport tells an observer of one exchange through; there is none where nobody observes.
package struct EventEmitter: Sendable {
    private let observer: any EventObserver
    /// The exchange's number.
    package let exchange: UInt64

    /// Makes an emitter for a new exchange; `nil`, at no cost, where nobody observes.
    package init?(_ observer: (any EventObserver)?) {
        guard let observer else { return nil }
        self.observer = observer
        exchange = TransportEvent.makeExchange()
    }

    /// Tells what happened.
    package func emit(_ kind: TransportEvent.Kind, at instant: ContinuousClock.Instant = .now) {
        observer.observe(TransportEvent(exchange: exchange, instant: instant, kind: kind))
    }
}

extension FailureReason {
    /// The reason of what a transport throws.
    package init(of error: any Error) {
        self =
            switch error {
            case let error as TransportError: error.reason
            case is CancellationError: .cancelled
            default: .transportFailed
            }
    }
}

/// Several observers as one.
package struct ObserverGroup: EventObserver {
    private let observers: [any EventObserver]

    /// Makes one observer of several; of none, nobody, and of one, that itself.
    package static func of(_ observers: [any EventObserver]) -> (any EventObserver)? {
        observers.count > 1 ? ObserverGroup(observers: observers) : observers.first
    }

    /// Tells all of them, one after the other.
    package func observe(_ event: TransportEvent) {
        for observer in observers { observer.observe(event) }
    }
}
