extension APIClient {
    /// A client that answers the requests of one type with values, without a network: for previews, tests of view
    /// models, and work without a service.
    ///
    /// ```swift
    /// let preview = client.stubbing(Qiita.Items.self) { _ in [.sample] }
    /// ```
    /// The stub runs inside logging and the deadline, and before authorization and middleware. The request is built and
    /// checked as usual. A proxy is answered by the stub of the request inside, unless it has its own stub or another
    /// `Response`.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; its level doesn't matter here.
    ///   - answer: Returns the model, or throws: the request's `Failure` becomes `.service` with a synthetic status
    ///     400, an `APIError` is thrown unchanged.
    /// - Returns: The client with the stub; a later one for the same type replaces it.
    public func stubbing<R: APIRequest>(
        _ type: R.Type,
        answer: @escaping @Sendable (R) async throws -> R.Response,
    ) -> APIClient {
        with { $0.stubs[ObjectIdentifier(type)] = Stub(answer: answer) }
    }

    /// A client that sends nothing: a request without a stub fails as ``FailureReason/noStub``, which names its type.
    ///
    /// ```swift
    /// let client = APIClient().stubbing(Shop.Dishes.self) { _ in [.sample] }.stubbingOnly
    /// ```
    public var stubbingOnly: APIClient {
        with { $0.stubs[ObjectIdentifier(NoOtherRequest.self)] = NoOtherRequest() }
    }
}

extension APIEnvironment {
    /// An environment whose responses come from a closure: nothing reaches a network.
    ///
    /// ```swift
    /// nonisolated extension APIEnvironment {
    ///     static let mock = APIEnvironment.stubbed { request in
    ///         switch request.url.path() {
    ///         case "/dishes": .json(#"[{"id": 1, "name": "Udon"}]"#)
    ///         default: HTTPResponse(status: .notFound)
    ///         }
    ///     }
    /// }
    /// ```
    /// Requests are built, authorized, redirected and read as usual, and statuses become errors. So it replaces the
    /// service, while ``APIClient/stubbing(_:answer:)`` replaces one type of request. Declare it as a `static let`:
    /// each call of this function creates a different environment.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are appended to; credentials are bound to its origin.
    ///   - headers: Headers that all requests to this environment have.
    ///   - answer: Returns the response to a request; called concurrently. An error that it throws ends the call, like
    ///     that of a transport: a ``TransportError`` with the phase of its reason, anything else as `.other`.
    /// - Returns: The environment.
    public static func stubbed(
        baseURL: String = "http://stubbed.invalid",
        headers: HTTPHeaders = [:],
        answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    ) -> APIEnvironment {
        // Nothing is sent over a network, so a credential can't leak.
        APIEnvironment(
            baseURL: baseURL,
            headers: headers,
            allowingCredentialsOverPlainHTTP: true,
            transport: StubTransport(answer: answer),
        )
    }

    /// The same environment, with base URL and headers, whose responses come from a closure.
    ///
    /// ```swift
    /// let offline = client.substituting(.qiita.stubbed { _ in .json("[]") }, for: .qiita)
    /// ```
    ///
    /// - Parameter answer: Returns the response to a request; see ``stubbed(baseURL:headers:answer:)``.
    /// - Returns: The environment.
    public func stubbed(
        answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> APIEnvironment {
        .stubbed(baseURL: baseURL, headers: headers, answer: answer)
    }
}

/// Answers with a closure instead of a network.
private struct StubTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        let response = try await answer(request)
        return options.streamsBody ? response : try await response.collectingBody(within: options)
    }
}

extension Call {
    /// The value of a stub.
    ///
    /// - Throws: ``Settled`` for an error of the request's own kinds; other errors as the stub threw them.
    func response<R: APIRequest>(
        of stub: @Sendable () async throws -> R.Response,
        for request: R,
        _ sent: HTTPRequest,
    ) async throws -> R.Response {
        do {
            return try await stub()
        } catch let error as APIError<R.Failure> {
            throw Settled(error: error)
        } catch let failure as R.Failure {
            let response = BufferedResponse(status: .badRequest, context: CallContext(context, sent, nil))
            throw Settled(error: APIError.service(failure, response))
        } catch {
            context.noteThrower("the stub", nil, of: error)
            throw error
        }
    }
}
