import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OAuthClient {
    /// Has a person sign in with a browser, and gets a token for them: the authorization code grant with PKCE.
    ///
    /// ```swift
    /// let token = try await oauth.signIn(scopes: ["read"], redirectURI: "com.example.reader:/signed-in") { url in
    ///     try await withCheckedThrowingContinuation { … }  // an ASWebAuthenticationSession
    /// }
    /// ```
    /// [RFC 6749, section 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1),
    /// [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
    ///
    /// - Parameters:
    ///   - scopes: What the token is to be good for; none leaves it to the server.
    ///   - redirectURI: Where the server sends the person back to, exactly as it is registered.
    ///   - parameters: What the server knows beside: `prompt`, `login_hint`, `audience`, `nonce`. A nonce is sent and
    ///     not compared: whoever reads the token's `idToken` has to check that and its `nonce`.
    ///   - authenticate: Opens the URL, and returns the one that the person came back with. It ends when the task is
    ///     cancelled, or has no end where nobody comes back.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says, and what `authenticate` throws.
    public func signIn(
        scopes: Set<String> = [],
        redirectURI: String,
        parameters: [String: String] = [:],
        authenticate: @Sendable (URL) async throws -> URL,
    ) async throws -> IssuedToken {
        let authorization = try authorization(scopes: scopes, redirectURI: redirectURI, parameters: parameters)
        let redirect = try await authenticate(authorization.url)
        try Task.checkCancellation()
        return try await token(for: authorization, redirectedTo: redirect)
    }

    /// Has a person sign in, where opening the browser and receiving the redirect are two things: a command line that
    /// listens on loopback, a server.
    ///
    /// Both run at once, so whatever receives has to be there already; where opening throws, receiving is cancelled.
    ///
    /// - Parameters:
    ///   - scopes: What the token is to be good for; none leaves it to the server.
    ///   - redirectURI: Where the server sends the person back to; a port on loopback may be any.
    ///   - parameters: What the server knows beside.
    ///   - open: Shows the URL in a browser, and returns at once.
    ///   - receive: Returns the URL that the person came back with.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says, and what the closures throw.
    public func signIn(
        scopes: Set<String> = [],
        redirectURI: String,
        parameters: [String: String] = [:],
        open: @escaping @Sendable (URL) async throws -> Void,
        receive: @escaping @Sendable () async throws -> URL,
    ) async throws -> IssuedToken {
        try await signIn(scopes: scopes, redirectURI: redirectURI, parameters: parameters) { url in
            async let redirect = receive()
            try await open(url)
            return try await redirect
        }
    }

    /// Begins a sign-in whose two halves are far apart: see ``signIn(scopes:redirectURI:parameters:authenticate:)``.
    ///
    /// - Parameters:
    ///   - scopes: What the token is to be good for.
    ///   - redirectURI: Where the server sends the person back to.
    ///   - parameters: What the server knows beside.
    /// - Returns: What to open, and to hand to ``token(for:redirectedTo:)``.
    /// - Throws: ``OAuthProblem``.
    public func authorization(
        scopes: Set<String> = [],
        redirectURI: String,
        parameters: [String: String] = [:],
    ) throws -> OAuthAuthorization {
        let endpoint = try OAuthEndpoint(server.authorizationEndpoint, "authorization endpoint")
        if let methods = server.codeChallengeMethods, !methods.contains("S256") {
            throw OAuthProblem(.missingPKCE, "the server knows no PKCE method S256")
        }
        let state = random.text()
        let verifier = random.text()
        let challenge: String
        do throws(CryptoError) {
            challenge = Base64URL.text(of: try Digest.sha256(Data(verifier.utf8)))
        } catch {
            throw OAuthProblem(error)
        }
        var items = [("response_type", "code"), ("client_id", application.id), ("redirect_uri", redirectURI)]
        if let scope = Scopes.joined(scopes) { items.append(("scope", scope)) }
        items += [("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256")]
        items += try OAuthParameters.checked(parameters)
        return OAuthAuthorization(
            url: try endpoint.url(adding: items),
            redirectURI: redirectURI,
            scopes: scopes,
            state: Secret(state),
            verifier: Secret(verifier),
        )
    }

    /// Ends a sign-in: looks at who the redirect is from, and redeems its code.
    ///
    /// - Parameters:
    ///   - authorization: What was begun.
    ///   - redirect: The URL that the person came back with, as a whole.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says.
    public func token(
        for authorization: OAuthAuthorization,
        redirectedTo redirect: URL,
    ) async throws -> IssuedToken {
        let code = try authorization.code(in: redirect, from: server)
        let form: RequestQuery = [
            "grant_type": "authorization_code", "code": code.reveal(), "redirect_uri": authorization.redirectURI,
            "code_verifier": authorization.verifier.reveal(),
        ]
        return try await token(by: form, asked: authorization.scopes)
    }
}
