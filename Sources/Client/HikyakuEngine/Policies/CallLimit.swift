import HikyakuBase

/// How many requests a client sends at once, and how fast: to an origin, or of a group that its requests name.
///
/// ```swift
/// let options = ClientOptions(limits: [
///     .origin: CallLimit(inFlightMax: 20),
///     "search": CallLimit(rate: .perMinute(30)),
/// ])
/// ```
/// A request that the limit doesn't admit waits. Of those that wait, the one with the highest task priority is
/// admitted first, and among equals the oldest. Every fourth that is admitted is the oldest of all, so that none waits
/// forever. A request waits until its call ends: with ``FailureReason/deadline``, or cancelled. It fails at once with
/// ``FailureReason/queueFull`` if ``queueMax`` others wait, and with ``FailureReason/rateLimited`` if it could be
/// admitted only after its deadline.
///
/// Each attempt of a call counts, and a pause between attempts holds nothing. An attempt is in flight until its
/// response was received; of a streamed response, until its headers were received. Redirects belong to their attempt.
///
/// An observer receives ``TransportEvent/Kind/waitingForLimit(_:)``,
/// ``TransportEvent/Kind/admittedByLimit(_:after:)`` and
/// ``TransportEvent/Kind/quotaLearned(_:remaining:limit:resetsIn:)``.
public struct CallLimit: Sendable, Hashable {
    /// The maximum number of attempts in flight, at least 1; `nil` for no maximum.
    ///
    /// Default: `nil`.
    public var inFlightMax: Int?
    /// How fast attempts start; `nil` for as fast as they come.
    ///
    /// Default: `nil`.
    public var rate: Rate?
    /// The maximum number of requests that wait.
    ///
    /// Default: 1000. With 0 none waits.
    public var queueMax: Int
    /// Whether the limit learns from responses how many requests the service allows, and slows down before the service
    /// rejects any.
    ///
    /// Understood are `RateLimit` and `RateLimit-Policy` (IETF draft `httpapi-ratelimit-headers`, also its older forms
    /// `RateLimit-Remaining` and so on), `X-RateLimit-*` and `X-Rate-Limit-*`, with a reset in seconds or in Unix time,
    /// `Retry-After` in a response of status 429, 503 or 403 (as GitHub sends it), and `Stripe-Rate-Limited-Reason`.
    ///
    /// While more than a quarter of the quota is left, requests are sent as they come. The last quarter is spread
    /// evenly over the time until the reset. Without any left, requests wait for the reset. Requests in flight count
    /// as spent. After `Retry-After`, nothing is sent until then. No response delays requests for more than an hour: a
    /// longer time counts as an hour.
    ///
    /// A response teaches the limit of its request's group, if there is one, and otherwise that of the origin. A
    /// `Retry-After` of status 503 or 403, which concerns the whole service, always applies to the origin's limit if
    /// there is one. If the service counts some requests separately, give them a group with a limit: one limit follows
    /// the strictest of all quotas that it has seen.
    ///
    /// Default: `true`.
    public var learnsQuota: Bool

    /// Creates a limit; see the properties for the defaults.
    ///
    /// One without arguments only learns.
    public init(inFlightMax: Int? = nil, rate: Rate? = nil, queueMax: Int = 1000, learnsQuota: Bool = true) {
        self.inFlightMax = inFlightMax
        self.rate = rate
        self.queueMax = queueMax
        self.learnsQuota = learnsQuota
    }
}

extension CallLimit {
    /// A number of requests in a period, evenly spaced but for a burst: the generic cell rate algorithm (ITU-T I.371).
    ///
    /// ```swift
    /// // One every six seconds, and up to 10 at once after a rest:
    /// let limit = CallLimit(rate: CallLimit.Rate(100, per: .seconds(600), burst: 10))
    /// let options = ClientOptions(limits: ["reports": limit])
    /// ```
    /// In any time of length t, at most `burst + t * count / period` requests start.
    public struct Rate: Sendable, Hashable {
        /// The number of requests in a period; at least 1.
        public var count: Int
        /// The period.
        public var period: Duration
        /// How many requests may start at once after a time without any; at least 1.
        ///
        /// Default: 1, so that no period has more than `count`, wherever the service begins to count.
        public var burst: Int

        /// Creates a rate: `Rate(30, per: .seconds(60))`.
        public init(_ count: Int, per period: Duration, burst: Int = 1) {
            self.count = count
            self.period = period
            self.burst = burst
        }

        /// A number of requests in a second.
        public static func perSecond(_ count: Int, burst: Int = 1) -> Rate {
            Rate(count, per: .seconds(1), burst: burst)
        }

        /// A number of requests in a minute.
        public static func perMinute(_ count: Int, burst: Int = 1) -> Rate {
            Rate(count, per: .seconds(60), burst: burst)
        }

        /// A number of requests in an hour.
        public static func perHour(_ count: Int, burst: Int = 1) -> Rate {
            Rate(count, per: .seconds(3600), burst: burst)
        }
    }
}

extension CallLimit.Rate {
    /// The state of a rate: the generic cell rate algorithm as virtual scheduling.
    struct Schedule: Sendable {
        /// The time between two requests at the full rate.
        let interval: Duration
        /// How much earlier than at the full rate a request may start.
        private let tolerance: Duration
        /// When the next request would start if all were evenly spaced; `nil` before the first.
        private var due: ContinuousClock.Instant?
        /// What `due` was before the last start.
        private var dueBefore: ContinuousClock.Instant?

        init(_ rate: CallLimit.Rate) {
            // The bounds are those within which no sum overflows.
            interval = min(max(rate.period, .zero), .farFuture) / max(rate.count, 1)
            tolerance = interval * (min(max(rate.burst, 1), 1_000_000) - 1)
        }

        /// The earliest instant at which a request may start after `count` others; `nil` for any.
        func earliest(after count: Int) -> ContinuousClock.Instant? {
            due?.advanced(by: interval * count - tolerance)
        }

        /// Records the start of a request.
        mutating func start(at now: ContinuousClock.Instant) {
            dueBefore = due
            due = max(due ?? now, now).advanced(by: interval)
        }

        /// Takes back the last start, of a request that was not sent.
        mutating func cancelLastStart() { due = dueBefore }

        /// Whether it no longer matters what was sent before.
        func isIdle(at now: ContinuousClock.Instant) -> Bool { due.map { $0 <= now } ?? true }
    }
}
