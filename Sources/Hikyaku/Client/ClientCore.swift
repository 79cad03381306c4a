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
        var logging: LoggingStep?
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
    /// The steps around every call, stubbed or not, and around the reading of its response; outermost first.
    let outerSteps: [any HTTPMiddleware]
    /// All that observe the client's calls.
    let observer: (any EventObserver)?
    /// The steps of a call to the network, inside those, outermost first.
    let innerSteps: [any HTTPMiddleware]

    init(_ parts: Parts) {
        self.parts = parts
        outerSteps = (parts.logging.map { [$0] } ?? []) + [DeadlineStep()]
        observer = ObserverGroup.of(parts.observers)
        let cookies = parts.options.cookies.map { CookieStep(store: $0) }
        let coding = ContentCodingStep(
            transport: parts.transport,
            options: parts.options,
        )
        innerSteps =
            parts.middleware + [
                AuthorizationStep(credentials: parts.credentials),
                SharingStep(
                    exchanges: parts.exchanges,
                    hub: parts.hub,
                    cookies: cookies,
                    options: parts.options,
                    haveSigners: parts.credentials.haveSigners,
                ),
                // Outside redirects: nobody reads the body of one that is followed, so that it may be in any coding.
                coding,
                RedirectStep(policy: parts.options.redirectPolicy, keepsCookies: cookies != nil),
            ] + (cookies.map { [$0] } ?? [])
            + (parts.credentials.haveSigners ? [SigningStep(credentials: parts.credentials)] : [])
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

    /// Sends a request through the steps of a call to the network.
    func sendInside(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        let response = try await MiddlewareNext(innerSteps[...], context: context, terminal: sendOnWire)(request)
        context.settle(on: response)
        return response
    }

    /// The end of the way: what all steps have left is checked once more and handed to the transport.
    @Sendable private func sendOnWire(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        try Task.checkCancellation()
        try request.checkForWire()
        try request.checkCredentials()
        context.willSend(request)
        context[WireTap.self]?(request)
        var options = parts.options.transportOptions(for: context)
        options.isRequestChecked = true
        let response = try await transport(of: context).send(request, options: options)
        guard !response.isUnaskedPart(of: request) else {
            throw TransportError(.unexpectedPart, "\(response.status) with a range of bytes, and none was asked for")
        }
        return response
    }
}

extension HTTPResponse {
    /// Whether some bytes came in the place of all: 206 is for who asks by `Range` alone (RFC 9110, section 15.3.7).
    ///
    /// Services that count other things than bytes use the status for pages of their own making, which are whole.
    fileprivate func isUnaskedPart(of request: HTTPRequest) -> Bool {
        guard status == 206, !request.headers.contains("Range") else { return false }
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
