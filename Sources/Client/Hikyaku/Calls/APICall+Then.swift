extension APICall {
    /// Continues with another call with the same failure type, created by a closure on the main actor.
    ///
    /// ```swift
    /// let first = try await client.call(Qiita.Items()).then { client.call(Qiita.ItemByID(id: $0[0].id)) }.value
    /// ```
    ///
    /// - Parameter body: Called with the model; returns the call to continue with.
    /// - Returns: A call with the outcome of the second call, or with the failure of the first.
    @discardableResult
    public func then<Next: Sendable>(
        _ body: @escaping @MainActor @Sendable (Value) -> APICall<Next, Problem>
    ) -> APICall<Next, Problem> {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Continues with another call with the same failure type.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - body: Called with the model; returns the call to continue with.
    /// - Returns: A call with the outcome of the second call, or with the failure of the first.
    @discardableResult
    public func then<Next: Sendable>(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Value) -> APICall<Next, Problem>,
    ) -> APICall<Next, Problem> {
        continuing(on: queue, makeCancelled, { $0 }, { $0 }, body)
    }

    /// Continues with a call with another failure type, created by a closure on the main actor.
    ///
    /// - Parameter body: Called with the model; returns the call to continue with.
    /// - Returns: A call with the outcome of the second call, or with the failure of the first, either as
    ///   ``AnyAPIFailure``.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: APIFailure>(
        _ body: @escaping @MainActor @Sendable (Value) -> APICall<Next, Other>
    ) -> APICall<Next, AnyAPIFailure> where Problem: APIFailure {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Continues with a call with another failure type.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - body: Called with the model; returns the call to continue with.
    /// - Returns: A call with the outcome of the second call, or with the failure of the first, either as
    ///   ``AnyAPIFailure``.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: APIFailure>(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Value) -> APICall<Next, Other>,
    ) -> APICall<Next, AnyAPIFailure> where Problem: APIFailure {
        let makeCancelled = makeCancelled
        let makeAnyCancelled = { @Sendable in AnyAPIFailure(makeCancelled()) }
        return continuing(on: queue, makeAnyCancelled, { AnyAPIFailure($0) }, { AnyAPIFailure($0) }, body)
    }

    /// Continues with a call with another error type, created by a closure on the main actor, if one of the two is the
    /// app's own.
    ///
    /// - Parameter body: Called with the model; returns the call to continue with.
    /// - Returns: A call with the outcome of the second call, or with the failure of the first, either as `any Error`.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: Error>(
        _ body: @escaping @MainActor @Sendable (Value) -> APICall<Next, Other>
    ) -> APICall<Next, any Error> {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Continues with a call with another error type, if one of the two is the app's own.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - body: Called with the model; returns the call to continue with.
    /// - Returns: A call with the outcome of the second call, or with the failure of the first, either as `any Error`.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: Error>(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Value) -> APICall<Next, Other>,
    ) -> APICall<Next, any Error> {
        let makeCancelled = makeCancelled
        return continuing(on: queue, { makeCancelled() }, { $0 }, { $0 }, body)
    }

    /// Converts the model to another value with a closure on the main actor.
    ///
    /// - Parameter body: Called with the model; returns the value to continue with.
    /// - Returns: A call with that value, or with the failure of this one.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable>(
        _ body: @escaping @MainActor @Sendable (Value) -> Next
    ) -> APICall<Next, Problem> {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Converts the model to another value.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - body: Called with the model; returns the value to continue with.
    /// - Returns: A call with that value, or with the failure of this one.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable>(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Value) -> Next,
    ) -> APICall<Next, Problem> {
        let next = APICall<Next, Problem>(meter: meter, makeCancelled: makeCancelled)
        next.cancelling(by: cancel)
        whenSettled { outcome in
            switch outcome {
            case .success(let value):
                queue.run { next.settle(next.isCancelled ? .failure(next.makeCancelled()) : .success(body(value))) }
            case .failure(let problem): next.settle(.failure(problem))
            }
        }
        return next
    }
}

extension APICall {
    /// A call that is settled by the call that the closure returns, or by the failure of this one.
    private func continuing<Next: Sendable, Other: Error, Both: Error>(
        on queue: CallbackQueue,
        _ makeCancelled: @escaping @Sendable () -> Both,
        _ first: @escaping @Sendable (Problem) -> Both,
        _ second: @escaping @Sendable (Other) -> Both,
        _ body: @escaping @Sendable (Value) -> APICall<Next, Other>,
    ) -> APICall<Next, Both> {
        let next = APICall<Next, Both>(meter: ProgressMeter(), makeCancelled: makeCancelled)
        next.meter.relay(meter)
        next.cancelling(by: cancel)
        whenSettled { outcome in
            switch outcome {
            case .failure(let problem): next.finish(with: .failure(first(problem)))
            case .success(let value):
                queue.run {
                    guard !next.isCancelled else { return next.finish(with: .failure(makeCancelled())) }
                    next.follow(body(value), second)
                }
            }
        }
        return next
    }

    /// Adopts the outcome of another call.
    private func follow<Other: Error>(
        _ call: APICall<Value, Other>,
        _ convert: @escaping @Sendable (Other) -> Problem,
    ) {
        cancelling(by: call.cancel)
        call.meter.join(meter)
        // In a task: an endless sequence of calls that follow each other would overflow the stack. The other call
        // continues when the current call ends.
        CallCancellation.$scope.withValue(nil) {
            _ = UnstructuredTask.start { self.finish(with: await call.result.mapError(convert)) }
        }
    }
}
