/// A stub whose request's type is forgotten.
protocol StubAnswer: Sendable {}

/// What answers the requests of one type in the place of the network.
struct Stub<R: APIRequest>: StubAnswer {
    let answer: @Sendable (R) async throws -> R.Response
}

extension ClientCore {
    /// What answers a request in the place of the network: a stub for its type, or for one that it has inside.
    func stub<R: APIRequest>(for request: R) -> (@Sendable () async throws -> R.Response)? {
        guard !parts.stubs.isEmpty else { return nil }
        if let stub = parts.stubs[ObjectIdentifier(R.self)] as? Stub<R> { return { try await stub.answer(request) } }
        guard let proxy = request as? any RequestProxy else { return nil }
        return stub(inside: proxy, for: R.Response.self)
    }

    /// A proxy that gives something else than the request inside can't be answered by that one's stub.
    private func stub<Proxy: RequestProxy, Response>(
        inside proxy: Proxy,
        for response: Response.Type,
    ) -> (@Sendable () async throws -> Response)? {
        guard Proxy.Base.Response.self == Response.self, let answer = stub(for: proxy.request) else { return nil }
        return {
            guard let response = try await answer() as? Response else {
                throw TransportError(.defect, "a stub gave another type than \(Response.self)")
            }
            return response
        }
    }
}

extension APIClient {
    /// A client that answers the requests of one type by values, without network: for previews, tests of view models,
    /// and work without a service.
    ///
    /// ```swift
    /// let preview = client.stubbing(Qiita.Items.self) { _ in [.sample] }
    /// ```
    /// The stub stands inside logging and the deadline, and before authorization and middleware. The request is built
    /// and checked as always. A proxy is answered by the stub of the request inside, unless it has one of its own or
    /// another `Response`.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; its level doesn't matter here.
    ///   - answer: Gives the model, or throws: the request's `Failure` becomes `.service` with a made-up status 400, an
    ///     `APIError` stays what it is.
    /// - Returns: The client with the stub; a later one for the same type takes its place.
    public func stubbing<R: APIRequest>(
        _ type: R.Type,
        answer: @escaping @Sendable (R) async throws -> R.Response,
    ) -> APIClient {
        with { $0.stubs[ObjectIdentifier(type)] = Stub(answer: answer) }
    }
}
