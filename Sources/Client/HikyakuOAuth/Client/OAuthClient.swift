public import Hikyaku
public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An OAuth 2.0 client: gets tokens from an authorization server, by any grant.
///
/// ```swift
/// let server = try await OAuthServer.discover("https://auth.example", client: client)
/// let oauth = OAuthClient(server: server, application: OAuthApplication(id: "reader"), client: client)
/// let token = try await oauth.signIn(scopes: ["read"], redirectURI: "com.example.reader:/signed-in") { url in
///     try await browser.open(url, until: "com.example.reader")
/// }
/// ```
/// For a user with a browser, use ``signIn(scopes:redirectURI:parameters:authenticate:)``; on a device without one,
/// ``signInByDevice(scopes:show:)``; for a program without a user, ``clientCredentials(scopes:parameters:)``.
///
/// Its functions throw `APIError<OAuthError>` for responses of the token endpoint and failures of the transport,
/// ``OAuthError`` for an error in a redirect, ``OAuthProblem`` for a problem that is found locally, and
/// `CancellationError`. ``OAuthError/init(in:)`` finds the server's error in any of them. None of them contains
/// secrets, codes or tokens.
public struct OAuthClient: Sendable {
    /// The authorization server.
    public let server: OAuthServer
    /// The registered application.
    public let application: OAuthApplication

    private let client: APIClient<Public>
    let clock: any HTTPClock
    private let date: @Sendable () -> Date
    private let tokenTypes: [String: String]
    var random = RandomSource.system

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - server: The authorization server.
    ///   - application: The registered application.
    ///   - client: The client that sends the requests; they have no credential except the application's own. Its errors
    ///     contain no values of responses, whatever its settings: here, they are tokens.
    ///   - clock: The clock for waiting for a user with a device code.
    ///   - date: The wall clock for the expiry of a token; `nil` for the date of `clock`.
    ///   - tokenTypes: The types of tokens that are accepted, in lower case, and the scheme by which each is sent. Some
    ///     servers name types of their own, such as `bot`, for what is sent as `Bearer`.
    public init(
        server: OAuthServer,
        application: OAuthApplication,
        client: APIClient<Public> = APIClient(),
        clock: any HTTPClock = SystemClock(),
        date: (@Sendable () -> Date)? = nil,
        tokenTypes: [String: String] = ["bearer": "Bearer"],
    ) {
        self.server = server
        self.application = application
        self.client = client.hidingValues()
        self.clock = clock
        self.date = date ?? { clock.date }
        self.tokenTypes = tokenTypes
    }

    /// Sends a form to the token endpoint.
    private func token(
        by form: RequestQuery,
        requested scopes: Set<String>,
        polls: Bool = false,
    ) async throws -> IssuedToken {
        let endpoint = try OAuthEndpoint(server.tokenEndpoint, "token endpoint")
        let request = TokenRequest(endpoint: endpoint, application: application, form: form, polls: polls)
        let sent = date()
        let response = try await client.bind(request).response()
        return try IssuedToken(response, requested: scopes, as: tokenTypes, sent: sent, received: date())
    }
}

extension OAuthClient: Redacted {
    /// The application's ID.
    public var description: String { "OAuthClient(\(application.id))" }
}

extension OAuthClient {
    /// Signs a user in with a browser, and gets a token: the authorization code grant with PKCE.
    ///
    /// ```swift
    /// let token = try await oauth.signIn(scopes: ["read"], redirectURI: "com.example.reader:/signed-in") { url in
    ///     try await browser.open(url, until: "com.example.reader")  // an ASWebAuthenticationSession
    /// }
    /// ```
    /// [RFC 6749, section 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1),
    /// [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes; without any the server decides.
    ///   - redirectURI: The URI that the server redirects the user to, exactly as it is registered.
    ///   - parameters: Additional parameters for the server: `prompt`, `login_hint`, `audience`, `nonce`. A nonce is
    ///     sent but not compared: code that reads the token's `idToken` must validate it and its `nonce`.
    ///   - authenticate: Opens the URL, and returns the redirect. It must end when the task is cancelled; otherwise it
    ///     never ends if the user doesn't return.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says, and the error of `authenticate`.
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

