#if os(Linux)
import HikyakuHTTP

/// What callers hand to the loop, and what the loop tells them about itself.
///
/// The phases:
/// - `idle`: no request came yet, and there is no thread. Next: `running`, `ended`.
/// - `running`: the loop takes what is submitted. Next: `draining`, or `idle` when the system gave no thread.
/// - `draining`: nothing is taken any more; the loop ends what is in flight by `deadline`. Next: `ended`.
/// - `ended`: there is no loop any more.
final class Mailbox: Sendable {
    enum Command {
        case start(Exchange)
        case cancel(Exchange)
    }

    /// What has to be done for a submitted exchange, outside the lock.
    enum Submission {
        case accepted
        case mustStartLoop
        case refused
    }

    private enum Phase {
        case idle, running, draining, ended
    }

    private struct State {
        var phase = Phase.idle
        var deadline: ContinuousClock.Instant?
        var commands: [Command] = []
        /// Whether the loop waits for its sockets, so that a command has to wake it.
        var isAsleep = false
        var multi: MultiHandle?
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func handleToWake() -> MultiHandle? {
            guard isAsleep else { return nil }
            // One wakeup is enough for all commands that come before the loop takes them.
            isAsleep = false
            return multi
        }
    }

    private let state = Lock(State())

    // MARK: - Callers

    func submit(_ exchange: Exchange) -> Submission {
        let (submission, sleeper) = state.withLock { state -> (Submission, MultiHandle?) in
            switch state.phase {
            case .idle:
                state.phase = .running
                state.commands.append(.start(exchange))
                return (.mustStartLoop, nil)
            case .running:
                state.commands.append(.start(exchange))
                return (.accepted, state.handleToWake())
            case .draining, .ended:
                return (.refused, nil)
            }
        }
        sleeper?.wakeUp()
        return submission
    }

    /// Asks for the end of an exchange, which may have ended, or not even been submitted yet.
    func cancel(_ exchange: Exchange) {
        let sleeper = state.withLock { state -> MultiHandle? in
            guard state.phase != .ended else { return nil }
            state.commands.append(.cancel(exchange))
            return state.handleToWake()
        }
        sleeper?.wakeUp()
    }

    /// Lets the loop end what is in flight by `deadline`; a second call changes nothing.
    func drain(by deadline: ContinuousClock.Instant) {
        let sleeper = state.withLock { state -> MultiHandle? in
            switch state.phase {
            case .idle:
                state.phase = .ended
                state.commands = []
                return nil
            case .running:
                state.phase = .draining
                state.deadline = deadline
                return state.handleToWake()
            case .draining, .ended:
                return nil
            }
        }
        sleeper?.wakeUp()
    }

    /// Returns when there is no loop any more, at once where there is none.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.phase != .ended { state.waiters.append(continuation) }
                return state.phase == .ended
            }
            if hasEnded { continuation.resume() }
        }
    }

    // MARK: - The loop

    func loopBegan(with multi: MultiHandle) {
        state.withLock { $0.multi = multi }
    }

    /// Swaps the waiting commands against an empty array, and gives the deadline when the transport drains.
    func take(_ commands: inout [Command]) -> ContinuousClock.Instant? {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.commands, &commands)
            return state.deadline
        }
    }

    /// Whether somebody asks for something.
    var hasCommands: Bool { state.withLock { !$0.commands.isEmpty } }

    /// Whether the loop may wait for its sockets; from here on, commands wake it.
    func fallAsleep(drainingBy deadline: ContinuousClock.Instant?) -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty, state.deadline == deadline else { return false }
            state.isAsleep = true
            return true
        }
    }

    /// Lets the next request try to start a loop again; what was submitted has to be refused by the caller.
    func loopDidNotStart() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            state.phase = state.phase == .running ? .idle : .ended
            return state.commands
        }
    }

    /// Closes the mailbox; what was still in it has to be refused by the caller.
    func loopEnded() -> [Command] {
        let (commands, multi) = state.withLock { state -> ([Command], MultiHandle?) in
            defer {
                state.phase = .ended
                state.isAsleep = false
                state.commands = []
                state.multi = nil
            }
            return (state.commands, state.multi)
        }
        // Dropped outside the lock; as a rule the loop holds another reference.
        _ = multi
        return commands
    }

    /// Tells those who wait in ``waitForEnd()``.
    func announceEnd() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
#endif
