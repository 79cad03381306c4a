#if os(Linux)
import HikyakuHTTP

/// What callers hand to the loop, and what the loop tells them about itself.
///
/// The phases:
/// - `idle`: no request came yet, and there is no thread. Next: `running`, `ended`.
/// - `running`: the loop takes what is submitted. Next: `draining`, or `idle` when the system gave no thread.
/// - `draining`: nothing is taken any more; the loop ends what is in flight by `deadline`. Next: `ended`.
/// - `ended`: there is no loop any more.
///
/// While there is a loop, one at most has the role of its driver, who alone touches it:
/// - `nobody`: nothing is in flight, no command waits, and the loop's thread is parked. Next: `caller`, `thread`.
/// - `caller`: the thread of one who sends. Next: `nobody`, or `thread` when there is more to do.
/// - `thread`: the loop's own. Next: `nobody`.
///
/// The role changes hands under the lock, so that what one driver did happens before what the next one does.
final class Mailbox: Sendable {
    enum Command {
        case start(Exchange)
        case cancel(Exchange)
        /// What the exchange waited for outside of the loop is there.
        case goOn(Exchange)
    }

    /// What has to be done for a submitted exchange, outside the lock.
    enum Submission {
        case accepted
        case mustStartLoop
        /// The caller has the role of the driver, and the exchange isn't submitted yet.
        case mustDrive(EventLoop)
        case refused
    }

    private enum Phase {
        case idle, running, draining, ended
    }

    private enum Driver {
        case nobody, caller, thread
    }

    /// Who has to be woken outside the lock.
    private enum Sleeper {
        case none
        case thread
        case driver(MultiHandle)
    }

    private struct State {
        var phase = Phase.idle
        var deadline: ContinuousClock.Instant?
        var commands: [Command] = []
        var driver = Driver.nobody
        /// Whether the driver waits for the loop's sockets, so that a command has to wake it.
        var isAsleep = false
        var loop: EventLoop?
        /// Whether the loop's connections are closed too, or there never was a loop.
        var isOver = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Whoever has to act on what has changed.
        mutating func sleeperToWake() -> Sleeper {
            if driver == .nobody, phase == .running || phase == .draining {
                driver = .thread
                return .thread
            }
            guard isAsleep, let loop else { return .none }
            // One wakeup is enough for all commands that come before the driver takes them.
            isAsleep = false
            return .driver(loop.multi)
        }
    }

    private let state = Lock(State())
    private let parking = Parking()

    private func wake(_ sleeper: Sleeper) {
        switch sleeper {
        case .none: break
        case .thread: parking.wakeUp()
        case .driver(let multi): multi.wakeUp()
        }
    }

    // MARK: - Callers

    /// Hands an exchange over, or lets the caller drive the loop with it, if it may and nobody else does.
    func submit(_ exchange: Exchange, mayDrive: Bool) -> Submission {
        let (submission, sleeper) = state.withLock { state -> (Submission, Sleeper) in
            switch state.phase {
            case .idle:
                state.phase = .running
                state.driver = .thread
                state.commands.append(.start(exchange))
                return (.mustStartLoop, .none)
            case .running:
                if mayDrive, state.driver == .nobody, let loop = state.loop {
                    state.driver = .caller
                    // From the first moment, which spares asking later: a wakeup that comes early isn't lost.
                    state.isAsleep = true
                    return (.mustDrive(loop), .none)
                }
                state.commands.append(.start(exchange))
                return (.accepted, state.sleeperToWake())
            case .draining, .ended:
                return (.refused, .none)
            }
        }
        wake(sleeper)
        return submission
    }

    /// Asks for the end of an exchange, which may have ended, or not even been submitted yet.
    func cancel(_ exchange: Exchange) {
        ask(.cancel(exchange))
    }

    /// Lets an exchange go on that waits for the reader of its response, or for the source of its request.
    func goOn(_ exchange: Exchange) {
        ask(.goOn(exchange))
    }

    private func ask(_ command: Command) {
        let sleeper = state.withLock { state -> Sleeper in
            guard state.phase != .ended else { return .none }
            state.commands.append(command)
            return state.sleeperToWake()
        }
        wake(sleeper)
    }

    /// Lets the loop end what is in flight by `deadline`; a second call changes nothing.
    func drain(by deadline: ContinuousClock.Instant) {
        let sleeper = state.withLock { state -> Sleeper in
            switch state.phase {
            case .idle:
                state.phase = .ended
                state.isOver = true
                state.commands = []
                return .none
            case .running:
                state.phase = .draining
                state.deadline = deadline
                return state.sleeperToWake()
            case .draining, .ended:
                return .none
            }
        }
        wake(sleeper)
    }

    /// Returns when there is no loop any more, at once where there is none.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiters.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: - The loop

    func loopBegan(_ loop: EventLoop) {
        state.withLock { $0.loop = loop }
    }

    /// Gives the role of the driver away where there is nothing to do, and waits on the loop's thread to get it back.
    func park() {
        let mayPark = state.withLock { state in
            guard state.commands.isEmpty, state.phase == .running else { return false }
            state.driver = .nobody
            return true
        }
        // Who gives the role to the thread does so once, and then wakes it.
        if mayPark { parking.wait() }
    }

    /// Takes the role of the driver from a caller; the loop's thread gets it unless there is nothing to do.
    ///
    /// - Parameters:
    ///   - command: What the caller leaves to the thread.
    ///   - isIdle: Whether nothing is in flight.
    func giveBack(with command: Command? = nil, isIdle: Bool = true) {
        let sleeper = state.withLock { state -> Sleeper in
            state.isAsleep = false
            if let command { state.commands.append(command) }
            state.driver = .nobody
            return isIdle && state.commands.isEmpty && state.phase == .running ? .none : state.sleeperToWake()
        }
        wake(sleeper)
    }

    /// Swaps the waiting commands against an empty array, and gives the deadline when the transport drains.
    func take(_ commands: inout [Command]) -> ContinuousClock.Instant? {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.commands, &commands)
            return state.deadline
        }
    }

    /// Whether a caller's thread has the role of the driver at this moment.
    var isDrivenByCaller: Bool { state.withLock { $0.driver == .caller } }

    /// Whether somebody asks for something.
    var hasNews: Bool { state.withLock { !$0.commands.isEmpty || $0.phase != .running } }

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
            state.driver = .nobody
            return state.commands
        }
    }

    /// Closes the mailbox; what was still in it has to be refused by the caller.
    func loopEnded() -> [Command] {
        let (commands, loop) = state.withLock { state -> ([Command], EventLoop?) in
            defer {
                state.phase = .ended
                state.isAsleep = false
                state.commands = []
                state.loop = nil
            }
            return (state.commands, state.loop)
        }
        // Dropped outside the lock; as a rule the thread holds another reference.
        _ = loop
        return commands
    }

    /// Tells those who wait in ``waitForEnd()``.
    func announceEnd() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.isOver = state.phase == .ended
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
#endif
