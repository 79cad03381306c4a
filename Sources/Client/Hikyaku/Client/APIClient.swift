/// Sends requests, and returns models or throws typed errors.
///
/// ```swift
/// let client = APIClient()
/// let items = try await client.send(Qiita.Items(page: 2))
/// ```
/// A client is a value: the functions that configure it return a new client, and all clients derived from one share its
/// transport. `Level` says what it is authorized for; sending a request that needs more doesn't compile.
///
/// All clients without their own transport share one for the whole process: `WireTransport` on Linux,
/// `URLSessionTransport` on Apple's platforms. Your own transport is closed when its last reference is released.
public struct APIClient<Level: AccessLevel>: Sendable {
    let core: ClientCore
}

extension APIClient where Level == Public {
    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: The transport; `nil` for the shared one.
    ///   - middleware: Your own middleware, outermost first.
    ///   - decoder: The decoder of all responses; `nil` for that of the options.
    ///   - encoder: The encoder of all bodies; `nil` for that of the options.
    ///   - timeout: How long a call may take; `nil` for the options' timeout, where `nil` means none.
    ///   - options: The settings for all calls.
    public init(
        transport: (any HTTPTransport)? = nil,
        middleware: [any HTTPMiddleware] = [],
        decoder: (any ResponseDecoder)? = nil,
        encoder: (any RequestEncoder)? = nil,
        timeout: Duration? = nil,
        options: ClientOptions = ClientOptions(),
    ) {
        var options = options
        if let decoder { options.decoder = decoder }
        if let encoder { options.encoder = encoder }
        if let timeout { options.timeout = timeout }
        core = ClientCore(ClientCore.Parts(transport: transport, middleware: middleware, options: options))
    }
}

extension APIClient {
    /// A client that sends the requests for one environment to another one, such as staging or a test server.
    ///
    /// ```swift
    /// let tested = client.substituting(APIEnvironment(baseURL: server.baseURL), for: .qiita, sendingCredentials: true)
    /// ```
    /// Environments are compared by their base URLs, not by their headers. The headers of the substitute are sent, and
    /// not those of `environment`. By default a credential stays bound to its own environment, so that no substitute
    /// gets it by accident.
    ///
    /// If the base URL is mistyped here, a request would go to the service itself. Such a request fails as
    /// ``FailureReason/substitution`` if the mistake can be seen: its environment has the same origin and another path,
    /// the base URL here is malformed, or `sendingCredentials` is `true` and the client has credentials, but none for
    /// this origin. If a request is meant for the service itself, substitute its environment by itself.
    ///
    /// - Parameters:
    ///   - substitute: The environment that the requests are sent to.
    ///   - environment: The environment of the requests.
    ///   - sendingCredentials: Whether the credential that the client has for `environment`, or gets later by
    ///     ``authorized(by:for:)``, is sent to `substitute` as well. Over plain `http`, that is possible on this
    ///     machine's loopback addresses only, unless `substitute` allows it.
    /// - Returns: A client of the same level.
    public func substituting(
        _ substitute: APIEnvironment,
        for environment: APIEnvironment,
        sendingCredentials: Bool = false,
    ) -> APIClient {
        with { parts in
            parts.substitutes[environment.base] = substitute
            if sendingCredentials {
                parts.sharingCredentials.insert(environment.base)
            } else {
                parts.sharingCredentials.remove(environment.base)
            }
        }
    }

    /// The environment that replaces another one in this client: its substitute, or itself.
    ///
    /// Use it to authorize a client for the environment that its requests really go to:
    /// ```swift
    /// let staging = client.substituting("https://staging.example/v2", for: .qiita)
    /// let authorized = staging.authorized(by: KeychainToken(), for: staging.environment(for: .qiita))
    /// ```
    public func environment(for environment: APIEnvironment) -> APIEnvironment {
        core.environment(for: environment)
    }

