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