    /// Signs a user in, with separate functions to open the browser and to receive the redirect: for a command line
    /// that listens on loopback, or a server.
    ///
    /// Both run at once, so the receiver must already be listening; if opening throws, receiving is cancelled.
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes; without any the server decides.
    ///   - redirectURI: The URI that the server redirects the user to; on loopback any port is possible.
    ///   - parameters: Additional parameters for the server.
    ///   - open: Opens the URL in a browser, and returns at once.
    ///   - receive: Returns the redirect.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says, and the errors of the closures.
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

    /// Begins a sign-in that is finished elsewhere: see ``signIn(scopes:redirectURI:parameters:authenticate:)``.
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - redirectURI: The URI that the server redirects the user to.
    ///   - parameters: Additional parameters for the server.
    /// - Returns: The URL to open, and the value for ``token(for:redirectedTo:)``.
    /// - Throws: ``OAuthProblem``.
    public func authorization(
        scopes: Set<String> = [],
        redirectURI: String,
        parameters: [String: String] = [:],
    ) throws -> OAuthAuthorization {
        let endpoint = try OAuthEndpoint(server.authorizationEndpoint, "authorization endpoint")
        if let methods = server.codeChallengeMethods, !methods.contains("S256") {
            throw OAuthProblem(.missingPKCE, "the server does not support the PKCE method S256")
        }
        let state = random.text()
        let verifier = random.text()
        let challenge: String
        do throws(CryptoError) {
            challenge = Base64URL.text(of: try Digest.sha256(Data(verifier.utf8)))
        } catch {
            throw OAuthProblem(.cryptography, error.description)
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

    /// Finishes a sign-in: validates the redirect, and redeems its code.
    ///
    /// - Parameters:
    ///   - authorization: The sign-in in progress.
    ///   - redirect: The whole URL of the redirect.
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
        return try await token(by: form, requested: authorization.scopes)
    }
}

extension OAuthClient {
    /// Gets a token for the application itself, without a user.
    ///
    /// There is usually no refresh token: when the token expires, another one is requested in the same way.
    ///
    /// [RFC 6749, section 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4)
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes; without any the server decides.
    ///   - parameters: Additional parameters for the server: `audience`, `resource`.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says.
    public func clientCredentials(
        scopes: Set<String> = [],
        parameters: [String: String] = [:],
    ) async throws -> IssuedToken {
        var form: RequestQuery = ["grant_type": "client_credentials", "scope": Scopes.joined(scopes)]
        form = try form + RequestQuery(OAuthParameters.checked(parameters))
        return try await token(by: form, requested: scopes)
    }

    /// Gets another token with the refresh token of one.
    ///
    /// A server may issue a new refresh token with it, which invalidates the old one: store the returned token and
    /// delete the previous one. If it issues none, the old one is kept. ``OAuthSession`` does all of that,
    /// single-flight for all calls that wait. With two simultaneous refreshes, a server assumes that the second one is
    /// an attack, and revokes both tokens.
    ///
    /// [RFC 6749, section 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)
    ///
    /// - Parameter token: The token that has expired, or is about to.
    /// - Returns: The new token, with the scopes of the old one unless the server returns others.
    /// - Throws: As ``OAuthClient`` says; ``OAuthProblem/Reason/missingRefreshToken`` without a refresh token, and
    ///   ``OAuthError/Code/invalidGrant`` in an `APIError` if the server rejects it.
    public func refresh(_ token: IssuedToken) async throws -> IssuedToken {
        guard let refreshToken = token.refreshToken else {
            throw OAuthProblem(.missingRefreshToken, "no refresh token was issued")
        }
        let form: RequestQuery = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
        return try await self.token(by: form, requested: token.scopes ?? []).keeping(token)
    }

