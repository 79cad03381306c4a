public import Hikyaku
public import HikyakuBase

/// A provider for the tokens of a signed-in user, refreshed single-flight for all calls that wait.
///
/// ```swift
/// let session = OAuthSession(oauth, store: tokenStore)
/// if try await tokenStore.load() == nil {
///     let token = try await oauth.signIn(redirectURI: "com.example.reader:/signed-in") { url in
///         try await browser.open(url, until: "com.example.reader")
///     }
///     try await session.signIn(token)
/// }
/// let client = APIClient().authorized(by: session, for: .shop)
/// ```
/// It is a `RefreshingToken` that refreshes and revokes at the authorization server. If the server rejects the refresh
/// token, calls fail as `.unauthorized` with the reason `expiredToken`, until the user signs in again.
public struct OAuthSession: TokenProvider {
    private let oauth: OAuthClient
    private let store: RecordingTokenStore
    private let running: RefreshesInFlight
    private let tokens: RefreshingToken
    private let options: RefreshOptions

    /// The promise of the tokens' provider.
    public var endsOnCancellation: Bool { tokens.endsOnCancellation }

    private init(
        _ oauth: OAuthClient,
        _ store: (any TokenStore)?,
        _ options: RefreshOptions,
        _ make: (RecordingTokenStore, RefreshesInFlight, RefreshOptions) -> RefreshingToken,
    ) {
        let store = RecordingTokenStore(store)
        var options = options
        options.isTransient = options.isTransient ?? Self.isTransient
        let running = RefreshesInFlight(noteIssued: store.noteIssued) { try? await oauth.revoke($0) }
        self.oauth = oauth
        self.store = store
        self.running = running
        self.options = options
        tokens = make(store, running, options)
    }

    /// Creates the session of a user, who signs in by ``signIn(_:)`` or has done so before.
    ///
    /// - Parameters:
    ///   - oauth: The client that refreshes and revokes. Its own client must not be authorized by this session.
    ///   - store: The store that keeps the token between launches.
    ///   - options: When to refresh.
    public init(_ oauth: OAuthClient, store: any TokenStore, options: RefreshOptions = RefreshOptions()) {
        self.init(oauth, store, options) { store, running, options in
            RefreshingToken(store: store, options: options) { (token: IssuedToken) in
                do {
                    return try await running.run { try await oauth.refresh(token) }
                } catch {
                    throw Self.rejection(error) ?? error
                }
            }
        }
    }

    /// Creates the session of an application without a user: the first call requests a token, and so does the first one
    /// after its expiry.
    ///
    /// - Parameters:
    ///   - oauth: The client that requests tokens, with an application that can authenticate.
    ///   - scopes: The requested scopes.
    ///   - parameters: Additional parameters for the server: `audience`, `resource`.
    ///   - store: The store that keeps the token between launches; `nil` keeps it only in memory.
    ///   - options: When to request another token.
    /// - Returns: The session.
    public static func clientCredentials(
        _ oauth: OAuthClient,
        scopes: Set<String> = [],
        parameters: [String: String] = [:],
        store: (any TokenStore)? = nil,
        options: RefreshOptions = RefreshOptions(),
    ) -> OAuthSession {
        OAuthSession(oauth, store, options) { store, running, options in
            .issued(in: store, options: options) { _ in
                do {
                    return try await running.run {
                        try await oauth.clientCredentials(scopes: scopes, parameters: parameters)
                    }
                } catch {
                    throw Self.rejection(error) ?? error
                }
            }
        }
    }

    /// The error of calls whose token the authorization server rejects, or whose application; `nil` for others.
    private static func rejection(_ error: any Error) -> (any Error)? {
        switch OAuthError(in: error)?.code {
        case let code? where OAuthError.Code.ofRejectedTokens.contains(code):
            let text = "the authorization server rejected the refresh token"
            return OAuthCause.rejectedRefresh.error(text, underlyingError: error)
        case let code? where OAuthError.Code.ofRejectedClients.contains(code):
            let code = OAuthError(in: error)?.logCode ?? ""
            let text = "the authorization server rejected the application: \(code)"
            return OAuthCause.rejectedClient.error(text, underlyingError: error)
        default: return nil
        }
    }

