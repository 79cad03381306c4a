/// What sends requests, and gives back models or typed errors.
///
/// ```swift
/// let client = APIClient()
/// let items = try await client.send(Qiita.Items(page: 2))
/// ```
/// A client is a value: the functions that configure it return another, and all that come from one share its transport.
/// `Level` says what it is authorized for; sending a request that needs more doesn't compile.
///
/// All clients that were made without a transport share one for the whole process: `WireTransport` on Linux,
/// `URLSessionTransport` on Apple's platforms. A transport of one's own ends with its last reference.
public struct APIClient<Level: AccessLevel>: Sendable {
    let core: ClientCore
}

extension APIClient where Level == Public {
    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: What moves the bytes; `nil` for the one that all such clients share.
    ///   - middleware: Steps of one's own, outermost first.
    ///   - options: What holds for all calls.
    public init(
        transport: (any HTTPTransport)? = nil,
        middleware: [any HTTPMiddleware] = [],
        options: ClientOptions = ClientOptions(),
    ) {
        core = ClientCore(ClientCore.Parts(transport: transport, middleware: middleware, options: options))
    }
}

extension APIClient {
    /// A client that sends what is declared for one environment to another: to staging, or to a server of a test.
    ///
    /// The environments are told apart by their base URLs, whatever headers they have. A credential stays bound to the
    /// environment that it was given for: authorize the client for `substitute` to send one there.
    public func substituting(_ substitute: APIEnvironment, for environment: APIEnvironment) -> APIClient {
        with { $0.substitutes[environment.base] = substitute }
    }

    /// The environment that takes the place of another in this client: its substitute, or itself.
    ///
    /// To authorize a client for wherever its requests go:
    /// ```swift
    /// client.authorized(by: provider, for: client.environment(for: .qiita))
    /// ```
    public func environment(for environment: APIEnvironment) -> APIEnvironment {
        core.environment(for: environment)
    }

    /// A client that is authorized for one environment, beside those that it is authorized for already.
    ///
    /// Its level is that of the credential that came last: give the highest one at the end.
    ///
    /// The credential goes with requests to that environment that need authorization, and to its origin (scheme, host
    /// and port) alone; a request that goes elsewhere ends as ``FailureReason/otherOrigin`` before anything is sent.
    /// Another environment of the same origin shares the credential unless it has its own.
    ///
    /// - Parameters:
    ///   - provider: What gives the token: `.bearer("…")`, `.basic(user:password:)`, `.apiKey(_:in:)`,
    ///     `AskedToken { … }`, ``RefreshingToken``, or a type of one's own.
    ///   - environment: Where the token may be sent.
    /// - Returns: A client that sends requests whose `Access` is ``Authorized``.
    public func authorized(
        by provider: some TokenProvider,
        for environment: APIEnvironment,
    ) -> APIClient<Authorized> {
        authorized(by: provider, for: environment, as: Authorized.self)
    }

