import Hikyaku

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
    func wait(until instant: ContinuousClock.Instant) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let timer = schedule(at: instant) { continuation.finish() }
        defer { timer.cancel() }
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
