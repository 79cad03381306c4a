/// A client that throws errors of the app's own; made by ``APIClient/mapError(_:)``.
public struct MappedClient<Level: AccessLevel, Mapped: Error>: Sendable {
    fileprivate let client: APIClient<Level>
    private let map: @Sendable (any APIFailure) -> Mapped

    fileprivate init(_ client: APIClient<Level>, _ map: @escaping @Sendable (any APIFailure) -> Mapped) {
        self.client = client
        self.map = map
    }

    fileprivate func value<R: APIRequest>(of request: BoundRequest<R>) async throws(Mapped) -> R.Response {
        do {
            return try await request.send()
        } catch {
            throw map(error)
        }
    }

    fileprivate func response<R: APIRequest>(
        to request: BoundRequest<R>
    ) async throws(Mapped) -> APIResponse<R.Response> {
        do {
            return try await request.response()
        } catch {
            throw map(error)
        }
    }
}

extension APIClient {
    /// A client whose errors are converted to one type of the app's own, whatever service a request belongs to.
    ///
    /// ```swift
    /// let client = APIClient().mapError { AppError($0) }
    /// let items = try await client.send(Qiita.Items())  // throws AppError
    /// ```
    public func mapError<Mapped: Error>(
        _ map: @escaping @Sendable (any APIFailure) -> Mapped
    ) -> MappedClient<Level, Mapped> {
        MappedClient(self, map)
    }
}

// The gate's overloads once more, as on the client itself.
extension MappedClient {
    /// Sends a request and returns its model.
    ///
    /// - Throws: What the client's closure makes of the ``APIError``.
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access: OpenLevel {
        try await value(of: client.bind(request))
    }

    /// Sends a request of the client's own level.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access == Level {
        try await value(of: client.bind(request))
    }

    /// Sends a request of the level below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response
    where R.Access == Level.Includes {
        try await value(of: client.bind(request))
    }

    /// Sends a request of the level two below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response
    where R.Access == Level.Includes.Includes {
        try await value(of: client.bind(request))
    }

    /// Refuses a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func send<R: APIRequest>(_ request: R, _ refused: Never? = nil) async throws(Mapped) -> R.Response
    where Level == Public, R.Access == Authorized {
        try await value(of: BoundRequest(request: request, core: client.core))
    }

    /// Refuses a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    public func send<R: APIRequest>(_ request: R, _ refused: Never? = nil) async throws(Mapped) -> R.Response
    where R.Access.Includes.Includes.Includes == Public {
        try await value(of: BoundRequest(request: request, core: client.core))
    }

    /// Refuses a generic request whose level is not known.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>"
    )
    public func send<R: APIRequest>(_ request: R, _ refused: Never? = nil) async throws(Mapped) -> R.Response {
        try await value(of: BoundRequest(request: request, core: client.core))
    }
}

extension MappedClient {
    /// Sends a request and returns its model with status, headers and timings.
    ///
    /// - Throws: What the client's closure makes of the ``APIError``.
    public func response<R: APIRequest>(
        for request: R
    ) async throws(Mapped) -> APIResponse<R.Response> where R.Access: OpenLevel {
        try await response(to: client.bind(request))
    }

    /// Sends a request of the client's own level.
    @_disfavoredOverload
    public func response<R: APIRequest>(
        for request: R
    ) async throws(Mapped) -> APIResponse<R.Response> where R.Access == Level {
        try await response(to: client.bind(request))
    }

    /// Sends a request of the level below.
    @_disfavoredOverload
    public func response<R: APIRequest>(
        for request: R
    ) async throws(Mapped) -> APIResponse<R.Response> where R.Access == Level.Includes {
        try await response(to: client.bind(request))
    }

    /// Sends a request of the level two below.
    @_disfavoredOverload
    public func response<R: APIRequest>(
        for request: R
    ) async throws(Mapped) -> APIResponse<R.Response> where R.Access == Level.Includes.Includes {
        try await response(to: client.bind(request))
    }

    /// Refuses a request that needs authorization on a client that has none.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func response<R: APIRequest>(
        for request: R,
        _ refused: Never? = nil,
    ) async throws(Mapped) -> APIResponse<R.Response>
    where Level == Public, R.Access == Authorized {
        try await response(to: BoundRequest(request: request, core: client.core))
    }

    /// Refuses a request that needs more than the client's level includes.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client's level does not include what the request needs: authorized(by:for:as:)"
    )
    public func response<R: APIRequest>(
        for request: R,
        _ refused: Never? = nil,
    ) async throws(Mapped) -> APIResponse<R.Response>
    where R.Access.Includes.Includes.Includes == Public {
        try await response(to: BoundRequest(request: request, core: client.core))
    }

    /// Refuses a generic request whose level is not known.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "constrain T.Access of a generic request (where T.Access: OpenLevel), or take a BoundRequest<T>"
    )
    public func response<R: APIRequest>(
        for request: R,
        _ refused: Never? = nil,
    ) async throws(Mapped) -> APIResponse<R.Response> {
        try await response(to: BoundRequest(request: request, core: client.core))
    }
}
