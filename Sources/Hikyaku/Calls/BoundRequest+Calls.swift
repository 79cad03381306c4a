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
        return .cancelled(CallFailure(.cancelled, message: "the caller gave up waiting", context: context))
    }
}
