#if os(Linux)
/// Whether a caller who sends one request after the other, and the server that answers, are so quick that the loop had
/// better stay awake for them.
///
/// Falling asleep and being woken takes some ten microseconds and about as much of the processor. Against a server on
/// the same machine that is half of a request; beside a network it is nothing, and then nothing is waited for: one wait
/// in vain, of at most ``patience``, ends it until a request has been that quick again.
struct Pace {
    static let patience = Duration.microseconds(100)

    private(set) var isCallerQuick = false
    private(set) var isServerQuick = false
    /// When the last event was: a request that came when none was in flight, or an outcome after which none was.
    private var last = ContinuousClock.now
    private var hasEnded = false

    /// A request came, and it is the only one.
    mutating func requestCame(at now: ContinuousClock.Instant = .now) {
        isCallerQuick = hasEnded && now - last < Self.patience
        last = now
        hasEnded = false
    }

    /// The last request in flight has its outcome.
    mutating func outcomeCame(at now: ContinuousClock.Instant = .now) {
        isServerQuick = !hasEnded && now - last < Self.patience
        last = now
        hasEnded = true
    }

    /// Whether it is too late for what was waited for; it isn't waited for the next time.
    mutating func isTooLate(at now: ContinuousClock.Instant = .now) -> Bool {
        guard now - last >= Self.patience else { return false }
        isCallerQuick = false
        isServerQuick = false
        return true
    }
}
#endif
