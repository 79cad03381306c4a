#if os(Linux)
import Glibc
import HikyakuHTTP

/// Chooses which of a host's addresses are tried, and when, until a connection is open.
///
/// IPv6 and IPv4 addresses are tried in turn; the system's first address decides which family begins. The next address
/// is tried when an attempt has failed, or 250 ms after the last one began. The first connection that opens is used. It
/// has no socket and no clock: events go in, and actions come out.
///
/// [RFC 8305](https://www.rfc-editor.org/rfc/rfc8305)
struct HappyEyeballs: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Action: Hashable, Sendable {
        /// Open a connection to the address. The number identifies the attempt.
        case start(Int, SocketAddress)
        /// Close the attempt of this number.
        case close(Int)
        /// Call ``timerFired(at:)`` at the instant, and not at the instant that was set before; never if it is `nil`.
        case setTimer(Instant?)
        /// The attempt of this number is the connection. Nothing follows.
        case succeed(Int)
        /// There is no connection: ``HappyEyeballs/failure`` says why. Nothing follows.
        case fail
    }

    private enum Attempt: Sendable {
        case running
        case failed(TransportError)
        case closed
    }

    /// How long an attempt is alone.
    private static let attemptDelay = Duration.milliseconds(250)
    /// The most addresses that are tried.
    private static let addressesMax = 32
    /// The most attempts at a time.
    private static let attemptsMax = 6

    /// The addresses that have not been tried, the next one first.
    private var waiting: ArraySlice<SocketAddress> = []
    private var attempts: [Attempt] = []
    private var timer: Instant?
    /// Whether there is a connection, or none can be opened.
    private(set) var isOver = false

    // MARK: - Events

    /// Takes the host's addresses in the system's order; there may be none.
    ///
    /// Called once.
    mutating func found(_ addresses: [SocketAddress], at now: Instant) -> [Action] {
        guard !isOver, attempts.isEmpty else { return [] }
        var known: Set<SocketAddress> = []
        let usable = addresses.filter { known.insert($0).inserted }.prefix(Self.addressesMax)
        let preferred = usable.filter { $0.isIPv6 == usable.first?.isIPv6 }
        let others = usable.filter { $0.isIPv6 != usable.first?.isIPv6 }
        for index in usable.indices {
            waiting += preferred.dropFirst(index).prefix(1) + others.dropFirst(index).prefix(1)
        }
        return advance(at: now)
    }

    mutating func attemptSucceeded(_ number: Int) -> [Action] {
        guard !isOver, isRunning(number) else { return [] }
        attempts[number] = .closed
        return end(with: .succeed(number))
    }

    mutating func attemptFailed(_ number: Int, _ error: TransportError, at now: Instant) -> [Action] {
        guard !isOver, isRunning(number) else { return [] }
        attempts[number] = .failed(error)
        return advance(at: now)
    }

    mutating func timerFired(at now: Instant) -> [Action] {
        guard !isOver, let timer, now >= timer else { return [] }
        self.timer = nil
        return advance(at: now)
    }

    /// The connection is no longer needed: all attempts are closed.
    mutating func cancel() -> [Action] { isOver ? [] : end(with: nil) }

    // MARK: - Actions

    /// Begins the next attempt, which is due after each event that does not end the machine.
    private mutating func advance(at now: Instant) -> [Action] {
        var actions: [Action] = []
        if runningCount < Self.attemptsMax, let address = waiting.popFirst() {
            actions.append(.start(attempts.count, address))
            attempts.append(.running)
        }
        guard !waiting.isEmpty || runningCount > 0 else { return end(with: .fail) }
        let isNeeded = !waiting.isEmpty && runningCount < Self.attemptsMax
        return actions + set(isNeeded ? now.advanced(by: Self.attemptDelay) : nil)
    }

    private mutating func set(_ wake: Instant?) -> [Action] {
        defer { timer = wake }
        return wake == timer ? [] : [.setTimer(wake)]
    }

    private mutating func end(with outcome: Action?) -> [Action] {
        let running = attempts.indices.filter { isRunning($0) }
        for number in running { attempts[number] = .closed }
        (isOver, waiting) = (true, [])
        return running.map { .close($0) } + set(nil) + (outcome.map { [$0] } ?? [])
    }

    private var runningCount: Int { attempts.indices.count { isRunning($0) } }

    private func isRunning(_ number: Int) -> Bool {
        guard attempts.indices.contains(number), case .running = attempts[number] else { return false }
        return true
    }
}

extension HappyEyeballs {
    /// Why there is no connection: the most specific error, and how many addresses were tried.
    ///
    /// A refused connection says more than an unreachable network, which is common for IPv6.
    var failure: TransportError {
        let errors = attempts.compactMap { if case .failed(let error) = $0 { error } else { nil } }
        guard var best = errors.max(by: { Self.rank($0) < Self.rank($1) }) else {
            return WireCause.nameNotFound.error("the host has no address")
        }
        if errors.count > 1 { best.message += " (\(errors.count) addresses were tried)" }
        return best
    }

    private static func rank(_ error: TransportError) -> Int {
        switch error.reason {
        case .connectionRefused: 3
        case .networkUnreachable: 0
        case .connectionFailed: 1
        default: 2
        }
    }
}
#endif
