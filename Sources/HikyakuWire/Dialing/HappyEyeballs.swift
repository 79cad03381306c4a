#if os(Linux)
import HikyakuHTTP

/// An address that a connection may be opened to.
struct DialAddress<Address: Hashable & Sendable>: Hashable, Sendable {
    enum Family: Sendable {
        case ipv6, ipv4

        var other: Family { self == .ipv6 ? .ipv4 : .ipv6 }
    }

    let family: Family
    let address: Address
}

/// What is done about the attempts to open one connection.
enum DialAction<Address: Hashable & Sendable>: Hashable, Sendable {
    /// Open a connection to the address, under this number.
    case start(Int, Address)
    /// Close the attempt of this number, which isn't wanted any more.
    case close(Int)
    /// Call ``HappyEyeballs/timerFired(at:)`` at the instant, and at no other that was given before.
    case setTimer(ContinuousClock.Instant)
    case clearTimer
    /// The attempt of this number is the connection. Nothing follows.
    case succeed(Int)
    /// There is no connection: ``HappyEyeballs/failure`` says why. Nothing follows.
    case fail
}

/// Chooses which of a host's addresses are tried, and when, until one answers.
///
/// Addresses of both families take turns, beginning with the family that the system puts first. The next one is tried
/// when the one before has failed, or hasn't answered for 250 ms, and the first that answers wins. It has no socket and
/// no clock: events go in, and actions come out.
///
/// [RFC 8305](https://www.rfc-editor.org/rfc/rfc8305)
struct HappyEyeballs<Address: Hashable & Sendable>: Sendable {
    typealias Candidate = DialAddress<Address>
    typealias Action = DialAction<Address>
    typealias Instant = ContinuousClock.Instant

    struct Limits: Sendable {
        /// How long an attempt is alone.
        var attemptDelay = Duration.milliseconds(250)
        /// The most addresses that are tried.
        var addressesMax = 32
        /// The most attempts at a time.
        var attemptsMax = 6
    }

    private enum Attempt: Sendable {
        case running
        case failed(TransportError)
        case closed
    }

    private let limits: Limits
    private var waiting: [Candidate.Family: [Address]] = [:]
    private var known: Set<Candidate> = []
    private var attempts: [Attempt] = []
    /// The family whose turn is next.
    private var turn = Candidate.Family.ipv6
    private var timer: Instant?
    /// Whether there is a connection, or none can be.
    private(set) var isOver = false

    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    // MARK: - What happens

    /// The host's addresses are known, in the order in which they are to be tried; perhaps none.
    ///
    /// Called once.
    mutating func found(_ addresses: [Candidate], at now: Instant) -> [Action] {
        guard !isOver, known.isEmpty else { return [] }
        turn = addresses.first?.family ?? .ipv6
        for candidate in addresses where known.count < limits.addressesMax && known.insert(candidate).inserted {
            waiting[candidate.family, default: []].append(candidate.address)
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

    /// The connection isn't wanted any more: all attempts are to be closed.
    mutating func cancel() -> [Action] { isOver ? [] : end(with: nil) }

    // MARK: - What follows

    /// Begins the next attempt, which is due whenever something happens that doesn't end all.
    private mutating func advance(at now: Instant) -> [Action] {
        var actions: [Action] = []
        if runningCount < limits.attemptsMax, let address = takeNext() {
            actions.append(.start(attempts.count, address))
            attempts.append(.running)
        }
        guard hasWaiting || runningCount > 0 else { return end(with: .fail) }
        let isNeeded = hasWaiting && runningCount < limits.attemptsMax
        return actions + set(isNeeded ? now.advanced(by: limits.attemptDelay) : nil)
    }

    private mutating func set(_ wake: Instant?) -> [Action] {
        guard wake != timer else { return [] }
        timer = wake
        return [wake.map { .setTimer($0) } ?? .clearTimer]
    }

    private mutating func takeNext() -> Address? {
        for family in [turn, turn.other] {
            guard var addresses = waiting[family], !addresses.isEmpty else { continue }
            let address = addresses.removeFirst()
            waiting[family] = addresses.isEmpty ? nil : addresses
            turn = family.other
            return address
        }
        return nil
    }

    private mutating func end(with outcome: Action?) -> [Action] {
        isOver = true
        var actions: [Action] = []
        for number in attempts.indices where isRunning(number) {
            attempts[number] = .closed
            actions.append(.close(number))
        }
        waiting = [:]
        actions += set(nil)
        if let outcome { actions.append(outcome) }
        return actions
    }

    private var hasWaiting: Bool { !waiting.isEmpty }
    private var runningCount: Int { attempts.indices.count { isRunning($0) } }

    private func isRunning(_ number: Int) -> Bool {
        guard attempts.indices.contains(number), case .running = attempts[number] else { return false }
        return true
    }
}

extension HappyEyeballs {
    /// Why there is no connection: the attempt that came nearest to one, and how many others there were.
    ///
    /// A server that refuses says more than an address that can't be reached, as IPv6 often can't.
    var failure: TransportError {
        let errors = attempts.compactMap { if case .failed(let error) = $0 { error } else { nil } }
        guard let best = errors.max(by: { Self.rank($0) < Self.rank($1) }) else {
            return TransportError(.hostNotFound, "the host has no address")
        }
        guard errors.count > 1 else { return best }
        var error = best
        error.message += " (\(errors.count) addresses were tried)"
        return error
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
