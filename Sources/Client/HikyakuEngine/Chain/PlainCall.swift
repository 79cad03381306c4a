import HikyakuBase

// Most calls meet no step that does anything: the request is sent, and its response needs nothing. This file has the
// short way of such a call. It makes the first exchange at once. Only if that ends with an error, or with a response
// that one of the steps may have something to do with, the steps are gone through, with the exchange already made.
// Without it, a small typed call costs 14,000 instructions more, of 96,000.
//
// What it needs in other files:
// - `CallChain.next(for:by:)` returns `nil` for a call with no other steps than those of every call, so that no list
//   of steps is made for it. `CallChain.ofEveryCall` is the list of those, made once for a client.
// - `StepOfEveryCall` marks these steps. Before the exchange, `ContentCodingStep.ready` and `AttemptStep.ready` are
//   called here; after it, `HTTPResponse.isUnusual` and `RetryStep.concerns` say whether it concerns a step.
// - `CallEnd.sendPlain` and `CallNext.End.plain` lead here from the steps around the attempts.
// - `HeldExchange` and `CallNext.End.held` have the exchange for the steps. `RetryStep` takes the start from it, so the
//   clock isn't read again, and `AttemptStep` the attempt, which has begun. They are in `Steps/`, since a folder refers
//   only to those after it.

extension ClientCore {
    /// Sends a request as through all steps of every call.
    @inline(__always)
    nonisolated(nonsending) func sendPlain(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let start = context.clock.now
        let attempt = context.beginAttempt()
        let first: Result<HTTPResponse, any Error>
        do {
            let response = try await transmit(prepared(request, attempt), attempt)
            if !concernsSteps(response) {
                if response.status.earnsRetries { chain.retries.noteSuccess(from: start, context) }
                return attempt.received(response)
            }
            first = .success(response)
        } catch {
            first = .failure(error)
        }
        return try await send(request, context, from: start, attempt, consume first)
    }

    /// The request as the steps of an attempt and a hop pass it on.
    @inline(never)
    private func prepared(_ request: HTTPRequest, _ attempt: RequestContext) throws -> HTTPRequest {
        let coded = chain.coding.ready(request, attempt)
        guard !attempt.call.leavesOrigin else { return try chain.attempts.ready(coded, attempt.call) }
        // Checked here, so that the transport doesn't need to.
        return try (consume coded).checkedForWire()
    }

    /// Whether a step may have something to do with the response to the first exchange.
    private func concernsSteps(_ response: HTTPResponse) -> Bool {
        response.isUnusual || response.headers.contains(.contentEncoding) || chain.retries.concerns(response)
    }

    @inline(never)
    nonisolated(nonsending) private func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        from start: ContinuousClock.Instant,
        _ attempt: RequestContext,
        _ first: consuming Result<HTTPResponse, any Error>,
    ) async throws -> HTTPResponse {
        let held = HeldExchange(consume first, of: attempt, from: start)
        return try await CallNext(chain.ofEveryCall[...], .held(held, self))(request, context)
    }
}
