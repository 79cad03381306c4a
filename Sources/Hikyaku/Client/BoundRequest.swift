/// A request together with a client that may send it: what generic code takes.
///
/// Made by `bind(_:)` of a client, which is where the levels are compared; so whoever holds one can send it.
public struct BoundRequest<R: APIRequest>: Sendable {
    /// The request.
    public let request: R
    let core: ClientCore

    /// Sends the request and returns its model.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func send() async throws(APIError<R.Failure>) -> R.Response {
        try await response().value
    }

    /// Sends the request and returns its model with status, headers and timings.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func response() async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        let context = makeContext()
        let request = try httpRequest(context)
        if let stub = core.parts.stubs[ObjectIdentifier(R.self)] as? Stub<R> {
            return try await respond(by: stub, to: request, context)
        }
        let response: HTTPResponse
        do {
            let next = MiddlewareNext(core.steps[...], context: context, terminal: core.sendOnWire)
            response = try await next(request)
        } catch {
            throw APIError(error, context: context, request: request)
        }
        let value = try await read(response, of: request, context)
        return makeResponse(value, response, .network, context)
    }

    /// The request as this client would send it, but for the credential, without sending it.
    ///
    /// - Returns: The request, checked: it can be sent.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func httpRequest() throws(APIError<R.Failure>) -> HTTPRequest {
        try httpRequest(makeContext())
    }

    /// The request as this client would send it, but for the credential, as a line for a shell.
    ///
    /// - Parameter revealingSecrets: Whether headers, the query's values and the body are shown, so that it can be run.
    /// - Returns: The line, as ``HTTPRequest/curlCommand(revealingSecrets:)`` writes it.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func curlCommand(revealingSecrets: Bool = false) throws(APIError<R.Failure>) -> String {
        try httpRequest().curlCommand(revealingSecrets: revealingSecrets)
    }
}

extension BoundRequest {
    private func makeContext() -> RequestContext {
        RequestContext(
            requestType: R.self,
            environment: core.environment(for: request.environment),
            requiresAuthorization: R.Access.self != Public.self,
            timeout: request.timeout ?? core.parts.options.timeout,
            clock: core.parts.options.clock,
        )
    }

    private func httpRequest(_ context: RequestContext) throws(APIError<R.Failure>) -> HTTPRequest {
        let encoder = request.encoder
        do {
            return try request.makeHTTPRequest(
                environment: context.environment,
                encoder: encoder is InheritedEncoder ? core.parts.options.encoder : encoder,
                accept: R.Definition.acceptedMediaTypes ?? decoder.mediaType,
                userAgent: core.parts.options.userAgent,
            )
        } catch {
            let callContext = CallContext(
                requestType: String(reflecting: R.self).withoutModule,
                method: request.method,
                url: context.environment.base.problem == nil ? context.environment.baseURL : nil,
                elapsed: context.start.duration(to: context.clock.now),
                underlyingError: error.underlyingError,
            )
            throw APIError(error, context: callContext)
        }
    }

    private var decoder: any ResponseDecoder {
        let decoder = request.decoder
        return decoder is InheritedDecoder ? core.parts.options.decoder : decoder
    }

    private func makeResponse(
        _ value: R.Response,
        _ response: HTTPResponse,
        _ source: ResponseSource,
        _ context: RequestContext,
    ) -> APIResponse<R.Response> {
        APIResponse(
            value: value,
            status: response.status,
            headers: response.headers,
            timings: CallTimings(total: context.start.duration(to: context.clock.now)),
            source: source,
        )
    }
}

extension BoundRequest {
    /// Looks at the status and asks for a failure before anything is decoded as a success.
    private func read(
        _ response: HTTPResponse,
        of sent: HTTPRequest,
        _ context: RequestContext,
    ) async throws(APIError<R.Failure>) -> R.Response {
        let bytesMax = core.parts.options.bodyBytesMax
        let decoder = decoder
        let whole: FailedResponse
        do {
            whole = FailedResponse(
                status: response.status,
                headers: response.headers,
                body: try await response.body.collect(upTo: bytesMax),
                context: CallContext(),
                decoder: decoder,
            )
        } catch {
            throw APIError(error, context: context, request: sent)
        }
        if let failure = request.failure(in: whole) {
            throw .service(failure, whole.kept(context: CallContext(context, sent, nil)))
        }
        guard request.accepts(response.status) else {
            throw .unacceptableStatus(whole.kept(context: CallContext(context, sent, nil)))
        }
        do {
            let reading = ResponseContext(decoder: decoder, bodyBytesMax: bytesMax)
            return try await ResponseContext.$bound.withValue(reading) {
                try await request.response(from: response)
            }
        } catch {
            throw readingError(error, whole, sent, context)
        }
    }

    private func readingError(
        _ error: any Error,
        _ whole: FailedResponse,
        _ sent: HTTPRequest,
        _ context: RequestContext,
    ) -> APIError<R.Failure> {
        if error is CancellationError || error is TransportError || error is APIError<R.Failure> {
            return APIError(error, context: context, request: sent)
        }
        let kept = whole.kept(context: CallContext(context, sent, error))
        if let failure = error as? R.Failure { return .service(failure, kept) }
        let diagnosis =
            switch error {
            case let error as DecodingError: DecodingDiagnosis(error, body: whole.body)
            case let diagnosis as DecodingDiagnosis: diagnosis
            default: DecodingDiagnosis(kind: .invalidValue, expected: "a response that \(R.self) can read")
            }
        return .decoding(DecodingFailure(diagnosis: diagnosis, response: kept))
    }
}

extension BoundRequest {
    /// Lets a stub answer inside the steps that concern every call, network or not.
    private func respond(
        by stub: Stub<R>,
        to sent: HTTPRequest,
        _ context: RequestContext,
    ) async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        let answer = Lock<R.Response?>(nil)
        do {
            let next = MiddlewareNext(core.stubSteps[...], context: context) { [request] _, context in
                let value = try await stub.answer(request)
                answer.withLock { $0 = value }
                context[IsStubbed.self] = true
                return HTTPResponse(status: .ok)
            }
            let response = try await next(sent)
            // The steps around a stub never answer by themselves, so that there is one.
            guard let value = answer.withLock({ $0 }) else { throw CancellationError() }
            return makeResponse(value, response, .stub, context)
        } catch let failure as R.Failure {
            let response = FailedResponse(status: .badRequest, context: CallContext(context, sent, nil))
            throw .service(failure, response)
        } catch {
            throw APIError(error, context: context, request: sent)
        }
    }
}

extension BoundRequest: CustomStringConvertible, CustomReflectable {
    /// The request's type, and nothing of what request and client hold.
    public var description: String { "BoundRequest<\(R.self)>" }

    /// The request's type, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["type": String(describing: R.self)]) }
}
