#if canImport(Darwin)
import HikyakuURLSession
#else
import HikyakuWire
#endif

/// All that a client is made of, whatever its level; never changed once it is shared.
final class ClientCore: Sendable {
    struct Parts: Sendable {
        var transport: (any HTTPTransport)?
        var middleware: [any HTTPMiddleware] = []
        var options = ClientOptions()
        var diagnosisDetail: DiagnosisDetail = []
        /// By the base URL that they take the place of.
        var substitutes: [APIEnvironment.Base: APIEnvironment] = [:]
        var credentials = Credentials()
        var stubs: [ObjectIdentifier: any StubAnswer] = [:]
        var logging: CallLogging?
        var observers: [any EventObserver] = []
        /// Shared by all clients that come from one.
        let calls = CallsInFlight()
        /// Shared likewise, so that whoever signs out closes them all.
        let exchanges = SharedExchanges()
        /// Who hears of what the calls have read.
        var results: (any ResultObserver)?
    }

    static let standard = ClientCore(Parts())

    let parts: Parts
    /// All that observe the client's calls.
    let observer: (any EventObserver)?
    let isObserved: Bool
    private let cookies: CookieStep?
    private let authorization: AuthorizationStep
    private let sharing: SharingStep
    private let coding: ContentCodingStep
    private let redirects: RedirectStep
    /// The steps of each request that is handed to the transport, redirects' too: cookies, and signatures where the
    /// call may need one.
    private let hopSteps: (all: [any HTTPMiddleware], ofPublicCalls: [any HTTPMiddleware])
    /// Whether all that each call waits for ends when it is stopped, credentials and transports aside.
    private let stepsEndOnCancellation: Bool
    private let traits = Lock<[ObjectIdentifier: RequestTraits]>([:])

    init(_ parts: Parts) {
        self.parts = parts
        observer = ObserverGroup.of(parts.observers)
        isObserved = !parts.observers.isEmpty
        cookies = parts.options.cookies.map { CookieStep(store: $0) }
        authorization = AuthorizationStep(credentials: parts.credentials)
        sharing = SharingStep(
            exchanges: parts.exchanges,
            results: parts.results,
            cookies: cookies,
            options: parts.options,
            haveSigners: parts.credentials.haveSigners,
        )
        coding = ContentCodingStep(options: parts.options)
        redirects = RedirectStep(policy: parts.options.redirectPolicy, keepsCookies: cookies != nil)
        let cookieSteps: [any HTTPMiddleware] = cookies.map { [$0] } ?? []
        let signing = parts.credentials.haveSigners ? [SigningStep(credentials: parts.credentials)] : []
        hopSteps = (cookieSteps + signing, cookieSteps)
        stepsEndOnCancellation =
            parts.stubs.isEmpty && parts.middleware.allSatisfy(\.endsOnCancellation)
            && parts.options.cookies?.endsOnCancellation != false && !parts.options.redirectPolicy.asks
    }

    /// The same with a change.
    func with(_ change: (inout Parts) -> Void) -> ClientCore {
        var parts = parts
        change(&parts)
        return ClientCore(parts)
    }

    /// What moves the bytes of calls to environments that have no transport of their own.
    var transport: any HTTPTransport { parts.transport ?? DefaultTransport.shared }

    func environment(for environment: APIEnvironment) -> APIEnvironment {
        parts.substitutes.isEmpty ? environment : parts.substitutes[environment.base] ?? environment
    }

    /// What is known of a type of requests; found once.
    func traits<R: APIRequest>(of type: R.Type) -> RequestTraits {
        let identifier = ObjectIdentifier(type)
        if let traits = traits.withLock({ $0[identifier] }) { return traits }
        // Made outside of the lock, since it runs code of the user.
        let made = RequestTraits(type, parts.options)
        traits.withLock { $0[identifier] = made }
        return made
    }
}

// MARK: - The way of a request, from the call to the transport

extension ClientCore {
    /// Whether all that a call waits for ends soon after it is stopped.
    func endsOnCancellation(_ call: CallInformation) -> Bool {
        guard stepsEndOnCancellation, call.traits.readsAtOnce, call.choices.redirectPolicy?.asks != true else {
            return false
        }
        guard call.choices.authorizationNeed == .none || parts.credentials.endOnCancellation else { return false }
        return call.transport.endsOnCancellation
    }

