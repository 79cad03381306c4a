/// A stub whose request's type is forgotten.
protocol StubAnswer: Sendable {}

/// What answers the requests of one type in the place of the network.
private struct Stub<R: APIRequest>: StubAnswer {
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
                throw TransportError(.defect, "a stub returned another type than \(Response.self)")
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

/// An environment's own transport: two are equal if they are the same one.
final class EnvironmentTransport: Sendable, Hashable {
    let transport: any HTTPTransport

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    static func == (left: EnvironmentTransport, right: EnvironmentTransport) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension APIEnvironment {
    /// An environment that a closure answers for: nothing reaches a network.
    ///
    /// ```swift
    /// extension APIEnvironment {
    ///     static let mock = APIEnvironment.stubbed { request in
    ///         switch request.url.path() {
    ///         case "/dishes": .json(#"[{"id": 1, "name": "Udon"}]"#)
    ///         default: HTTPResponse(status: .notFound)
    ///         }
    ///     }
    /// }
    /// ```
    /// Requests are built, authorized, redirected and read as always, and statuses become errors; so it stands for the
    /// service, where ``APIClient/stubbing(_:answer:)`` stands for one type of request. Declare it as a `static let`:
    /// each one that is made is another environment.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are put behind; credentials are bound to its origin.
    ///   - headers: Headers that all requests to this environment carry.
    ///   - answer: Gives the response to a request, called concurrently; what it throws ends the call, as of a
    ///     transport: a ``TransportError`` as the phase of its reason, anything else as `.other`.
    /// - Returns: The environment.
    public static func stubbed(
        baseURL: String = "http://stubbed.invalid",
        headers: HTTPHeaders = [:],
        answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    ) -> APIEnvironment {
        // Nothing is sent anywhere, so that nobody can read a credential.
        APIEnvironment(
            baseURL: baseURL,
            headers: headers,
            allowingCredentialsOverPlainHTTP: true,
            transport: StubTransport(answer: answer),
        )
    }

    /// The same environment, base URL and headers and all, answered for by a closure.
    ///
    /// ```swift
    /// let offline = client.substituting(.qiita.stubbed { _ in .json("[]") }, for: .qiita)
    /// ```
    ///
    /// - Parameter answer: Gives the response to a request; see ``stubbed(baseURL:headers:answer:)``.
    /// - Returns: The environment.
    public func stubbed(
        answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> APIEnvironment {
        .stubbed(baseURL: baseURL, headers: headers, answer: answer)
    }
}

/// Answers by a closure in the place of a network.
private struct StubTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        let response = try await answer(request)
        return options.streamsBody ? response : try await response.collectingBody(within: options)
    }
}
