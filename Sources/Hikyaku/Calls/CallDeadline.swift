import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A deadline that all calls within a scope share, whatever timeouts of their own they have.
///
/// ```swift
/// try await CallDeadline.within(.seconds(2)) {
///     let items = try await client.send(Qiita.Items())
///     return try await client.send(Qiita.ItemByID(id: items[0].id))
/// }
/// ```
/// It is inherited by child tasks and by `Task {}`, not by detached ones, and can only become nearer: within another
/// deadline the earlier one holds. It ends calls, with ``FailureReason/deadline``, and nothing else that happens in the
/// scope.
public enum CallDeadline {
    /// The instant by which calls of this task have to be over; `nil` where none was set.
    public static var current: ContinuousClock.Instant? { bound }

    @TaskLocal private static var bound: ContinuousClock.Instant?

    /// Runs an operation whose calls have to be over within a time that begins now.
    ///
    /// - Parameters:
    ///   - duration: The time for all of them together; a hundred years or more stand for ever.
    ///   - clock: What the time is measured by: the clock of the client's options.
    ///   - isolation: Where the operation runs: where the caller does.
    ///   - operation: What makes the calls.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public static func within<Value>(
        _ duration: Duration,
        clock: any HTTPClock = SystemClock(),
        isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Value,
    ) async rethrows -> Value {
        guard duration < .farFuture else { return try await operation() }
        let own = clock.now.advanced(by: max(duration, .zero))
        return try await $bound.withValue(min(own, current ?? own), operation: operation, isolation: isolation)
    }
}

extension HTTPBody {
    /// The same body, whose reader gets ``FailureReason/deadline`` when the call's time is over.
    func ending(at deadline: ContinuousClock.Instant, of context: RequestContext) -> HTTPBody {
        guard case .stream(let stream) = storage else { return self }
        return HTTPBody(pulling: DeadlineSource(self, deadline: deadline, of: context), count: stream.count)
    }
}

/// Reads another body until a deadline, whatever that body does meanwhile.
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
    /// Keeps no source: that is its reader's.
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
        // Dropped outside the lock: that closes what it comes from.
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
