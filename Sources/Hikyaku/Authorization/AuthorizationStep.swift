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
        // A middleware may have made the request anew, and with it lost what it says of its token.
        if let origin = context.call.ownTokenOrigin { try request.checkOrigin(origin) }
        guard let credential = try credentials.credential(for: request, context) else { return try await next(request) }
        guard HTTPOrigin(request.url) == credential.origin else { throw credentials.refusal(of: request, context) }
        try context.environment.checkConfidentiality(or: credential.environment)
        guard case .token(let provider) = credential.means else { return try await next(request) }

        let token = try await ready(context, credential) { try await provider.token(for: credential.environment) }
        var authorized = request
        let isSent = try authorized.carry(token ?? .emptyHanded, to: credential.origin)
        let response = try await next(authorized)
        guard let token, isSent, response.isRefusal(context) else { return response }

        context.noteRejection()
        guard request.body?.isReplayable != false else {
            // The call has its answer; it is the next one that needs another token.
            _ = try? await provider.token(replacing: token, for: credential.environment)
            return response
        }
        let another = try await ready(context, credential) {
            try await provider.token(replacing: token, for: credential.environment)
        }
        guard let another else { return response }
        var again = request
        try again.carry(another, to: credential.origin)
        return try await next(again)
    }

    /// What a provider gives, made ready.
    ///
    /// A request that is better with a credential goes without, where there is no usable one.
    private func ready(
        _ context: RequestContext,
        _ credential: Credential,
        _ ask: () async throws -> AccessToken<NotReady>?,
    ) async throws -> AccessToken<Ready>? {
        do {
            return try await ask()?.ready(
                context.call.choices.authorizationNeed,
                scopes: context.call.choices.requiredScopes,
            )
        } catch {
            let refusal = TransportError(error, credential.origin)
            if context.call.choices.authorizationNeed == .optional, refusal?.reason.phase == .unauthorized {
                return nil
            }
            throw refusal ?? error
        }
    }
}

/// What keeps a token where it can't be read or written, in words of its own.
protocol TokenStoreFailure: Error, CustomStringConvertible, Sendable {}

extension TransportError {
    /// What is wrong with a credential; `nil` for errors that say nothing of that.
    init?(_ error: any Error, _ origin: HTTPOrigin) {
        switch error {
        case let error as TokenError: self.init(error.reason, "\(origin): \(error.message)", underlyingError: error)
        case let error as any TokenStoreFailure: self.init(.tokenStore, "\(origin): \(error)", underlyingError: error)
        case let error as TransportError: self = error
        default: return nil
        }
    }
}

extension HTTPResponse {
    /// Whether the service refuses the token, for the first time in the call.
    ///
    /// Behind a redirect to another origin, where no token was sent, nobody has refused it.
    fileprivate func isRefusal(_ context: RequestContext) -> Bool {
        guard status == .unauthorized, !context.wasRejected else { return false }
        return !context.redirects(to: self).contains(where: \.changesOrigin)
    }
}
