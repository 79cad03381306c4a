import HikyakuBase

/// How a call that reached its deadline spent its time, the longest part first.
///
/// ```swift
/// do {
///     show(try await client.send(Shop.Dishes()))
/// } catch {
///     log(error.context.spending)      // 4.2 s in the queue, 0.8 s in attempt 1; nil for other errors
/// }
/// ```
/// The parts add up to the time from the call's start to its end. If a middleware makes attempts concurrently, a time
/// belongs to the phase that began last. It contains no secrets.
public struct DeadlineSpending: Sendable, Hashable {
    /// What a call waits for; any version may add cases, so a switch needs a `default`.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Waiting for its turn, because of a limit of the client or of the transport.
        case queueing
        /// The transport made a connection: the name was looked up, then TCP and TLS.
        case connecting
        /// Waiting for a token, its refresh included, or for a signature.
        case authorization
        /// Connecting, sending the request, and waiting for the response.
        case attempt
        /// The back-off between two attempts.
        case pause
        /// Sending the requests that follow redirects, and waiting for their responses.
        case redirects
        /// Receiving the response's body.
        ///
        /// A body that arrives together with its header block takes no time of its own.
        case body
        /// Middleware, `response(from:)`, and everything else.
        case other
    }

    /// The time that one phase took.
    public struct Part: Sendable, Hashable {
        /// The phase.
        public let phase: Phase
        /// The sum of all its times.
        public let duration: Duration

        package init(_ phase: Phase, _ duration: Duration) {
            (self.phase, self.duration) = (phase, duration)
        }
    }

    typealias Totals = [Phase: Duration]

    /// The phases that took time, the longest first.
    public let parts: [Part]
    /// The number of attempts, as in ``CallContext/attempt``.
    public let attempts: Int
    package private(set) var isConnecting = false

    package init(_ parts: [Part], attempts: Int = 1) {
        // The order of phases of equal length must not depend on the order in which they come.
        let order = Phase.allCases
        self.parts = parts.filter { $0.duration > .zero }
            .sorted { left, right in
                guard left.duration == right.duration else { return left.duration > right.duration }
                return order.firstIndex(of: left.phase) ?? 0 < order.firstIndex(of: right.phase) ?? 0
            }
        self.attempts = attempts
    }

    /// - Parameters:
    ///   - totals: The times.
    ///   - attempts: The number of attempts.
    ///   - isConnecting: Whether the last attempt has not got its connection.
    init(_ totals: Totals, attempts: Int, isConnecting: Bool = false) {
        var totals = totals
        // Nothing was passed to the transport: the time went to a step before that.
        if attempts == 0, let time = totals.removeValue(forKey: .attempt) { totals[.other, default: .zero] += time }
        self.init(totals.map { Part($0.key, $0.value) }, attempts: attempts)
        self.isConnecting = isConnecting
    }

    /// The phase that took most of the time; `nil` if no time has passed.
    public var longest: Phase? { parts.first?.phase }

    /// The time that a phase took.
    public subscript(phase: Phase) -> Duration { parts.first { $0.phase == phase }?.duration ?? .zero }
}

extension DeadlineSpending: CustomStringConvertible {
    /// `4.2 s in the queue, 0.8 s in attempt 1`, without what took less than a millisecond.
    public var description: String {
        let shown = parts.filter { $0.duration >= .milliseconds(1) }
        return (shown.isEmpty ? Array(parts.prefix(1)) : shown)
            .map { "\($0.duration.shortText) \(place(of: $0.phase))" }.joined(separator: ", ")
            + (isConnecting ? "; no connection was made" : "")
    }

    private func place(of phase: Phase) -> String {
        switch phase {
        case .queueing: "in the queue"
        case .connecting: "connecting"
        case .authorization: "in authorization"
        case .attempt: attempts == 1 ? "in attempt 1" : "in \(attempts) attempts"
        case .pause: "in pauses between attempts"
        case .redirects: "in redirects"
        case .body: "in the response's body"
        case .other: "in middleware and other steps"
        }
    }
}

