public import Hikyaku

/// What a client is authorized by: the tokens of someone who has signed in, refreshed once for all calls that wait.
///
/// ```swift
/// let session = OAuthSession(oauth, store: store)
/// if try await store.load() == nil {
///     try await session.signIn(oauth.signIn(redirectURI: "com.example.reader:/signed-in", authenticate: browse))
/// }
/// let client = APIClient().authorized(by: session, for: .reader)
/// ```
/// It is a `RefreshingToken` that knows how the authorization server refreshes and revokes. A refresh token that the
/// server doesn't take any more ends calls as `.unauthorized` with the reason `expiredToken`, until someone signs in.
public struct OAuthSession: TokenProvider {
    private let oauth: OAuthClient
    private let store: RememberingStore
    private let running: RunningRefreshes
    private let tokens: RefreshingToken
    private let options: RefreshOptions

    /// As that of the tokens that it keeps.
    public var endsOnCancellation: Bool { tokens.endsOnCancellation }

    private init(
        _ oauth: OAuthClient,
        _ store: (any TokenStore)?,
        _ options: RefreshOptions,
        _ make: (RememberingStore, RunningRefreshes, RefreshOptions) -> RefreshingToken,
    ) {
        let store = RememberingStore(store)
        var options = options
        options.isPassing = options.isPassing ?? Self.isPassing
        let running = RunningRefreshes(noteIssued: store.noteIssued) { try? await oauth.revoke($0) }
        self.oauth = oauth
        self.store = store
        self.running = running
        self.options = options
        tokens = make(store, running, options)
    }

    /// Makes the session of a person, who signs in by ``signIn(_:)`` or has done so before.
    ///
    /// - Parameters:
    ///   - oauth: Who refreshes and revokes. Its own client has no need of this session, and must not be authorized by
    ///     it.
    ///   - store: What keeps the token between launches.
    ///   - options: When to refresh.
    public init(_ oauth: OAuthClient, store: any TokenStore, options: RefreshOptions = RefreshOptions()) {
        self.init(oauth, store, options) { store, running, options in
            RefreshingToken(store: store, options: options) { (token: IssuedToken) in
                do {
                    return try await running.run { try await oauth.refresh(token) }
                } catch let error where OAuthError(in: error)?.code == .invalidGrant {
                    throw TransportError(
                        .expiredToken,
                        "the authorization server rejected the refresh token: sign in again",
                        underlyingError: error,
                    )
                }
            }
        }
    }

    /// Makes the session of an application that acts for itself: the first call asks for a token, and so does the first
    /// after its end.
    ///
    /// - Parameters:
    ///   - oauth: Who asks for tokens, with an application that can prove who it is.
    ///   - scopes: What the tokens are to be good for.
    ///   - parameters: What the server wants beside: `audience`, `resource`.
    ///   - store: What keeps the token between launches; `nil` keeps it in memory alone.
    ///   - options: When to ask for another.
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
                try await running.run { try await oauth.clientCredentials(scopes: scopes, parameters: parameters) }
            }
        }
    }

    /// Whether a failure of a refresh says nothing about the token, where `RefreshOptions.isPassing` says nothing else.
    ///
    /// Only an error in the standard's words is the authorization server's verdict, and of those
    /// `temporarily_unavailable`, `server_error` and `slow_down` are none: a page for people, as of a network that
    /// wants a sign-in of its own, a redirect, and an answer that can't be read come from somebody else, whatever their
    /// status.
    public static func isPassing(_ error: any Error) -> Bool {
        if let code = OAuthError(in: error)?.code, [.temporarilyUnavailable, .serverError, .slowDown].contains(code) {
            return true
        }
        if RefreshOptions.isPassing(error) { return true }
        guard let failure = error as? any APIFailure, OAuthError(in: error) == nil else { return false }
        return [.decoding, .service, .unacceptableStatus].contains(failure.phase)
    }

    /// Takes the token of a sign-in, in the place of the one before, and writes it to the store.
    ///
    /// - Throws: What the store throws; the token is used nevertheless.
    public func signIn(_ token: IssuedToken) async throws {
        try await tokens.signIn(token)
    }

    /// The token, refreshed if it has ended; a missing one where nobody has signed in.
    ///
    /// - Throws: As `RefreshingToken`, and what the refresh throws.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        try await tokens.token(for: environment)
    }

    /// The token that has replaced the refused one, or replaces it now.
    ///
    /// - Throws: As ``token(for:)``.
    public func token(
        replacing refused: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>? {
        try await tokens.token(replacing: refused, for: environment)
    }

    /// Forgets the token, here and in the store, and has the server revoke it where it has an endpoint for that.
    ///
    /// What another process has put into the store is revoked too, and so is what a refresh brings that is under way:
    /// the server may have issued that already, so it is waited for, as long as `RefreshOptions.refreshTimeout` says.
    /// Calls end as signed out before that, and cancelling the caller ends the revoking and the waiting alone. A
    /// refresh that calls this itself isn't waited for; what it brings is revoked when it ends.
    ///
    /// - Throws: What the store throws, after the server was asked nevertheless; otherwise what kept the server from
    ///   revoking a token, which is forgotten here by then: the refresh that took too long is a `TransportError` of the
    ///   reason `refreshTimeout`.
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
        // A revocation that its caller has given up says so in words of its own.
        if let failure { throw Task.isCancelled ? CancellationError() : failure }
    }

    private func revoke(whatComesOf refreshes: [RunningRefreshes.Refresh]) async throws {
        // Whoever gives up here leaves none of them behind.
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
        of refresh: RunningRefreshes.Refresh,
        until end: ContinuousClock.Instant?,
    ) async throws -> Result<IssuedToken, any Error> {
        let race = Race<Result<IssuedToken, any Error>>()
        let timer = end.map { end in
            options.clock.schedule(at: end) {
                let text = "a refresh is still in flight, and the token that it gets will not be revoked"
                race.finish(with: .failure(TransportError(.refreshTimeout, text)))
            }
        }
        defer { timer?.cancel() }
        return try await race.run { await refresh.result }
    }
}

extension OAuthSession: CustomStringConvertible, CustomReflectable {
    /// Whose tokens they are, without one.
    public var description: String { "OAuthSession(\(oauth.application.id))" }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["session": description]) }
}
