import HikyakuBase

/// One wait for an instant, which may end early.
///
/// States: idle → waiting → ended, or idle → ended. Its first end counts.
package final class ClockWait: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, any Error>)
        case ended(Result<Void, any Error>)
    }

    private let state = Lock(State.idle)

    package init() {}

    /// Waits, once.
    ///
    /// - Parameters:
    ///   - instant: When the wait ends; `nil` for never.
    ///   - clock: The clock of the instant.
    /// - Throws: `CancellationError` if the call or its task is cancelled before; the error of ``end(_:)``.
    package func run(until instant: ContinuousClock.Instant?, by clock: any HTTPClock) async throws {
        let timer = instant.map { clock.schedule(at: $0) { self.end(.success(())) } }
        defer { timer?.cancel() }
        try await CallCancellation.withHandler {
            try await withCheckedThrowingContinuation { begin($0) }
        } onCancel: {
            self.end(.failure(CancellationError()))
        }
    }

    /// Ends the wait, unless it has ended.
    package func end(_ result: Result<Void, any Error>) {
        let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(result) } }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(with: result)
    }

    private func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let known: Result<Void, any Error>? = state.withLock { state in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let known { continuation.resume(with: known) }
    }
}

extension HTTPClock {
    /// Waits for an instant.
    ///
    /// - Throws: `CancellationError` if the call or its task is cancelled before.
    package func sleep(until instant: ContinuousClock.Instant) async throws {
        try await ClockWait().run(until: instant, by: self)
    }
}
