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
