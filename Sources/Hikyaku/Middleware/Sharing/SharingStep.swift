/// Lets equal requests in flight share one exchange, where their type says so: ``APIRequest/sharesExchange``.
///
/// It stands inside authorization, so that the credential is a part of what has to be equal: calls of two people never
/// share, even if one client sends them.
struct SharingStep: HTTPMiddleware {
    let exchanges: SharedExchanges
    /// Stands for the client value: another one may do other things with the same request.
    let identity = ClientIdentity()
    let bodyBytesMax: Int
    /// Signatures are made further inside, so that those of two people can't be told apart here.
    let haveSigners: Bool

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        guard context.sharesExchange, isShareable(request, context) else { return try await next(request) }
        return try await exchanges.response(
            to: SharedExchanges.Key(request, context, sentBy: identity),
            in: context,
        ) { [bodyBytesMax] in
            var response = try await next(request)
            // A stream can be read by one alone.
            if response.body.bytes == nil {
                response.body = HTTPBody(try await response.body.collect(upTo: bodyBytesMax))
            }
            return response
        }
    }

    private func isShareable(_ request: HTTPRequest, _ context: RequestContext) -> Bool {
        guard request.method.isSafe, request.body == nil, !context.streamsBody, context.ownTokenOrigin == nil else {
            return false
        }
        if case .ask = context[RedirectPolicyNote.self]?.choice { return false }
        return !haveSigners || context.authorizationNeed == .none
    }
}

/// Tells one client value from another.
final class ClientIdentity: Sendable {}
