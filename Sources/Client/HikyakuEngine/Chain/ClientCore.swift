import HikyakuBase

/// All parts of a client, whatever its level; never changed once it is shared.
package final class ClientCore: CallEnd {
    package struct Parts: Sendable {
        package var transport: (any HTTPTransport)?
        package var middleware: [any HTTPMiddleware] = []
        /// The steps of other modules, each in its stage after those of this one.
        package var steps: [any CallStep] = []
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
    package let hasResultObserver: Bool
    let chain: CallChain
    private let traits = TypeCache<CallTraits>()

    package init(_ parts: Parts) {
        self.parts = parts
        observer = ObserverGroup.of(parts.observers + [parts.intervals].compactMap(\.self))
        isObserved = !parts.observers.isEmpty
        hasResultObserver = parts.results != nil
        chain = CallChain(parts)
    }

    /// Sends again what has failed for a transient reason.
    package var retries: RetryStep { chain.retries }

    /// A copy with a change.
    package func with(_ change: (inout Parts) -> Void) -> ClientCore {
        var parts = parts
        change(&parts)
        return ClientCore(parts)
    }

    /// The transport for calls to environments that have none of their own.
    package var transport: any HTTPTransport { parts.transport ?? DefaultTransport.shared }

    /// The request without what another origin must not get, if it begins there.
    ///
    /// - Throws: ``FailureReason/url`` if it has a body that must not be sent there.
    package func leavingOrigin(
        _ request: HTTPRequest,
        _ call: CallInformation,
    ) throws(TransportError) -> HTTPRequest {
        try chain.attempts.ready(request, call)
    }

    /// A call of this client.
    ///
    /// - Parameters:
    ///   - plan: What it has chosen.
    ///   - observer: The observer of the events of this call.
    ///   - recorder: Records the timings of the call; one of the observers.
    /// - Returns: The call.
    package func call(
        _ plan: consuming CallPlan,
        observer: (any EventObserver)? = nil,
        recorder: TimingsRecorder? = nil,
    ) -> CallInformation {
        CallInformation(
            consume plan,
            parts.options.clock,
            transport: transport,
            timeout: parts.options.timeout,
            errorTexts: parts.options.errorTexts,
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
    /// Whether everything that all calls wait for ends soon after they are stopped.
    private var endsOnCancellation: Bool {
        parts.stubs.isEmpty && !parts.options.givesCallsTasks && chain.endsOnCancellation
    }

    /// Whether everything that a call waits for ends soon after it is stopped.
    package func endsOnCancellation(_ call: CallInformation) -> Bool {
        guard endsOnCancellation, call.traits.readsSynchronously, call.choices.redirectPolicy?.decide == nil else {
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

    /// Sends a request through the steps that apply to its call.
    // A call that waits keeps the frame of each async function on its way, with all that is made in it. So what only
    // some calls do, and what doesn't wait, has a function of its own here and in the steps.
    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        guard let next = chain.next(for: context.call, by: self) else { return try await sendPlain(request, context) }
        return try await send(request, context, through: next)
    }

    @inline(never)
    nonisolated(nonsending) private func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        through next: CallNext,
    ) async throws -> HTTPResponse {
        var response = try await next(request, context)
        // A step has created it.
        if response.requestURLText == nil { response.requestURLText = request.urlTextWithoutCredentials }
        return response
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
    nonisolated(nonsending) func transmit(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let isUnsafe = !request.method.isSafe
        if isUnsafe { closeExchanges(for: request, context) }
        defer { if isUnsafe { closeExchanges(for: request, context) } }
        try admit(request, context)
        let options = options(for: request, context)
        do {
            return try await context.call.transport.send(request, options: options)
        } catch let error as TransportError {
            return try error.brokenOffResponse(unless: context.call.accepts)
        } catch {
            context.noteThrower("the transport", type(of: context.call.transport), of: error)
            throw error
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
