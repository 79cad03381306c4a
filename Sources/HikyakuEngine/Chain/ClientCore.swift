import HikyakuBase

/// All parts of a client, whatever its level; never changed once it is shared.
package final class ClientCore: Sendable {
    package struct Parts: Sendable {
        package var transport: (any HTTPTransport)?
        package var middleware: [any HTTPMiddleware] = []
        package var options = ClientOptions()
        package var diagnosisDetail: DiagnosisDetail = []
        /// By the base URL that they replace.
        package var substitutes: [APIEnvironment.Base: APIEnvironment] = [:]
        /// The base URLs whose credentials are sent to the substitutes too.
        package var sharingCredentials: Set<APIEnvironment.Base> = []
        package var credentials = Credentials()
        package var stubs: [ObjectIdentifier: any Sendable] = [:]
        package var logging: CallLogging?
        package var observers: [any EventObserver] = []
        package var intervals: CallIntervals?
        /// Shared by all clients that are derived from one.
        package let calls = CallsInFlight()
        /// Also shared, so that signing out closes them all.
        package var exchanges = SharedExchanges()
        /// Also shared: a service doesn't care which of them retries.
        package let retryBudgets = RetryBudgets()
        /// Also shared, like the budgets.
        package let circuits = CircuitBreakers()
        /// Also shared, for the same reason.
        package let limiters = CallLimiters()
        /// The observer of the results that the calls have read.
        package var results: (any ExchangeObserver)?

        package init(
            transport: (any HTTPTransport)? = nil,
            middleware: [any HTTPMiddleware] = [],
            options: ClientOptions = ClientOptions(),
        ) {
            (self.transport, self.middleware, self.options) = (transport, middleware, options)
        }
    }

    package static let standard = ClientCore(Parts())

    package let parts: Parts
    /// All observers of the client's calls.
    package let observer: (any EventObserver)?
    package let isObserved: Bool
    private let cookies: CookieStep?
    /// `nil` if no call is sent again.
    package let retries: RetryStep?
    private let authorization: AuthorizationStep
    private let sharing: SharingStep
    /// The steps of each attempt: the circuit breaker and the limits, if the client has any.
    private let attemptSteps: [any HTTPMiddleware]
    private let coding: ContentCodingStep
    private let redirects: RedirectStep
    /// The steps for each request that is passed to the transport, including redirected ones: cookies, and signatures
    /// if the call may need one.
    private let hopSteps: (all: [any HTTPMiddleware], ofPublicCalls: [any HTTPMiddleware])
    /// Whether everything that a call waits for ends when it is stopped, except credentials and transports.
    private let stepsEndOnCancellation: Bool
    private let traits = TypeCache<CallTraits>()

    package init(_ parts: Parts) {
        self.parts = parts
        let observers = parts.observers + [parts.intervals].compactMap(\.self)
        observer = ObserverGroup.of(observers)
        isObserved = !parts.observers.isEmpty
        cookies = parts.options.cookies.map { CookieStep(store: $0) }
        let policy = parts.options.retryPolicy
        retries =
            policy.attemptsMax > 1
            ? RetryStep(
                policy: policy,
                budgets: parts.retryBudgets,
                circuits: parts.options.circuitBreaker == nil ? nil : parts.circuits,
                random: parts.options.random,
            ) : nil
        authorization = AuthorizationStep(credentials: parts.credentials)
        sharing = SharingStep(
            exchanges: parts.exchanges,
            results: parts.results,
            cookies: cookies,
            options: parts.options,
            haveSigners: parts.credentials.haveSigners,
        )
        let breaker = parts.options.circuitBreaker.map {
            BreakerStep(policy: $0, circuits: parts.circuits, random: parts.options.random)
        }
        let limits = parts.options.limits
        let limiting =
            limits.isEmpty
            ? nil : LimitStep(limits: limits, limiters: parts.limiters, random: parts.options.random)
        let attemptSteps: [(any HTTPMiddleware)?] = [breaker, limiting]
        self.attemptSteps = attemptSteps.compactMap(\.self)
        coding = ContentCodingStep(options: parts.options)
        redirects = RedirectStep(policy: parts.options.redirectPolicy, keepsCookies: cookies != nil)
        let cookieSteps: [any HTTPMiddleware] = cookies.map { [$0] } ?? []
        let signing = parts.credentials.haveSigners ? [SigningStep(credentials: parts.credentials)] : []
        hopSteps = (cookieSteps + signing, cookieSteps)
        stepsEndOnCancellation =
            parts.stubs.isEmpty && !parts.options.givesCallsTasks && parts.middleware.allSatisfy(\.endsOnCancellation)
            && parts.options.cookies?.endsOnCancellation != false && parts.options.redirectPolicy.decide == nil
    }

    /// A copy with a change.
    package func with(_ change: (inout Parts) -> Void) -> ClientCore {
        var parts = parts
        change(&parts)
        return ClientCore(parts)
    }

    /// The transport for calls to environments that have none of their own.
    package var transport: any HTTPTransport { parts.transport ?? DefaultTransport.shared }

    /// A call of this client.
    ///
    /// - Parameters:
    ///   - plan: What it has chosen.
    ///   - observer: The observer of the events of this call.
    ///   - recorder: Records the timings of the call; one of the observers.
    package func call(
        _ plan: CallPlan,
        observer: (any EventObserver)? = nil,
        recorder: TimingsRecorder? = nil,
    ) -> CallInformation {
        CallInformation(
            plan,
            parts.options,
            transport: transport,
            hasCredentials: !parts.credentials.isEmpty,
            log: parts.logging.map { CallLog($0) },
            observer: observer,
            recorder: recorder,
        )
    }

    package func environment(for environment: APIEnvironment) -> APIEnvironment {
        parts.substitutes.isEmpty ? environment : parts.substitutes[environment.base] ?? environment
    }

    /// The traits of a type of request; made once.
    package func traits(of type: any Any.Type, _ make: () -> CallTraits) -> CallTraits {
        traits.value(for: ObjectIdentifier(type), make: make)
    }
}