    /// A client that is authorized for one environment at a level of one's own.
    ///
    /// - Parameters:
    ///   - provider: What gives the token.
    ///   - environment: Where the token may be sent: to its origin alone.
    ///   - level: What the token is good for: requests of this level, and of those that it includes, can be sent.
    /// - Returns: A client of that level.
    public func authorized<NewLevel: AccessLevel>(
        by provider: some TokenProvider,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> where NewLevel.Includes.Includes.Includes == Public {
        authorized(by: .token(provider), for: environment, as: level)
    }

    /// Refuses a level of a chain that is too long.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "a chain of levels has at most four, Public among them, and this level is above the fourth"
    )
    public func authorized<NewLevel: AccessLevel>(
        by provider: some TokenProvider,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> {
        authorized(by: .token(provider), for: environment, as: level)
    }

    /// A client whose requests to one environment are signed, where they need authorization.
    ///
    /// - Parameters:
    ///   - signer: What signs them.
    ///   - environment: Whose requests are signed: those to its origin alone.
    /// - Returns: A client that sends requests whose `Access` is ``Authorized``.
    public func authorized(
        by signer: some RequestSigner,
        for environment: APIEnvironment,
    ) -> APIClient<Authorized> {
        authorized(by: signer, for: environment, as: Authorized.self)
    }

    /// A client whose requests to one environment are signed, at a level of one's own.
    ///
    /// - Parameters:
    ///   - signer: What signs them.
    ///   - environment: Whose requests are signed.
    ///   - level: What the signature is good for.
    /// - Returns: A client of that level.
    public func authorized<NewLevel: AccessLevel>(
        by signer: some RequestSigner,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> where NewLevel.Includes.Includes.Includes == Public {
        authorized(by: .signature(signer), for: environment, as: level)
    }

    /// Refuses a level of a chain that is too long.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "a chain of levels has at most four, Public among them, and this level is above the fourth"
    )
    public func authorized<NewLevel: AccessLevel>(
        by signer: some RequestSigner,
        for environment: APIEnvironment,
        as level: NewLevel.Type,
    ) -> APIClient<NewLevel> {
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

    /// A client that writes what it really sends and receives; a second call takes the place of the first.
    ///
    /// - Parameters:
    ///   - level: How much.
    ///   - revealingSecrets: Whether credentials, the query's values and bodies are shown too.
    ///   - sink: Where each piece of text goes, called on any thread; `nil` for standard error.
    /// - Returns: The client that writes.
    public func logging(
        _ level: LoggingLevel,
        revealingSecrets: Bool = false,
        to sink: (@Sendable (String) -> Void)? = nil,
    ) -> APIClient {
        let step = CallLogging(
            level: level,
            revealingSecrets: revealingSecrets,
            sink: sink ?? CallLogging.standardError,
        )
        return with { $0.logging = step }
    }

    /// Ends the client's transport: takes no new calls, and waits for those in flight at most `grace`.
    ///
    /// The transport that clients share by default ends for all of them: do that at the end of the process only.
    public func shutdown(within grace: Duration) async {
        await core.transport.shutdown(within: grace)
    }

    /// A client whose results an observer hears of; a second one takes the place of the first.
    package func telling(_ observer: any ResultObserver) -> APIClient {
        with { $0.results = observer }
    }

    func with(_ change: (inout ClientCore.Parts) -> Void) -> APIClient {
        APIClient(core: core.with(change))
    }
}

extension APIClient {
    /// Cancels the calls in flight of one type of request, however they were started, if a condition holds for them.
    ///
    /// ```swift
    /// client.cancelAll(Qiita.Items.self) { $0.page > 3 }
    /// ```
    /// Calls of this client are looked at, and of all that come from the same one: by authorizing, logging and so on. A
    /// request in proxies counts too. Each call ends as `.cancelled`; what is over, and a streamed body that is still
    /// being read, stays as it is.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; their level doesn't matter here.
    ///   - condition: Whether a request's call is cancelled; by default all are.
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll<R: APIRequest>(_ type: R.Type, where condition: (R) -> Bool = { _ in true }) -> Int {
        core.parts.calls.cancel { request in request.unwrapped(as: type).map(condition) ?? false }
    }

    /// Cancels all calls in flight of this client, and of all that come from the same one.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll() -> Int {
        core.parts.calls.cancel { _ in true }
    }
}

extension APIClient: CustomStringConvertible, CustomReflectable {
    /// The level, and nothing of what the client holds.
    public var description: String { "APIClient<\(Level.self)>" }

    /// Where the client has credentials, for `dump` and debuggers; providers and middleware may hold secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["authorizedFor": core.parts.credentials.origins])
    }
}

extension APIRequest {
    /// The request, or one that it has inside, if it is of that type.
    fileprivate func unwrapped<Other: APIRequest>(as type: Other.Type) -> Other? {
        if let request = self as? Other { return request }
        return (self as? any RequestProxy)?.unwrappedBase(as: type)
    }
}

extension RequestProxy {
    fileprivate func unwrappedBase<Other: APIRequest>(as type: Other.Type) -> Other? { request.unwrapped(as: type) }
}
