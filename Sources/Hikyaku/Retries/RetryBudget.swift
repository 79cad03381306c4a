import HikyakuBase

/// The limit on the retries of all calls to one origin: a token bucket that requests fill and retries empty.
///
/// Beyond the reserve, a service that fails gets at most this much additional load, however many calls fail. Without a
/// budget, three attempts for each call triple the load on a service that is already overloaded.
///
/// The clients that are derived from one client share their budgets.
public struct RetryBudget: Sendable, Hashable {
    /// The number of retries for each request: 0.2 allows 20 retries for 100 requests.
    ///
    /// Default: 0.2.
    public var ratio: Double
    /// The number of retries in a minute that are allowed even if there were too few requests.
    ///
    /// Default: 10. It is for programs that send few requests. It is not added to the ratio: after many requests,
    /// the ratio alone limits the retries.
    public var reserve: Int

    /// Creates a budget; see the properties for the defaults.
    public init(ratio: Double = 0.2, reserve: Int = 10) {
        self.ratio = ratio
        self.reserve = reserve
    }
}

extension RetryBudget {
    /// The state of the budget of one origin.
    struct Level: Sendable {
        /// The retries that the requests have earned.
        ///
        /// It is negative after retries from the reserve, which the next requests earn back.
        private(set) var balance = 0.0
        /// The retries of the last minute; each counts less with time.
        private(set) var recentCount = 0.0
        private var updated: ContinuousClock.Instant
        private var used: ContinuousClock.Instant

        /// No more than this many retries are saved up, so that a long time without failures allows no flood.
        static let balanceMax = 100.0

        init(at now: ContinuousClock.Instant) {
            (updated, used) = (now, now)
        }

        /// Whether it has not been used for a minute, so that it may be forgotten.
        func isIdle(at now: ContinuousClock.Instant) -> Bool { used.duration(to: now) > .seconds(60) }

        /// Adds what a request earns.
        mutating func deposit(_ budget: RetryBudget, at now: ContinuousClock.Instant) {
            // Most calls end here, so only a debt is brought up to date.
            if balance < 0 { advance(budget, to: now) }
            balance = min(balance + budget.ratio.clamped(to: 0...1000), Self.balanceMax)
            used = max(used, now)
        }

        /// Takes one retry.
        ///
        /// - Returns: `false` if neither the requests nor the reserve allow one.
        mutating func withdraw(_ budget: RetryBudget, at now: ContinuousClock.Instant) -> Bool {
            advance(budget, to: now)
            guard balance >= 1 || recentCount + 1 <= Double(max(0, budget.reserve)) else { return false }
            balance -= 1
            recentCount += 1
            return true
        }

        /// How many retries could be taken now.
        func available(_ budget: RetryBudget, at now: ContinuousClock.Instant) -> Int {
            var level = self
            level.advance(budget, to: now)
            let fromReserve = min(Double(max(0, budget.reserve)), 1e9) - level.recentCount
            return Int(max(0, level.balance, fromReserve))
        }

        private mutating func advance(_ budget: RetryBudget, to now: ContinuousClock.Instant) {
            let minutes = max(0, updated.duration(to: now) / .seconds(60))
            updated = max(updated, now)
            used = max(used, now)
            let reserve = Double(max(0, budget.reserve))
            recentCount = max(0, recentCount - reserve * minutes)
            // What was taken from the reserve is forgotten as the reserve fills again.
            if balance < 0 { balance = min(0, balance + reserve * minutes) }
        }
    }
}

extension Double {
    /// The nearest value of a range; its lower bound for a value that is not a number.
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        self >= range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}

/// The budgets of all origins that the calls of a client and of those derived from it have used.
final class RetryBudgets: Sendable {
    /// Beyond this many origins, those that have not been used for a minute are forgotten, then all.
    private static let originsMax = 1000

    private let levels = Lock<[HTTPOrigin: RetryBudget.Level]>([:])

    /// Adds what a request to an origin earns.
    func deposit(_ budget: RetryBudget, for origin: HTTPOrigin, at now: ContinuousClock.Instant) {
        levels.withLock { levels in
            if let known = levels.index(forKey: origin) { return levels.values[known].deposit(budget, at: now) }
            if levels.count >= Self.originsMax {
                levels = levels.filter { !$0.value.isIdle(at: now) }
                if levels.count >= Self.originsMax { levels.removeAll() }
            }
            levels[origin, default: RetryBudget.Level(at: now)].deposit(budget, at: now)
        }
    }

    /// How many retries to an origin could be taken now.
    func available(_ budget: RetryBudget, for origin: HTTPOrigin, at now: ContinuousClock.Instant) -> Int {
        levels.withLock { $0[origin] ?? RetryBudget.Level(at: now) }.available(budget, at: now)
    }

    /// The number of origins that are kept.
    var count: Int { levels.withLock(\.count) }

    /// Takes one retry to an origin; `false` if its budget is spent.
    func withdraw(_ budget: RetryBudget, for origin: HTTPOrigin, at now: ContinuousClock.Instant) -> Bool {
        levels.withLock { $0[origin, default: RetryBudget.Level(at: now)].withdraw(budget, at: now) }
    }
}
