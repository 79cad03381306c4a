/// The decisions about the connections of one event stream: how each ended goes in, and what follows comes out.
///
/// It has no clock and no randomness of its own.
struct EventStreamMachine {
    /// How a connection, or the attempt to open one, ended.
    enum End: Equatable {
        /// The service closed the stream in order, and the request declares no event as the last one.
        case closed
        /// The event that the request declares as the last one was received.
        case terminated
        /// The service responded with 204 No Content, after which a client does not connect again.
        case noContent
        /// It failed for a reason that may be gone a moment later; with the pause that the service requires.
        case transient(FailureReason, retryAfter: Duration?)
        /// It failed for another reason.
        case failed
    }

    enum Decision: Equatable {
        /// The stream is over, without an error.
        case end
        /// The stream is over with the error of the last connection, or since the service closed it too early.
        case fail
        /// Another connection follows after a pause.
        case connect(after: Duration)
    }

    private let policy: RetryPolicy
    /// Whether a request may be sent again, and has something to connect to.
    var mayReconnect: Bool
    private var backOff: BackOff
    /// The connections in a row that brought no event.
    private(set) var failuresCount = 0
    private var opened: ContinuousClock.Instant?
    private var hasEvent = false

    init(_ policy: RetryPolicy, mayReconnect: Bool) {
        self.policy = policy
        self.mayReconnect = mayReconnect
        backOff = BackOff(policy)
    }

    /// Notes that the service has accepted a connection.
    mutating func connected(at now: ContinuousClock.Instant) {
        opened = now
    }

    /// Notes that an event was received.
    mutating func received() {
        hasEvent = true
    }

    /// Decides what follows a connection.
    ///
    /// - Parameters:
    ///   - end: How it ended.
    ///   - now: When it ended.
    ///   - retry: The last `retry` field of the service, on any connection.
    ///   - unit: A random number from 0 to 1 for the jitter.
    ///   - withdraw: Takes one retry from the budget; `false` if it is spent.
    /// - Returns: What follows.
    mutating func decision(
        after end: End,
        at now: ContinuousClock.Instant,
        retry: Duration?,
        unit: Double,
        withdraw: () -> Bool,
    ) -> Decision {
        // A connection without an event may be quiet, or be closed at once each time. The time distinguishes them.
        let isSuccess = hasEvent || opened.map { $0.duration(to: now) >= policy.delayMax } == true
        (opened, hasEvent) = (nil, false)
        if isSuccess { (failuresCount, backOff) = (0, BackOff(policy)) }
        switch end {
        case .terminated, .noContent: return .end
        case .failed: return .fail
        case .closed where !mayReconnect: return .end
        case .transient where !mayReconnect: return .fail
        case .closed, .transient: break
        }
        failuresCount += 1
        var stated = min(max(.zero, retry ?? .zero), max(.zero, policy.retryAfterMax))
        if case .transient(_, let retryAfter?) = end {
            guard retryAfter <= policy.retryAfterMax else { return .fail }
            stated = max(stated, retryAfter)
        }
        guard failuresCount < max(1, policy.attemptsMax) else { return .fail }
        var pause = backOff.pause(after: failuresCount, unit: unit)
        // A stream that is closed after its events costs the service no more than the first connection.
        let isFree = end == .closed && isSuccess
        if !isFree, !withdraw() { pause = max(pause, backOff.longest * (0.5 + min(max(0, unit), 1) / 2)) }
        return .connect(after: min(stated + pause, .farFuture))
    }
}
