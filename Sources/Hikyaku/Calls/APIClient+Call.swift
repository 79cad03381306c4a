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

extension APIRequest {
    /// The request, or one that it has inside, if it is of that type.
    fileprivate func unwrapped<Other: APIRequest>(as type: Other.Type) -> Other? {
        if let request = self as? Other { return request }
        return (self as? any RequestProxy)?.unwrappedBase(as: type)
    }
}

extension RequestProxy {
    fileprivate func unwrappedBase<Other: APIRequest>(as type: Other.Type) -> Other? { request.unwrapped(as: type) }
}

extension APIClient {
    /// Cancels the calls in flight of one type of request, however they were started, if a condition holds for them.
    ///
    /// ```swift
    /// client.cancelAll(Qiita.Items.self) { $0.page > 3 }
    /// ```
    /// Calls of this client are looked at, and of all that come from the same one: by authorizing, logging and so on. A
    /// request in proxies counts too. Each call ends as `.cancelled`; what is over, and a streamed body that is still
    /// being read, stays as it is.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; their level doesn't matter here.
    ///   - condition: Whether a request's call is cancelled; by default all are.
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll<R: APIRequest>(_ type: R.Type, where condition: (R) -> Bool = { _ in true }) -> Int {
        core.parts.calls.cancel { request in request.unwrapped(as: type).map(condition) ?? false }
    }

    /// Cancels all calls in flight of this client, and of all that come from the same one.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll() -> Int {
        core.parts.calls.cancel { _ in true }
    }
}
