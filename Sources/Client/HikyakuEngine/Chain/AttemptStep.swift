/// Begins an attempt, and notes how it ended.
struct AttemptStep: StepOfEveryCall {
    private let redirectPolicy: RedirectPolicy

    init(_ options: ClientOptions) {
        redirectPolicy = options.redirectPolicy
    }

    var stage: CallStage { .attempt }

    nonisolated(nonsending) func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        let attempt = next.held?.attempt ?? context.beginAttempt()
        do {
            // Checked before a store or a signer is called for it.
            return try await attempt.received(next(ready(request, attempt).checkedForWire(), attempt))
        } catch {
            attempt.failed(error)
            throw error
        }
    }

    /// The request without what another origin must not get: a middleware may have added fields.
    @inline(__always)
    func ready(_ request: HTTPRequest, _ context: RequestContext) throws(TransportError) -> HTTPRequest {
        guard context.call.leavesOrigin else { return request }
        var ready = request
        try (context.call.choices.redirectPolicy ?? redirectPolicy).leaveOrigin(with: &ready)
        return ready
    }
}
