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

    @TaskLocal static var bound: ContinuousClock.Instant?

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
