import HikyakuBase

extension APIClient {
    /// A request as this client would send it, as a shell command: with the credential, cookies and fields that the
    /// client adds.
    ///
    /// ```swift
    /// print(try await client.curlCommand(for: Qiita.Rename(id: "1", title: "飛脚"), revealingSecrets: true))
    /// ```
    /// Nothing is sent with the request. Everything that takes part in a call runs, though: your middleware, the token
    /// provider, which may refresh a token, the signer, and the cookie store. Limits, retries, logging and observers
    /// don't. A middleware that responds itself ends the chain: then the line is that of the request as it was built.
    ///
    /// - Parameters:
    ///   - request: The request, of any level.
    ///   - revealingSecrets: Whether the credential, all headers, query values and the body are shown, so that the
    ///     command can be run. Don't log it.
    /// - Returns: The command line, as ``HTTPRequest/curlCommand(revealingSecrets:)`` writes it.
    /// - Throws: ``APIError`` as for a call that fails before anything is sent, such as
    ///   ``APIError/unauthorized(_:)``.
    public func curlCommand<R: APIRequest>(
        for request: R,
        revealingSecrets: Bool = false,
    ) async throws(APIError<R.Failure>) -> String {
        try await BoundRequest(request: request, core: core).curlCommand(revealingSecrets: revealingSecrets)
    }
}

extension BoundRequest {
    /// The request as this client would send it, as a shell command: see
    /// ``APIClient/curlCommand(for:revealingSecrets:)``.
    ///
    /// - Throws: As ``APIClient/curlCommand(for:revealingSecrets:)``.
    public func curlCommand(revealingSecrets: Bool = false) async throws(APIError<R.Failure>) -> String {
        let transport = CapturingTransport(like: core.transport(for: request))
        let call = Call(of: request, by: core.capturing(request, with: transport))
        do throws(APIError<R.Failure>) {
            try await call.ended(request)
        } catch {
            // The transport ended the call when it had the request.
            guard transport.request != nil else { throw error }
        }
        guard let captured = transport.request else {
            return try httpRequest().curlCommand(revealingSecrets: revealingSecrets)
        }
        return captured.curlCommand(revealingSecrets: revealingSecrets)
    }
}

extension APIRequest {
    /// The request as a client with default settings and without a credential would send it, as a shell command.
    ///
    /// Nothing is sent. ``APIClient/curlCommand(for:revealingSecrets:)`` has everything that a client adds.
    ///
    /// - Parameter revealingSecrets: Whether headers, query values and the body are shown, so that the command can be
    ///   run.
    /// - Returns: The command line, as ``HTTPRequest/curlCommand(revealingSecrets:)`` writes it.
    /// - Throws: ``APIError/invalidRequest(_:)`` with the part that can't be sent.
    public func curlCommand(revealingSecrets: Bool = false) throws(APIError<Failure>) -> String {
        try httpRequest().curlCommand(revealingSecrets: revealingSecrets)
    }
}

extension Call {
    fileprivate func ended<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) {
        do { _ = try await run(request) } catch { throw APIError(settled: error) }
    }
}

extension ClientCore {
    fileprivate func transport<R: APIRequest>(for request: R) -> any HTTPTransport {
        environment(for: request.environment).ownTransport?.transport ?? transport
    }

    /// The same client with a transport that captures requests, and without what counts, delays or reports calls.
    fileprivate func capturing<R: APIRequest>(_ request: R, with transport: CapturingTransport) -> ClientCore {
        let environment = request.environment
        return with { parts in
            parts.transport = transport
            let target = self.environment(for: environment)
            // The stubs are removed below: a request that one answers would be rejected for a missing substitute.
            if target.ownTransport != nil || stub(for: request) != nil {
                parts.substitutes[environment.base] = target.with(transport: transport)
            }
            parts.exchanges = SharedExchanges()
            parts.options.retryPolicy = .never
            parts.options.circuitBreaker = nil
            parts.options.limits = [:]
            parts.stubs = [:]
            parts.logging = nil
            parts.observers = []
            parts.intervals = nil
            parts.results = nil
        }
    }
}

/// Keeps the first request that it gets, and ends its call.
final class CapturingTransport: HTTPTransport {
    let decodesContent: Bool
    private let captured = Lock<HTTPRequest?>(nil)

    /// - Parameter original: The transport that the request is captured for.
    init(like original: any HTTPTransport) {
        decodesContent = original.decodesContent
    }

    var request: HTTPRequest? { captured.withLock(\.self) }
    var endsOnCancellation: Bool { true }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        captured.withLock { if $0 == nil { $0 = request } }
        // As a cancellation it has no fallback, and middleware lets it through.
        throw CancellationError()
    }

    func shutdown(within grace: Duration) async {}
}