    /// Whether a failure of a refresh is transient; the default for `RefreshOptions.isTransient`.
    ///
    /// Of the errors in the standard's format, `temporarily_unavailable`, `server_error` and `slow_down` are transient.
    /// Those that reject the token or the application are final, whatever their status.
    /// The statuses 400 and 401 without such an error are final too (RFC 6749, section 5.2), unless they come with an
    /// HTML page, such as that of a network that requires a sign-in. Other pages, a redirect, and a response that can't
    /// be decoded come from another server, whatever their status.
    public static func isTransient(_ error: any Error) -> Bool {
        if let isPassing = OAuthError(in: error)?.isPassing { return isPassing }
        if RefreshOptions.isTransient(error) { return true }
        guard let failure = error as? any APIFailure, OAuthError(in: error) == nil else { return false }
        if let response = failure.response, response.status == 400 || response.status == 401 {
            return response.headers.mediaType?.essence == "text/html"
        }
        return [.decoding, .service, .unacceptableStatus].contains(failure.phase)
    }

    /// Replaces the previous token with that of a sign-in, and writes it to the store.
    ///
    /// - Throws: The error of the store; the token is used nevertheless.
    public func signIn(_ token: IssuedToken) async throws {
        try await tokens.signIn(token)
    }

    /// As the options say.
    public func isRejection(_ response: HTTPResponse) -> Bool { tokens.isRejection(response) }

    /// The token, refreshed if it has expired; a missing one if no user is signed in.
    ///
    /// - Throws: As `RefreshingToken`, and the error of the refresh.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        try await tokens.token(for: environment)
    }

    /// The token that has replaced the rejected one, or replaces it now.
    ///
    /// - Throws: As ``token(for:)``.
    public func token(
        replacing rejected: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>? {
        try await tokens.token(replacing: rejected, for: environment)
    }

    /// Deletes the token, here and in the store, and revokes it if the server has an endpoint for that.
    ///
    /// It also revokes a token that another process has put into the store, and the result of a refresh in flight. The
    /// server may already have issued that one, so this waits for it, up to `RefreshOptions.refreshTimeout`. Calls fail
    /// as signed out before that, and cancelling the caller cancels only the revocation and the waiting. A refresh that
    /// calls this itself isn't waited for; its result is revoked when it ends.
    ///
    /// - Throws: The error of the store, after the revocation was tried nevertheless; otherwise the error of the
    ///   revocation of a token, which is already deleted here by then. A refresh that took too long is a
    ///   `TransportError` with the reason `refreshTimeout`.
    public func signOut() async throws {
        guard oauth.server.revocationEndpoint != nil else {
            defer { _ = store.takeUnused() }
            return try await tokens.signOut()
        }
        running.beginSigningOut()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await tokens.signOut()) } catch { outcome = .failure(error) }
        let broken = running.endSigningOut()
        var failure: (any Error)?
        for token in store.takeUnused() {
            do { try await oauth.revoke(token) } catch { failure = failure ?? error }
        }
        do { try await revoke(whatComesOf: broken) } catch { failure = failure ?? error }
        try outcome.get()
        // A revocation whose caller was cancelled has its own error.
        if let failure { throw Task.isCancelled ? CancellationError() : failure }
    }

    private func revoke(whatComesOf refreshes: [RefreshesInFlight.Refresh]) async throws {
        // A cancelled caller leaves none of them running.
        defer { for refresh in refreshes { refresh.cancel() } }
        let end = options.refreshTimeout.map { options.clock.now.advanced(by: max(.zero, min($0, .farFuture))) }
        var failure: (any Error)?
        for refresh in refreshes {
            guard case .success(let token) = try await result(of: refresh, until: end) else { continue }
            do { try await oauth.revoke(token) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func result(
        of refresh: RefreshesInFlight.Refresh,
        until end: ContinuousClock.Instant?,
    ) async throws -> Result<IssuedToken, any Error> {
        let race = Race<Result<IssuedToken, any Error>>()
        let timer = end.map { end in
            options.clock.schedule(at: end) {
                let text = "a refresh is still in flight, and the token that it gets will not be revoked"
                race.finish(with: .failure(OAuthCause.refreshTimeout.error(text)))
            }
        }
        defer { timer?.cancel() }
        return try await race.run { await refresh.result }
    }
}

extension OAuthSession: Redacted {
    /// The application of the session, without a token.
    public var description: String { "OAuthSession(\(oauth.application.id))" }
}
