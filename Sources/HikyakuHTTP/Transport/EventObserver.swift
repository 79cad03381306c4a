import HikyakuBase

/// Who hears what happens on the wire: for progress, timings, metrics and debugging; of a client, also how responses
/// drift away from their models.
///
/// `observe` is called on whatever thread the transport works, or the response is read, for one exchange in the order
/// in which things happen, and for several exchanges also at once. It must not block: what takes time belongs
/// elsewhere. Nothing is made for it, and next to nothing costs, where nobody observes.
public protocol EventObserver: Sendable {
    /// Takes one event.
    func observe(_ event: TransportEvent)
}

/// One thing that happened to one exchange.
public struct TransportEvent: Sendable {
    /// Which exchange it belongs to: a number that no other exchange of this process has.
    public let exchange: UInt64
    /// When it happened.
    public let instant: ContinuousClock.Instant
    /// What happened.
    public let kind: Kind

    /// What can happen; other cases may come with any version, so a switch has a `default`.
    public enum Kind: Sendable {
        /// The transport got the request.
        case began(HTTPRequest)
        /// The exchange's turn came; only where others were before it.
        case dequeued
        /// The host's addresses are known.
        case nameFound
        /// The connection to the host or to its proxy is open.
        case connected
        /// The TLS handshake is done.
        case secured
        /// The exchange has its connection: a new one, or one that was kept; `protocolName` is `http/1.1` or `h2`.
        case ready(isReused: Bool, protocolName: String)
        /// So much of the request's body was handed to the system, of so much where that is known.
        case bytesSent(Int, expected: Int?)
        /// The request is out as a whole.
        case requestSent
        /// The first byte of the response came.
        case firstByte
        /// So much of the response's body came, as it is on the wire, of so much where that is known.
        case bytesReceived(Int, expected: Int?)
        /// The exchange is over: `nil` for a whole response, else why not.
        case ended(FailureReason?)
        /// The response was other than its model says, which tolerates it; told by a client when it has read the
        /// response, once for each kind of place, behind ``ended(_:)``.
        case drifted(ResponseDrift)
    }

    /// Makes an event, for transports of one's own and tests of observers.
    public init(exchange: UInt64, instant: ContinuousClock.Instant = .now, kind: Kind) {
        self.exchange = exchange
        self.instant = instant
        self.kind = kind
    }
}

extension TransportEvent {
    /// A number for an exchange that no other one of this process has.
    public static func makeExchange() -> UInt64 {
        lastExchange.withLock { last in
            last += 1
            return last
        }
    }

    private static let lastExchange = Lock<UInt64>(0)
}

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

/// How a response was other than its model says, and was read nevertheless: a kind of place, and how often.
///
/// Everything of one response that is alike is one drift: `defaultedKey`, `String`, `/items/*/title`, 37. It holds no
/// value of the response, so that it can go to logs and metrics; keys are shown, since they name the place.
public struct ResponseDrift: Sendable, Hashable {
    /// What was tolerated, as a stable word: `lossyElement`, `unknownEnumValue`, `defaultedKey`; others may come.
    public var kind: String
    /// The type whose value wasn't there.
    public var typeName: String
    /// The places as a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) in which `*` stands for each
    /// index of an array, and for each key that is written as one; empty for the document as a whole.
    ///
    /// Its keys are as they came, control characters too: show them escaped. `nil` where it stands for the places
    /// beyond a limit.
    public var pointer: String?
    /// How many such places there are.
    public var count: Int

    /// Makes a drift, for tests of observers.
    public init(kind: String, typeName: String, pointer: String?, count: Int = 1) {
        self.kind = kind
        self.typeName = typeName
        self.pointer = pointer
        self.count = count
    }
}