    /// Revokes a token: its refresh token, then the token itself.
    ///
    /// A token that the server doesn't know, or that has expired, counts as revoked. Both are tried, even if one fails.
    ///
    /// [RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)
    ///
    /// - Parameter token: The token.
    /// - Throws: As ``OAuthClient`` says; ``OAuthProblem/Reason/missingEndpoint`` if the server has no endpoint for it.
    public func revoke(_ token: IssuedToken) async throws {
        let endpoint = try OAuthEndpoint(server.revocationEndpoint, "revocation endpoint")
        var failure: (any Error)?
        if let refreshToken = token.refreshToken {
            do { try await revoke(refreshToken, "refresh_token", at: endpoint) } catch { failure = error }
        }
        do {
            try await revoke(token.token, "access_token", at: endpoint)
        } catch let error where token.refreshToken != nil && OAuthError(in: error)?.code == .unsupportedTokenType {
            // Tokens that the server doesn't store expire by themselves, and are not refreshed any more.
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

extension OAuthClient {
    /// Signs a user in on another device, and gets a token: the device authorization grant.
    ///
    /// ```swift
    /// let token = try await oauth.signInByDevice(scopes: ["read"]) { code in
    ///     print("Open \(code.verificationURL) and enter \(code.userCode)")
    /// }
    /// ```
    /// [RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes; without any the server decides.
    ///   - show: Shows the code to the user, and returns at once.
    /// - Returns: The token, when the user has allowed it.
    /// - Throws: As ``token(for:)``, and the error of `show`.
    public func signInByDevice(
        scopes: Set<String> = [],
        show: @Sendable (OAuthDeviceCode) async throws -> Void,
    ) async throws -> IssuedToken {
        let code = try await deviceCode(scopes: scopes)
        try await show(code)
        return try await token(for: code)
    }

    /// Begins such a sign-in by requesting a code.
    ///
    /// - Parameter scopes: The requested scopes.
    /// - Returns: The code to show, and the value for ``token(for:)``.
    /// - Throws: As ``OAuthClient`` says.
    public func deviceCode(scopes: Set<String> = []) async throws -> OAuthDeviceCode {
        let endpoint = try OAuthEndpoint(server.deviceAuthorizationEndpoint, "device authorization endpoint")
        var form: RequestQuery = ["scope": Scopes.joined(scopes)]
        // An application that authenticates with a field may need to send its ID nevertheless (section 3.1).
        if case .basic = application.authentication.kind { form.append("client_id", application.id) }
        let now = clock.now
        let request = DeviceAuthorizationRequest(endpoint: endpoint, application: application, form: form)
        return try OAuthDeviceCode(try await client.send(request), scopes: scopes, now: now)
    }

    /// Waits for the user: polls the server at its interval until the user has allowed or denied it.
    ///
    /// `slow_down` makes the interval five seconds longer. A server that can't be reached, times out, or fails doubles
    /// it (section 3.5). A `Retry-After` is waited for too. Cancelling the task ends the wait at once, and a
    /// `CallDeadline` around it at that deadline.
    ///
    /// - Parameter code: The code that was shown to the user.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says; ``OAuthError/Code/expiredToken`` as an ``OAuthError`` when the code has
    ///   expired locally, ``OAuthError/Code/accessDenied`` in an `APIError` when the user denies it.
    public func token(for code: OAuthDeviceCode) async throws -> IssuedToken {
        let form: RequestQuery = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code.deviceCode.reveal(),
        ]
        var (interval, pause) = (code.interval, Duration.zero)
        while true {
            let next = min(clock.now.advanced(by: max(interval, pause)), code.expiresAt)
            // At a deadline around the wait the poll fails before it sends anything.
            let deadline = CallDeadline.current.flatMap { $0 < next ? $0 : nil }
            try await clock.sleep(until: deadline ?? next)
            guard deadline != nil || next < code.expiresAt else { throw OAuthError(.expiredToken) }
            do {
                return try await token(by: form, requested: code.scopes, polls: true)
            } catch let error as APIError<OAuthError> {
                if deadline != nil, error.reason == .deadline { throw error }
                interval = try Self.interval(after: error, interval)
                pause = error.retryAfter ?? .zero
            }
        }
    }

    /// The interval after a poll without a token.
    ///
    /// - Throws: The error itself if polling again is useless.
    private static func interval(after error: APIError<OAuthError>, _ interval: Duration) throws -> Duration {
        let next: Duration
        switch error.service(as: OAuthError.self)?.code {
        case .authorizationPending: next = interval
        case .slowDown: next = interval + .seconds(5)
        default:
            guard error.isTransient || error.phase == .timedOut else { throw error }
            next = interval * 2
        }
        return min(next, OAuthDeviceCode.intervals.upperBound)
    }
}
