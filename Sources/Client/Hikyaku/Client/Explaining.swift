import HikyakuBase

extension APIClient {
    /// What this client would do with a request, without sending it: what would be sent, who set it, what is missing,
    /// and the state of the limits, the circuit and the retries.
    ///
    /// ```swift
    /// print(try await client.explain(Shop.Dishes()))
    /// ```
    /// Any client explains any request: what can't be sent has a line that says why. The request
    /// is built as for a call, which runs its ``APIRequest/prepare(_:)`` and reads the cookie store. Nothing
    /// else of the app is called: no middleware, no token provider and no signer, so what these change is not known.
    /// No budget, limit or circuit changes, and nothing is logged.
    ///
    /// - Parameter request: The request, of any level.
    /// - Returns: The explanation, which prints as a tree.
    /// - Throws: ``APIError/invalidRequest(_:)`` with the part that can't be sent; the error of the cookie store as for
    ///   a call.
    public func explain<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> CallExplanation {
        try await BoundRequest(request: request, core: core).explain()
    }
}

extension BoundRequest {
    /// What the client would do with the request, without sending it: see ``APIClient/explain(_:)``.
    ///
    /// - Throws: As ``APIClient/explain(_:)``.
    public func explain() async throws(APIError<R.Failure>) -> CallExplanation {
        // Nothing is logged, so the request gets no number in the log.
        let core = core.parts.logging == nil ? core : core.with { $0.logging = nil }
        let call = Call(of: request, by: core)
        var planned: HTTPRequest
        do { planned = try request.built(for: call.context, by: core) } catch { throw APIError(settled: error) }
        do {
            let added = try await core.foresee(&planned, call.context)
            return call.explanation(of: request, planned, adding: added)
        } catch {
            throw call.error(error, planned)
        }
    }
}

extension APIError {
    /// How the last attempt ended.
    private var outcome: CallJournal.Outcome { response.map { .status($0.status) } ?? .failure(reason) }

    /// The same error with an explanation of its call, unless it has one.
    func explained<R: APIRequest>(by call: Call, _ request: R, _ built: HTTPRequest) -> APIError {
        guard context.explanation == nil else { return self }
        var sent = call.context.sent ?? built
        sent.pathSecrets.formUnion(built.pathSecrets)
        var context = context
        context.explanation = call.explanation(of: request, sent, endingWith: outcome)
        return with(context)
    }

}

extension Call {
    /// Explains the call.
    ///
    /// - Parameters:
    ///   - request: The request that the call was created from.
    ///   - http: The request as it was built or sent.
    ///   - added: Fields that would be added.
    ///   - end: How the call ended; `nil` before it.
    /// - Returns: The explanation.
    func explanation<R: APIRequest>(
        of request: R,
        _ http: HTTPRequest,
        adding added: [CallExplanation.Field] = [],
        endingWith end: CallJournal.Outcome? = nil,
    ) -> CallExplanation {
        core.explanation(
            of: http,
            context,
            written: request.writtenHeaders,
            adding: added,
            isStubbed: core.stub(for: request) != nil,
            endingWith: end,
        )
    }
}
