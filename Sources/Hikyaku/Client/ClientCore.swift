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
        /// Who hears of the models in responses.
        var hub: ModelHub?
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
    /// The steps of each request that is handed to the transport, redirects' too: cookies and signatures.
    private let hopSteps: [any HTTPMiddleware]
    /// Whether all that each call waits for ends when it is stopped, credentials and transports aside.
    private let stepsEndOnCancellation: Bool
    private let transportEndsOnCancellation: Bool
    private let traits = Lock<[ObjectIdentifier: RequestTraits]>([:])

    init(_ parts: Parts) {
        self.parts = parts
        observer = ObserverGroup.of(parts.observers)
        isObserved = !parts.observers.isEmpty
        cookies = parts.options.cookies.map { CookieStep(store: $0) }
        authorization = AuthorizationStep(credentials: parts.credentials)
        sharing = SharingStep(
            exchanges: parts.exchanges,
            hub: parts.hub,
            cookies: cookies,
            options: parts.options,
            haveSigners: parts.credentials.haveSigners,
        )
        coding = ContentCodingStep(options: parts.options)
        redirects = RedirectStep(policy: parts.options.redirectPolicy, keepsCookies: cookies != nil)
        hopSteps =
            (cookies.map { [$0] } ?? [])
            + (parts.credentials.haveSigners ? [SigningStep(credentials: parts.credentials)] : [])
        // The default one keeps the promise.
        transportEndsOnCancellation = parts.transport?.endsOnCancellation ?? true
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

    var transport: any HTTPTransport { parts.transport ?? DefaultTransport.shared }

    /// What moves the bytes of a call: its environment's own transport, or the client's.
    func transport(of context: RequestContext) -> any HTTPTransport {
        context.environment.ownTransport?.transport ?? transport
    }

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
        return call.environment.ownTransport?.transport.endsOnCancellation ?? transportEndsOnCancellation
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
    nonisolated(nonsending) func send(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        var steps = parts.middleware
        if context.call.choices.authorizationNeed != .none || context.call.ownTokenOrigin != nil {
            steps.append(authorization)
        }
        // A middleware may change the method.
        if context.call.choices.sharesExchange || !request.method.isSafe || !parts.middleware.isEmpty {
            steps.append(sharing)
        }
        guard !steps.isEmpty else { return try await exchange(request, context) }
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
        var asking = request
        let undoesCoding = !transport(of: context).decodesContent
        if undoesCoding { coding.ask(in: &asking) }
        let attempt = context.beginAttempt()
        var response = try await hop(asking, attempt)
        if response.status.isRedirection {
            response = try await redirects.response(after: consume response, to: asking, attempt, hop)
        }
        response = attempt.answered(by: response)
        guard undoesCoding, response.headers.contains(.contentEncoding) else { return response }
        return try await coding.undo(response, to: request, context)
    }

    /// Sends one request of an attempt: the first, or one that follows a redirect.
    @inline(__always)
    @Sendable nonisolated(nonsending) private func hop(
        _ request: HTTPRequest,
        _ attempt: RequestContext,
    ) async throws -> HTTPResponse {
        guard !hopSteps.isEmpty else { return try await sendOnWire(request, attempt) }
        return try await MiddlewareNext(hopSteps[...], context: attempt, terminal: sendOnWire)(request)
    }

    /// Checks what all steps have left, and hands it to the transport.
    @inline(__always)
    @Sendable nonisolated(nonsending) private func sendOnWire(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        guard context.call.stop.error == nil else { throw CancellationError() }
        try request.checkForWire()
        try request.checkCredentials()
        context.willSend(request)
        context.call.log?.sends(request)
        let response = try await transport(of: context).send(
            request,
            options: parts.options.transportOptions(for: context),
        )
        guard response.status.code != 206 || !response.isUnaskedPart(of: request) else {
            throw TransportError(.unexpectedPart, "\(response.status) with a range of bytes, and none was asked for")
        }
        return response
    }

    /// Whether a response has its body in memory, and no limit can matter to it.
    func isCollected(_ response: HTTPResponse) -> Bool {
        guard let count = response.body.bytes?.count else { return false }
        return count <= min(parts.options.bodyBytesMax, parts.options.errorBodyBytesMax)
    }

    /// A response with its body in memory.
    nonisolated(nonsending) func collectingBody(
        of response: HTTPResponse,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        try await response.collectingBody(within: parts.options.transportOptions(for: context))
    }
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
    private let type: ObjectIdentifier
    private let reads: Lock<Bool>

    private static let readAtOnce = Lock<Set<ObjectIdentifier>>([])

    /// Whether its responses are read from memory without waiting for anything.
    ///
    /// That is so where the default of ``APIRequest/response(from:)`` reads them. A function of the request's own may
    /// stand in its place, which shows only when it is called; so the first call finds it out.
    var readsAtOnce: Bool { reads.withLock(\.self) }

    /// Notes that the default has read a response of the type.
    func noteDefaultReading() {
        guard !readsAtOnce else { return }
        _ = Self.readAtOnce.withLock { $0.insert(type) }
        reads.withLock { $0 = true }
    }

    /// Of no type.
    static let none = RequestTraits()

    private init() {
        (isProxy, definitionProblem, headers, headersAreChecked) = (false, nil, [:], false)
        type = ObjectIdentifier(Never.self)
        reads = Lock(false)
    }

    fileprivate init<R: APIRequest>(_ request: R.Type, _ options: ClientOptions) {
        isProxy = R.self is any RequestProxy.Type
        let type = ObjectIdentifier(request)
        self.type = type
        reads = Lock(Self.readAtOnce.withLock { $0.contains(type) })
        definitionProblem = R.Definition.definitionProblem
        headers = [
            .accept: R.Definition.acceptedMediaTypes ?? options.decoder.mediaType, .userAgent: options.userAgent,
        ]
        let request = HTTPRequest(method: .get, urlText: "", headers: headers)
        headersAreChecked = (try? request.checkForWire()) != nil
    }
}

extension HTTPResponse {
    /// Whether some bytes came in the place of all: 206 is for who asks by `Range` alone (RFC 9110, section 15.3.7).
    ///
    /// Services that count other things than bytes use the status for pages of their own making, which are whole.
    fileprivate func isUnaskedPart(of request: HTTPRequest) -> Bool {
        guard !request.headers.contains("Range") else { return false }
        let range = headers["Content-Range"]?.asciiLowercased ?? ""
        let isMultipart = headers[.contentType]?.asciiLowercased.hasBytePrefix("multipart/byteranges") == true
        return isMultipart || (range.hasBytePrefix("bytes") && !Self.isWhole(range))
    }

    /// Whether a range is all there is: `bytes 0-99/100`.
    private static func isWhole(_ range: String) -> Bool {
        guard range.hasBytePrefix("bytes 0-") else { return false }
        let numbers = Substring(range.utf8.dropFirst(8)).byteSplit(separator: "/").map { Int($0) }
        guard numbers.count == 2, let last = numbers[0], let count = numbers[1], count > 0 else { return false }
        return last == count - 1
    }
}
