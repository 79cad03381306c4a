/// When a client sends a call again after a transient failure, and how long it waits before that.
///
/// ```swift
/// let patient = APIClient(options: ClientOptions(retryPolicy: RetryPolicy(attemptsMax: 5)))
/// ```
/// A call is sent again only if that does no harm: its request is idempotent (``APIRequest/isIdempotent``), or has an
/// ``APIRequest/idempotencyKey`` (or that header), or nothing of it was sent, or the server has said that it did not
/// process it (``FailureReason/notProcessed``), and its body can be read again. Transient are failures of the
/// connection, timeouts of an exchange, and the statuses 408, 425, 429 and 5xx, except 501, 505 to 508, 510 and 511,
/// which are about the request. A cancelled call, a response that can't be decoded, and an error of a middleware or of
/// a credential's provider end the call at once.
///
/// The pauses grow exponentially and are random (``jitter``), so that the clients of a service that was down do not
/// come back together. A `Retry-After` of the service (RFC 9110, section 10.2.3) is added to that. No attempt starts
/// that can't end before the call's deadline, judged by the earlier ones.
///
/// What was done is in the error: ``CallContext/earlierAttempts`` and ``CallContext/retryEnd``. An observer receives
/// ``TransportEvent/Kind/retrying(_:after:)``.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts of one call, including the first; sending again with another token after a 401
    /// belongs to the same attempt.
    ///
    /// 1 or less means no retries. Default: 3. Three survive a restart of one of several servers. More mostly prolong a
    /// failure that lasts.
    public var attemptsMax: Int
    /// How the pauses grow and vary.
    ///
    /// ```swift
    /// let policy = RetryPolicy(attemptsMax: 5, jitter: .decorrelated)
    /// let client = APIClient(options: ClientOptions(retryPolicy: policy))
    /// ```
    public enum Jitter: String, Sendable, Hashable {
        /// Before attempt n + 1, a random time up to `delay * 2^(n-1)`. It spreads the retries of many clients most
        /// evenly.
        case full
        /// A random time from ``RetryPolicy/delay`` to three times the last pause. It never retries at once.
        case decorrelated
    }

    /// The longest pause before the second attempt with ``Jitter/full``, the shortest one with ``Jitter/decorrelated``.
    ///
    /// Each later pause may be twice as long, or three times as long as the last one. Default: 200 ms.
    public var delay: Duration
    /// The longest pause, without `Retry-After`.
    ///
    /// Default: 20 seconds.
    public var delayMax: Duration
    /// How the pauses grow and vary.
    ///
    /// Default: ``Jitter/full``.
    public var jitter: Jitter
    /// The longest `Retry-After` that a call waits for; with a longer one, it ends at once.
    ///
    /// Default: 60 seconds.
    public var retryAfterMax: Duration
    /// The limit on the retries of all calls to one origin together; `nil` for none.
    ///
    /// Default: 20 % of the requests that succeed.
    public var budget: RetryBudget?
    /// The statuses after which a call is made again.
    ///
    /// Default: `nil`, those of HTTP: 408, 425, 429 and 500 to 599, except 501, 505 to 508, 510 and 511. The circuit
    /// breaker has a table of its own.
    public var transientStatuses: Set<HTTPStatus>?

    /// No retries; ``WireTransport`` still sends a request once more if a kept connection turns out to be dead.
    public static let never = RetryPolicy(attemptsMax: 1)
    /// The default values.
    public static let standard = RetryPolicy()
    /// Three attempts that outlast a service which is restarted: there are at least two seconds between the first and
    /// the last one.
    public static let acrossRestart = RetryPolicy(delay: .seconds(1), jitter: .decorrelated)

    /// Creates a policy; see the properties for the defaults.
    public init(
        attemptsMax: Int = 3,
        delay: Duration = .milliseconds(200),
        delayMax: Duration = .seconds(20),
        jitter: Jitter = .full,
        retryAfterMax: Duration = .seconds(60),
        budget: RetryBudget? = RetryBudget(),
        transientStatuses: Set<HTTPStatus>? = nil,
    ) {
        self.attemptsMax = attemptsMax
        self.delay = delay
        self.delayMax = delayMax
        self.jitter = jitter
        self.retryAfterMax = retryAfterMax
        self.budget = budget
        self.transientStatuses = transientStatuses
    }
}

extension RetryPolicy {
    /// Whether a status may be gone a moment later; `nil` if not.
    @inline(__always)
    package func transience(of status: HTTPStatus) -> Transience? {
        guard let transientStatuses else { return Transience(status) }
        guard transientStatuses.contains(status) else { return nil }
        return status == 429 ? .notDone : .unknown
    }
}

/// An attempt of a call that failed, and after which another one followed.
public struct EarlierAttempt: Sendable {
    /// The attempt's number, counted from 1.
    public let number: Int
    /// Why it failed.
    public let reason: FailureReason
    /// The status of its response, if there was one.
    public let status: HTTPStatus?
    /// When it ended, counted from the start of the call.
    public let elapsed: Duration

    package init(
        number: Int,
        reason: FailureReason,
        status: HTTPStatus? = nil,
        elapsed: Duration = .zero,
    ) {
        self.number = number
        self.reason = reason
        self.status = status
        self.elapsed = elapsed
    }
}

extension EarlierAttempt: CustomStringConvertible {
    /// `attempt 1: 503 Service Unavailable after 12.3 ms`.
    public var description: String {
        "attempt \(number): \(status.map { "\($0)" } ?? "\(reason)") after \(elapsed.milliseconds) ms"
    }
}

/// Why a call with a transient failure was not sent again.
public enum RetryEnd: String, Sendable, Hashable {
    /// All attempts that the policy allows were made.
    case attemptsMax
    /// The budget of the origin was spent by this and other calls.
    case budget
    /// Another attempt could not have ended before the call's deadline.
    case deadline
    /// The service asked for a longer pause than ``RetryPolicy/retryAfterMax``, or than the deadline allows.
    case retryAfter
    /// The body is a one-shot stream, and can't be sent again.
    case body
    /// The circuit breaker would have rejected another attempt.
    case circuitOpen
}

extension RetryEnd: CustomStringConvertible {
    /// The reason, in a few words: `the retry budget is spent`.
    public var description: String {
        switch self {
        case .attemptsMax: "all attempts were made"
        case .budget: "the retry budget is spent"
        case .deadline: "no time is left for another attempt"
        case .retryAfter: "Retry-After is too long"
        case .body: "the body can't be sent again"
        case .circuitOpen: "the circuit is open"
        }
    }
}
