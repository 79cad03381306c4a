import HikyakuBase

/// Receives the events of exchanges: for progress, timings, metrics and debugging; from a client, also differences
/// between responses and their models.
///
/// ```swift
/// struct Metrics: EventObserver {
///     func observe(_ event: TransportEvent) {
///         switch event.kind {
///         case .retrying(let reason, _): count("retries", of: reason.code)
///         case .ended(let reason?): count("failures", of: reason.code)
///         default: break
///         }
///     }
/// }
/// let observed = client.observing(Metrics())
/// ```
/// `observe` is called on any thread. The events of one exchange are delivered in order; events of several exchanges
/// may be delivered at the same time. It must not block. Without an observer, events cost almost nothing.
///
/// URLSession reports the connection only at the end of an exchange: with it, the events from
/// ``TransportEvent/Kind/nameFound`` to ``TransportEvent/Kind/ready(isReused:protocolName:)``, and
/// ``TransportEvent/Kind/requestSent`` of a request without a body, come just before the last one, and before them a
/// ``TransportEvent/Kind/resending(_:)`` for each time that it has sent the request before, on Apple's platforms. Their
/// ``TransportEvent/instant`` is when they happened.
public protocol EventObserver: Sendable {
    /// Takes one event.
    func observe(_ event: TransportEvent)
}

/// One event of one exchange.
///
/// ```swift
/// let dishes = try await client.observing { event in
///     if case .ready(let isReused, let protocolName) = event.kind { log(protocolName, isReused) }
/// }.send(Shop.Dishes())
/// ```
public struct TransportEvent: Sendable {
    /// Which exchange it belongs to: a number that no other exchange of this process has.
    public let exchange: UInt64
    /// When it happened.
    public let instant: ContinuousClock.Instant
    /// What happened.
    public let kind: Kind

    /// The kinds of events; any version may add cases, so a switch needs a `default`.
    public enum Kind: Sendable {
        /// The transport got the request.
        case began(HTTPRequest)
        /// The exchange left the queue; only if it was queued.
        case dequeued
        /// The host's addresses are known.
        case nameFound
        /// The connection to the host or to its proxy is open.
        case connected
        /// The TLS handshake is done.
        case secured
        /// The exchange has its connection: a new one, or one that was kept; `protocolName` is `http/1.1` or `h2`.
        case ready(isReused: Bool, protocolName: String)
        /// How many bytes of the request's body were sent so far; `expected` is its size if that is known.
        case bytesSent(Int, expected: Int?)
        /// The whole request was sent.
        case requestSent
        /// There is no network, and the system waits for one; only if the transport's configuration says so.
        case waitingForConnectivity
        /// A kept connection was closed before a byte of the response came, or the server takes fewer requests at once
        /// than were sent: the transport sends the request once more, without the client's retry policy; with the
        /// reason for which the exchange would end.
        ///
        /// The events from ``nameFound`` to ``requestSent`` follow again.
        case resending(FailureReason)
        /// An interim response (1xx) was received, and skipped: 103 announces what can be loaded early.
        case interimResponse(HTTPStatus)
        /// The first byte of the response was received.
        case firstByte
        /// The bytes of the response's body received so far, before decoding; `expected` is its size if known.
        case bytesReceived(Int, expected: Int?)
        /// The exchange is over: `nil` for a complete response, otherwise the reason.
        case ended(FailureReason?)
        /// The client sends the call again after a pause, since an attempt failed for a transient reason.
        ///
        /// The exchange is that of the failed attempt; its response had a status that isn't accepted if the reason is
        /// `unacceptableStatus`.
        case retrying(FailureReason, after: Duration)
        /// A download requests the rest of its file: from this byte, and of this size if it is known.
        ///
        /// At 0 it begins anew, since the file has changed or the service sends no parts. The exchange is the last one
        /// of the call, or a new number if the call has made none: the exchange with the rest begins after it.
        case resuming(at: Int, of: Int?)
        /// An event stream has ended, and the client connects again after a pause; with the reason of a failure, and
        /// `nil` if the service closed the stream in order.
        ///
        /// The exchange is that of the connection that ended.
        case reconnecting(FailureReason?, after: Duration)
        /// A circuit breaker of the client has changed its state, by an attempt of this call.
        ///
        /// The exchange is the last one of the call, or a new number if the call has made none yet.
        case circuit(CircuitChange)
        /// The call failed for this reason, and the client returns the request's own value in place of the error.
        ///
        /// The exchange is the last one of the call, or a new number if the call has made none.
        case fallingBack(FailureReason)
        /// A limit of the client holds the request back; with the name of the limit's group, or its origin.
        ///
        /// It comes before the request is passed to the transport, so it belongs to no exchange, or to the last one.
        case waitingForLimit(String)
        /// A limit of the client has admitted the request after a wait.
        case admittedByLimit(String, after: Duration)
        /// A response said how many requests the service still allows until a reset, and of how many; with the name of
        /// the limit that has learned it.
        ///
        /// After a `Retry-After` none remain until its end.
        case quotaLearned(String, remaining: Int, limit: Int?, resetsIn: Duration)
        /// The response differs from its model in a way that the model tolerates.
        ///
        /// A client emits it when it has read the response, once for each kind of place, after ``ended(_:)``.
        case drifted(ResponseDrift)
    }

