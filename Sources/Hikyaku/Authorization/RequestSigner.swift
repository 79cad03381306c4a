/// What proves to a service who sent a request, by a signature over the request itself: the seam for HMAC, AWS
/// Signature Version 4, HTTP Message Signatures.
///
/// A client is authorized by one as by a token: `client.authorized(by: signer, for: .shop)`. It is asked for each
/// request that needs authorization, each attempt and each hop of a redirect that stays at the origin, just before the
/// request goes to the wire: what it sees is what is sent, but for `Host` and the body's framing, which the transport
/// adds. Mark the fields that it adds as secrets (``HTTPHeaders/setSecret(_:_:)``) where they are.
public protocol RequestSigner: Sendable, CancellationPromise {
    /// Adds the signature.
    ///
    /// - Parameters:
    ///   - request: What is about to be sent; its URL must stay at its origin.
    ///   - environment: The environment that the signer was given for.
    /// - Throws: Anything; a ``TokenError`` ends the call as `.unauthorized`, any other error as `.other`, and nothing
    ///   is sent.
    func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws

    /// Forgets the key and whatever was kept for it. Default: does nothing.
    ///
    /// - Throws: What keeps it from being forgotten.
    func signOut() async throws
}

extension RequestSigner {
    /// Does nothing.
    public func signOut() async throws {}
}

/// Signs what is sent to the origin of the signer's environment, as long as nothing led away from it.
///
/// It stands behind redirects and cookies, next to the wire: a signature is good for one request alone.
struct SigningStep: HTTPMiddleware {
    let credentials: Credentials

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        guard let credential = try credentials.credential(for: request, context),
            case .signature(let signer) = credential.means,
            HTTPOrigin(request.url) == credential.origin,
            !context.redirects.contains(where: \.changesOrigin)
        else { return try await next(request) }

        var signed = request
        do {
            try await signer.sign(&signed, for: credential.environment)
        } catch {
            throw TransportError(error, credential.origin) ?? error
        }
        // The signature is for what was signed: it must not have been moved elsewhere.
        try signed.checkOrigin(credential.origin)
        return try await next(signed)
    }
}
