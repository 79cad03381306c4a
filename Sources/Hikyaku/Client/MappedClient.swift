/// A client that throws errors of the app's own; made by ``APIClient/mapError(_:)``.
public struct MappedClient<Level: AccessLevel, Mapped: Error>: Sendable {
    private let client: APIClient<Level>
    private let map: @Sendable (any APIFailure) -> Mapped

    fileprivate init(_ client: APIClient<Level>, _ map: @escaping @Sendable (any APIFailure) -> Mapped) {
        self.client = client
        self.map = map
    }

    /// Ties a request of any level to this client: the gate's overloads have compared the levels.
    func bound<R: APIRequest>(_ request: R) -> MappedRequest<R, Mapped> {
        MappedRequest(BoundRequest(request: request, core: client.core), map)
    }
}

extension APIClient {
    /// A client whose errors are converted to one type of the app's own, whatever service a request belongs to.
    ///
    /// ```swift
    /// let client = APIClient().mapError { AppError($0) }
    /// let items = try await client.send(Qiita.Items())  // throws AppError
    /// ```
    ///
    /// - Parameter map: Gets what ended a call, on any thread.
    /// - Returns: A client of the same level, with the same transport.
    public func mapError<Mapped: Error>(
        _ map: @escaping @Sendable (any APIFailure) -> Mapped
    ) -> MappedClient<Level, Mapped> {
        MappedClient(self, map)
    }
}
