/// A key that never changes, in a field of its own, the query or a cookie: `.apiKey("…", in: .header("X-Api-Key"))`.
///
/// Prefer a field to the query: servers and proxies write URLs into their logs.
public struct APIKey: TokenProvider {
    private let token: KeptToken

    /// Hides a key.
    ///
    /// - Parameters:
    ///   - key: The key; `nil` stands for none yet.
    ///   - placement: Where the service looks for it.
    public init(_ key: String?, in placement: CredentialPlacement) {
        token = KeptToken(AccessToken(key, in: placement))
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The key.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { token.value }

    /// Forgets the key, for all copies of this provider.
    public func signOut() async throws { token.forget() }
}

extension TokenProvider where Self == APIKey {
    /// A key that never changes.
    public static func apiKey(_ key: String?, in placement: CredentialPlacement) -> APIKey {
        APIKey(key, in: placement)
    }
}