// MARK: - The path of a request, from the call to the transport

extension ClientCore {
    /// Whether everything that a call waits for ends soon after it is stopped.
    package func endsOnCancellation(_ call: CallInformation) -> Bool {
        guard stepsEndOnCancellation, call.traits.readsSynchronously, call.choices.redirectPolicy?.decide == nil else {
            return false
        }
        let isPublic = call.choices.authorizationNeed == .none
        guard isPublic || parts.credentials.endOnCancellation(for: call) else { return false }
        return call.transport.endsOnCancellation
    }

    /// Sends a request in the caller's task, until the call is stopped.
    @inline(__always)
    nonisolated(nonsending) package func sendHere(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let call = context.call
        guard !call.isNested else { return try await sendInside(request, context) }
        let scope = CallScope(stop: call.stop, deadline: call.deadline)
        return try await CallCancellation.$scope.withValue(scope) { try await send(request, context) }
    }

    /// Sends a request of a call inside another one, with which it ends.
    @inline(never)
    nonisolated(nonsending) private func sendInside(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let call = context.call
        let scope = CallScope(stop: call.stop, deadline: call.deadline)
        let outer = CallCancellation.current
        return try await CallCancellation.withHandler {
            try await CallCancellation.$scope.withValue(scope) { try await send(request, context) }
        } onCancel: {
            call.stop.stop(with: call.error(endingWith: outer))
        }
    }

