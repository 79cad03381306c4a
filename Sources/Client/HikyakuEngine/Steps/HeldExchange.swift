import HikyakuBase

/// The first exchange of a call, made before the steps around it: a part of the short way of `PlainCall.swift`.
final class HeldExchange: Sendable {
    /// When it started.
    let start: ContinuousClock.Instant
    /// The context of its attempt.
    let attempt: RequestContext
    private let result: Lock<Result<HTTPResponse, any Error>?>

    init(_ result: Result<HTTPResponse, any Error>, of attempt: RequestContext, from start: ContinuousClock.Instant) {
        (self.result, self.attempt, self.start) = (Lock(result), attempt, start)
    }

    var isThere: Bool { result.withLock { $0 != nil } }

    /// The result of the exchange, once: nothing else may hold the response while a step waits.
    func take() -> Result<HTTPResponse, any Error>? { result.withLock { $0.take() } }
}
