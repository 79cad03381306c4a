/// A provider together with the environment that it was given for.
struct Credential: Sendable {
    let environment: APIEnvironment
    let provider: any TokenProvider
}

/// Adds the credential to requests that need one, and to no other.
///
/// It stands next to the wire, behind everything that may change where a request goes, and compares the origin that the
/// request really has.
struct AuthorizationStep: HTTPMiddleware {
    let credentials: [HTTPOrigin: Credential]

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        guard context.requiresAuthorization else { return try await next(request) }
        guard let origin = HTTPOrigin(request.url), let credential = credentials[origin] else {
            let known = credentials.keys.map(\.description).sorted().joined(separator: ", ")
            throw TransportError(
                .otherOrigin,
                "the client is authorized for \(known), and the request goes to \(Redaction.text(of: request.url))",
            )
        }
        guard let token = try await credential.provider.token(for: credential.environment) else {
            throw TransportError(.missingToken, "the token provider for \(origin) has no token")
        }
        guard !token.reveal().isEmpty else {
            throw TransportError(.emptyToken, "the token provider for \(origin) gave an empty token")
        }
        var request = request
        request.headers[.authorization] = "Bearer " + token.reveal()
        return try await next(request)
    }
}
