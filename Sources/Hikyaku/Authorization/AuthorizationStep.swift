/// A provider together with the environment that it was given for.
struct Credential: Sendable {
    let environment: APIEnvironment
    let provider: any TokenProvider
}

/// The credentials of a client, one for each environment.
struct Credentials: Sendable {
    private var byBase: [APIEnvironment.Base: Credential] = [:]

    mutating func set(_ credential: Credential) {
        byBase[credential.environment.base] = credential
    }

    /// The credential that was given for an environment, or else the only one for its origin: where there are several,
    /// as for the tenants of one host, none is a guess.
    func credential(for environment: APIEnvironment) -> Credential? {
        if let credential = byBase[environment.base] { return credential }
        let sameOrigin = byBase.values.filter { $0.environment.base.origin == environment.base.origin }
        return sameOrigin.count == 1 ? sameOrigin.first : nil
    }

    /// Where credentials go, for people.
    var origins: [String] {
        Set(byBase.keys.map(\.origin.description)).sorted()
    }
}

/// Adds the credential to requests that need one, and to no other.
///
/// It stands next to the wire, behind everything that may change where a request goes, and compares the origin that the
/// request really has.
struct AuthorizationStep: HTTPMiddleware {
    let credentials: Credentials

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        guard context.requiresAuthorization else { return try await next(request) }
        guard let credential = credentials.credential(for: context.environment),
            HTTPOrigin(request.url) == credential.environment.base.origin
        else {
            throw TransportError(
                .otherOrigin,
                "the client is authorized for \(credentials.origins.joined(separator: ", ")), and not for "
                    + "\(Redaction.text(of: request.url)) of the environment \(context.environment)",
            )
        }
        let origin = credential.environment.base.origin
        guard let token = try await credential.provider.token(for: credential.environment) else {
            throw TransportError(.missingToken, "the token provider for \(origin) has no token")
        }
        guard !token.reveal().isEmpty else {
            throw TransportError(.emptyToken, "the token provider for \(origin) gave an empty token")
        }
        var request = request
        request.headers.setSecret(.authorization, "Bearer " + token.reveal())
        return try await next(request)
    }
}
