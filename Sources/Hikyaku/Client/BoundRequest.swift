/// A request together with a client that may send it: what generic code takes.
///
/// Made by `bind(_:)` of a client, which is where the levels are compared; so whoever holds one can send it.
public struct BoundRequest<R: APIRequest>: Sendable {
    /// The request.
    public let request: R
    let core: ClientCore

    /// Another request of the type, together with the same client.
    package func with(_ request: R) -> BoundRequest {
        BoundRequest(request: request, core: core)
    }

    /// Sends the request and returns its model.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func send() async throws(APIError<R.Failure>) -> R.Response {
        try await core.send(request)
    }

    /// Sends the request and returns its model with status, headers and timings.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func response() async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        try await response(telling: nil)
    }

    /// The same, for a call that tells what happens to somebody of its own.
    func response(
        telling listener: (any EventObserver)?
    ) async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        let call = Call(of: request, by: core, recorder: TimingsRecorder(), listener: listener)
        do {
            let (value, response, source) = try await call.run(request)
            return APIResponse(
                value: value,
                status: response.status,
                headers: response.headers,
                trailers: response.trailers,
                timings: call.timings,
                source: source,
                redirects: call.context.redirects,
            )
        } catch {
            throw APIError(settled: error)
        }
    }

    /// The request as this client would send it, but for the credential and `Accept-Encoding`, without sending it.
    ///
    /// - Returns: The request, checked: it can be sent.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func httpRequest() throws(APIError<R.Failure>) -> HTTPRequest {
        do {
            // Nothing of it is logged, so that it takes no number there.
            let core = core.parts.logging == nil ? core : core.with { $0.logging = nil }
            return try request.built(for: Call(of: request, by: core).context, by: core)
        } catch {
            throw APIError(settled: error)
        }
    }

    /// The request as this client would send it, but for the credential, as a line for a shell.
    ///
    /// - Parameter revealingSecrets: Whether headers, the query's values and the body are shown, so that it can be run.
    /// - Returns: The line, as ``HTTPRequest/curlCommand(revealingSecrets:)`` writes it.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func curlCommand(revealingSecrets: Bool = false) throws(APIError<R.Failure>) -> String {
        try httpRequest().curlCommand(revealingSecrets: revealingSecrets)
    }
}

extension APIRequest {
    /// The request as it would be sent by a client without settings of its own and without a credential.
    ///
    /// The client adds `Accept-Encoding` on the way, where the request has none.
    ///
    /// - Returns: The request, checked: it can be sent.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func httpRequest() throws(APIError<Failure>) -> HTTPRequest {
        try BoundRequest(request: self, core: .standard).httpRequest()
    }

    /// The request as a line for a shell, without sending it.
    ///
    /// - Parameter revealingSecrets: Whether headers, the query's values and the body are shown, so that it can be run.
    /// - Returns: The line, as ``HTTPRequest/curlCommand(revealingSecrets:)`` writes it.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func curlCommand(revealingSecrets: Bool = false) throws(APIError<Failure>) -> String {
        try BoundRequest(request: self, core: .standard).curlCommand(revealingSecrets: revealingSecrets)
    }
}

extension BoundRequest: CustomStringConvertible, CustomReflectable {
    /// The request's type, and nothing of what request and client hold.
    public var description: String { "BoundRequest<\(R.self)>" }

    /// The request's type, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["type": String(describing: R.self)]) }
}

extension BoundRequest {
    /// Starts the request and returns the call in flight, which runs to its end whether or not it is kept.
    ///
    /// It inherits a ``CallDeadline`` of the task that starts it, and not its cancellation.
    ///
    /// - Returns: The call: progress, cancellation, the model, a chain.
    @discardableResult
    public func call() -> APICall<R.Response, APIError<R.Failure>> {
        let meter = ProgressMeter()
        let call = APICall<R.Response, APIError<R.Failure>>(meter: meter) { self.cancelledBeforeItsEnd }
        // One that is started inside of another goes on when that one ends.
        let task = CallCancellation.$current.withValue(nil) { Task { call.finish(with: await outcome(of: call)) } }
        call.cancelling(by: task.cancel)
        return call
    }

    /// Starts the request and calls a closure on the main actor when it is over.
    ///
    /// - Parameter completion: Gets the model or the error, once.
    /// - Returns: The call: to cancel it, say.
    @discardableResult
    public func send(
        completion: @escaping @MainActor @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void
    ) -> APICall<R.Response, APIError<R.Failure>> {
        call().completing(completion)
    }

    /// Starts the request and calls a closure when it is over.
    ///
    /// - Parameters:
    ///   - queue: Where it is called.
    ///   - completion: Gets the model or the error, once.
    /// - Returns: The call: to cancel it, say.
    @discardableResult
    public func send(
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>> {
        call().completing(on: queue, completion)
    }

    private func outcome(
        of call: APICall<R.Response, APIError<R.Failure>>
    ) async -> Result<R.Response, APIError<R.Failure>> {
        do {
            let (value, _, _) = try await Call(of: request, by: core, listener: call.meter).run(request) { error in
                // Steps that don't look for cancellation keep nobody waiting.
                call.cancel()
                call.finish(with: .failure(error))
            }
            return .success(value)
        } catch {
            return .failure(APIError(settled: error))
        }
    }

    /// What those get who give up waiting for a call that goes on.
    private var cancelledBeforeItsEnd: APIError<R.Failure> {
        let context = CallContext(
            requestType: String(reflecting: innermostRequest(of: R.self)).withoutModule,
            method: request.writtenMethod,
            url: core.environment(for: request.environment).description,
        )
        return .cancelled(
            CallFailure(.cancelled, message: "the caller was cancelled while it waited", context: context)
        )
    }
}
