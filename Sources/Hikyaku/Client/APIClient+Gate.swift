// The one place that compares a request's Access with a client's Level. The overloads stand for the levels of a chain
// of four; the unavailable one accepts everything, comes last, and gives the refusal in plain words.
extension APIClient {
    /// Ties a request to this client, if the client's level includes what the request needs.
    ///
    /// Generic code takes a ``BoundRequest``, whatever level bound it.
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access: OpenLevel {
        BoundRequest(request: request, core: core)
    }

    /// Ties a request of the client's own level to it.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access == Level {
        BoundRequest(request: request, core: core)
    }

    /// Ties a request of the level below to the client.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access == Level.Includes {
        BoundRequest(request: request, core: core)
    }

    /// Ties a request of the level two below to the client.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> BoundRequest<R> where R.Access == Level.Includes.Includes {
        BoundRequest(request: request, core: core)
    }

    /// Refuses a request that needs more than the client has.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func bind<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> BoundRequest<R> {
        BoundRequest(request: request, core: core)
    }
}
