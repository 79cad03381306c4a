extension APICall {
    /// Goes on with another call of the same failure, made by a closure on the main actor.
    ///
    /// ```swift
    /// let first = try await client.call(Qiita.Items()).then { client.call(Qiita.ItemByID(id: $0[0].id)) }.value
    /// ```
    ///
    /// - Parameter body: Gets the model, and gives the call to go on with.
    /// - Returns: A call with the outcome of the second, or with what ended the first.
    @discardableResult
    public func then<Next: Sendable>(
        _ body: @escaping @MainActor @Sendable (Value) -> APICall<Next, Problem>
    ) -> APICall<Next, Problem> {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Goes on with another call of the same failure.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called.
    ///   - body: Gets the model, and gives the call to go on with.
    /// - Returns: A call with the outcome of the second, or with what ended the first.
    @discardableResult
    public func then<Next: Sendable>(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Value) -> APICall<Next, Problem>,
    ) -> APICall<Next, Problem> {
        going(on: queue, makeCancelled, { $0 }, { $0 }, body)
    }

    /// Goes on with a call of another failure, made by a closure on the main actor.
    ///
    /// - Parameter body: Gets the model, and gives the call to go on with.
    /// - Returns: A call with the outcome of the second, or with what ended the first, either as ``AnyAPIFailure``.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: APIFailure>(
        _ body: @escaping @MainActor @Sendable (Value) -> APICall<Next, Other>
    ) -> APICall<Next, AnyAPIFailure> where Problem: APIFailure {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Goes on with a call of another failure.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called.
    ///   - body: Gets the model, and gives the call to go on with.
    /// - Returns: A call with the outcome of the second, or with what ended the first, either as ``AnyAPIFailure``.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: APIFailure>(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Value) -> APICall<Next, Other>,
    ) -> APICall<Next, AnyAPIFailure> where Problem: APIFailure {
        let makeCancelled = makeCancelled
        return going(on: queue, { AnyAPIFailure(makeCancelled()) }, { AnyAPIFailure($0) }, { AnyAPIFailure($0) }, body)
    }

    /// Goes on with a call of another error, made by a closure on the main actor, where one of the two is an app's own.
    ///
    /// - Parameter body: Gets the model, and gives the call to go on with.
    /// - Returns: A call with the outcome of the second, or with what ended the first, either as `any Error`.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: Error>(
        _ body: @escaping @MainActor @Sendable (Value) -> APICall<Next, Other>
    ) -> APICall<Next, any Error> {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Goes on with a call of another error, where one of the two is an app's own.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called.
    ///   - body: Gets the model, and gives the call to go on with.
    /// - Returns: A call with the outcome of the second, or with what ended the first, either as `any Error`.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable, Other: Error>(
        on queue: CallbackQueue,
        _ body: @escaping @Sendable (Value) -> APICall<Next, Other>,
    ) -> APICall<Next, any Error> {
        let makeCancelled = makeCancelled
        return going(on: queue, { makeCancelled() }, { $0 }, { $0 }, body)
    }

    /// Turns the model into another value by a closure on the main actor.
    ///
    /// - Parameter body: Gets the model, and gives the value to go on with.
    /// - Returns: A call with that value, or with what ended this one.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable>(
        _ body: @escaping @MainActor @Sendable (Value) -> Next
    ) -> APICall<Next, Problem> {
        then(on: .main) { value in MainActor.assumeIsolated { body(value) } }
    }

    /// Turns the model into another value.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called.
    ///   - body: Gets the model, and gives the value to go on with.
    /// - Returns: A call with that value, or with what ended this one.
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
    /// A call that is settled by the one that the closure gives, or by the failure of this one.
    private func going<Next: Sendable, Other: Error, Both: Error>(
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

    /// Takes the outcome of another call as its own.
    private func follow<Other: Error>(
        _ call: APICall<Value, Other>,
        _ convert: @escaping @Sendable (Other) -> Problem,
    ) {
        cancelling(by: call.cancel)
        call.meter.join(meter)
        // In a task: a call that follows a call that follows a call, without an end, would pile up on the stack.
        // The other call goes on when the call ends in which this is said.
        CallCancellation.$current.withValue(nil) { _ = Task { finish(with: await call.result.mapError(convert)) } }
    }
}
