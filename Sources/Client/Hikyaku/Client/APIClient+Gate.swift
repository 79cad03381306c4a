// Compares a request's Access with a client's Level. bind, send and call have the same overloads, one for each level
// of a chain of four. The unavailable overloads come last and give the error message: the compiler takes the first
// one that applies. The third applies to a request whose level is unknown, or above the fourth: each known level up
// to the fourth ends in Public. Everything else that can be done with a request is a function of BoundRequest.
extension APIClient {
    /// Binds a request to this client, if the client's level includes the level that the request needs.
    ///
    /// ```swift
    /// let response = try await client.bind(Shop.Dishes()).response()    // with status, headers and timings
    /// ```
    /// Generic code can take a ``BoundRequest``, whatever the level.
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access: OpenLevel {
        BoundRequest(request: request, core: core)
    }

    /// Binds a request of the client's own level.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access == Level {
        BoundRequest(request: request, core: core)
    }

    /// Binds a request of the level below.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access == Level.Includes {
        BoundRequest(request: request, core: core)
    }

    /// Binds a request of the level two below.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access == Level.Includes.Includes {
        BoundRequest(request: request, core: core)
    }
}

// Shorthand for `bind(request).send()`, with the gate's overloads.
extension APIClient {
    /// Sends a request and returns its model.
    ///
    /// Runs off the caller's actor, including decoding. Cancelling the task closes the request's connection.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response
    where R.Access: OpenLevel {
        try await core.send(request)
    }

    /// Sends a request of the client's own level.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response
    where R.Access == Level {
        try await core.send(request)
    }

    /// Sends a request of the level below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response
    where R.Access == Level.Includes {
        try await core.send(request)
    }

    /// Sends a request of the level two below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response
    where R.Access == Level.Includes.Includes {
        try await core.send(request)
    }
}

// Shorthand for `bind(request).call()`, with the gate's overloads.
extension APIClient {
    /// Starts a request and returns the call in flight: progress, ``APICall/cancel()``, the model, a chain.
    ///
    /// See ``BoundRequest/call()``.
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access: OpenLevel {
        bind(request).call()
    }

    /// Starts a request of the client's own level.
    @_disfavoredOverload
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>> where R.Access == Level {
        bind(request).call()
    }

    /// Starts a request of the level below.
    @_disfavoredOverload
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level.Includes {
        bind(request).call()
    }

    /// Starts a request of the level two below.
    @_disfavoredOverload
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level.Includes.Includes {
        bind(request).call()
    }
}

@available(*, unavailable, message: "this client is not authorized for this request: use client.authorized(by:for:)")
extension APIClient where Level == Public {
    /// Rejects a request that needs authorization on a client that has none.
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access == Authorized {
        BoundRequest(request: request, core: core)
    }

    /// Rejects a request that needs authorization on a client that has none.
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response
    where R.Access == Authorized {
        try await core.send(request)
    }

    /// Rejects a request that needs authorization on a client that has none.
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Authorized {
        BoundRequest(request: request, core: core).call()
    }
}

@available(
    *,
    unavailable,
    message: "this client's level does not include what the request needs: authorized(by:for:as:)"
)
extension APIClient {
    /// Rejects a request that needs more than the client's level includes.
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R>
    where R.Access.Includes.Includes.Includes == Public {
        BoundRequest(request: request, core: core)
    }

    /// Rejects a request that needs more than the client's level includes.
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response
    where R.Access.Includes.Includes.Includes == Public {
        try await core.send(request)
    }

    /// Rejects a request that needs more than the client's level includes.
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access.Includes.Includes.Includes == Public {
        BoundRequest(request: request, core: core).call()
    }
}

@available(
    *,
    unavailable,
    message: """
        constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>; \
        a level above the fourth has no client
        """
)
extension APIClient {
    /// Rejects a generic request whose level is unknown.
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> {
        BoundRequest(request: request, core: core)
    }

    /// Rejects a generic request whose level is unknown.
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await core.send(request)
    }

    /// Rejects a generic request whose level is unknown.
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>> {
        BoundRequest(request: request, core: core).call()
    }
}

// Former names of clients, and what other clients have.
extension APIClient {
    /// Unavailable: a request has a `timeout`, and ``CallDeadline`` limits any code.
    @available(
        *,
        unavailable,
        message: "write var timeout: Duration? { … } in the request, or CallDeadline.within(timeout) { … } around it"
    )
    public func send<R: APIRequest>(_ request: R, timeout: Duration) async throws(APIError<R.Failure>) -> R.Response {
        try await core.send(request)
    }

    /// Unavailable: write `client.bind(request).found()`.
    @available(*, unavailable, message: "write client.bind(request).found()")
    public func found<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response? {
        try await BoundRequest(request: request, core: core).found()
    }

    /// Unavailable: a bound request has completion handlers.
    @available(
        *,
        unavailable,
        message: "write client.bind(request).send { result in … }, or try await client.send(request)"
    )
    public func send<R: APIRequest>(_ request: R, completion: @escaping (R.Response) -> Void) {}

    /// Unavailable: write `client.bind(request).response()`.
    @available(*, unavailable, renamed: "bind(_:)", message: "write client.bind(request).response()")
    public func response<R: APIRequest>(for request: R) async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        try await BoundRequest(request: request, core: core).response()
    }
}
