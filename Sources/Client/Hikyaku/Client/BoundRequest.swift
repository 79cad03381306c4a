public import HikyakuBase

/// A request together with a client that may send it: the parameter type for generic code.
///
/// ```swift
/// func load<R: APIRequest>(_ request: BoundRequest<R>) async -> R.Response? {
///     do {
///         return try await request.send()
///     } catch {
///         show(error.localizedDescription)
///         return nil
///     }
/// }
/// let dishes = await load(client.bind(Shop.Dishes()))
/// ```
/// Created by `bind(_:)` of a client, which compares the levels, so a bound request can always be sent.
public struct BoundRequest<R: APIRequest>: Sendable {
    /// The request.
    public let request: R
    let core: ClientCore

    /// Another request of the type, with the same client.
    package func with(_ request: R) -> BoundRequest {
        BoundRequest(request: request, core: core)
    }

    /// Sends the request and returns its model.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func send() async throws(APIError<R.Failure>) -> R.Response {
        try await core.send(request)
    }

    /// Sends the request and returns its model, or `nil` if the service says that there is none: 404 or 410.
    ///
    /// ```swift
    /// let dish = try await client.bind(Shop.DishByID(id: 4)).found()
    /// ```
    /// - Returns: The model; `nil` for a response with the status 404 or 410, whatever its body.
    /// - Throws: ``APIError``, typed by the request's failure.
    public func found() async throws(APIError<R.Failure>) -> R.Response? {
        do {
            return try await send()
        } catch {
            guard error.isOfMissingResource else { throw error }
            return nil
        }
    }

    /// Sends the request and returns its model with status, headers and timings.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func response() async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        try await response(observedBy: nil)
    }

    /// The same, for a call with its own observer.
    func response(
        observedBy listener: (any EventObserver)?
    ) async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        let call = Call(of: request, by: core, recorder: TimingsRecorder(), listener: listener)
        do {
            let returned = try await call.run(request)
            var whole = APIResponse(returned, timings: call.timings, redirects: call.context.redirects)
            if let sent = call.context.sent {
                whole.explanation = call.explanation(of: request, sent, endingWith: .status(whole.status))
            }
            return whole
        } catch {
            throw APIError(settled: error)
        }
    }

    /// The request as this client would send it, except for the credential and `Accept-Encoding`.
    ///
    /// Nothing is sent.
    ///
    /// - Returns: The request, checked: it can be sent.
    /// - Throws: ``APIError/invalidRequest(_:)`` with the part that can't be sent.
    public func httpRequest() throws(APIError<R.Failure>) -> HTTPRequest {
        do {
            // Nothing is logged, so the request gets no number in the log.
            let core = core.parts.logging == nil ? core : core.with { $0.logging = nil }
            return try request.built(for: Call(of: request, by: core).context, by: core)
        } catch {
            throw APIError(settled: error)
        }
    }
}

extension APIRequest {
    /// The request as a client with default settings and without a credential would send it.
    ///
    /// The client adds `Accept-Encoding` when it sends the request, if it has none.
    ///
    /// - Returns: The request, checked: it can be sent.
    /// - Throws: ``APIError/invalidRequest(_:)`` with the part that can't be sent.
    public func httpRequest() throws(APIError<Failure>) -> HTTPRequest {
        try BoundRequest(request: self, core: .standard).httpRequest()
    }
}

extension BoundRequest: Redacted {
    /// The type of the request only.
    public var description: String { "BoundRequest<\(R.self)>" }
}

extension BoundRequest {
    /// Starts the request and returns the call in flight, which runs to its end even if it is not stored.
    ///
    /// It inherits a ``CallDeadline`` from the task that starts it, but not the task's cancellation.
    ///
    /// - Returns: The call, for progress, cancellation, the model, or a chain.
    @discardableResult
    public func call() -> APICall<R.Response, APIError<R.Failure>> { core.call(request) }

    /// Starts the request and calls a closure on the main actor when it has ended.
    ///
    /// - Parameter completion: Called once, with the model or the error.
    /// - Returns: The call, for example to cancel it.
    @discardableResult
    public func send(
        completion: @escaping @MainActor @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void
    ) -> APICall<R.Response, APIError<R.Failure>> {
        send(on: .main) { outcome in MainActor.assumeIsolated { completion(outcome) } }
    }

    /// Starts the request and calls a closure when it has ended.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - completion: Called once, with the model or the error.
    /// - Returns: The call, for example to cancel it.
    @discardableResult
    public func send(
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>> {
        call().completing(on: queue, completion)
    }
}

// Functions of a bound request would look up its type for each access to it, which takes longer than the work.
extension ClientCore {
    /// Starts a request, and returns the call in flight.
    fileprivate func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>> {
        let meter = ProgressMeter()
        let call = APICall<R.Response, APIError<R.Failure>>(meter: meter) { self.cancelledBeforeItsEnd(request) }
        // A call that is started inside another one continues when that one ends.
        let task = CallCancellation.$scope.withValue(nil) {
            UnstructuredTask.start { call.finish(with: await self.outcome(of: request, call)) }
        }
        call.cancelling(by: task.cancel)
        return call
    }

    private func outcome<R: APIRequest>(
        of request: R,
        _ call: APICall<R.Response, APIError<R.Failure>>,
    ) async -> Result<R.Response, APIError<R.Failure>> {
        do {
            let running = Call(of: request, by: self, listener: call.meter)
            let (value, _, _) = try await running.run(request) { error in
                guard let outcome = running.earlyOutcome(of: request, error) else { return }
                // A step that ignores cancellation delays no caller.
                call.cancel()
                call.finish(with: outcome)
            }
            return .success(value)
        } catch {
            return .failure(APIError(settled: error))
        }
    }

    /// The error for a caller who is cancelled while waiting for a call that continues.
    private func cancelledBeforeItsEnd<R: APIRequest>(_ request: R) -> APIError<R.Failure> {
        let message = "the caller was cancelled while it waited"
        return .cancelled(CallFailure(.cancelled, message: message, context: unsentContext(of: request)))
    }

    /// The context of an error that is not that of a call of the request.
    func unsentContext<R: APIRequest>(of request: R) -> CallContext {
        var context = CallContext(
            requestType: String(reflecting: innermostRequest(of: R.self)).withoutModule,
            method: request.writtenMethod,
            url: environment(for: request.environment).description,
        )
        context.texts = parts.options.errorTexts
        return context
    }
}

extension BoundRequest {
    /// The call as the sequence of its events; nothing is sent until it is read.
    public func events() -> CallEvents<R.Response, APIError<R.Failure>> {
        CallEvents { listener async throws(APIError<R.Failure>) in try await response(observedBy: listener) }
    }
}
