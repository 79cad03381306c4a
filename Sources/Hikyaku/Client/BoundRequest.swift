#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        try await response(nil).value
    }

    /// Sends the request and returns its model with status, headers and timings.
    ///
    /// - Throws: ``APIError``, typed by the request's failure.
    public func response() async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        try await response(TimingsRecorder())
    }

    /// The same, for a call that tells what happens to somebody of its own.
    func response(
        telling observer: any EventObserver
    ) async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        try await response(TimingsRecorder(), tellingTo: observer)
    }

    func response(
        _ recorder: TimingsRecorder?,
        tellingTo listener: (any EventObserver)? = nil,
        overtaken: RequestContext.Overtaken? = nil,
    ) async throws(APIError<R.Failure>) -> APIResponse<R.Response> {
        // Those who observe are told which exchange a drift belongs to.
        let recorder = recorder ?? core.observer.map { _ in TimingsRecorder() }
        // One that observes alone, a call's meter say, needs no group.
        let observer =
            recorder == nil ? listener : ObserverGroup.of([recorder, core.observer, listener].compactMap(\.self))
        let context = makeContext(observer, overtaken)
        // Asked for once: a request may make its decoder anew each time.
        let decoder = decoder
        let request = try loggedRequest(context, decoder)
        let value = Lock<R.Response?>(nil)
        context.wasAsked(at: core.parts.hub?.makeMoment())
        let id = core.parts.calls.begin(BoundCall(request: self.request, race: context.race))
        defer { core.parts.calls.end(id) }
        do {
            let next = MiddlewareNext(core.outerSteps[...], context: context) { request, context in
                let (model, response) = try await exchange(request, context, decoder, recorder)
                value.withLock { $0 = model }
                return response
            }
            let response = try await next(request)
            // The steps around never answer by themselves, so that there is one.
            guard let value = value.withLock({ $0 }) else { throw CancellationError() }
            let source: ResponseSource =
                context[IsStubbed.self] ? .stub : context.attempt == 0 ? .middleware : .network
            core.parts.hub?.publish(value, of: R.Definition.self, source: source, asked: context.asked)
            return APIResponse(
                value: value,
                status: response.status,
                headers: response.headers,
                timings: recorder.timings(total: context.start.duration(to: context.clock.now)),
                source: source,
                redirects: context.redirects,
            )
        } catch {
            throw APIError(error, context: context, request: request)
        }
    }

    /// The request as this client would send it, but for the credential and `Accept-Encoding`, without sending it.
    ///
    /// - Returns: The request, checked: it can be sent.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func httpRequest() throws(APIError<R.Failure>) -> HTTPRequest {
        try httpRequest(makeContext(), decoder)
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
    private func makeContext(
        _ observer: (any EventObserver)? = nil,
        _ overtaken: RequestContext.Overtaken? = nil,
    ) -> RequestContext {
        let context = RequestContext(
            requestType: R.self,
            environment: core.environment(for: request.environment),
            access: R.Access.self,
            authorizationNeed: AuthorizationNeed(request),
            requiredScopes: request.requiredScopes,
            ownTokenOrigin: ownTokenOrigin(of: request),
            streamsBody: R.Definition.streamsBody,
            accepts: request.accepts,
            sharesExchange: request.sharesExchange,
            timeout: request.writtenTimeout ?? core.parts.options.timeout,
            clock: core.parts.options.clock,
            observer: observer,
            overtaken: overtaken,
        )
        if let policy = request.writtenRedirectPolicy { context[RedirectPolicyNote.self] = policy }
        return context
    }

    private func httpRequest(
        _ context: RequestContext,
        _ decoder: any ResponseDecoder,
    ) throws(APIError<R.Failure>) -> HTTPRequest {
        let encoder = request.encoder
        do throws(TransportError) {
            if let unfit = decoder as? UnfitDecoder { throw unfit.refusal }
            return try request.makeHTTPRequest(
                environment: context.environment,
                encoder: encoder is InheritedEncoder ? core.parts.options.encoder : encoder,
                accept: R.Definition.acceptedMediaTypes ?? decoder.mediaType,
                userAgent: core.parts.options.userAgent,
            )
        } catch {
            let callContext = CallContext(
                requestType: String(reflecting: innermostRequest(of: R.self)).withoutModule,
                method: request.writtenMethod,
                url: context.environment.base.problem == nil ? context.environment.baseURL : nil,
                elapsed: context.start.duration(to: context.clock.now),
                underlyingError: error.underlyingError,
            )
            throw APIError(error.reason, error.message, callContext)
        }
    }

    private var decoder: any ResponseDecoder {
        let decoder = request.writtenDecoder
        return decoder is InheritedDecoder ? core.parts.options.decoder : decoder
    }

    private func loggedRequest(
        _ context: RequestContext,
        _ decoder: any ResponseDecoder,
    ) throws(APIError<R.Failure>) -> HTTPRequest {
        do {
            return try httpRequest(context, decoder)
        } catch {
            core.parts.logging?.log(error)
            throw error
        }
    }
}