    /// Makes an event, for your own transports, and for tests of observers.
    public init(exchange: UInt64, instant: ContinuousClock.Instant = .now, kind: Kind) {
        self.exchange = exchange
        self.instant = instant
        self.kind = kind
    }
}

extension TransportEvent {
    /// A number for an exchange that is unique in this process.
    public static func makeExchange() -> UInt64 {
        lastExchange.withLock { last in
            last += 1
            return last
        }
    }

    private static let lastExchange = Lock<UInt64>(0)
}

/// Emits the events of one exchange; there is none without an observer.
package struct EventEmitter: Sendable {
    private let observer: any EventObserver
    /// The exchange's number.
    package let exchange: UInt64

    /// Makes an emitter for a new exchange; `nil`, at no cost, without an observer.
    package init?(_ observer: (any EventObserver)?) {
        guard let observer else { return nil }
        self.observer = observer
        exchange = TransportEvent.makeExchange()
    }

    /// Emits an event.
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

    /// One observer for several; `nil` for none, and the observer itself for one.
    package static func of(_ observers: [any EventObserver]) -> (any EventObserver)? {
        observers.count > 1 ? ObserverGroup(observers: observers) : observers.first
    }

    /// Passes the event to all of them, one after the other.
    package func observe(_ event: TransportEvent) {
        for observer in observers { observer.observe(event) }
    }
}

/// A change of the state of a circuit breaker, with the rates that caused it.
public struct CircuitChange: Sendable, Hashable {
    /// The state of a circuit.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Everything is sent.
        case closed
        /// Nothing is sent.
        case open
        /// A few probes are sent.
        case halfOpen
    }

    /// The circuit: its origin, and the name of the group if it is that of a group.
    public var circuit: String
    /// The new state.
    public var state: State
    /// The number of attempts in the window if the circuit has opened, and of probes if the probes have changed it.
    public var callsCount: Int
    /// The rate of those attempts that failed, from 0 to 1.
    public var failureRate: Double
    /// The rate of those attempts that were slow, from 0 to 1.
    public var slowRate: Double
    /// The time until the first probe of an open circuit; `nil` in the other states.
    public var probesAfter: Duration?

    package init(
        circuit: String,
        state: State,
        callsCount: Int = 0,
        failureRate: Double = 0,
        slowRate: Double = 0,
        probesAfter: Duration? = nil,
    ) {
        self.circuit = circuit
        self.state = state
        self.callsCount = callsCount
        self.failureRate = failureRate
        self.slowRate = slowRate
        self.probesAfter = probesAfter
    }
}

/// A tolerated difference between a response and its model: its kind, its path, and how often it occurred.
///
/// Equal differences in one response are one drift: `defaultedKey`, `String`, `/items/*/title`, 37. It contains no
/// value of the response, so that it can go to logs and metrics. Keys that are written like names are shown. Others,
/// such as identifiers in a dictionary, are masked.
public struct ResponseDrift: Sendable, Hashable {
    /// What was tolerated, as a stable word: `lossyElement`, `unknownEnumValue`, `defaultedKey`; others may be added.
    public var kind: String
    /// The type whose value was missing.
    public var typeName: String
    /// The places as a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) in which `*` means each
    /// index of an array, and each key that is written as one; empty for the document as a whole.
    ///
    /// It doesn't resolve if a key is masked. `nil` for all places beyond a limit.
    public var pointer: String?
    /// How many such places there are.
    public var count: Int

    package init(kind: String, typeName: String, pointer: String?, count: Int = 1) {
        self.kind = kind
        self.typeName = typeName
        self.pointer = pointer
        self.count = count
    }
}
