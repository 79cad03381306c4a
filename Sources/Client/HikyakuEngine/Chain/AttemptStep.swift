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
            return try await attempt.received(next(ready(request, attempt.call).checkedForWire(), attempt))
        } catch {
            attempt.failed(error)
            throw error
        }
    }

    /// The request without what another origin must not get, if it begins there.
    ///
    /// A request is built with it, and sent with it again: a middleware may have added fields.
    @inline(__always)
    func ready(_ request: HTTPRequest, _ call: CallInformation) throws(TransportError) -> HTTPRequest {
        guard call.leavesOrigin else { return request }
        var ready = request
        try (call.choices.redirectPolicy ?? redirectPolicy).leaveOrigin(with: &ready)
        return ready
    }
}
