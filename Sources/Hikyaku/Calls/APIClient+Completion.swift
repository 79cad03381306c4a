// Shorthand for `bind(request).send(completion:)`, with the gate's overloads.
extension APIClient {
    /// Starts a request and calls a closure on the main actor when it is over.
    ///
    /// ```swift
    /// client.send(Qiita.Items()) { outcome in show(outcome) }
    /// ```
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        completion: @escaping @MainActor @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access: OpenLevel {
        bind(request).send(completion: completion)
    }

    /// Starts a request of the client's own level.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        completion: @escaping @MainActor @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level {
        bind(request).send(completion: completion)
    }

    /// Starts a request of the level below.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        completion: @escaping @MainActor @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level.Includes {
        bind(request).send(completion: completion)
    }

    /// Starts a request of the level two below.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        completion: @escaping @MainActor @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level.Includes.Includes {
        bind(request).send(completion: completion)
    }

    /// Refuses a request that needs more than the client has.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        _ refused: Never? = nil,
        completion: @escaping @MainActor @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>> {
        BoundRequest(request: request, core: core).send(completion: completion)
    }
}

extension APIClient {
    /// Starts a request and calls a closure when it is over.
    ///
    /// See ``BoundRequest/send(on:completion:)``.
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access: OpenLevel {
        bind(request).send(on: queue, completion: completion)
    }

    /// Starts a request of the client's own level.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level {
        bind(request).send(on: queue, completion: completion)
    }

    /// Starts a request of the level below.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level.Includes {
        bind(request).send(on: queue, completion: completion)
    }

    /// Starts a request of the level two below.
    @_disfavoredOverload
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level.Includes.Includes {
        bind(request).send(on: queue, completion: completion)
    }

    /// Refuses a request that needs more than the client has.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R,
        _ refused: Never? = nil,
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, APIError<R.Failure>>) -> Void,
    ) -> APICall<R.Response, APIError<R.Failure>> {
        BoundRequest(request: request, core: core).send(on: queue, completion: completion)
    }
}
