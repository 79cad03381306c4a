/// Lets equal requests in flight share one exchange, where their type says so: ``APIRequest/sharesExchange``.
///
/// It stands inside authorization, so that the credential is a part of what has to be equal, as the cookies are that
/// would go along: calls of two people never share, even if one client sends them. A request that is sent after a
/// change (an unsafe method to the same origin) never joins an exchange that started before it: ``ClientCore`` closes
/// the exchange (compare RFC 9111, section 4.4).
struct SharingStep: HTTPMiddleware {
    let exchanges: SharedExchanges
    /// Gives the token of an exchange.
    let results: (any ResultObserver)?
    /// Stands for the client value: another one may do other things with the same request.
    let identity = ClientIdentity()
    let cookies: CookieStep?
    let options: ClientOptions
    /// Signatures are made further inside, so that those of two people can't be told apart here.
    let haveSigners: Bool

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        guard isShareable(request, context) else { return try await next(request) }
        let cookies = try await cookies?.pairs(for: request)
        let response = try await exchanges.response(
            to: SharedExchanges.Key(request, cookies ?? [], context, sentBy: identity),
            in: context,
            token: results?.exchangeBegins(),
        ) { [options] in
            // A stream can be read by one alone.
            try await next(request).collectingBody(within: options.transportOptions(for: context))
        }
        // To who began the exchange it was an error, of whose body a part is enough; it is none to this call.
        guard !response.isBodyCut || !context.call.accepts(response.status) else { return try await next(request) }
        return response
    }

    private func isShareable(_ request: HTTPRequest, _ context: RequestContext) -> Bool {
        guard request.method.isSafe, request.body == nil, !context.streamsBody else { return false }
        let call = context.call
        guard call.ownTokenOrigin == nil, call.choices.redirectPolicy?.asks != true else { return false }
        return !haveSigners || call.choices.authorizationNeed == .none
    }
}

/// Tells one client value from another.
final class ClientIdentity: Sendable {}
