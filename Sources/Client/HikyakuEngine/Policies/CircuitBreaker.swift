/// When a client stops sending requests to a service that fails, and how it finds out that the service works again.
///
/// ```swift
/// let client = APIClient(options: ClientOptions(retryPolicy: .standard, circuitBreaker: .standard))
/// ```
/// A circuit counts the attempts of all calls to one origin, of all clients that are derived from one client. Requests
/// with a ``LimitGroup`` of their own have a circuit of their own at each origin, so that a search that is down does
/// not block the other requests.
/// - **Closed**: everything is sent. If too many of the attempts in the ``window`` failed or were slow, it opens.
/// - **Open**: each attempt fails at once with ``FailureReason/circuitOpen``, and nothing is sent. Retries don't repeat
///   it. `retryAfter` of the error is the time until the next probe.
/// - **Half-open**, after ``openDuration``: ``probesMax`` attempts are sent as probes, all others fail as before. The
///   circuit closes when that many probes succeeded. It opens again when one of them fails or is slow.
///
/// An attempt fails if its exchange fails for a transient reason, or with a transient status of 5xx (``RetryPolicy``
/// lists both). Every other status is a success, including 429: the service works, and its rate limit is not a
/// failure. An attempt says nothing, and is not counted, if it was cancelled, if this machine has no network, and if it
/// failed for a reason that isn't transient. An attempt that the call's deadline ended counts only if it was slow. So
/// does nothing that began before the circuit's last change.
///
/// It is off by default. A client that sees only a part of a service's failures can't distinguish a broken service from
/// a broken endpoint, server or shard of it. Opening the circuit turns such a partial failure into a complete one. Use
/// it where a fast error is worth more than a slow one, or together with a fallback
/// (``APIRequest/fallback(for:)``).
///
/// An observer receives each change: ``TransportEvent/Kind/circuit(_:)``.
public struct CircuitBreaker: Sendable, Hashable {
    /// The highest rate of failed attempts in the window at which the circuit stays closed; 1 or more ignores failures.
    ///
    /// Default: 0.5.
    public var failureRateMax: Double
    /// The duration from which on an attempt is slow; `nil` if slow attempts don't matter.
    ///
    /// It is measured until the response with its body, or until the header block of a streamed response. The time in
    /// which the attempt waits because of the limits of the client or the transport is not counted. Default: `nil`,
    /// since only the app knows how long its requests take.
    public var slowCallDuration: Duration?
    /// The highest rate of slow attempts in the window at which the circuit stays closed.
    ///
    /// Default: 0.5.
    public var slowRateMax: Double
    /// The number of attempts in the window below which the circuit does not open, so that a few failures mean nothing.
    ///
    /// Default: 20.
    public var callsMin: Int
    /// The time in which attempts are counted, up to now.
    ///
    /// It is divided into ten parts, which are forgotten as a whole. Default: 30 seconds, in which a client with less
    /// than one request a second reaches ``callsMin``.
    public var window: Duration
    /// How long the circuit stays open before the first probe; a random part of up to 20 % is added.
    ///
    /// The random part spreads the probes of clients whose circuits opened at the same moment. The duration does not
    /// grow when probes fail: a few probes in each such interval put no load on the service, and a longer interval
    /// would only let the client find out later that the service works again. Default: 30 seconds.
    public var openDuration: Duration
    /// How many probes are sent, and have to succeed, before the circuit closes.
    ///
    /// A cancelled probe is replaced. If probes take longer than ``openDuration`` (at least a second), as many again
    /// are sent, so that a probe that never ends doesn't keep the circuit from closing. Default: 3; less than 1 means
    /// 1.
    public var probesMax: Int

    /// The default values.
    public static let standard = CircuitBreaker()

    /// Creates a policy; see the properties for the defaults.
    public init(
        failureRateMax: Double = 0.5,
        slowCallDuration: Duration? = nil,
        slowRateMax: Double = 0.5,
        callsMin: Int = 20,
        window: Duration = .seconds(30),
        openDuration: Duration = .seconds(30),
        probesMax: Int = 3,
    ) {
        self.failureRateMax = failureRateMax
        self.slowCallDuration = slowCallDuration
        self.slowRateMax = slowRateMax
        self.callsMin = callsMin
        self.window = window
        self.openDuration = openDuration
        self.probesMax = probesMax
    }
}

extension FailureReason {
    /// Nothing was sent, since too many of the latest attempts to the service failed: see ``CircuitBreaker``.
    public static let circuitOpen = FailureReason(
        .limit,
        "circuitOpen",
        "The service failed several times lately, so the app waits before it tries again.",
        .tryLater,
        hint: "The circuit breaker is open: try again after retryAfter. Observe the circuit events to see which "
            + "failures opened it.",
    )
}
