import Hikyaku

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

    private init(
        _ oauth: OAuthClient,
        _ store: RememberingStore,
        _ running: RunningRefreshes,
        _ tokens: RefreshingToken,
    ) {
        self.oauth = oauth
        self.store = store
        self.running = running
        self.tokens = tokens
    }

    /// Makes the session of a person, who signs in by ``signIn(_:)`` or has done so before.
    ///
    /// - Parameters:
    ///   - oauth: Who refreshes and revokes. Its own client has no need of this session, and must not be authorized by it.
    ///   - store: What keeps the token between launches.
    ///   - options: When to refresh.
    public init(_ oauth: OAuthClient, store: any TokenStore, options: RefreshOptions = RefreshOptions()) {
        let (store, running) = (RememberingStore(store), RunningRefreshes())
        let tokens = RefreshingToken(store: store, options: Self.completed(options)) { (token: IssuedToken) in
            do {
                return try await running.run { try await oauth.refresh(token) }
            } catch let error where OAuthError(in: error)?.code == .invalidGrant {
                throw TransportError(
                    .expiredToken,
                    "the authorization server doesn't take the refresh token any more: sign in again",
                    underlyingError: error,
                )
            }
        }
        self.init(oauth, store, running, tokens)
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
        let (store, running) = (RememberingStore(store), RunningRefreshes())
        let tokens = RefreshingToken.issued(in: store, options: completed(options)) { _ in
            try await running.run { try await oauth.clientCredentials(scopes: scopes, parameters: parameters) }
        }
        return OAuthSession(oauth, store, running, tokens)
    }

    private static func completed(_ options: RefreshOptions) -> RefreshOptions {
        var options = options
        options.isPassing = options.isPassing ?? isPassing
        return options
    }

    /// Whether a failure of a refresh says nothing about the token, where `RefreshOptions.isPassing` says nothing else.
    ///
    /// Only an error in the standard's words is the authorization server's verdict, and of those `temporarily_unavailable`,
    /// `server_error` and `slow_down` are none: a page for people, as of a network that wants a sign-in of its own, a
    /// redirect, and an answer that can't be read come from somebody else, whatever their status.
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
    /// What another process has put into the store is revoked too, and so is what a refresh brings that is under way: the
    /// server may have issued that already, so it is waited for. Calls end as signed out before that.
    ///
    /// - Throws: What the store throws, after the server was asked nevertheless; otherwise what kept the server from
    ///   revoking the token, which is forgotten here by then.
    public func signOut() async throws {
        let revokes = oauth.server.revocationEndpoint != nil
        // Before anything is cancelled: a refresh that is broken off may be done for the server.
        let running = revokes ? running.take() : []
        var issued = revokes ? await store.tokens() : []
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await tokens.signOut()) } catch { outcome = .failure(error) }
        for refresh in running {
            if let token = try? await refresh.value, !issued.contains(token) { issued.append(token) }
        }
        var failure: (any Error)?
        for token in issued {
            do { try await oauth.revoke(token) } catch { failure = failure ?? error }
        }
        try outcome.get()
        if let failure { throw failure }
    }
}

extension OAuthSession: CustomStringConvertible, CustomReflectable {
    /// Whose tokens they are, without one.
    public var description: String { "OAuthSession(\(oauth.application.id))" }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["session": description]) }
}