    /// Sends a request through the middleware, with its credential, perhaps together with equal ones, and perhaps
    /// several times.
    // A call that waits keeps the frame of each async function on its way, with all that is made in it. So what only
    // some calls do, and what doesn't wait, has a function of its own here and below.
    package nonisolated(nonsending) func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let steps = steps(context.call)
        guard !steps.isEmpty else { return try await attempts(request, context) }
        return try await send(request, context, through: steps)
    }

    private func steps(_ call: CallInformation) -> [any HTTPMiddleware] {
        var steps = parts.middleware
        if mayCarryToken(call) { steps.append(authorization) }
        if call.choices.sharesExchange { steps.append(sharing) }
        return steps
    }

    /// Whether authorization has something to do: add a token, check the request's own, or reject the request.
    private func mayCarryToken(_ call: CallInformation) -> Bool {
        switch call.choices.authorizationNeed {
        case .required: true
        case .optional: !parts.credentials.isEmpty || call.ownTokenOrigin != nil
        case .none: call.ownTokenOrigin != nil
        }
    }

    @inline(never)
    nonisolated(nonsending) private func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        through steps: [any HTTPMiddleware],
    ) async throws -> HTTPResponse {
        if !parts.middleware.isEmpty { context.recordSpending() }
        var response = try await MiddlewareNext(steps[...], context: context, terminal: attempts)(request)
        // The middleware may have made several attempts, and chosen one.
        context.settle(on: response)
        // Or it has created the response.
        if response.requestURLText == nil { response.requestURLText = request.urlTextWithoutCredentials }
        return response
    }

    /// Sends a request, and again after transient failures.
    @Sendable nonisolated(nonsending) private func attempts(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        if request.body != nil, let upload = context.call.upload {
            return try await attempts(request, context, uploadedBy: upload)
        }
        let start = context.clock.now
        let first: Result<HTTPResponse, any Error>
        do {
            let response = try await attempt(request, context)
            guard let retries else { return response }
            guard retries.policy.transience(of: response.status) != nil else {
                if response.status.earnsRetries { retries.noteSuccess(from: start, context) }
                return response
            }
            first = .success(response)
        } catch {
            guard retries != nil else { throw error }
            first = .failure(error)
        }
        guard let retries else { return try first.get() }
        return try await retries.response(after: consume first, from: start, to: request, context, attempt)
    }

    @inline(never)
    nonisolated(nonsending) private func attempts(
        _ request: HTTPRequest,
        _ context: RequestContext,
        uploadedBy session: UploadSession,
    ) async throws -> HTTPResponse {
        let step = UploadStep(session: session, retries: retries)
        return try await step.response(to: request, context) { try await attempt($0, $1) }
    }

    /// Makes one attempt, unless the circuit breaker or a limit rejects it.
    @inline(__always)
    @Sendable nonisolated(nonsending) private func attempt(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        guard !attemptSteps.isEmpty else { return try await exchange(request, context) }
        return try await attempt(request, context, through: attemptSteps)
    }

    @inline(never)
    nonisolated(nonsending) private func attempt(
        _ request: HTTPRequest,
        _ context: RequestContext,
        through steps: [any HTTPMiddleware],
    ) async throws -> HTTPResponse {
        try await MiddlewareNext(steps[...], context: context, terminal: exchange)(request)
    }

    /// Sends a request, follows its redirects, and decodes the content coding of the last response.
    @Sendable nonisolated(nonsending) private func exchange(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let attempt = context.beginAttempt()
        do {
            let response = try await firstHop(ready(request, attempt), attempt)
            guard response.isUnusual || response.headers.contains(.contentEncoding) else {
                return attempt.received(response)
            }
            return try await followed(consume response, to: request, attempt)
        } catch {
            attempt.failed(error)
            throw error
        }
    }

    /// The request with the content codings that it accepts, if the client decodes them.
    ///
    /// It is checked, so the transport doesn't need to.
    @inline(never)
    private func ready(_ request: HTTPRequest, _ context: RequestContext) throws(TransportError) -> HTTPRequest {
        // Copied here: otherwise a waiting call would keep a copy that its own function made.
        var ready = request
        // Again: a middleware may have added fields.
        if context.call.leavesOrigin { try leaveOrigin(with: &ready, context.call) }
        if !context.call.transport.decodesContent { coding.addAcceptEncoding(to: &ready) }
        return try (consume ready).checkedForWire()
    }

    /// Settles the first response of an attempt, follows its redirects, and decodes the content coding of the last one.
    @inline(never)
    nonisolated(nonsending) private func followed(
        _ response: consuming HTTPResponse,
        to request: HTTPRequest,
        _ attempt: RequestContext,
    ) async throws -> HTTPResponse {
        if response.isUnusual {
            let sent = try ready(request, attempt)
            response = try await settled(consume response, of: sent, attempt)
            if response.status.isRedirection {
                response = try await redirects.response(after: consume response, to: sent, attempt, hop)
            }
        }
        let last = attempt.received(response)
        guard last.headers.contains(.contentEncoding), !attempt.call.transport.decodesContent else { return last }
        do { return try await coding.decode(last, to: request, attempt) } catch let error as TransportError {
            throw await error.about(last, attempt)
        }
    }

    /// Sends one request that follows a redirect, as the first one of an attempt.
    @inline(never)
    @Sendable nonisolated(nonsending) private func hop(
        _ request: HTTPRequest,
        _ attempt: RequestContext,
    ) async throws -> HTTPResponse {
        let response = try await firstHop(request, attempt)
        return response.isUnusual ? try await settled(response, of: request, attempt) : response
    }

    /// Sends the first request of an attempt.
    @inline(__always)
    nonisolated(nonsending) private func firstHop(
        _ request: HTTPRequest,
        _ attempt: RequestContext,
    ) async throws -> HTTPResponse {
        let isUnsafe = !request.method.isSafe
        if isUnsafe { closeExchanges(for: request, attempt) }
        defer { if isUnsafe { closeExchanges(for: request, attempt) } }
        let steps = hopSteps(of: attempt)
        guard steps.isEmpty else { return try await hop(request, attempt, through: steps) }
        return try await sendOnWire(request, attempt)
    }

    @inline(__always)
    private func hopSteps(of attempt: RequestContext) -> [any HTTPMiddleware] {
        attempt.call.choices.authorizationNeed == .none ? hopSteps.ofPublicCalls : hopSteps.all
    }

    /// Sends a request again without its expectation, which the server rejected, and rejects a part that was not
    /// requested.
    @inline(never)
    nonisolated(nonsending) private func settled(
        _ response: consuming HTTPResponse,
        of request: HTTPRequest,
        _ attempt: RequestContext,
    ) async throws -> HTTPResponse {
        if response.status.code == 417, let again = request.withoutExpectation {
            attempt.call.log?.receives(response)
            response = try await hop(again, attempt, through: hopSteps(of: attempt))
        }
        guard response.status.code == 206 else { return response }
        do { try response.checkPart(of: request) } catch { throw await error.about(response, attempt) }
        return response
    }

    @inline(never)
    nonisolated(nonsending) private func hop(
        _ request: HTTPRequest,
        _ attempt: RequestContext,
        through steps: [any HTTPMiddleware],
    ) async throws -> HTTPResponse {
        let last: MiddlewareNext.Terminal = { try await self.sendOnWire($0.checkedForWire(), $1) }
        return try await MiddlewareNext(steps[...], context: attempt, terminal: last)(request)
    }

    /// Closes the shared exchanges that a request with an unsafe method may have made stale.
    @inline(never)
    private func closeExchanges(for request: HTTPRequest, _ context: RequestContext) {
        guard parts.exchanges.haveOpen else { return }
        parts.exchanges.close(to: context.environment.base.origin, includesGone: true)
        // A middleware or a redirect may have changed the origin, for example to that of a gateway for many services.
        if let origin = HTTPOrigin(request.url) { parts.exchanges.close(to: origin, includesGone: false) }
    }

    /// Checks the request after all steps, and passes it to the transport.
    @inline(__always)
    @Sendable nonisolated(nonsending) private func sendOnWire(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        try admit(request, context)
        let options = options(for: request, context)
        do {
            return try await context.call.transport.send(request, options: options)
        } catch let error as TransportError {
            return try error.brokenOffResponse(unless: context.call.accepts)
        }
    }

    @inline(never)
    private func options(for request: HTTPRequest, _ context: RequestContext) -> TransportOptions {
        var options = parts.options.transportOptions(for: context)
        if request.body != nil, let upload = context.call.upload {
            options.observer = upload.observer(for: options.observer)
        }
        return options
    }

    @inline(never)
    private func admit(_ request: HTTPRequest, _ context: RequestContext) throws {
        // Not the context's own: a shared exchange continues when the call that started it is stopped.
        if let error = CallCancellation.current?.error { throw error }
        try Task.checkCancellation()
        try request.checkForWire()
        try request.checkCredentials()
        context.willSend(request)
        context.call.log?.sends(request)
    }
}
