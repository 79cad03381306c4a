import Hikyaku

extension OAuthClient {
    /// Gets a token for the application itself, without a person.
    ///
    /// There is no refresh token as a rule: when the token ends, another is asked for in the same way.
    ///
    /// [RFC 6749, section 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4)
    ///
    /// - Parameters:
    ///   - scopes: What the token is to be good for; none leaves it to the server.
    ///   - parameters: What the server wants beside: `audience`, `resource`.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says.
    public func clientCredentials(
        scopes: Set<String> = [],
        parameters: [String: String] = [:],
    ) async throws -> IssuedToken {
        var form: RequestQuery = ["grant_type": "client_credentials", "scope": Scopes.joined(scopes)]
        form = try form + RequestQuery(OAuthParameters.checked(parameters))
        return try await token(by: form, asked: scopes)
    }

    /// Gets another token with the refresh token of one.
    ///
    /// A server may issue another refresh token with it, and the old one ends then: keep what is returned and forget
    /// what was there before. Where it issues none, the old one is kept. ``OAuthSession`` does all of that, once for
    /// all calls that wait; asked by two at once, a server takes the second for a thief and ends both.
    ///
    /// [RFC 6749, section 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)
    ///
    /// - Parameter token: The token that has ended, or is about to.
    /// - Returns: Its successor, with the scopes of the old one where the server says nothing else.
    /// - Throws: As ``OAuthClient`` says; ``OAuthProblem/Reason/missingRefreshToken`` where there is none, and
    ///   ``OAuthError/Code/invalidGrant`` in an `APIError` where the server doesn't take it any more.
    public func refresh(_ token: IssuedToken) async throws -> IssuedToken {
        guard let refreshToken = token.refreshToken else {
            throw OAuthProblem(.missingRefreshToken, "no refresh token was issued")
        }
        let form: RequestQuery = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
        return try await self.token(by: form, asked: token.scopes ?? []).keeping(token)
    }

    /// Tells the server that a token isn't used any more: its refresh token, then the token itself.
    ///
    /// A token that the server doesn't know, or has ended, counts as revoked. Both are tried, even where one fails.
    ///
    /// [RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)
    ///
    /// - Parameter token: The token.
    /// - Throws: As ``OAuthClient`` says; ``OAuthProblem/Reason/missingEndpoint`` where the server revokes nothing.
    public func revoke(_ token: IssuedToken) async throws {
        let endpoint = try OAuthEndpoint(server.revocationEndpoint, "revocation endpoint")
        var failure: (any Error)?
        if let refreshToken = token.refreshToken {
            do { try await revoke(refreshToken, "refresh_token", at: endpoint) } catch { failure = error }
        }
        do {
            try await revoke(token.token, "access_token", at: endpoint)
        } catch let error where token.refreshToken != nil && OAuthError(in: error)?.code == .unsupportedTokenType {
            // Tokens that nobody looks up end by themselves, and aren't renewed any more.
        } catch {
            failure = failure ?? error
        }
        if let failure { throw failure }
    }

    private func revoke(_ token: Secret<String>, _ kind: String, at endpoint: OAuthEndpoint) async throws {
        let form: RequestQuery = ["token": token.reveal(), "token_type_hint": kind]
        try await client.send(RevocationRequest(endpoint: endpoint, application: application, form: form))
    }
}
