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
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access == Level {
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

    /// Refuses a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    @discardableResult
    public func call<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> APICall<R.Response, APIError<R.Failure>>
    where Level == Public, R.Access == Authorized {
        BoundRequest(request: request, core: core).call()
    }

    /// Refuses a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    @discardableResult
    public func call<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> APICall<R.Response, APIError<R.Failure>>
    where R.Access.Includes.Includes.Includes == Public {
        BoundRequest(request: request, core: core).call()
    }

    /// Refuses a generic request whose level is not known.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>"
    )
    @discardableResult
    public func call<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> APICall<R.Response, APIError<R.Failure>> {
        BoundRequest(request: request, core: core).call()
    }
}
