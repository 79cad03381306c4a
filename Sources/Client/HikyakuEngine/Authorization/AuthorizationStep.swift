import HikyakuBase

/// Adds the credential to requests that need one, and to no other.
///
/// It runs inside the app's middleware, which may change the origin of a request, so it compares the origin that the
/// request then has. A redirect to another origin comes later: ``RedirectStep`` removes the credential there. If the
/// service rejects the token, the call is sent once more, provided that the provider has another token by then.
package struct AuthorizationStep: CallStep {
    package let credentials: Credentials

    init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// Whether there is a token to add, the request's own to check, or the request to reject.
    package func applies(to call: CallInformation) -> Bool {
        switch call.choices.authorizationNeed {
        case .required: true
        case .optional: !credentials.isEmpty || call.ownTokenOrigin != nil
        case .none: call.ownTokenOrigin != nil
        }
    }

    package var stage: CallStage { .call }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        // Its response repeats the request (RFC 9110, section 9.3.8).
        guard request.method != .trace else { return try await next(request, context) }
        // A middleware may have created the request again, and so lost the information about its token.
        if let origin = context.call.ownTokenOrigin { try request.checkOrigin(origin) }
        guard let credential = try credentials.credential(for: request, context) else {
            return try await next(request, context)
        }
        // A request that requires authorization was rejected when it was built.
        if context.call.leavesOrigin { return try await next(request, context) }
        guard HTTPOrigin(request.url) == credential.origin else { throw credentials.refusal(of: request, context) }
        try context.environment.checkConfidentiality(or: credential.environment)
        guard case .token(let provider) = credential.means else { return try await next(request, context) }

        let token = try await ready(context, credential) {
            guard credential.mayWait else { return try await provider.token(for: credential.owner) }
            return try await context.authorizing { try await provider.token(for: credential.owner) }
        }
        var authorized = request
        let isSent = try authorized.carry(token ?? .emptyHanded, to: credential.origin)
        let response = try await next(authorized, context)
        guard let token, isSent, response.isRejection(by: provider, context) else { return response }

        context.noteRejection(response.status)
        guard request.body?.isReplayable != false else {
            // The call has its response; only the next one needs another token.
            _ = try? await context.spending(.authorization) {
                try await provider.token(replacing: token, for: credential.owner)
            }
            return response
        }
        let another = try await ready(context, credential) {
            let another = try await context.spending(.authorization) {
                try await provider.token(replacing: token, for: credential.owner)
            }
            try context.checkDeadline()
            return another
        }
        guard let another else { return response }
        var again = request
        try again.carry(another, to: credential.origin)
        return try await next(again, context)
    }

    /// The provider's token, made ready.
    ///
    /// A request for which a credential is optional is sent without one if there is no usable token.
    private func ready(
        _ context: RequestContext,
        _ credential: Credential,
        _ load: () async throws -> AccessToken<NotReady>?,
    ) async throws -> AccessToken<Ready>? {
        do {
            return try await load()?.ready(
                context.call.choices.authorizationNeed,
                scopes: context.call.choices.requiredScopes,
            )
        } catch {
            if case .token(let provider) = credential.means {
                context.noteThrower("the token provider", type(of: provider), of: error)
            }
            let refusal = TransportError(error, credential.origin)
            // One that is there, but can't be sent, is a mistake that must not pass unnoticed.
            if context.call.choices.authorizationNeed == .optional, refusal?.reason.phase == .unauthorized,
                refusal?.reason != .malformedCredential, refusal?.reason != .rejectedClient
            {
                return nil
            }
            throw refusal ?? error
        }
    }
}

extension TransportError {
    /// The problem of a credential; `nil` for an error that isn't about credentials.
    init?(_ error: any Error, _ origin: HTTPOrigin) {
        switch error {
        case let error as TokenError:
            self = CredentialCause(error).error("\(origin): \(error.message)", underlyingError: error)
        case let error as any TokenStoreFailure:
            self = CredentialCause.tokenStore.error("\(origin): \(error)", underlyingError: error)
        case let error as TransportError:
            self = error
            isOfCredential = true
        case let failure as any InnerFailure where failure.isRejection:
            let text = "\(origin): the call that gets the token failed: \(failure.line)"
            self = CredentialCause.rejectedClient.error(text, underlyingError: failure, hint: failure.hint)
            isOfCredential = true
        default: return nil
        }
    }
}

extension InnerFailure {
    /// Whether the service has rejected the credential of the call itself.
    fileprivate var isRejection: Bool {
        guard isOfResponse, !isTransient, let status else { return false }
        return [400, 401, 403].contains(status.code)
    }
}

extension HTTPResponse {
    /// Whether the service rejects the token, for the first time in the call.
    ///
    /// After a redirect to another origin, where no token was sent, the status is not a rejection.
    fileprivate func isRejection(by provider: any TokenProvider, _ context: RequestContext) -> Bool {
        guard provider.isRejection(self), !context.wasRejected else { return false }
        return !context.hasLeftOrigin(with: self)
    }
}
