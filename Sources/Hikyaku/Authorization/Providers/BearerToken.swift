/// One token that never changes: `.bearer("…")`.
public struct BearerToken: TokenProvider {
    private let token: KeptToken

    /// Hides a token, without the word `Bearer`; `nil` stands for none yet.
    public init(_ token: String?) {
        self.token = KeptToken(AccessToken(token))
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The token.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { token.value }

    /// Forgets the token, for all copies of this provider.
    public func signOut() async throws { token.forget() }
}

extension TokenProvider where Self == BearerToken {
    /// One token that never changes.
    public static func bearer(_ token: String?) -> BearerToken { BearerToken(token) }
}
