package import HikyakuBase

/// The limit on the retries of all calls to one origin: a token bucket that successful requests fill and retries empty.
///
/// ```swift
/// let budget = RetryBudget(ratio: 0.1, reserve: 5)
/// let client = APIClient(options: ClientOptions(retryPolicy: RetryPolicy(attemptsMax: 4, budget: budget)))
/// ```
/// A request is successful here if the service has processed it: its status is below 500, and not transient.
/// A service that fails completely gets at most ``reserve`` retries, or those that were earned shortly before, however
/// many calls fail. One that fails partly gets at most ``ratio`` retries for each request that succeeds. Without a
/// budget, three attempts for each call triple the load on a service that is already overloaded, which may keep it from
/// recovering.
///
/// The clients that are derived from one client share their budgets. Each process has its own: what thousands of them
/// send is limited only because each gets few retries while nothing succeeds.
public struct RetryBudget: Sendable, Hashable {
    /// The number of retries for each successful request: 0.2 allows 20 retries for 100 requests.
    ///
    /// What was earned beyond the reserve is kept for 10 to 20 seconds. Default: 0.2.
    public var ratio: Double
    /// The number of retries that are allowed before any request has succeeded.
    ///
    /// Successful requests earn it back. Without them, it fills up again in ten minutes. Default: 2, all the retries of
    /// one call with ``RetryPolicy/standard``. A larger ``RetryPolicy/attemptsMax`` needs a larger reserve if nothing
    /// has succeeded yet.
    public var reserve: Int

    /// Whether an attempt after a pause that the service asks for takes a retry, like others.
    ///
    /// If not, each call may wait once for the service's `Retry-After`, and up to a tenth longer, although no retry is
    /// left: for a service that limits its clients by that alone. Default: `true`.
    public var countsRetryAfter: Bool

    /// Creates a budget; see the properties for the defaults.
    public init(ratio: Double = 0.2, reserve: Int = 2, countsRetryAfter: Bool = true) {
        self.ratio = ratio
        self.reserve = reserve
        self.countsRetryAfter = countsRetryAfter
    }
}

extension RetryBudget {
    /// The state of the budget of one origin.
    struct Level: Sendable {
        /// The retries beyond the reserve that the requests have earned.
        ///
        /// It is negative after retries from the reserve, which the next requests earn back.
        private(set) var balance = 0.0
        /// What was earned in this part of time, and in the one before.
        private var earned = (now: 0.0, before: 0.0)
        private var partEnd: ContinuousClock.Instant
        private var updated: ContinuousClock.Instant
        private var used: ContinuousClock.Instant

        /// No more than this many retries are saved up, so that a time without failures allows no flood.
        static let balanceMax = 100.0
        /// What was earned is forgotten with the end of the next part.
        private static let part = Duration.seconds(10)
        private static let minutesToFill = 10.0

        package init(at now: ContinuousClock.Instant) {
            (updated, used) = (now, now)
            partEnd = now.advanced(by: Self.part)
        }

        /// Whether it has not been used for a minute, so that it may be forgotten.
        func isIdle(at now: ContinuousClock.Instant) -> Bool { used.duration(to: now) > .seconds(60) }

        /// Adds what a successful request earns.
        package mutating func deposit(_ budget: RetryBudget, at now: ContinuousClock.Instant) {
            // Most calls end here, so only a debt is brought up to date.
            if balance < 0 { refill(budget, to: now) }
            if partEnd <= now { beginPart(at: now) }
            let amount = budget.ratio.clamped(to: 0...1000)
            earned.now = min(earned.now + amount, Self.balanceMax)
            balance = min(balance + amount, savedMax(budget))
            used = max(used, now)
        }

        /// Takes one retry.
        ///
        /// - Returns: `false` if neither the requests nor the reserve allow one.
        package mutating func withdraw(_ budget: RetryBudget, at now: ContinuousClock.Instant) -> Bool {
            advance(budget, to: now)
            used = max(used, now)
            guard balance + budget.reserveCount >= 1 else { return false }
            balance -= 1
            return true
        }

        /// How many retries could be taken now.
        package func available(_ budget: RetryBudget, at now: ContinuousClock.Instant) -> Int {
            var level = self
            level.advance(budget, to: now)
            return Int(max(0, min(level.balance + budget.reserveCount, 1e9)))
        }

        /// What may be saved up beyond the reserve: what was earned lately and exceeds it.
        private func savedMax(_ budget: RetryBudget) -> Double {
            max(0, min(earned.now + earned.before, Self.balanceMax) - budget.reserveCount)
        }

        /// Forgets what was earned before, and fills the reserve.
        private mutating func advance(_ budget: RetryBudget, to now: ContinuousClock.Instant) {
            refill(budget, to: now)
            if partEnd <= now { beginPart(at: now) }
            balance = min(balance, savedMax(budget))
        }

        private mutating func beginPart(at now: ContinuousClock.Instant) {
            let isNext = partEnd.duration(to: now) < Self.part
            earned = (0, isNext ? earned.now : 0)
            partEnd = (isNext ? partEnd : now).advanced(by: Self.part)
        }

        /// Fills the reserve by the time that has passed.
        private mutating func refill(_ budget: RetryBudget, to now: ContinuousClock.Instant) {
            let minutes = max(0, updated.duration(to: now) / .seconds(60))
            updated = max(updated, now)
            if balance < 0 { balance = min(0, balance + budget.reserveCount * minutes / Self.minutesToFill) }
        }
    }

    /// The reserve, at least 0.
    private var reserveCount: Double { Double(max(0, reserve)) }
}

extension Double {
    /// The nearest value of a range; its lower bound for a value that is not a number.
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        self >= range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}

/// The budgets of all origins that the calls of a client and of those derived from it have used.
package final class RetryBudgets: Sendable {
    private let levels = Lock(KeptStates<HTTPOrigin, RetryBudget.Level>())

    /// Adds what a successful request to an origin earns.
    package func deposit(_ budget: RetryBudget, for origin: HTTPOrigin, at now: ContinuousClock.Instant) {
        changeLevel(of: origin, at: now) { $0.deposit(budget, at: now) }
    }

    /// Takes one retry to an origin; `false` if its budget is spent.
    package func withdraw(_ budget: RetryBudget, for origin: HTTPOrigin, at now: ContinuousClock.Instant) -> Bool {
        changeLevel(of: origin, at: now) { $0.withdraw(budget, at: now) }
    }

    /// How many retries to an origin could be taken now.
    package func available(_ budget: RetryBudget, for origin: HTTPOrigin, at now: ContinuousClock.Instant) -> Int {
        levels.withLock { $0[origin] ?? RetryBudget.Level(at: now) }.available(budget, at: now)
    }

    private func changeLevel<Result>(
        of origin: HTTPOrigin,
        at now: ContinuousClock.Instant,
        by change: (inout RetryBudget.Level) -> Result,
    ) -> Result {
        levels.withLock {
            $0.change(origin, orNew: RetryBudget.Level(at: now), forgetting: { $0.isIdle(at: now) }, by: change)
        }
    }

    /// The number of origins whose budgets are kept.
    var count: Int { levels.withLock(\.count) }
}