extension Duration {
    /// `850 ms`, or `4.2 s` from one second on, for people.
    package var shortText: String {
        // `components` traps if an Int64 can't represent the seconds.
        let seconds = self / .seconds(1)
        let isLong = seconds >= 1
        let number = ((isLong ? seconds * 100 : seconds * 10_000).rounded() / (isLong ? 100 : 10)).description
        return (number.hasSuffix(".0") ? String(number.dropLast(2)) : number) + (isLong ? " s" : " ms")
    }
}

extension TransportError {
    /// The error of a deadline, with how the time was spent.
    func saying(_ spending: DeadlineSpending) -> TransportError {
        guard !spending.parts.isEmpty else { return self }
        var error = self
        error.message += ": \(spending)"
        return error
    }
}

// MARK: - Record

/// Adds up how long each phase of a call takes: at each instant, the call is in one phase.
struct SpendingLedger: Sendable {
    private var phase: DeadlineSpending.Phase
    private var since: ContinuousClock.Instant
    private var totals: DeadlineSpending.Totals = [:]

    init(_ phase: DeadlineSpending.Phase, since start: ContinuousClock.Instant) {
        (self.phase, since) = (phase, start)
    }

    /// Ends the present phase, and begins another.
    ///
    /// - Returns: The phase before.
    @discardableResult
    mutating func enter(_ next: DeadlineSpending.Phase, at now: ContinuousClock.Instant) -> DeadlineSpending.Phase {
        settle(at: now)
        defer { phase = next }
        return phase
    }

    /// Begins to receive a body, if the call waits for a response.
    ///
    /// - Returns: Whether it has begun.
    @discardableResult
    mutating func beginBody(at now: ContinuousClock.Instant) -> Bool {
        guard phase == .attempt || phase == .redirects else { return false }
        enter(.body, at: now)
        return true
    }

    /// The times of all phases, the present one included.
    func totals(at now: ContinuousClock.Instant) -> DeadlineSpending.Totals {
        var ledger = self
        ledger.settle(at: now)
        return ledger.totals
    }

    /// Replaces time of the attempt by what another call did in it.
    mutating func replaceAttempt(by spent: DeadlineSpending.Totals, at now: ContinuousClock.Instant) {
        settle(at: now)
        for (phase, time) in spent where phase != .attempt && time > .zero {
            let replaced = min(time, totals[.attempt] ?? .zero)
            totals[.attempt, default: .zero] -= replaced
            totals[phase, default: .zero] += replaced
        }
    }

    private mutating func settle(at now: ContinuousClock.Instant) {
        // Another thread may have read the clock before the last change and come later.
        guard now > since else { return }
        totals[phase, default: .zero] += since.duration(to: now)
        since = now
    }
}