extension BoundRequest {
    /// What happens inside the steps that stand around every call: a stub, or the network and the reading.
    private func exchange(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ decoder: any ResponseDecoder,
        _ recorder: TimingsRecorder?,
    ) async throws -> (R.Response, HTTPResponse) {
        if let stub = core.stub(for: self.request) {
            context[IsStubbed.self] = true
            return (try await answer(of: stub, to: request, context), HTTPResponse(status: .ok))
        }
        let response = try await core.sendInside(request, context)
        let tally = core.observer.map { _ in DriftTally() }
        defer {
            if let observer = core.observer { tally?.tell(observer, exchange: recorder?.exchange ?? 0) }
        }
        let reading = ResponseContext(
            decoder: decoder,
            bodyBytesMax: core.parts.options.bodyBytesMax,
            requestType: R.self,
            driftTally: tally,
            diagnosisDetail: core.parts.diagnosisDetail.union(self.request.diagnosisDetail),
        )
        return (try await read(response, of: request, context, reading), response)
    }

    private func answer(
        of stub: @Sendable () async throws -> R.Response,
        to sent: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> R.Response {
        do {
            return try await stub()
        } catch let error as APIError<R.Failure> {
            throw Settled(error)
        } catch let failure as R.Failure {
            let response = FailedResponse(status: .badRequest, context: CallContext(context, sent, nil))
            throw Settled(APIError.service(failure, response))
        }
    }

    /// Looks at the status and asks for a failure before anything is decoded as a success.
    private func read(
        _ response: HTTPResponse,
        of sent: HTTPRequest,
        _ context: RequestContext,
        _ reading: ResponseContext,
    ) async throws -> R.Response {
        let isAccepted = request.accepts(response.status)
        guard !isAccepted || !response.isBodyCut else {
            throw TransportError(.bodyTooLarge, "a step accepts the status, and the body was cut as that of an error")
        }
        if context.streamsBody, isAccepted {
            var response = response
            if let deadline = context.deadline {
                response.body = response.body.ending(at: deadline, of: context)
            }
            let head = FailedResponse(
                status: response.status,
                headers: response.headers,
                body: Data(),
                context: CallContext(),
                decoder: reading.decoder,
            )
            return try await model(in: response, head, of: sent, context, reading)
        }
        // What was a stream until here is in memory from here on.
        let response = try await response.collectingBody(within: core.parts.options.transportOptions(for: context))
        let whole = FailedResponse(
            status: response.status,
            headers: response.headers,
            body: response.body.bytes ?? Data(),
            isBodyCut: response.isBodyCut,
            context: CallContext(),
            decoder: reading.decoder,
        )
        if !whole.isBodyCut, let failure = request.failure(in: whole) {
            throw Settled(APIError.service(failure, whole.kept(context: CallContext(context, sent, nil))))
        }
        guard isAccepted else {
            throw Settled(APIError<R.Failure>.unacceptableStatus(whole.kept(context: CallContext(context, sent, nil))))
        }
        return try await model(in: response, whole, of: sent, context, reading)
    }

    private func model(
        in response: HTTPResponse,
        _ whole: FailedResponse,
        of sent: HTTPRequest,
        _ context: RequestContext,
        _ reading: ResponseContext,
    ) async throws -> R.Response {
        do {
            return try await ResponseContext.$bound.withValue(reading) {
                try await request.response(from: response)
            }
        } catch  where error is CancellationError || error is TransportError || error is any APIFailure {
            throw error
        } catch {
            // What the decoder itself says stands inside of its diagnosis.
            let cause: any Error = (error as? DecodingDiagnosis)?.error ?? error
            let kept = whole.kept(context: CallContext(context, sent, cause))
            let failure = readingError(error, whole, kept, reading)
            if failure.diagnosis?.kind == .outOfMemory {
                throw TransportError(.outOfMemory, "a body of \(whole.body.count) bytes", underlyingError: cause)
            }
            throw Settled(failure)
        }
    }

    private func readingError(
        _ error: any Error,
        _ whole: FailedResponse,
        _ kept: FailedResponse,
        _ reading: ResponseContext,
    ) -> APIError<R.Failure> {
        if let failure = error as? R.Failure { return .service(failure, kept) }
        // A stream's bytes are gone.
        let body = R.Definition.streamsBody ? nil : whole.body
        let diagnosis =
            switch error {
            case let error as DecodingError:
                DecodingDiagnosis(
                    error,
                    body: body,
                    isJSON: reading.decoder.readsJSON,
                    convertingKeys: reading.decoder.convertingKeys,
                    revealingValues: (reading.decoder as? HikyakuJSONDecoder)?.revealsValues
                        ?? reading.diagnosisDetail.contains(.values),
                )
            case let diagnosis as DecodingDiagnosis: diagnosis
            default: DecodingDiagnosis(kind: .invalidValue, expected: "a response that \(R.self) can read")
            }
        return .decoding(DecodingFailure(diagnosis: diagnosis, response: kept))
    }
}

extension BoundRequest: CustomStringConvertible, CustomReflectable {
    /// The request's type, and nothing of what request and client hold.
    public var description: String { "BoundRequest<\(R.self)>" }

    /// The request's type, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["type": String(describing: R.self)]) }
}
