import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A deadline that all calls in a scope share, in addition to their own timeouts.
///
/// ```swift
/// try await CallDeadline.within(.seconds(2)) {
///     let items = try await client.send(Qiita.Items())
///     return try await client.send(Qiita.ItemByID(id: items[0].id))
/// }
/// ```
/// It is inherited by child tasks and by `Task {}`, but not by detached tasks. It can only become earlier: within
/// another deadline the earlier one applies. It ends only calls, with ``FailureReason/deadline``, and nothing else in
/// the scope.
public enum CallDeadline {
    /// The instant at which calls of this task must have ended; `nil` if none was set.
    public static var current: ContinuousClock.Instant? { bound }

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
        let deadline = earlier(of: duration, after: clock.now)
        return try await $bound.withValue(deadline, operation: operation, isolation: isolation)
    }

    /// The earlier one of the current deadline and the end of a timeout.
    static func earlier(of timeout: Duration?, after start: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        // A very long timeout means none: such an instant can't be represented.
        guard let timeout, timeout < .farFuture else { return current }
        let own = start.advanced(by: max(timeout, .zero))
        return min(own, current ?? own)
    }
}

extension HTTPBody {
    /// The same body, whose reader gets ``FailureReason/deadline`` when the call has reached its deadline.
    func ending(at deadline: ContinuousClock.Instant, of context: RequestContext) -> HTTPBody {
        guard case .stream(let stream) = storage else { return self }
        return HTTPBody(pulling: DeadlineSource(self, deadline: deadline, of: context), count: stream.count)
    }
}

/// Reads another body until a deadline, even if that body is stuck.
private final class DeadlineSource: BodySource {
    private struct State: Sendable {
        var body: ReadBody?
        var race: Race<Data?>?
        var timer: HTTPClockTimer?
        var isPassed = false
        var isAtEnd = false
    }

    private let state: Lock<State>
    private let passed: TransportError
    /// Holds no source: the reader owns that.
    private let original: HTTPBody

    init(_ body: HTTPBody, deadline: ContinuousClock.Instant, of context: RequestContext) {
        passed = TransportError(.deadline, "the call took longer than \(context.start.duration(to: deadline))")
        original = body
        state = Lock(State(body: ReadBody(body)))
        let timer = context.clock.schedule(at: deadline) { [weak self] in self?.pass() }
        state.withLock { $0.timer = timer }
    }

    func next() async throws -> Data? {
        let race = Race<Data?>()
        let body = try state.withLock { state throws(TransportError) in
            guard !state.isPassed else { throw passed }
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
        let (body, race) = state.withLock { state in
            defer { (state.isPassed, state.body, state.timer) = (true, nil, nil) }
            return (state.body, state.race)
        }
        race?.finish(with: .failure(passed))
        // Released outside the lock: that closes its source.
        _ = body
    }
}

/// `@unchecked`: the compiler can't see that the iterator is touched only by `next`, which isn't called twice at once.
private final class ReadBody: @unchecked Sendable {
    private var iterator: HTTPBody.AsyncIterator

    init(_ body: HTTPBody) {
        iterator = body.makeAsyncIterator()
    }

    func next() async throws -> Data? { try await iterator.next() }
}
