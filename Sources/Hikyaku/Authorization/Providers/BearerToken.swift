/// One token that never changes: `.bearer("…")`.
public struct BearerToken: TokenProvider {
    private let token: AccessToken<NotReady>

    /// Hides a token, without the word `Bearer`; `nil` stands for none yet.
    public init(_ token: String?) {
        self.token = AccessToken(token)
    }

    /// The token.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { token }
}

extension TokenProvider where Self == BearerToken {
    /// One token that never changes.
    public static func bearer(_ token: String?) -> BearerToken { BearerToken(token) }
}
