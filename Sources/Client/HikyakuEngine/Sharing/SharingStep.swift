/// Lets equal requests in flight share one exchange, if their type allows it: ``APIRequest/sharesExchange``.
///
/// It runs inside authorization, so the credential, like the cookies that would be sent, is a part of the comparison:
/// calls of two users never share, even if one client sends them. A request that is sent after a change (an unsafe
/// method to the same origin) never joins an exchange that started before it: ``ClientCore`` closes the exchange
/// (compare RFC 9111, section 4.4).
package struct SharingStep: CallStep {
    package let exchanges: SharedExchanges
    /// Returns the token of an exchange.
    package let results: (any ExchangeObserver)?
    /// Identifies the client value: another one may treat the same request differently.
    let identity = ClientIdentity()
    package let cookies: CookieStep?
    package let options: ClientOptions
    /// Signatures are added further inside, so those of two users can't be distinguished here.
    package let haveSigners: Bool

    init(
        _ options: ClientOptions,
        _ exchanges: SharedExchanges,
        _ results: (any ExchangeObserver)?,
        _ cookies: CookieStep?,
        haveSigners: Bool,
    ) {
        (self.options, self.exchanges, self.results, self.cookies) = (options, exchanges, results, cookies)
        self.haveSigners = haveSigners
    }

    package func applies(to call: CallInformation) -> Bool { call.choices.sharesExchange }

    package var stage: CallStage { .call }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        guard isShareable(request, context) else { return try await next(request, context) }
        let cookies = try await cookies?.pairs(for: request, context)
        let response = try await exchanges.response(
            to: SharedExchanges.Key(request, cookies ?? [], context, sentBy: identity),
            in: context,
            token: results?.exchangeWillStart(),
        ) { [options] in
            // A stream has only one reader.
            try await next(request, context).collectingBody(within: options.transportOptions(for: context))
        }
        // For the call that started the exchange the status was an error, so a part of the body was enough; for this
        // call it isn't.
        guard !response.isBodyCut || !context.call.accepts(response.status) else {
            return try await next(request, context)
        }
        return response
    }

    private func isShareable(_ request: HTTPRequest, _ context: RequestContext) -> Bool {
        guard request.method.isSafe, request.body == nil, !context.streamsBody else { return false }
        let call = context.call
        guard call.ownTokenOrigin == nil, call.choices.redirectPolicy?.decide == nil else { return false }
        return !haveSigners || call.choices.authorizationNeed == .none
    }
}

/// Distinguishes client values.
final class ClientIdentity: Sendable {}

/// Is informed before an exchange starts: an observer that keeps models needs to know which of two results is newer.
package protocol ExchangeObserver: Sendable {
    /// Called before an exchange starts.
    ///
    /// - Returns: The token, which is greater than all earlier ones.
    func exchangeWillStart() -> Int
}
