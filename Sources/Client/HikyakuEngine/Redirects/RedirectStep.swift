/// Follows redirects, as ``RedirectPolicy`` says.
///
/// It runs inside authorization, so that it can remove the credential, and outside cookies, which differ for each hop.
package struct RedirectStep: StepOfEveryCall {
    package let policy: RedirectPolicy
    /// Whether two requests to the same URL can differ in cookies that servers have set in between.
    package let keepsCookies: Bool

    init(_ options: ClientOptions) {
        (policy, keepsCookies) = (options.redirectPolicy, options.cookies != nil)
    }

    package var stage: CallStage { .attempt }
    package var endsOnCancellation: Bool { policy.decide == nil }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        let response = try await next(request, context)
        guard response.status.isRedirection else { return response }
        return try await self.response(after: consume response, to: request, context, next)
    }

    package func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext) {
        let policy = context.call.choices.redirectPolicy ?? policy
        explanation.redirects = CallExplanation.Redirects(
            limit: policy.rules.follows ? policy.rules.limit : 0,
            allowsDowngrade: policy.rules.allowsDowngrade,
            areDecidedByApp: policy.decide != nil,
            followed: context.redirects.map(\.description),
        )
    }

    /// Follows a redirect, and the ones after it.
    ///
    /// - Parameters:
    ///   - first: The redirect.
    ///   - request: The request that was redirected.
    ///   - attempt: The context of the attempt, which records the redirects.
    ///   - send: Sends the next requests.
    /// - Returns: The response for the steps outside.
    /// - Throws: The error if a redirect can't be followed; the error of a request.
    nonisolated(nonsending) private func response(
        after first: consuming HTTPResponse,
        to request: HTTPRequest,
        _ attempt: RequestContext,
        _ send: CallNext,
    ) async throws -> HTTPResponse {
        var request = request
        var response = consume first
        var trail = RedirectTrail(keepsCookies: keepsCookies)
        while true {
            let next: HTTPRequest?
            do { next = try await self.request(after: response, to: request, attempt, &trail) } catch {
                throw await (error as? TransportError)?.about(response, attempt) ?? error
            }
            guard let following = next else { return response }
            attempt.call.log?.receives(response)
            // The body of a redirect is dropped, which closes it if it is a stream.
            response.body = .empty
            attempt.follow(trail.hops)
            try attempt.beginRedirect()
            request = following
            response = try await send(request, attempt)
        }
    }

    /// The next request; `nil` if this response is returned to the caller.
    private func request(
        after response: HTTPResponse,
        to request: HTTPRequest,
        _ context: RequestContext,
        _ trail: inout RedirectTrail,
    ) async throws -> HTTPRequest? {
        guard response.status.isRedirection else { return nil }
        let policy = context.call.choices.redirectPolicy ?? policy
        guard policy.rules.follows else { return nil }
        guard let url = try RedirectTarget.url(of: response, to: request) else { return nil }
        var hop = RedirectHop(
            status: response.status,
            method: request.method,
            from: request.withoutCredentials(request.url),
            nextMethod: request.method.redirected(by: response.status),
            to: request.withoutCredentials(url),
        )
        hop.pathSecrets = request.pathSecrets
        if let decide = policy.decide {
            do {
                if try await decide(hop) == .stop { return nil }
            } catch {
                context.noteThrower("the redirect policy", nil, of: error)
                throw error
            }
        }
        try hop.check(policy, url)
        guard trail.hops.count < policy.rules.limit else {
            throw RedirectCause.tooManyRedirects.error("more than \(policy.rules.limit) redirects; the last was \(hop)")
        }
        try trail.add(
            hop,
            from: request.url,
            to: url,
            cookie: context.sent?.headers[.cookie],
            setsCookie: response.headers.contains(.setCookie),
        )
        return try request.following(hop, to: url, by: policy)
    }
}

extension RequestContext {
    /// What a developer can do if a host can't be reached that isn't the environment's.
    package func hintOfForeignHost(for reason: FailureReason) -> String? {
        guard [.hostNotFound, .connectionRefused, .connectionFailed, .connectTimeout].contains(reason) else {
            return nil
        }
        let origin =
            hasLeftOrigin(with: nil) ? "a redirect of the service" : call.leavesOrigin ? "a link or a URL" : nil
        return origin.map {
            "The host comes from \($0), and not from the base URL. A service behind a proxy may name its internal host "
                + "there: report it to the service."
        }
    }
}
