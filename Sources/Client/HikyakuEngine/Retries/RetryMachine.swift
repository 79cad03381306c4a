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
    ///   - refusal: Allows an attempt after a pause, by returning `nil`, or says why there is none; one that is free
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
        if case .response(_, let stated?) = outcome { retryAfter = max(.zero, stated) }
        guard retryAfter <= max(.zero, policy.retryAfterMax) else { return .end(.retryAfter) }
        var pause = min(retryAfter, .farFuture) + backOff.pause(after: attemptsCount, unit: unit)
        let isFree = retryAfter > .zero && policy.budget?.countsRetryAfter == false && !hasWaitedFree
        // Many clients may have received the same pause.
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
    /// The last pause, without that of `Retry-After`.
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
