import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A deadline that all calls in a scope share, in addition to their own timeouts.
///
/// ```swift
/// let first = try await CallDeadline.within(.seconds(2)) {
///     let items = try await client.send(Qiita.Items())
///     return try await client.send(Qiita.ItemByID(id: items[0].id))
/// }
/// ```
/// It is inherited by child tasks and by `Task {}`, but not by detached tasks. It can only become earlier: within
/// another deadline the earlier one applies. It ends only calls, with ``FailureReason/deadline``, and nothing else in
/// the scope.
///
/// A call that is made inside of another one, in a middleware, a token provider, a signer, a redirect policy or
/// `response(from:)`, inherits the deadline of that call in the same way, its timeout included. Work that serves
/// several calls must not end with one of them: start it in a detached task, as ``RefreshingToken`` does. A call that
/// is started by ``BoundRequest/call()`` continues after the outer one, and inherits only the deadline of
/// ``within(_:clock:isolation:operation:)``.
public enum CallDeadline {
    /// The instant at which calls that this task makes must have ended; `nil` if there is none.
    ///
    /// It is the earlier one of what ``within(_:clock:isolation:operation:)`` has set and, inside of a call, that
    /// call's own deadline.
    public static var current: ContinuousClock.Instant? { earlier(of: nil, inside: CallCancellation.scope) }

    @TaskLocal private static var bound: ContinuousClock.Instant?

    /// Runs an operation whose calls must end within a duration that starts now.
    ///
    /// - Parameters:
    ///   - duration: The time for all of them together; a hundred years or more mean no limit.
    ///   - clock: The clock for the duration: the clock of the client's options.
    ///   - isolation: The isolation of the operation: the caller's.
    ///   - operation: Makes the calls.
    /// - Returns: The operation's return value.
    /// - Throws: The operation's error.
    public static func within<Value>(
        _ duration: Duration,
        clock: any HTTPClock = SystemClock(),
        isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Value,
    ) async rethrows -> Value {
        // Without the deadline of a call around it: a call that is started here may outlive that one.
        let deadline = earlier(of: duration, after: clock.now, inside: nil)
        return try await $bound.withValue(deadline, operation: operation, isolation: isolation)
    }

    /// The earliest one of the end of a timeout, the deadline of this task's scope, and that of the call around it.
    static func earlier(
        of timeout: Duration?,
        after start: ContinuousClock.Instant,
        inside scope: CallScope?,
    ) -> ContinuousClock.Instant? {
        // A very long timeout means none: such an instant can't be represented.
        let isLimited = timeout.map { $0 < .farFuture } ?? false
        return earlier(of: isLimited ? timeout.map { start.advanced(by: max($0, .zero)) } : nil, inside: scope)
    }

    private static func earlier(
        of own: ContinuousClock.Instant?,
        inside scope: CallScope?,
    ) -> ContinuousClock.Instant? {
        var earliest = own
        if let bound { earliest = min(earliest ?? bound, bound) }
        if let outer = scope?.deadline { earliest = min(earliest ?? outer, outer) }
        return earliest
    }

    /// Whether ``within(_:clock:isolation:operation:)`` has set a deadline in this task.
    package static func isBound(_ deadline: ContinuousClock.Instant) -> Bool { bound == deadline }

    /// Runs code that starts work for several calls: without a deadline or a cancellation of the call that it runs in.
    static func outsideOfCalls<Value>(_ body: () throws -> Value) rethrows -> Value {
        try CallCancellation.$scope.withValue(nil) { try $bound.withValue(nil, operation: body) }
    }
}

extension CallInformation {
    /// The error of a call that has reached its deadline.
    package var deadlineError: TransportError {
        let allowed = deadline.map { start.duration(to: $0) } ?? .zero
        // No time was left, or less than none if the work before the call has used it up.
        guard allowed > .zero || !endsBeforeTimeout else {
            return CallCause.deadline.error("the deadline had passed before the call began", hint: deadlineHint)
        }
        let text = endsBeforeTimeout ? allowed.roundedText : allowed.shortText
        return CallCause.deadline.error("the call took longer than \(text)", hint: deadlineHint)
    }