    /// Sends a request in the caller's task, until the call is stopped.
    @inline(__always)
    nonisolated(nonsending) func sendHere(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let stop = context.call.stop
        guard CallCancellation.current == nil else {
            // A call inside of another ends with it.
            return try await CallCancellation.withHandler {
                try await CallCancellation.$current.withValue(stop) { try await send(request, context) }
            } onCancel: {
                stop.stop(with: CancellationError())
            }
        }
        return try await CallCancellation.$current.withValue(stop) { try await send(request, context) }
    }

    /// Sends a request through the middleware, then with its credential, then perhaps together with equal ones.
    // A call that waits keeps the frame of each async function on its way, with all that is made in it. So what only
    // some calls do, and what doesn't wait, has a function of its own here and below.
    nonisolated(nonsending) func send(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        let steps = steps(context.call)
        guard !steps.isEmpty else { return try await exchange(request, context) }
        return try await send(request, context, through: steps)
    }

    private func steps(_ call: CallInformation) -> [any HTTPMiddleware] {
        var steps = parts.middleware
        if mayCarryToken(call) { steps.append(authorization) }
        if call.choices.sharesExchange { steps.append(sharing) }
        return steps
    }

    /// Whether authorization has something to do: to add a token, to watch over the request's own, or to refuse.
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
        let response = try await MiddlewareNext(steps[...], context: context, terminal: exchange)(request)
        // The middleware may have made several attempts, and chosen one.
        context.settle(on: response)
        return response
    }

    /// Sends a request, follows its redirects, and undoes the content coding of the last response.
    @Sendable nonisolated(nonsending) private func exchange(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let attempt = context.beginAttempt()
        let response = try await hop(ready(request, attempt), attempt)
        guard response.status.isRedirection || response.headers.contains(.contentEncoding) else {
            return attempt.answered(by: response)
        }
        return try await followed(consume response, to: request, attempt)
    }

    /// The request with the content codings that it accepts, where the client undoes them, and checked, so that the
    /// transport needn't.
    @inline(never)
    private func ready(_ request: HTTPRequest, _ context: RequestContext) throws(TransportError) -> HTTPRequest {
        // Copied here: a call that waits would keep a copy that its own function made.
        var ready = request
        if !context.call.transport.decodesContent { coding.ask(in: &ready) }
        return try (consume ready).checkedForWire()
    }

    /// Follows the redirects of a response, and undoes the content coding of the last one.
    @inline(never)
    nonisolated(nonsending) private func followed(
        _ response: consuming HTTPResponse,
        to request: HTTPRequest,
        _ attempt: RequestContext,
    ) async throws -> HTTPResponse {
        if response.status.isRedirection {
            let asked = try ready(request, attempt)
            response = try await redirects.response(after: consume response, to: asked, attempt, hop)
        }
        let last = attempt.answered(by: response)
        guard last.headers.contains(.contentEncoding), !attempt.call.transport.decodesContent else { return last }
        return try await coding.undo(last, to: request, attempt)
    }

    /// Sends one request of an attempt: the first, or one that follows a redirect.
    @inline(__always)
    @Sendable nonisolated(nonsending) private func hop(
        _ request: HTTPRequest,
        _ attempt: RequestContext,
    ) async throws -> HTTPResponse {
        let isUnsafe = !request.method.isSafe
        if isUnsafe { closeExchanges(for: request, attempt) }
        defer { if isUnsafe { closeExchanges(for: request, attempt) } }
        let isPublic = attempt.call.choices.authorizationNeed == .none
        let steps = isPublic ? hopSteps.ofPublicCalls : hopSteps.all
        guard !steps.isEmpty else { return try await sendOnWire(request, attempt) }
        return try await hop(request, attempt, through: steps)
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

    /// Closes the shared exchanges that a request with an unsafe method may have made outdated.
    @inline(never)
    private func closeExchanges(for request: HTTPRequest, _ context: RequestContext) {
        parts.exchanges.close(to: context.environment.base.origin, includesGone: true)
        // A middleware or a redirect may have changed the origin: to that of a gateway, where many services are.
        if let origin = HTTPOrigin(request.url) { parts.exchanges.close(to: origin, includesGone: false) }
    }

    /// Checks what all steps have left, and hands it to the transport.
    @inline(__always)
    @Sendable nonisolated(nonsending) private func sendOnWire(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        try admit(request, context)
        let options = parts.options.transportOptions(for: context)
        let response = try await context.call.transport.send(request, options: options)
        guard response.status.code == 206 else { return response }
        try response.checkPart(of: request)
        return response
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

    /// Whether a response has its body in memory, and no limit can matter to it.
    func isCollected(_ response: HTTPResponse) -> Bool {
        guard let count = response.body.bytes?.count else { return false }
        return count <= min(parts.options.bodyBytesMax, parts.options.errorBodyBytesMax)
    }

}

extension ClientOptions {
    /// What holds for the transport in a call.
    func transportOptions(for context: RequestContext) -> TransportOptions {
        TransportOptions(
            bodyBytesMax: bodyBytesMax,
            errorBodyBytesMax: errorBodyBytesMax,
            accepts: context.call.accepts,
            streamsBody: context.streamsBody,
            timeouts: timeouts,
            observer: context.call.observer,
        )
    }
}

/// The transport of all clients that were given none: one for the process, so that they share its connections.
///
/// It is made when the first of them sends.
enum DefaultTransport {
    #if canImport(Darwin)
    static let shared: any HTTPTransport = URLSessionTransport()
    #else
    static let shared: any HTTPTransport = WireTransport()
    #endif
}

/// What is known of a type of requests by itself.
final class RequestTraits: Sendable {
    /// Whether it has another request inside.
    let isProxy: Bool
    /// Why nothing can be read in its shape.
    let definitionProblem: String?
    /// The fields that a client adds to each of its requests, where the client's decoder reads the response.
    let headers: HTTPHeaders
    /// Whether a GET request with these fields alone keeps the rules of the wire.
    let headersAreChecked: Bool
    /// Shared by all clients that know the type.
    private let reads: Lock<Bool>

    private static let readsByType = Lock<[ObjectIdentifier: Lock<Bool>]>([:])

    /// Whether its responses are read from memory without waiting for anything.
    ///
    /// That is so where the default of ``APIRequest/response(from:)`` reads them. A function of the request's own may
    /// stand in its place, which shows only when it is called; so the first call finds it out.
    var readsAtOnce: Bool { reads.withLock(\.self) }

    /// Notes that the default has read a response of the type.
    func noteDefaultReading() {
        reads.withLock { $0 = true }
    }

    /// Of no type.
    static let none = RequestTraits()

    private init() {
        (isProxy, definitionProblem, headers, headersAreChecked) = (false, nil, [:], false)
        reads = Lock(false)
    }

    fileprivate init<R: APIRequest>(_ request: R.Type, _ options: ClientOptions) {
        isProxy = R.self is any RequestProxy.Type
        reads = Self.readsByType.withLock { known in
            let reads = known[ObjectIdentifier(request)] ?? Lock(false)
            known[ObjectIdentifier(request)] = reads
            return reads
        }
        definitionProblem = R.Definition.definitionProblem
        headers = [
            .accept: R.Definition.acceptedMediaTypes ?? options.decoder.mediaType, .userAgent: options.userAgent,
        ]
        let request = HTTPRequest(method: .get, urlText: "", headers: headers)
        headersAreChecked = (try? request.checkForWire()) != nil
    }
}

extension HTTPResponse {
    /// Rejects partial content that the request has not asked for by `Range` (RFC 9110, section 15.3.7).
    ///
    /// Services that count other things than bytes use the status for pages of their own making, which are whole.
    fileprivate func checkPart(of request: HTTPRequest) throws(TransportError) {
        guard !request.headers.contains("Range") else { return }
        let range = headers["Content-Range"]?.asciiLowercased ?? ""
        let isMultipart = headers[.contentType]?.asciiLowercased.hasBytePrefix("multipart/byteranges") == true
        guard isMultipart || (range.hasBytePrefix("bytes") && !Self.isWhole(range)) else { return }
        throw TransportError(.unexpectedPart, "\(status) with a range of bytes, and none was asked for")
    }

    /// Whether a range is all there is: `bytes 0-99/100`.
    private static func isWhole(_ range: String) -> Bool {
        guard range.hasBytePrefix("bytes 0-") else { return false }
        let numbers = Substring(range.utf8.dropFirst(8)).byteSplit(separator: "/").map { Int($0) }
        guard numbers.count == 2, let last = numbers[0], let count = numbers[1], count > 0 else { return false }
        return last == count - 1
    }
}
