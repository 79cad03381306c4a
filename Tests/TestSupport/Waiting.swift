import Dispatch
import Foundation

/// Waits without a timer until the task is cancelled: for work that ends by its cancellation alone.
///
/// - Throws: `CancellationError`, always.
package func untilCancelled() async throws -> Never {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
}

/// Waits until a condition holds that nothing announces, such as what another process or thread does.
///
/// Where there is an event, wait for that instead: by a `Gate`, a stream or a continuation.
///
/// - Parameters:
///   - limit: How long it may take. The default is only for a condition that never holds: on a busy machine, a task may
///     wait a minute for its turn.
///   - isolation: Where the condition is looked at: where the caller is.
///   - condition: What is looked at every millisecond.
/// - Returns: Whether it came to hold in time.
/// - Throws: What the condition throws, and `CancellationError`.
package func holds(
    within limit: Duration = .seconds(300),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool,
) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { return false }
        try await spendRealTime(.milliseconds(1))
    }
    return true
}

/// Yields `count` times, so that what follows happens at another moment in each round or run, without a clock.
package func yieldRepeatedly(_ count: Int) async {
    for _ in 0..<count { await Task.yield() }
}

/// Lets time pass on the real clock, for tests in which time itself matters: a peer that is slow on purpose, or a
/// silence that has no event.
///
/// It is for nothing else: a pause that is long enough on one machine is too short on another, and lost on all. Each
/// place says why it needs it.
package func spendRealTime(_ time: Duration) async throws {
    try await Task.sleep(for: time)
}

/// As the function above, for threads that block.
package func spendRealTime(_ time: Duration) {
    let end = ContinuousClock.now + time
    let nobody = DispatchGroup()
    nobody.enter()
    defer { nobody.leave() }
    while case let left = end - .now, left > .zero { _ = nobody.wait(timeout: .now() + left / .seconds(1)) }
}

/// As `holds(within:isolation:_:)`, for threads that block.
package func holdsBlocking(within limit: Duration = .seconds(300), _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        spendRealTime(.milliseconds(1))
    }
    return true
}
