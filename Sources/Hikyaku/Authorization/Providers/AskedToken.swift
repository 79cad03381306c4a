/// A token that a closure gives each time: `AskedToken { try await keychain.load() }`.
///
/// Signing out forgets nothing here: what the closure asks has to.
public struct AskedToken: TokenProvider {
    private let placement: CredentialPlacement
    private let ask: @Sendable () async throws -> String?

    /// Keeps a closure; it is called for each attempt, concurrently.
    ///
    /// - Parameters:
    ///   - placement: Where the token goes.
    ///   - ask: Gives the token, without a scheme; `nil` for none.
    public init(in placement: CredentialPlacement = .bearer, _ ask: @escaping @Sendable () async throws -> String?) {
        self.placement = placement
        self.ask = ask
    }

    /// What the closure gives.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        AccessToken(try await ask(), in: placement)
    }
}
