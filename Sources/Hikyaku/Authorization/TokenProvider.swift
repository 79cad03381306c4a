/// What gives the token of a credential: the seam to wherever an app keeps it.
///
/// It is asked for each attempt just before the request is sent, concurrently; one that has to fetch or refresh does so
/// there. The client adds `Authorization: Bearer …`, for requests that need authorization alone, and only towards the
/// origin of the environment that the provider was given for.
public protocol TokenProvider: Sendable {
    /// The token for an environment; `nil` or an empty one ends the call as `.unauthorized` before anything is sent.
    ///
    /// - Parameter environment: The environment that the provider was given for.
    /// - Returns: The token without the word `Bearer`.
    /// - Throws: Anything; it is reported as `.other`, and nothing is sent.
    func token(for environment: APIEnvironment) async throws -> Secret<String>?
}

/// One token that never changes: `.bearer("…")`.
public struct BearerToken: TokenProvider {
    private let token: Secret<String>?

    /// Hides a token; `nil` stands for none yet.
    public init(_ token: String?) {
        self.token = token.map(Secret.init)
    }

    /// The token.
    public func token(for environment: APIEnvironment) async throws -> Secret<String>? { token }
}

/// A token that a closure gives each time: `AskedToken { try await keychain.load() }`.
public struct AskedToken: TokenProvider {
    private let ask: @Sendable () async throws -> String?

    /// Keeps a closure; it is called for each attempt, concurrently.
    public init(_ ask: @escaping @Sendable () async throws -> String?) {
        self.ask = ask
    }

    /// What the closure gives.
    public func token(for environment: APIEnvironment) async throws -> Secret<String>? {
        try await ask().map(Secret.init)
    }
}

extension TokenProvider where Self == BearerToken {
    /// One token that never changes.
    public static func bearer(_ token: String?) -> BearerToken { BearerToken(token) }
}

extension FailureReason {
    /// The request needs authorization, and the provider has no token.
    public static let missingToken = FailureReason(.unauthorized, "missingToken")
    /// The request needs authorization, and the provider's token is empty.
    public static let emptyToken = FailureReason(.unauthorized, "emptyToken")
    /// The request goes to an origin that the client has no credential for.
    public static let otherOrigin = FailureReason(.unauthorized, "otherOrigin")
}
