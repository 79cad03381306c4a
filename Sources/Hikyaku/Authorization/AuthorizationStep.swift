/// Adds the credential to requests that need one, and to no other.
///
/// It stands next to the wire, behind everything that may change where a request goes, and compares the origin that the
/// request really has. A call that is answered 401 is sent once more where the provider has another token by then.
struct AuthorizationStep: HTTPMiddleware {
    let credentials: Credentials

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        guard let credential = try credentials.credential(for: request, context) else { return try await next(request) }
        guard HTTPOrigin(request.url) == credential.origin else {
            throw credentials.refusal(of: request, context)
        }
        guard case .token(let provider) = credential.means else { return try await next(request) }

        let token = try await Self.asked(credential) { try await provider.token(for: credential.environment) }
        let ready = try Self.ready(token, context, credential)
        let authorized = try request.carrying(ready, to: credential.origin)
        let response = try await next(authorized)
        guard authorized.credentialOrigin != nil, response.refuses(request, context) else { return response }

        let another = try await Self.asked(credential) {
            try await provider.token(replacing: ready, for: credential.environment)
        }
        guard let another else { return response }
        return try await next(request.carrying(Self.ready(another, context, credential), to: credential.origin))
    }

    private static func asked<Value>(_ credential: Credential, _ ask: () async throws -> Value) async throws -> Value {
        do {
            return try await ask()
        } catch let error as TokenError {
            throw error.asTransportError(credential)
        }
    }

    private static func ready(
        _ token: AccessToken<NotReady>,
        _ context: RequestContext,
        _ credential: Credential,
    ) throws(TransportError) -> AccessToken<Ready> {
        do throws(TokenError) {
            return try token.ready(context.authorizationNeed, scopes: context.requiredScopes)
        } catch {
            throw error.asTransportError(credential)
        }
    }
}

extension TokenError {
    fileprivate func asTransportError(_ credential: Credential) -> TransportError {
        TransportError(reason, "\(credential.origin): \(message)", underlyingError: self)
    }
}

extension HTTPResponse {
    /// Whether the service refuses the token, and the call may be sent once more.
    ///
    /// Behind a redirect to another origin, where no token was sent, nobody has refused it.
    fileprivate func refuses(_ request: HTTPRequest, _ context: RequestContext) -> Bool {
        guard status == .unauthorized else { return false }
        return request.body?.isReplayable != false && !context.redirects.contains { $0.changesOrigin }
    }
}
