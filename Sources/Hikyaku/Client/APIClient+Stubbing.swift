/// A stub whose request's type is forgotten.
protocol StubAnswer: Sendable {}

/// What answers the requests of one type in the place of the network.
struct Stub<R: APIRequest>: StubAnswer {
    let answer: @Sendable (R) async throws -> R.Response
}

/// Whether the call was answered by a stub.
enum IsStubbed: RequestContextKey {
    static let defaultValue = false
}

extension APIClient {
    /// A client that answers the requests of one type by values, without network: for previews, tests of view models,
    /// and work without a service.
    ///
    /// ```swift
    /// let preview = client.stubbing(Qiita.Items.self) { _ in [.sample] }
    /// ```
    /// The stub stands inside logging and the deadline, and before authorization and middleware. The request is built
    /// and checked as always.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; its level doesn't matter here.
    ///   - answer: Gives the model, or throws: the request's `Failure` becomes `.service`, an `APIError` stays what it
    ///     is.
    /// - Returns: The client with the stub; a later one for the same type takes its place.
    public func stubbing<R: APIRequest>(
        _ type: R.Type,
        answer: @escaping @Sendable (R) async throws -> R.Response,
    ) -> APIClient {
        with { $0.stubs[ObjectIdentifier(type)] = Stub(answer: answer) }
    }
}
