import HikyakuBase

/// Signs the requests to the origin of the signer's environment, until a redirect leaves that origin.
///
/// It runs inside redirects and cookies, close to the wire: a signature is valid for one request only.
package struct SigningStep: CallStep {
    package let credentials: Credentials

    /// `nil` without a signer.
    init?(_ credentials: Credentials) {
        guard credentials.haveSigners else { return nil }
        self.credentials = credentials
    }

    package func applies(to call: CallInformation) -> Bool { call.choices.authorizationNeed != .none }

    package var stage: CallStage { .hop }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        guard let credential = try credentials.credential(for: request, context),
            case .signature(let signer) = credential.means,
            HTTPOrigin(request.url) == credential.origin,
            !context.redirects.contains(where: \.changesOrigin)
        else { return try await next(request, context) }

        var signed = request
        do {
            signed = try await context.authorizing { [signed] in
                var signed = signed
                try await signer.sign(&signed, for: credential.owner)
                return signed
            }
        } catch {
            context.noteThrower("the signer", type(of: signer), of: error)
            throw TransportError(error, credential.origin) ?? error
        }
        // The signature is only valid for this request: its origin must not have changed.
        try signed.checkOrigin(credential.origin)
        return try await next(signed, context)
    }
}
