/// A client that throws errors of the app's own; made by ``APIClient/mapError(_:)``.
public struct MappedClient<Level: AccessLevel, Mapped: Error>: Sendable {
    private let client: APIClient<Level>
    private let map: @Sendable (any APIFailure) -> Mapped

    fileprivate init(_ client: APIClient<Level>, _ map: @escaping @Sendable (any APIFailure) -> Mapped) {
        self.client = client
        self.map = map
    }

    /// Sends a request that was bound by `bind(_:)` of a client.
    ///
    /// - Throws: What the client's closure makes of the ``APIError``.
    public func send<R: APIRequest>(_ request: BoundRequest<R>) async throws(Mapped) -> R.Response {
        do {
            return try await request.send()
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
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access == Public {
        try await send(client.bind(request))
    }

    /// Sends a request of the client's own level.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access == Level {
        try await send(client.bind(request))
    }

    /// Sends a request of the level below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response
    where R.Access == Level.Includes {
        try await send(client.bind(request))
    }

    /// Sends a request of the level two below.
    @_disfavoredOverload
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response
    where R.Access == Level.Includes.Includes {
        try await send(client.bind(request))
    }

    /// Refuses a request that needs more than the client has.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this client is not authorized for this request: use client.authorized(by:for:)"
    )
    public func send<R: APIRequest>(_ request: R, _ refused: Never? = nil) async throws(Mapped) -> R.Response {
        try await send(BoundRequest(request: request, core: client.core))
    }
}
