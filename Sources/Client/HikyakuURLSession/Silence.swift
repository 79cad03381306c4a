import HikyakuHTTP

/// For how long nothing was sent or received, in time in which this process could run.
///
/// ``SuspendingClock`` stops while the machine sleeps. A process can also be suspended while the machine runs, as an
/// app in the background is. Then a check comes late, and the time by which it is late does not count. So no limit
/// strikes at the moment at which an app returns.
struct Silence: Sendable {
    /// A check that is later than this was held up by more than a busy machine.
    private static let delayMax = Duration.seconds(1)
    private static let pauseMin = Duration.milliseconds(10)

    private var begin: SuspendingClock.Instant
    private var planned: SuspendingClock.Instant?

    init(at now: SuspendingClock.Instant = .now) {
        begin = now
    }

    /// Notes that something was sent or received, or that a stage began.
    mutating func end(at now: SuspendingClock.Instant = .now) {
        begin = now
    }

    /// Compares the silence with a limit.
    ///
    /// - Parameters:
    ///   - limit: How long it may last now.
    ///   - shortest: The shortest limit of any stage that may begin before the next check.
    ///   - now: The present instant.
    /// - Returns: When to check again; `nil` if the limit has passed.
    mutating func check(limit: Duration, shortest: Duration, at now: SuspendingClock.Instant = .now) -> Duration? {
        if let planned, planned + Self.delayMax < now { begin = min(begin + (now - planned), now) }
        let limit = min(max(limit, .zero), .farFuture)
        guard begin + limit > now else { return nil }
        // Several checks for each limit, so that a suspension between two of them costs a part of it at most.
        let pause = min(begin + limit - now, max(min(limit, shortest) / 4, Self.pauseMin))
        planned = now + pause
        return pause
    }
}
