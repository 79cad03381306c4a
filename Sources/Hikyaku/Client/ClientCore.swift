/// All that a client is made of, whatever its level; never changed once it is shared.
final class ClientCore: Sendable {
    struct Parts: Sendable {
        var transport: (any HTTPTransport)?
        var middleware: [any HTTPMiddleware] = []
        var options = ClientOptions()
        /// By the base URL that they take the place of.
        var substitutes: [APIEnvironment.Base: APIEnvironment] = [:]
        var credentials: [HTTPOrigin: Credential] = [:]
        var stubs: [ObjectIdentifier: any StubAnswer] = [:]
        var logging: LoggingStep?
    }

    static let standard = ClientCore(Parts())

    let parts: Parts
    /// The steps of a call to the network, outermost first.
    let steps: [any HTTPMiddleware]
    /// The steps around a stub: it answers before all that concerns the network.
    let stubSteps: [any HTTPMiddleware]

    init(_ parts: Parts) {
        self.parts = parts
        let outer: [any HTTPMiddleware] = (parts.logging.map { [$0] } ?? []) + [DeadlineStep()]
        stubSteps = outer
        steps = outer + parts.middleware + [AuthorizationStep(credentials: parts.credentials)]
    }

    /// The same with a change.
    func with(_ change: (inout Parts) -> Void) -> ClientCore {
        var parts = parts
        change(&parts)
        return ClientCore(parts)
    }

    var transport: any HTTPTransport { parts.transport ?? DefaultTransport.shared }

    func environment(for environment: APIEnvironment) -> APIEnvironment {
        parts.substitutes.isEmpty ? environment : parts.substitutes[environment.base] ?? environment
    }

    /// The end of the way: what all steps have left is checked once more and handed to the transport.
    @Sendable func sendOnWire(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        try Task.checkCancellation()
        try request.checkForWire()
        context.willSend(request)
        context[WireTap.self]?(request)
        return try await transport.send(request, options: TransportOptions(bodyBytesMax: parts.options.bodyBytesMax))
    }
}
