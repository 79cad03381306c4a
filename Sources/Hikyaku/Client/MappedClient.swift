/// A client that throws the app's own errors; created by ``APIClient/mapError(_:)``.
public struct MappedClient<Level: AccessLevel, Mapped: Error>: Sendable {
    private let client: APIClient<Level>
    private let map: @Sendable (any APIFailure) -> Mapped

    fileprivate init(_ client: APIClient<Level>, _ map: @escaping @Sendable (any APIFailure) -> Mapped) {
        self.client = client
        self.map = map
    }

    /// Binds a request of any level: the gate's overloads have compared the levels.
    private func bound<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> {
        MappedRequest(BoundRequest(request: request, core: client.core), map)
    }
}

extension APIClient {
    /// A client whose errors are converted to one type of the app, for requests to any service.
    ///
    /// ```swift
    /// let client = APIClient().mapError { AppError($0) }
    /// let items = try await client.send(Qiita.Items())  // throws AppError
    /// ```
    ///
    /// - Parameter map: Converts the error that ended a call; called on any thread.
    /// - Returns: A client of the same level, with the same transport.
    public func mapError<Mapped: Error>(
        _ map: @escaping @Sendable (any APIFailure) -> Mapped
    ) -> MappedClient<Level, Mapped> {
        MappedClient(self, map)
    }
}

// The gate again, as on the client itself: only these overloads compare a request's Access with the client's Level.
extension MappedClient {
    /// Binds a request to this client, if the client's level includes the level that the request needs.
    ///
    /// Generic code in an app with one error type can take a ``MappedRequest``, whatever the level.
    public func bind<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> where R.Access: OpenLevel {
        bound(request)
    }

    /// Binds a request of the client's own level.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> where R.Access == Level {
        bound(request)
    }

    /// Binds a request of the level below.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> where R.Access == Level.Includes {
        bound(request)
    }

    /// Binds a request of the level two below.
    @_disfavoredOverload
    public func bind<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped>
    where R.Access == Level.Includes.Includes {
        bound(request)
    }

    /// Rejects a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func bind<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> MappedRequest<R, Mapped>
    where Level == Public, R.Access == Authorized {
        bound(request)
    }

    /// Rejects a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    public func bind<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> MappedRequest<R, Mapped>
    where R.Access.Includes.Includes.Includes == Public {
        bound(request)
    }

    /// Rejects a generic request whose level is unknown.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it"
    )
    public func bind<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> MappedRequest<R, Mapped> {
        bound(request)
    }
}

extension MappedClient {
    /// Sends a request and returns its model.
    ///
    /// - Throws: The error that the client's closure returns for the ``APIError``.
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access: OpenLevel {
        try await bound(request).send()
    }

    /// Sends a request of the client's own level.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access == Level {
        try await bound(request).send()
    }

    /// Sends a request of the level below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access == Level.Includes {
        try await bound(request).send()
    }

    /// Sends a request of the level two below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response
    where R.Access == Level.Includes.Includes {
        try await bound(request).send()
    }

    /// Rejects a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func send<R: APIRequest>(_ request: R, _ refused: Never? = nil) async throws(Mapped) -> R.Response
    where Level == Public, R.Access == Authorized {
        try await bound(request).send()
    }

    /// Rejects a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    public func send<R: APIRequest>(_ request: R, _ refused: Never? = nil) async throws(Mapped) -> R.Response
    where R.Access.Includes.Includes.Includes == Public {
        try await bound(request).send()
    }

    /// Rejects a generic request whose level is unknown.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it"
    )
    public func send<R: APIRequest>(_ request: R, _ refused: Never? = nil) async throws(Mapped) -> R.Response {
        try await bound(request).send()
    }
}

extension MappedClient {
    /// Sends a request and returns its model with status, headers and timings.
    ///
    /// - Throws: The error that the client's closure returns for the ``APIError``.
    public func response<R: APIRequest>(for request: R) async throws(Mapped) -> APIResponse<R.Response>
    where R.Access: OpenLevel {
        try await bound(request).response()
    }

    /// Sends a request of the client's own level.
    @_disfavoredOverload
    public func response<R: APIRequest>(for request: R) async throws(Mapped) -> APIResponse<R.Response>
    where R.Access == Level {
        try await bound(request).response()
    }

    /// Sends a request of the level below.
    @_disfavoredOverload
    public func response<R: APIRequest>(for request: R) async throws(Mapped) -> APIResponse<R.Response>
    where R.Access == Level.Includes {
        try await bound(request).response()
    }

    /// Sends a request of the level two below.
    @_disfavoredOverload
    public func response<R: APIRequest>(for request: R) async throws(Mapped) -> APIResponse<R.Response>
    where R.Access == Level.Includes.Includes {
        try await bound(request).response()
    }

    /// Rejects a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func response<R: APIRequest>(
        for request: R,
        _ refused: Never? = nil,
    ) async throws(Mapped) -> APIResponse<R.Response> where Level == Public, R.Access == Authorized {
        try await bound(request).response()
    }

    /// Rejects a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    public func response<R: APIRequest>(
        for request: R,
        _ refused: Never? = nil,
    ) async throws(Mapped) -> APIResponse<R.Response> where R.Access.Includes.Includes.Includes == Public {
        try await bound(request).response()
    }

    /// Rejects a generic request whose level is unknown.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it"
    )
    public func response<R: APIRequest>(
        for request: R,
        _ refused: Never? = nil,
    ) async throws(Mapped) -> APIResponse<R.Response> {
        try await bound(request).response()
    }
}

extension MappedClient {
    /// Starts a request and returns the call in flight: progress, ``APICall/cancel()``, the model, a chain.
    ///
    /// See ``MappedRequest/call()``.
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, Mapped> where R.Access: OpenLevel {
        bound(request).call()
    }

    /// Starts a request of the client's own level.
    @_disfavoredOverload
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, Mapped> where R.Access == Level {
        bound(request).call()
    }

    /// Starts a request of the level below.
    @_disfavoredOverload
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, Mapped> where R.Access == Level.Includes {
        bound(request).call()
    }

    /// Starts a request of the level two below.
    @_disfavoredOverload
    @discardableResult
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, Mapped>
    where R.Access == Level.Includes.Includes {
        bound(request).call()
    }

    /// Rejects a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    @discardableResult
    public func call<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> APICall<R.Response, Mapped>
    where Level == Public, R.Access == Authorized {
        bound(request).call()
    }

    /// Rejects a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    @discardableResult
    public func call<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> APICall<R.Response, Mapped>
    where R.Access.Includes.Includes.Includes == Public {
        bound(request).call()
    }

    /// Rejects a generic request whose level is unknown.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it"
    )
    @discardableResult
    public func call<R: APIRequest>(_ request: R, _ refused: Never? = nil) -> APICall<R.Response, Mapped> {
        bound(request).call()
    }
}