    /// A client that is authorized for one environment, in addition to its other authorizations.
    ///
    /// Its level is that of the credential that was added last: add the one with the highest level at the end.
    ///
    /// The credential is sent with requests to that environment that need authorization, and only to its origin
    /// (scheme, host and port). A request to another origin fails with ``FailureReason/otherOrigin`` before anything is
    /// sent. Another environment with the same origin shares the credential unless it has its own.
    ///
    /// - Parameters:
    ///   - provider: The provider of the token: `.bearer("…")`, `.basic(user:password:)`, `.apiKey(_:in:)`,
    ///     `AskedToken { … }`, ``RefreshingToken``, or a type of your own.
    ///   - environment: The environment that the token may be sent to.
    /// - Returns: A client that sends requests whose `Access` is ``Authorized``.
    public func authorized(
        by provider: some TokenProvider,
        for environment: APIEnvironment,
    ) -> APIClient<Authorized> {
        authorized(by: provider, for: environment, as: Authorized.self)
    }

    /// A client that is authorized for one environment at a level of your own.
    ///
    /// - Parameters:
    ///   - provider: The provider of the token.
    ///   - environment: The environment that the token may be sent to: only to its origin.
    ///   - level: The level of the token: requests of this level, and of those that it includes, can be sent.
    /// - Returns: A client of that level.
    public func authorized<NewLevel: AccessLevel>(
        by provider: some TokenProvider,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> where NewLevel.Includes.Includes.Includes == Public {
        authorized(by: .token(provider), for: environment, as: level)
    }

    /// A client that signs the requests to one environment that need authorization.
    ///
    /// - Parameters:
    ///   - signer: The signer.
    ///   - environment: The environment whose requests are signed: only those to its origin.
    /// - Returns: A client that sends requests whose `Access` is ``Authorized``.
    public func authorized(
        by signer: some RequestSigner,
        for environment: APIEnvironment,
    ) -> APIClient<Authorized> {
        authorized(by: signer, for: environment, as: Authorized.self)
    }

    /// A client that signs the requests to one environment, at a level of your own.
    ///
    /// - Parameters:
    ///   - signer: The signer.
    ///   - environment: The environment whose requests are signed.
    ///   - level: The level of the signature.
    /// - Returns: A client of that level.
    public func authorized<NewLevel: AccessLevel>(
        by signer: some RequestSigner,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> where NewLevel.Includes.Includes.Includes == Public {
        authorized(by: .signature(signer), for: environment, as: level)
    }

    private func authorized<NewLevel: AccessLevel>(
        by means: Credential.Means,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> {
        let credential = Credential(environment: environment, means: means, level: level)
        return APIClient<NewLevel>(core: core.with { $0.credentials.set(credential) })
    }

    /// A client that logs what it really sends and receives; a second call replaces the first.
    ///
    /// - Parameters:
    ///   - level: How much is logged.
    ///   - revealingSecrets: Whether credentials, query values and bodies are also shown.
    ///   - sink: The function that writes each piece of text, called on any thread; `nil` for standard error.
    /// - Returns: The client that logs.
    public func logging(
        _ level: LoggingLevel,
        revealingSecrets: Bool = false,
        to sink: (@Sendable (String) -> Void)? = nil,
    ) -> APIClient {
        let sink = sink ?? CallLogging.standardError
        let step = CallLogging(level: level, revealingSecrets: revealingSecrets) { _, text in sink(text) }
        return with { $0.logging = step }
    }

    /// Shuts the client's transport down: it accepts no new calls, and waits at most `grace` for those in flight.
    ///
    /// The default transport is shared, so this shuts it down for all clients: do it only at the end of the process.
    public func shutdown(within grace: Duration) async {
        await core.transport.shutdown(within: grace)
    }

    /// A client whose results are sent to an observer; a second observer replaces the first.
    package func reportingResults(to observer: any ResultObserver) -> APIClient {
        with { $0.results = observer }
    }

    /// A client with a step of another module, after those that it has in the same stage.
    package func adding(_ step: any CallStep) -> APIClient {
        with { $0.steps.append(step) }
    }

    func with(_ change: (inout ClientCore.Parts) -> Void) -> APIClient {
        APIClient(core: core.with(change))
    }
}

extension APIClient {
    /// Cancels the calls in flight of one type of request that match a condition, however they were started.
    ///
    /// ```swift
    /// client.cancelAll(Qiita.Items.self) { $0.page > 3 }
    /// ```
    /// This includes the calls of this client and of all clients derived from the same one, by authorizing, logging and
    /// so on. A request inside a proxy is included too. Each call ends as `.cancelled`. Finished calls, and streamed
    /// bodies that are still being read, are not affected.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; their level doesn't matter here.
    ///   - condition: Whether to cancel the call of a request; by default all are cancelled.
    /// - Returns: How many calls were cancelled.
    @discardableResult
    public func cancelAll<R: APIRequest>(_ type: R.Type, where condition: (R) -> Bool = { _ in true }) -> Int {
        core.parts.calls.cancel { $0.request?.unwrapped(as: type).map(condition) ?? false }
    }

    /// Cancels all calls in flight of this client, and of all clients derived from the same one.
    ///
    /// - Returns: How many calls were cancelled.
    @discardableResult
    public func cancelAll() -> Int {
        core.parts.calls.cancel { _ in true }
    }
}

@available(
    *,
    unavailable,
    message: "a chain has at most four levels, including Public, and this level is above the fourth"
)
extension APIClient {
    /// Rejects a level whose chain is too long.
    public func authorized<NewLevel: AccessLevel>(
        by provider: some TokenProvider,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> {
        authorized(by: .token(provider), for: environment, as: level)
    }

    /// Rejects a level whose chain is too long.
    public func authorized<NewLevel: AccessLevel>(
        by signer: some RequestSigner,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> {
        authorized(by: .signature(signer), for: environment, as: level)
    }
}

extension APIClient: CustomStringConvertible, CustomReflectable {
    /// The level only.
    public var description: String { "APIClient<\(Level.self)>" }

    /// The origins that the client has credentials for, for `dump` and debuggers; providers and middleware may hold
    /// secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["authorizedFor": core.parts.credentials.origins])
    }
}

extension APIRequest {
    /// The request, or the request inside a proxy, if it has that type.
    fileprivate func unwrapped<Other: APIRequest>(as type: Other.Type) -> Other? {
        if let request = self as? Other { return request }
        return (self as? any RequestProxy)?.unwrappedBase(as: type)
    }
}

extension RequestProxy {
    fileprivate func unwrappedBase<Other: APIRequest>(as type: Other.Type) -> Other? { request.unwrapped(as: type) }
}

extension APIClient {
    /// Deletes a credential and everything that was stored for it: the cookies of its host, what middleware stores
    /// (``HTTPMiddleware/signedOut(of:)``), and its tokens in the provider's store.
    ///
    /// Local data is deleted first, so a provider that revokes a token at a service does not delay that.
    ///
    /// The client does not change: it is authorized as a type, and its calls fail with ``FailureReason/missingToken``
    /// until someone signs in again. Calls in flight are not ended. Some providers only read a token: ``AskedToken``,
    /// an environment variable, a ``TokenProvider`` that does not implement ``TokenProvider/signOut()``. They continue
    /// to return it.
    ///
    /// - Parameter environment: The environment of the credential, substituted or not; `nil` for all credentials of the
    ///   client.
    /// - Throws: `TransportError` with ``FailureReason/otherOrigin`` if the client has no credential for the
    ///   environment. Otherwise the first error, after everything was tried.
    public func signOut(of environment: APIEnvironment? = nil) async throws {
        try await core.signOut(of: environment)
    }
}

extension APIClient {
    /// A client whose errors have more details of a response that can't be decoded.
    ///
    /// ```swift
    /// let items = try await client.diagnosing([.everyFailure, .values]).send(Qiita.Items())
    /// ```
    /// - Parameter detail: The details, in addition to those of requests and of earlier calls of this function.
    /// - Returns: The client.
    public func diagnosing(_ detail: DiagnosisDetail) -> APIClient {
        with { $0.diagnosisDetail.formUnion(detail) }
    }

    /// A client whose errors contain no values unless a request needs them: for one whose responses are secrets.
    package func hidingValues() -> APIClient {
        with { $0.diagnosisDetail.subtract(.values) }
    }
}
