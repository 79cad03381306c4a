// Compares a request's Access with a client's Level, as send, response and call do by the same overloads. They stand
// for the levels of a chain of four. The unavailable ones come last and give the refusal in plain words: the compiler
// takes the first of them that holds, and the third holds for a request of which no level is known, since a known one
// ends in Public.
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

    /// Refuses a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func bind<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> BoundRequest<R>
    where Level == Public, R.Access == Authorized {
        BoundRequest(request: request, core: core)
    }

    /// Refuses a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    public func bind<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> BoundRequest<R>
    where R.Access.Includes.Includes.Includes == Public {
        BoundRequest(request: request, core: core)
    }

    /// Refuses a generic request whose level is not known.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>"
    )
    public func bind<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> BoundRequest<R> {
        BoundRequest(request: request, core: core)
    }
}
