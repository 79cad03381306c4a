public import Hikyaku

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An application's side of OAuth 2.0: gets tokens from an authorization server, by whichever grant fits.
///
/// ```swift
/// let server = try await OAuthServer.discover("https://auth.example", client: client)
/// let oauth = OAuthClient(server: server, application: OAuthApplication(id: "reader"), client: client)
/// let token = try await oauth.signIn(scopes: ["read"], redirectURI: "com.example.reader:/signed-in") { url in
///     try await browser.open(url, until: "com.example.reader")
/// }
/// ```
/// Where a person is there, ``signIn(scopes:redirectURI:parameters:authenticate:)``; on a device without a browser,
/// ``signInByDevice(scopes:show:)``; for a program on its own, ``clientCredentials(scopes:parameters:)``.
///
/// Its functions throw `APIError<OAuthError>` for what the token endpoint answers and what the wire does,
/// ``OAuthError`` for what comes by a redirect, ``OAuthProblem`` for what is refused on this side, and
/// `CancellationError`. ``OAuthError/init(in:)`` finds the server's word in any of them. Secrets, codes and tokens are
/// in none.
public struct OAuthClient: Sendable {
    /// Who issues the tokens.
    public let server: OAuthServer
    /// Who gets them.
    public let application: OAuthApplication

    private let client: APIClient<Public>
    let clock: any HTTPClock
    private let date: @Sendable () -> Date
    var random = RandomSource.system

    /// Puts the two sides together.
    ///
    /// - Parameters:
    ///   - server: Who issues the tokens.
    ///   - application: Who gets them.
    ///   - client: What sends the requests; no credential goes with them but the application's own. Its errors tell no
    ///     values of responses, whatever it was asked to tell: here, they are tokens.
    ///   - clock: The time by which it waits for a person with a device code.
    ///   - date: The time of day, from which the end of a token is counted.
    public init(
        server: OAuthServer,
        application: OAuthApplication,
        client: APIClient<Public> = APIClient(),
        clock: any HTTPClock = SystemClock(),
        date: @escaping @Sendable () -> Date = { Date() },
    ) {
        self.server = server
        self.application = application
        self.client = client.hidingValues()
        self.clock = clock
        self.date = date
    }

    /// Asks the token endpoint.
    private func token(by form: RequestQuery, asked scopes: Set<String>) async throws -> IssuedToken {
        let endpoint = try OAuthEndpoint(server.tokenEndpoint, "token endpoint")
        let request = TokenRequest(endpoint: endpoint, application: application, form: form)
        let sent = date()
        let response = try await client.response(for: request)
        return try IssuedToken(response, asked: scopes, sent: sent, received: date())
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
    /// The application's name.
    public var description: String { "OAuthClient(\(application.id))" }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["client": description]) }
}

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
            throw OAuthProblem(.missingPKCE, "the server does not support the PKCE method S256")
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

extension OAuthClient {
    /// Has a person sign in on another device, and gets a token for them: the device authorization grant.
    ///
    /// ```swift
    /// let token = try await oauth.signInByDevice(scopes: ["read"]) { code in
    ///     print("Open \(code.verificationURL) and enter \(code.userCode)")
    /// }
    /// ```
    /// [RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)
    ///
    /// - Parameters:
    ///   - scopes: What the token is to be good for; none leaves it to the server.
    ///   - show: Shows the person what to do, and returns at once.
    /// - Returns: The token, when the person has said yes.
    /// - Throws: As ``token(for:)``, and what `show` throws.
    public func signInByDevice(
        scopes: Set<String> = [],
        show: @Sendable (OAuthDeviceCode) async throws -> Void,
    ) async throws -> IssuedToken {
        let code = try await deviceCode(scopes: scopes)
        try await show(code)
        return try await token(for: code)
    }

    /// Begins such a sign-in by asking for a code.
    ///
    /// - Parameter scopes: What the token is to be good for.
    /// - Returns: What to show, and to hand to ``token(for:)``.
    /// - Throws: As ``OAuthClient`` says.
    public func deviceCode(scopes: Set<String> = []) async throws -> OAuthDeviceCode {
        let endpoint = try OAuthEndpoint(server.deviceAuthorizationEndpoint, "device authorization endpoint")
        var form: RequestQuery = ["scope": Scopes.joined(scopes)]
        // An application that proves who it is by a field may be asked for its id nevertheless (section 3.1).
        if case .basic = application.authentication.kind { form.append("client_id", application.id) }
        let now = clock.now
        let request = DeviceAuthorizationRequest(endpoint: endpoint, application: application, form: form)
        return try OAuthDeviceCode(try await client.send(request), scopes: scopes, now: now)
    }

    /// Waits for the person, asking the server in the intervals that it wants, until it says yes or no.
    ///
    /// `slow_down` makes the interval five seconds longer; a server that can't be reached, doesn't answer in time, or
    /// has troubles of its own doubles it (section 3.5). Cancelling the task ends the wait at once.
    ///
    /// - Parameter code: What the person was shown.
    /// - Returns: The token.
    /// - Throws: As ``OAuthClient`` says; ``OAuthError/Code/expiredToken`` as an ``OAuthError`` when the code's time is
    ///   over on this side, ``OAuthError/Code/accessDenied`` in an `APIError` when the person says no.
    public func token(for code: OAuthDeviceCode) async throws -> IssuedToken {
        let form: RequestQuery = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code.deviceCode.reveal(),
        ]
        var interval = code.interval
        while true {
            let next = clock.now.advanced(by: interval)
            guard next < code.expiresAt else {
                try await clock.wait(until: code.expiresAt)
                throw OAuthError(.expiredToken)
            }
            try await clock.wait(until: next)
            do {
                return try await token(by: form, asked: code.scopes)
            } catch let error as APIError<OAuthError> {
                interval = try Self.interval(after: error, interval)
            }
        }
    }

    /// What to wait after a question that had no token for an answer.
    ///
    /// - Throws: The error itself where asking again is no use.
    private static func interval(after error: APIError<OAuthError>, _ interval: Duration) throws -> Duration {
        let next: Duration
        switch error.service(as: OAuthError.self)?.code {
        case .authorizationPending: next = interval
        case .slowDown: next = interval + .seconds(5)
        default:
            guard error.isRetryable || error.phase == .timedOut || error.isOfATiredServer else { throw error }
            next = interval * 2
        }
        return min(next, OAuthDeviceCode.intervals.upperBound)
    }
}

extension APIError {
    /// Whether the server is at fault, and may be better soon: asking for a token that wasn't issued is harmless.
    fileprivate var isOfATiredServer: Bool {
        switch response?.status.code {
        case 408, 500, 502, 503, 504: true
        default: false
        }
    }
}

extension HTTPClock {
    /// Waits until an instant has come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, at once.
    fileprivate func wait(until instant: ContinuousClock.Instant) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let timer = schedule(at: instant) { continuation.finish() }
        defer { timer.cancel() }
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
