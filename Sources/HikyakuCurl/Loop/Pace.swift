#if os(Linux)
/// Whether the server answers so quickly that a caller had better wait for it on its own thread.
///
/// Handing a request to the loop's thread and the outcome back takes two threads to be woken, which against a server on
/// the same machine is half of a request; beside a network it is nothing. A caller's thread is one of the few that
/// Swift runs all tasks on, so that it is only lent to the loop when the exchange before, alone and over a kept
/// connection to the same origin, was over within ``patience``, and then for ``window`` at most. One window in vain
/// ends it until an exchange has been that quick again.
struct Pace {
    static let patience = Duration.microseconds(200)
    static let window = Duration.milliseconds(1)
    /// For how long of it the caller stays awake, before it sleeps until the server answers.
    static let lookout = Duration.microseconds(50)

    /// What counts as quick; tests that have to see a caller drive make it longer.
    let patience: Duration
    /// When the exchange began that is alone in flight.
    private var begin: ContinuousClock.Instant?
    /// The URL of the last exchange, if that was quick.
    private var quickURL: String?

    init(patience: Duration = Self.patience) {
        self.patience = patience
    }

    /// A request came; `isAlone` when no other is in flight.
    mutating func requestCame(isAlone: Bool, at now: @autoclosure () -> ContinuousClock.Instant = .now) {
        begin = isAlone ? now() : nil
    }

    /// An exchange was a success, or not; `isOverKeptConnection` when it needed no new one.
    mutating func outcomeCame(
        for url: String,
        isSuccess: Bool,
        isOverKeptConnection: Bool,
        at now: @autoclosure () -> ContinuousClock.Instant = .now,
    ) {
        defer { begin = nil }
        guard isSuccess, isOverKeptConnection, let begin, now() - begin < patience else { return quickURL = nil }
        quickURL = url
    }

    /// How long the caller's thread has been lent; at least the window when the exchange isn't alone any more.
    func elapsed(at now: ContinuousClock.Instant = .now) -> Duration {
        begin.map { now - $0 } ?? Self.window
    }

    /// The window passed without an outcome, or others came meanwhile.
    mutating func waitedInVain() {
        begin = nil
        quickURL = nil
    }

    /// Whether an exchange with this URL may be expected to be as quick as the last one.
    func isQuick(for url: String) -> Bool {
        guard let quickURL else { return false }
        return url == quickURL || Self.origin(of: url).elementsEqual(Self.origin(of: quickURL))
    }

    /// What stands before the path, as it is spelled: one that is spelled in another way is merely not quick.
    private static func origin(of url: String) -> Substring.UTF8View.SubSequence {
        var slashCount = 0
        return url[...].utf8.prefix { byte in
            if byte == UInt8(ascii: "/") { slashCount += 1 }
            return slashCount < 3
        }
    }
}
#endif
