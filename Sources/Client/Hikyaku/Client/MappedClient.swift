/// A client that throws the app's own errors; created by ``APIClient/mapError(_:)``.
///
/// ```swift
/// @MainActor final class MenuModel {
///     let client: MappedClient<Public, AppError>
///     private(set) var dishes: [Dish] = []
///
///     init(client: APIClient<Public>) { self.client = client.mapError { AppError($0) } }
///
///     func load() async throws(AppError) { dishes = try await client.send(Shop.Dishes()) }
/// }
/// ```
public struct MappedClient<Level: AccessLevel, Mapped: Error>: Sendable {
    let client: APIClient<Level>
    let map: @Sendable (any APIFailure) -> Mapped

    /// Binds a request of any level: the gate's overloads have compared the levels.
    private func bound<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> {
        MappedRequest(bound: BoundRequest(request: request, core: client.core), map: map)
    }
}

extension APIClient {
    /// A client whose errors are converted to one type of the app, for requests to any service.
    ///
    /// ```swift
    /// enum AppError: Error {
    ///     case offline, failed(String)
    ///
    ///     init(_ failure: any APIFailure) {
    ///         self = failure.phase == .transport ? .offline : .failed(failure.localizedDescription)
    ///     }
    /// }
    /// let client = APIClient().mapError { AppError($0) }
    /// let items = try await client.send(Qiita.Items())  // throws AppError
    /// ```
    ///
    /// - Parameter map: Converts the error that ended a call; called on any thread.
    /// - Returns: A client of the same level, with the same transport.
    public func mapError<Mapped: Error>(
        _ map: @escaping @Sendable (any APIFailure) -> Mapped
    ) -> MappedClient<Level, Mapped> {
        MappedClient(client: self, map: map)
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
}

@available(*, unavailable, message: "this client is not authorized for this request: use client.authorized(by:for:)")
extension MappedClient where Level == Public {
    /// Rejects a request that needs authorization on a client that has none.
    public func bind<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> where R.Access == Authorized {
        bound(request)
    }

    /// Rejects a request that needs authorization on a client that has none.
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response where R.Access == Authorized {
        try await bound(request).send()
    }
}

@available(
    *,
    unavailable,
    message: "this client's level does not include what the request needs: authorized(by:for:as:)"
)
extension MappedClient {
    /// Rejects a request that needs more than the client's level includes.
    public func bind<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped>
    where R.Access.Includes.Includes.Includes == Public {
        bound(request)
    }

    /// Rejects a request that needs more than the client's level includes.
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response
    where R.Access.Includes.Includes.Includes == Public {
        try await bound(request).send()
    }
}

@available(
    *,
    unavailable,
    message: """
        constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it; \
        a level above the fourth has no client
        """
)
extension MappedClient {
    /// Rejects a generic request whose level is unknown.
    public func bind<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> {
        bound(request)
    }

    /// Rejects a generic request whose level is unknown.
    public func send<R: APIRequest>(_ request: R) async throws(Mapped) -> R.Response {
        try await bound(request).send()
    }
}

// Former names of clients.
extension MappedClient {
    /// Unavailable: write `client.bind(request).call()`.
    @available(*, unavailable, renamed: "bind(_:)", message: "write client.bind(request).call()")
    public func call<R: APIRequest>(_ request: R) -> APICall<R.Response, Mapped> { bound(request).call() }
}