/// How the time of one call is spent.
///
/// A call has one only if it may take long: from its start if it runs in its own task or through middleware, otherwise
/// from the first step that waits.
package final class SpendingRecord: Sendable {
    /// How another call has spent the time up to an instant in which this one waits for it.
    typealias Joined = @Sendable (ContinuousClock.Instant) -> DeadlineSpending.Totals

    private struct State: Sendable {
        var ledger: SpendingLedger
        var joined: Joined?
        var journal = CallJournal()
        /// The phase in which the call entered the transport's queue, or began to wait for a connection.
        var phaseBeforeWait: DeadlineSpending.Phase?
        /// Whether the last attempt has ended without a connection, or waits for one.
        var isConnecting = false

        mutating func enter(
            _ phase: DeadlineSpending.Phase,
            at now: ContinuousClock.Instant,
        ) -> DeadlineSpending.Phase {
            journal.enter(phase, at: now)
            return ledger.enter(phase, at: now)
        }
    }

    private let state: Lock<State>

    /// - Parameters:
    ///   - phase: The phase of the time so far.
    ///   - start: When the call started.
    ///   - attempt: The number of the attempt that has begun before, if there is one.
    init(_ phase: DeadlineSpending.Phase, since start: ContinuousClock.Instant, attempt: Int? = nil) {
        var state = State(ledger: SpendingLedger(phase, since: start))
        if let attempt { state.journal.beginAttempt(attempt, at: start) }
        state.journal.enter(phase, at: start)
        self.state = Lock(state)
    }

    @discardableResult
    func enter(_ phase: DeadlineSpending.Phase, at now: ContinuousClock.Instant) -> DeadlineSpending.Phase {
        state.withLock { $0.enter(phase, at: now) }
    }

    /// Begins to wait in the transport's queue, or for a connection.
    func beginWait(_ phase: DeadlineSpending.Phase, at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.phaseBeforeWait = state.enter(phase, at: now)
            state.isConnecting = phase == .connecting
        }
    }

    /// Ends such a wait.
    func endWait(at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.isConnecting = false
            guard let before = state.phaseBeforeWait.take() else { return }
            _ = state.enter(before, at: now)
        }
    }

    package var isConnecting: Bool { state.withLock(\.isConnecting) }

    func beginBody(at now: ContinuousClock.Instant) {
        state.withLock { state in
            if state.ledger.beginBody(at: now) { state.journal.enter(.body, at: now) }
        }
    }

    func beginAttempt(_ number: Int, at now: ContinuousClock.Instant) {
        state.withLock { state in
            _ = state.enter(.attempt, at: now)
            state.isConnecting = false
            state.journal.beginAttempt(number, at: now)
        }
    }

    /// Records the end of an attempt, after which the call does something else.
    func endAttempt(_ number: Int?, _ outcome: CallJournal.Outcome, at now: ContinuousClock.Instant) {
        state.withLock { state in
            _ = state.enter(.other, at: now)
            state.journal.endAttempt(number, outcome, at: now)
        }
    }

    /// Records how the present attempt ended, if nothing else has recorded it.
    func noteEnd(_ outcome: CallJournal.Outcome, at now: ContinuousClock.Instant) {
        state.withLock { $0.journal.endAttempt(nil, outcome, at: now) }
    }

    /// When the attempts and waits so far began and ended.
    package var journal: CallJournal { state.withLock(\.journal) }

    /// Begins to wait for an attempt of another call.
    func join(at now: ContinuousClock.Instant, _ joined: @escaping Joined) {
        state.withLock { state in
            state.ledger.enter(.attempt, at: now)
            state.joined = joined
        }
    }

    /// Ends the wait for an attempt of another call.
    func leave(at now: ContinuousClock.Instant) {
        let spent = state.withLock(\.joined)?(now)
        // The other call is released after unlocking.
        _ = state.withLock { state in
            if let spent { state.ledger.replaceAttempt(by: spent, at: now) }
            state.ledger.enter(.other, at: now)
            return state.joined.take()
        }
    }

    func totals(at now: ContinuousClock.Instant) -> DeadlineSpending.Totals {
        var (ledger, joined) = state.withLock { ($0.ledger, $0.joined) }
        // Outside of the lock, since the other call has its own.
        if let joined { ledger.replaceAttempt(by: joined(now), at: now) }
        return ledger.totals(at: now)
    }
}

// MARK: - Steps

extension RequestContext {
    /// Counts the time of a wait as a phase of its own.
    ///
    /// It reads the clock twice, so it is for a wait that really happens, and not for each call.
    package func spending<Value>(
        _ phase: DeadlineSpending.Phase,
        _ work: () async throws -> Value,
    ) async rethrows -> Value {
        let before = enter(phase)
        defer { enter(before) }
        return try await work()
    }

    /// Begins a phase.
    ///
    /// - Returns: The phase before.
    @discardableResult
    func enter(_ phase: DeadlineSpending.Phase) -> DeadlineSpending.Phase {
        call.recordedSpending().enter(phase, at: clock.now)
    }

