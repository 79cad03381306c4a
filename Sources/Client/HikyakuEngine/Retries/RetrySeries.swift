/// The attempts of one request, one after the other: decides about another one, and waits before it.
///
/// Whatever repeats something of a call repeats it by this: the attempts, the messages of an upload, and the requests
/// for the rest of a file.
package struct RetrySeries {
    private let step: RetryStep
    private let context: RequestContext
    private let isReplayable: Bool
    private var machine: RetryMachine

    /// - Parameters:
    ///   - step: The policy, and what decides by it.
    ///   - context: The call.
    ///   - isReplayable: Whether the request can be sent again.
    ///   - retriesCount: How many retries count before the first attempt.
    package init(_ step: RetryStep, _ context: RequestContext, isReplayable: Bool = true, retriesCount: Int = 0) {
        (self.step, self.context, self.isReplayable) = (step, context, isReplayable)
        machine = RetryMachine(step.policy, isReplayable: isReplayable, retriesCount: retriesCount)
    }

    /// Decides about another attempt.
    ///
    /// - Parameters:
    ///   - result: How the last attempt ended.
    ///   - start: When it started.
    ///   - hasProgress: Whether it was not in vain: then attempts count again from one, and need no budget.
    /// - Returns: When another attempt starts; `nil` if the result is the request's.
    package mutating func pause(
        after result: Result<HTTPResponse, any Error>,
        from start: ContinuousClock.Instant,
        hasProgress: Bool = false,
    ) -> ContinuousClock.Instant? {
        guard step.isActive else { return nil }
        if hasProgress { machine = RetryMachine(step.policy, isReplayable: isReplayable) }
        return step.pause(after: result, from: start, context, &machine, needsBudget: !hasProgress)
    }

    /// Waits before another attempt.
    package func wait(until instant: ContinuousClock.Instant) async throws {
        try await context.spending(.pause) { try await context.clock.sleep(until: instant) }
    }
}
