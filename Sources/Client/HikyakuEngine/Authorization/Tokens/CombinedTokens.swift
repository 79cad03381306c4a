/// Several tokens that are sent together, for a service that needs more than one: a key of the app and a token of the
/// user, for example.
///
/// ```swift
/// let client = APIClient().authorized(
///     by: .all(.apiKey(shopKey, in: .header("X-Api-Key")), .bearer(userToken)),
///     for: .shop,
/// )
/// ```
/// Each provider is called for each attempt, in order. A call is sent only if all of them have a token. After a 401,
/// each is called for another token in place of its own, since the response does not say which one was rejected. Two
/// tokens for one place, such as the field `Authorization`, can't be sent: the first one is.
public struct CombinedTokens: TokenProvider {
    private let providers: [any TokenProvider]

    /// Creates a provider from others.
    ///
    /// - Parameter providers: The providers, of which none is a `CombinedTokens`; without any, calls fail with
    ///   ``FailureReason/missingToken``.
    package init(_ providers: [any TokenProvider]) {
        self.providers = providers
    }

    /// Whether all of them promise it.
    public var endsOnCancellation: Bool { providers.allSatisfy(\.endsOnCancellation) }

    /// The tokens of all providers.
    ///
    /// - Throws: The first error.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        var tokens: [AccessToken<NotReady>] = []
        for provider in providers { tokens.append(try await provider.token(for: environment)) }
        return Self.combined(tokens)
    }

    /// Other tokens in place of those of which one was rejected; `nil` if no provider has another.
    ///
    /// - Throws: The first error.
    public func token(
        replacing rejected: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>? {
        let parts = [rejected.combined(with: [])] + rejected.others
        guard parts.count == providers.count else { return nil }
        var tokens: [AccessToken<NotReady>] = []
        var hasOther = false
        for (provider, part) in zip(providers, parts) {
            if let other = try await provider.token(replacing: part, for: environment) {
                tokens.append(other)
                hasOther = true
            } else {
                tokens.append(try await provider.token(for: environment))
            }
        }
        return hasOther ? Self.combined(tokens) : nil
    }

    /// Whether one of the providers says so.
    public func isRejection(_ response: HTTPResponse) -> Bool { providers.contains { $0.isRejection(response) } }

    /// Deletes the tokens of all providers.
    ///
    /// - Throws: The first error, after all were called.
    public func signOut() async throws {
        var failure: (any Error)?
        for provider in providers {
            do { try await provider.signOut() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private static func combined(_ tokens: [AccessToken<NotReady>]) -> AccessToken<NotReady> {
        guard let first = tokens.first else { return AccessToken(String?.none) }
        return first.combined(with: Array(tokens.dropFirst()))
    }
}

extension TokenProvider where Self == CombinedTokens {
    /// Several tokens that are sent together.
    ///
    /// - Parameter providers: The providers of the tokens.
    /// - Returns: The provider of all of them.
    public static func all(_ providers: any TokenProvider...) -> CombinedTokens { CombinedTokens(providers) }
}