    private var deadlineHint: String {
        guard !endsBeforeTimeout else {
            return "Allow more time in CallDeadline.within, or in the call around this one: a longer timeout of this "
                + "request changes nothing."
        }
        return choices.timeout == nil
            ? "Raise timeout in the client's options, or set the request's timeout." : "Raise the request's timeout."
    }

    /// Whether a deadline that the call has inherited is earlier than its own timeout.
    private var endsBeforeTimeout: Bool {
        guard let deadline else { return false }
        guard let timeout, timeout < .farFuture else { return true }
        return deadline < start.advanced(by: max(timeout, .zero))
    }
}

extension Duration {
    /// The duration with two leading digits: `about 300 ms` for 299.9 ms.
    ///
    /// A deadline that was set before the call leaves a bit less than was set.
    fileprivate var roundedText: String {
        let microseconds = self / .microseconds(1)
        var unit = 1.0
        while microseconds / unit >= 100 { unit *= 10 }
        let rounded = Duration.microseconds((microseconds / unit).rounded() * unit).shortText
        return rounded == shortText ? rounded : "about \(rounded)"
    }
}

extension HTTPBody {
    /// The same body, whose reader gets ``FailureReason/deadline`` when the call has reached its deadline.
    package func ending(at deadline: ContinuousClock.Instant, of context: RequestContext) -> HTTPBody {
        guard case .stream(let stream) = storage else { return self }
        context.enter(.body)
        return HTTPBody(pulling: DeadlineSource(self, deadline: deadline, of: context), count: stream.count)
    }
}

/// Reads another body until a deadline, even if that body is stuck.
private final class DeadlineSource: BodySource {
    private struct State: Sendable {
        var body: ReadBody?
        var race: Race<Data?>?
        var timer: HTTPClockTimer?
        /// The error, once the deadline has passed.
        var passed: TransportError?
        var isAtEnd = false
    }

    private let state: Lock<State>
    /// The error, with how the time was spent.
    private let makeError: @Sendable () -> TransportError
    /// Holds no source: the reader owns that.
    private let original: HTTPBody

    init(_ body: HTTPBody, deadline: ContinuousClock.Instant, of context: RequestContext) {
        // The call isn't kept: its body may be read for long after it.
        let (error, attempts, clock) = (context.call.deadlineError, context.attempt, context.clock)
        let spending = context.call.recordedSpending()
        makeError = { error.saying(DeadlineSpending(spending.totals(at: clock.now), attempts: attempts)) }
        original = body
        state = Lock(State(body: ReadBody(body)))
        let timer = context.clock.schedule(at: deadline) { [weak self] in self?.pass() }
        state.withLock { $0.timer = timer }
    }

    func next() async throws -> Data? {
        let race = Race<Data?>()
        let body = try state.withLock { state throws(TransportError) in
            if let passed = state.passed { throw passed }
            state.race = race
            return state.body
        }
        guard let body else {
            if state.withLock(\.isAtEnd) { return nil }
            throw CancellationError()
        }
        defer { state.withLock { $0.race = nil } }
        let piece = try await race.run { try await body.next() }
        if piece == nil {
            state.withLock { $0.isAtEnd = true }
            cancel()
        }
        return piece
    }

    var trailers: HTTPHeaders { original.trailers }

    func cancel() {
        let dropped = state.withLock { state in
            let dropped = state
            (state.body, state.race, state.timer) = (nil, nil, nil)
            return dropped
        }
        dropped.timer?.cancel()
        dropped.race?.finish(with: .failure(CancellationError()))
    }

    private func pass() {
        let passed = makeError()
        let (body, race) = state.withLock { state in
            defer { (state.passed, state.body, state.timer) = (passed, nil, nil) }
            return (state.body, state.race)
        }
        race?.finish(with: .failure(passed))
        // Released outside the lock: that closes its source.
        _ = body
    }
}

/// `@unchecked`: the compiler can't see that the iterator is touched only by `next`, which isn't called twice at once.
///
/// It can go when a body's iterator is Sendable.
package final class ReadBody: @unchecked Sendable {
    private var iterator: HTTPBody.AsyncIterator

    package init(_ body: HTTPBody) {
        iterator = body.makeAsyncIterator()
    }

    package func next() async throws -> Data? { try await iterator.next() }
}