    /// Records how the time is spent from the start, for a call through steps that may wait.
    package func recordSpending() {
        _ = call.recordedSpending()
    }

    /// Counts the time of a provider or signer as authorization, and ends the call if its deadline has passed.
    ///
    /// Most of them don't wait. Without a record, the clock is read only afterwards: before the first request, all time
    /// so far is that of authorization.
    func authorizing<Value>(_ work: () async throws -> Value) async throws -> Value {
        let record = call.spending
        let before = record?.enter(.authorization, at: clock.now)
        let result = await Result(work)
        let now = clock.now
        if let record, let before {
            record.enter(before, at: now)
        } else if attempt == 0, start.duration(to: now) >= .milliseconds(1) {
            // An attempt has begun if it is a signer that has waited.
            let next = call.recordedSpending(startingIn: .authorization)
            next.enter(hasBegunAttempt ? .attempt : .other, at: now)
        }
        let value = try result.get()
        try checkDeadline(at: now)
        return value
    }

    /// Begins a request that follows a redirect, unless the deadline has passed.
    func beginRedirect() throws(TransportError) {
        let now = clock.now
        call.recordedSpending().enter(.redirects, at: now)
        try checkDeadline(at: now)
    }

    /// Ends the call if its deadline has passed, for steps after which something is sent.
    ///
    /// A shared exchange has no deadline, since other calls may have more time.
    func checkDeadline(at now: ContinuousClock.Instant? = nil) throws(TransportError) {
        guard let deadline = CallCancellation.scope?.deadline, deadline <= now ?? clock.now else { return }
        throw call.deadlineError
    }

    /// Begins to wait for an attempt of another call.
    func beginWaiting(for other: RequestContext) {
        let before = other.spentTotals(at: other.clock.now)
        call.recordedSpending().join(at: clock.now) { now in
            other.spentTotals(at: now).merging(before.mapValues { .zero - $0 }, uniquingKeysWith: +)
        }
    }

    /// Ends the wait for another call's attempt.
    func endWaiting() {
        call.recordedSpending().leave(at: clock.now)
    }

    /// How the time was spent so far.
    package var spent: DeadlineSpending {
        let isConnecting = call.spending?.isConnecting ?? false
        return DeadlineSpending(spentTotals(at: clock.now), attempts: attempt, isConnecting: isConnecting)
    }

    /// How long the call has waited for its turn so far.
    func queuedTime(at now: ContinuousClock.Instant) -> Duration {
        call.spending?.totals(at: now)[.queueing] ?? .zero
    }

    private func spentTotals(at now: ContinuousClock.Instant) -> DeadlineSpending.Totals {
        if let record = call.spending { return record.totals(at: now) }
        return [hasBegunAttempt ? .attempt : .other: max(.zero, start.duration(to: now))]
    }

    /// An error that ends the call; that of the deadline with how the time was spent.
    package func detailed(_ error: TransportError, _ spending: DeadlineSpending? = nil) -> TransportError {
        let own = call.deadlineError
        // A streamed body has said it already, and a transport of the app's own may say something else.
        guard error.reason == .deadline, error.message == own.message else { return error }
        return error.saying(spending ?? spent)
    }
}

extension CallInformation: ExchangeListener {
    package func enterQueue() { recordedSpending().beginWait(.queueing, at: clock.now) }
    package func beginConnecting() { recordedSpending().beginWait(.connecting, at: clock.now) }
    package func leaveQueue() { recordedSpending().endWait(at: clock.now) }
    package func endConnecting() { recordedSpending().endWait(at: clock.now) }
    package func resend(after reason: FailureReason) { log?.resends(after: reason) }
}

extension CallInformation {
    /// Whether a status means success; transports call it when a header block has arrived without its whole body.
    func acceptsHead(_ status: HTTPStatus) -> Bool {
        recordedSpending().beginBody(at: clock.now)
        return accepts(status)
    }
}
