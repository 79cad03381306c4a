#if canImport(Combine)
// Shorthand for `bind(request).publisher`, with the gate's overloads.
extension APIClient {
    /// A request's call as a publisher of Combine; nothing is sent until it is subscribed to.
    ///
    /// See ``CallPublisher``.
    public func publisher<R: APIRequest>(for request: R) -> CallPublisher<R>
    where R.Access: OpenLevel {
        bind(request).publisher
    }

    /// The publisher of a request of the client's own level.
    @_disfavoredOverload
    public func publisher<R: APIRequest>(for request: R) -> CallPublisher<R>
    where R.Access == Level {
        bind(request).publisher
    }

    /// The publisher of a request of the level below.
    @_disfavoredOverload
    public func publisher<R: APIRequest>(for request: R) -> CallPublisher<R>
    where R.Access == Level.Includes {
        bind(request).publisher
    }

    /// The publisher of a request of the level two below.
    @_disfavoredOverload
    public func publisher<R: APIRequest>(for request: R) -> CallPublisher<R>
    where R.Access == Level.Includes.Includes {
        bind(request).publisher
    }

    /// Refuses a request that needs more than the client has.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func publisher<R: APIRequest>(for request: R, _ refused: Never? = nil) -> CallPublisher<R> {
        BoundRequest(request: request, core: core).publisher
    }
}
#endif
