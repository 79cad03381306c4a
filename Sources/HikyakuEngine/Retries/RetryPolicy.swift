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
/// that can't end before the call's deadline, as far as the earlier ones tell.
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

    /// Creates an attempt, for tests of error handling.
    public init(
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
    /// The service demanded a longer pause than ``RetryPolicy/retryAfterMax``, or than the deadline allows.
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

/// The decisions about the attempts of one call: outcomes in, decisions out.
///
/// It has no clock and no randomness of its own.
package struct RetryMachine {
    /// How an attempt ended.
    enum Outcome {
        case response(HTTPStatus, retryAfter: Duration?)
        case failure(FailureReason, Transience?)

        static func failure(_ reason: FailureReason) -> Self { .failure(reason, Transience(reason)) }
    }

    enum Decision: Equatable {
        /// The outcome is the call's; with a reason if it is a transient failure.
        case end(RetryEnd?)
        /// Another attempt follows after a pause.
        case again(after: Duration)
    }

    private let policy: RetryPolicy
    /// When the attempts must end; `nil` for never.
    var deadline: ContinuousClock.Instant?
    private let isReplayable: Bool
    private(set) var attemptsCount = 0
    /// The duration of the shortest attempt, which another one needs at least.
    private var shortest: Duration?
    private var backOff: BackOff
    /// Whether it has waited for the service once without a retry of the budget.
    private var hasWaitedFree = false

    /// - Parameters:
    ///   - policy: The policy.
    ///   - deadline: When the attempts must end.
    ///   - isReplayable: Whether the request can be sent again.
    ///   - retriesCount: How many retries the call has made before.
    package init(
        _ policy: RetryPolicy,
        deadline: ContinuousClock.Instant? = nil,
        isReplayable: Bool,
        retriesCount: Int = 0,
    ) {
        attemptsCount = retriesCount
        self.policy = policy
        self.deadline = deadline
        self.isReplayable = isReplayable
        backOff = BackOff(policy)
    }

    /// Decides what follows an attempt.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - start: When it started.
    ///   - now: When it ended.
    ///   - unit: A random number from 0 to 1 for the jitter.
    ///   - refusal: Allows an attempt after a pause, by returning `nil`, or tells why there is none; one that is free
    ///     takes no retry of the budget.
    /// - Returns: Whether another attempt follows, and after which pause.
    mutating func decision(
        after outcome: Outcome,
        from start: ContinuousClock.Instant,
        to now: ContinuousClock.Instant,
        unit: Double,
        refusal: (_ pause: Duration, _ isFree: Bool) -> RetryEnd?,
    ) -> Decision {
        attemptsCount += 1
        shortest = min(shortest ?? .farFuture, start.duration(to: now))
        guard outcome.transience(by: policy) != nil else { return .end(nil) }
        guard attemptsCount < policy.attemptsMax else { return .end(.attemptsMax) }
        guard isReplayable else { return .end(.body) }
        var retryAfter = Duration.zero
        if case .response(_, let demanded?) = outcome { retryAfter = max(.zero, demanded) }
        guard retryAfter <= max(.zero, policy.retryAfterMax) else { return .end(.retryAfter) }
        var pause = min(retryAfter, .farFuture) + backOff.pause(after: attemptsCount, unit: unit)
        let isFree = retryAfter > .zero && policy.budget?.countsRetryAfter == false && !hasWaitedFree
        // Many clients may have been told the same.
        if isFree { pause = min(retryAfter, .farFuture) * (1 + 0.1 * min(max(0, unit), 1)) }
        if let deadline {
            let room = now.duration(to: deadline) - (shortest ?? .zero)
            guard room > .zero else { return .end(.deadline) }
            guard retryAfter < room else { return .end(.retryAfter) }
            // The jitter alone must not end the call.
            if pause >= room { pause = min(pause, retryAfter + (room - retryAfter) * min(max(0, unit), 0.9)) }
        }
        if let end = refusal(pause, isFree) { return .end(end) }
        hasWaitedFree = hasWaitedFree || isFree
        return .again(after: pause)
    }
}

/// The random pauses of a policy, one after the other.
package struct BackOff {
    private let policy: RetryPolicy
    /// The last pause, without what the service demands.
    private var last: Duration?

    package init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// The longest pause.
    package var longest: Duration { max(.zero, min(policy.delayMax, .farFuture)) }

    /// The pause before the next attempt.
    ///
    /// - Parameters:
    ///   - attemptsCount: The number of attempts so far, at least 1.
    ///   - unit: A random number from 0 to 1.
    /// - Returns: The pause.
    package mutating func pause(after attemptsCount: Int, unit: Double) -> Duration {
        let unit = unit > 0 ? min(unit, 1) : 0
        var pause = max(.zero, min(policy.delay, longest))
        switch policy.jitter {
        case .full:
            // It stops at the longest pause, so that no exponent overflows.
            var doublings = attemptsCount - 1
            while doublings > 0, pause > .zero, pause < longest {
                pause = min(pause * 2, longest)
                doublings -= 1
            }
            return pause * unit
        case .decorrelated:
            let upper = max(pause, min(last ?? pause, longest) * 3)
            pause = min(longest, pause + (upper - pause) * unit)
            last = pause
            return pause
        }
    }
}

extension RetryMachine.Outcome {
    /// Whether the same request may succeed a moment later.
    package func transience(by policy: RetryPolicy) -> Transience? {
        switch self {
        case .response(let status, _): policy.transience(of: status)
        case .failure(_, let transience): transience
        }
    }
}
