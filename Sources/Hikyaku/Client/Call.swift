#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One call of a request by a client: builds what is sent, sends it, and reads what comes back.
///
/// It isn't generic, and throws errors without a type, since look-ups of generic types are a good part of what a small
/// call costs: its functions get the request that it was made of.
struct Call: Sendable {
    /// Gets the error of a call that was ended before its time, at once.
    typealias Overtaken<Failure: ServiceFailure> = @Sendable (APIError<Failure>) -> Void

    let core: ClientCore
    let context: RequestContext
    private let recorder: TimingsRecorder?

    /// - Parameters:
    ///   - request: What is sent.
    ///   - core: What sends it.
    ///   - recorder: What makes timings of the call.
    ///   - listener: Who hears of this call alone.
    init<R: APIRequest>(
        of request: R,
        by core: ClientCore,
        recorder: TimingsRecorder? = nil,
        listener: (any EventObserver)? = nil,
    ) {
        self.core = core
        // An observer gets the exchange that a drift belongs to.
        self.recorder = recorder ?? (core.isObserved ? TimingsRecorder() : nil)
        let observer: (any EventObserver)?
        if let recorder = self.recorder {
            observer = ObserverGroup.of([recorder, core.observer, listener].compactMap(\.self))
        } else {
            // One that observes alone, a call's meter say, needs no group.
            observer = listener
        }
        context = RequestContext(CallInformation(of: request, by: core, observer: observer))
    }

    /// Runs the call to its end.
    ///
    /// - Parameters:
    ///   - request: What the call was made of.
    ///   - overtaken: Called when the call is ended before its time, where it runs in a task of its own that nobody
    ///     waits for; has to cancel that task.
    /// - Returns: The model, the response that it was read from, and where that came from.
    /// - Throws: ``Settled`` with the call's error.
    nonisolated(nonsending) func run<R: APIRequest>(
        _ request: R,
        overtaken: Overtaken<R.Failure>? = nil,
    ) async throws -> (value: R.Response, response: HTTPResponse, source: ResponseSource) {
        let sent: HTTPRequest
        do {
            sent = try build(request)
        } catch {
            core.parts.logging?.log(error)
            throw error
        }
        context.noteToken(core.parts.results?.exchangeBegins())
        let id = core.parts.calls.begin(context.call)
        defer { core.parts.calls.end(id) }
        do {
            let (value, response, isStubbed) = try await outcome(of: request, sent, overtaken)
            context.call.log?.ends(sent, context, with: response, isStubbed: isStubbed)
            let source: ResponseSource = isStubbed ? .stub : context.attempt == 0 ? .middleware : .network
            core.parts.results?.resultCame(value, of: R.Definition.self, from: source, token: context.token)
            return (value, response, source)
        } catch {
            context.call.log?.ends(sent, context, throwing: error)
            throw settled(error, of: request, sent)
        }
    }

    // Only what fails should have to look up the type of its error; so it is with the others that are never inlined.
    @inline(never)
    private func settled<R: APIRequest>(_ error: any Error, of request: R, _ sent: HTTPRequest) -> any Error {
        Settled(APIError<R.Failure>(error, context: context, request: sent))
    }

    /// How long the call took until now.
    var timings: CallTimings { recorder.timings(total: context.start.duration(to: context.clock.now)) }
}

extension ClientCore {
    /// Sends a request and returns its model.
    @inline(__always)
    func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        do {
            return try await Call(of: request, by: self).run(request).value
        } catch {
            throw APIError(settled: error)
        }
    }
}

// MARK: - Build

extension Call {
    /// Puts the request together and checks it: it can be sent.
    ///
    /// - Throws: ``Settled`` with the error.
    func build<R: APIRequest>(_ request: R) throws -> HTTPRequest {
        do throws(TransportError) {
            return try prepared(parts(of: request), by: request)
        } catch {
            throw refusal(of: request, error)
        }
    }

    /// Puts the parts together that the request, its environment and the client give.
    private func parts<R: APIRequest>(of request: R) throws(TransportError) -> HTTPRequest {
        let (call, traits) = (context.call, context.call.traits)
        if call.choices.hasOwnCoders { try call.choices.checkCoders() }
        if let problem = traits.definitionProblem { throw TransportError(.definition, problem) }
        let method = request.writtenMethod
        let parameters = request.writtenParameters
        let parametersAreBody = !parameters.isEmpty && !(method == .get || method == .head || method == .delete)
        let query = request.writtenQuery
        let path = request.path
        let url = try urlText(path, parameters.isEmpty || parametersAreBody ? query : query + parameters)

        var headers = traits.headers
        if call.choices.hasOwnCoders, let decoder = call.choices.decoder {
            headers[.accept] = R.Definition.acceptedMediaTypes ?? decoder.mediaType
        }
        let (common, own) = (call.environment.headers, request.writtenHeaders)
        headers.replace(with: common)
        headers.replace(with: own)

        let built = HTTPRequest(
            method: method,
            urlText: url,
            headers: headers,
            pathSecrets: path.secrets,
            // What changes the request from here on has it checked.
            isChecked: traits.headersAreChecked && method == .get && own.isEmpty && common.isEmpty
                && !call.choices.hasOwnCoders,
        )
        let body = request.writtenBody
        guard body != nil || parametersAreBody else { return built }
        return try filled(built, body, parametersAreBody ? parameters : nil)
    }

    /// The URL's text: a base URL that was parsed, and behind it nothing that no path and no query may hold.
    private func urlText(_ path: RequestPath, _ query: RequestQuery) throws(TransportError) -> String {
        let base = context.environment.base
        if let problem = base.problem { throw TransportError(.baseURL, problem) }
        if let problem = path.problem { throw TransportError(.path, problem) }
        let items = try QueryWriter.text(of: query, encoding: .unreserved)
        let text = base.prefix + path.encoded
        return items.isEmpty ? text : "\(text)?\(items)"
    }

    /// Adds the content: a body, or parameters where the method has a body.
    // A request that is consumed isn't copied when it is returned, as a variable is.
    private func filled(
        _ built: consuming HTTPRequest,
        _ body: RequestBody?,
        _ parameters: RequestQuery?,
    ) throws(TransportError) -> HTTPRequest {
        var body = body
        if let parameters {
            guard body == nil else {
                throw TransportError(.body, "the request has both a body and parameters that would become one")
            }
            // Refuses what neither a query nor JSON can hold, by its name.
            _ = try QueryWriter.text(of: parameters, encoding: .unreserved)
            body = .json(RequestParameters(query: parameters))
        }
        guard let body else { return consume built }
        let content = try body.encoded(by: context.call.choices.encoder ?? core.parts.options.encoder)
        built.body = content.body
        if !built.headers.contains(.contentType) { built.headers[.contentType] = content.type }
        return consume built
    }

    /// Lets the request have the last word, and checks what it leaves.
    private func prepared<R: APIRequest>(
        _ built: consuming HTTPRequest,
        by request: R,
    ) throws(TransportError) -> HTTPRequest {
        let pathSecrets = built.pathSecrets
        do {
            try request.prepare(&built)
        } catch {
            if let error = error as? TokenError {
                throw TransportError(error.reason, error.message, underlyingError: error)
            }
            if let error = error as? TransportError, [.invalidRequest, .unauthorized].contains(error.reason.phase) {
                throw error
            }
            throw TransportError(.prepare, "prepare(_:) threw a \(type(of: error))", underlyingError: error)
        }
        // The request may have put another in its place.
        if !pathSecrets.isEmpty { built.pathSecrets.formUnion(pathSecrets) }
        return try built.checkedForWire()
    }

    @inline(never)
    private func refusal<R: APIRequest>(of request: R, _ error: TransportError) -> any Error {
        let callContext = CallContext(
            requestType: String(reflecting: context.requestType).withoutModule,
            method: request.writtenMethod,
            url: context.environment.base.problem == nil ? context.environment.baseURL : nil,
            elapsed: context.start.duration(to: context.clock.now),
            underlyingError: error.underlyingError,
        )
        return Settled(APIError<R.Failure>(error.reason, error.message, callContext))
    }
}

// MARK: - Send

extension Call {
    /// Sends the request and reads its response, until the call is stopped: at its deadline, or by its app.
    ///
    /// It works in the caller's task where all that it waits for ends when the call is stopped. Else it works in a task
    /// of its own, so that what doesn't look for cancellation keeps nobody waiting.
    // An async function of its own would take a frame of memory more; so it is with the others that are inlined.
    @inline(__always)
    nonisolated(nonsending) private func outcome<R: APIRequest>(
        of request: R,
        _ sent: HTTPRequest,
        _ overtaken: Overtaken<R.Failure>?,
    ) async throws -> (R.Response, HTTPResponse, isStubbed: Bool) {
        let call = context.call
        if let deadline = call.deadline, call.start >= deadline { throw call.deadlineError }
        guard core.endsOnCancellation(call) else {
            return try await outcomeInTask(of: request, sent, overtaken)
        }
        do {
            let response = try await core.sendHere(sent, context)
            if let error = call.stop.error { throw error }
            let value = try await read(response, of: request, sent)
            if let error = call.stop.end() { throw error }
            // As in a task of its own: a call that was cancelled brings nothing, however far it was.
            try Task.checkCancellation()
            return (value, response, isStubbed: false)
        } catch {
            throw call.stop.end() ?? error
        }
    }

    /// What comes of a call in a task of its own.
    private struct Outcome<Value: Sendable>: Sendable {
        let value: Value
        let response: HTTPResponse
        let isStubbed: Bool
    }

    nonisolated(nonsending) private func outcomeInTask<R: APIRequest>(
        of request: R,
        _ sent: HTTPRequest,
        _ overtaken: Overtaken<R.Failure>?,
    ) async throws -> (R.Response, HTTPResponse, isStubbed: Bool) {
        let race = Race<Outcome<R.Response>>()
        let id = ends(race)
        defer { context.call.stop.remove(id) }
        let work = { @Sendable in
            if let stub = core.stub(for: request) {
                let value = try await answer(of: stub, for: request, sent)
                return Outcome(value: value, response: HTTPResponse(status: .ok), isStubbed: true)
            }
            let response = try await core.send(sent, context)
            return Outcome(value: try await read(response, of: request, sent), response: response, isStubbed: false)
        }
        do {
            let outcome: Outcome<R.Response>
            if let overtaken {
                outcome = try await race.runHere(work) { error in
                    overtaken(APIError(error, context: context, request: sent))
                }
            } else {
                // What waits inside is cancelled with the task.
                outcome = try await race.run { try await CallCancellation.$current.withValue(nil, operation: work) }
            }
            // `cancelAll` has counted the call as cancelled.
            if let error = context.call.stop.end() { throw error }
            return (outcome.value, outcome.response, outcome.isStubbed)
        } catch {
            throw context.call.stop.end() ?? error
        }
    }

    /// Ends a race when the call is stopped, until the handler is removed from the call's stop.
    private func ends<Value: Sendable>(_ race: Race<Value>) -> UInt64 {
        let stop = context.call.stop
        return stop.add {
            // Without an error the call is over, and so is the race.
            if let error = stop.error { race.finish(with: .failure(error)) }
        }
    }

    private func answer<R: APIRequest>(
        of stub: @Sendable () async throws -> R.Response,
        for request: R,
        _ sent: HTTPRequest,
    ) async throws -> R.Response {
        do {
            return try await stub()
        } catch let error as APIError<R.Failure> {
            throw Settled(error)
        } catch let failure as R.Failure {
            let response = BufferedResponse(status: .badRequest, context: CallContext(context, sent, nil))
            throw Settled(APIError.service(failure, response))
        }
    }
}

// MARK: - Read

extension Call {
    /// Looks at the status and for a failure before anything is decoded as a success.
    nonisolated(nonsending) private func read<R: APIRequest>(
        _ response: HTTPResponse,
        of request: R,
        _ sent: HTTPRequest,
    ) async throws -> R.Response {
        let tally = core.isObserved ? DriftTally() : nil
        defer { tally.map(tellDrift) }
        let reading = ResponseContext(
            decoder: context.call.choices.decoder ?? core.parts.options.decoder,
            bodyBytesMax: core.parts.options.bodyBytesMax,
            requestType: R.self,
            traits: context.call.traits,
            driftTally: tally,
            diagnosisDetail: core.parts.diagnosisDetail.union(context.call.choices.diagnosisDetail),
        )
        let isAccepted = request.accepts(response.status)
        guard !isAccepted || !response.isBodyCut else {
            throw TransportError(.bodyTooLarge, "a step accepts the status, and the body was cut as that of an error")
        }
        if context.streamsBody, isAccepted { return try await readStream(of: response, request, sent, reading) }
        let whole =
            core.isCollected(response)
            ? BufferedResponse(response, reading) : BufferedResponse(try await collected(response), reading)
        if let failure = failure(in: whole, isAccepted: isAccepted, request, sent) { throw failure }
        do {
            return try await request.response(from: whole)
        } catch {
            throw settled(error, of: request, whole, sent)
        }
    }

    /// Collects a body that is a stream although none was requested: one that a middleware made, for example.
    @inline(never)
    nonisolated(nonsending) private func collected(_ response: HTTPResponse) async throws -> HTTPResponse {
        let options = core.parts.options.transportOptions(for: context)
        guard response.body.bytes == nil else { return try await response.collectingBody(within: options) }
        // Its source may ignore the end of the call.
        let race = Race<HTTPResponse>()
        let id = ends(race)
        defer { context.call.stop.remove(id) }
        return try await race.run { try await response.collectingBody(within: options) }
    }

    private func tellDrift(_ tally: DriftTally) {
        if let observer = core.observer { tally.tell(observer, exchange: recorder?.exchange ?? 0) }
    }

    /// The service's failure, or that the status isn't accepted; `nil` where the response is read as a success.
    @inline(never)
    private func failure<R: APIRequest>(
        in whole: BufferedResponse,
        isAccepted: Bool,
        _ request: R,
        _ sent: HTTPRequest,
    ) -> (any Error)? {
        let failure = whole.isBodyCut ? nil : request.failure(in: whole)
        guard failure != nil || !isAccepted else { return nil }
        return settled(failure, in: whole, of: request, sent)
    }

    @inline(never)
    private func settled<R: APIRequest>(
        _ failure: R.Failure?,
        in whole: BufferedResponse,
        of request: R,
        _ sent: HTTPRequest,
    ) -> any Error {
        let kept = whole.kept(context: CallContext(context, sent, nil))
        return Settled(failure.map { APIError.service($0, kept) } ?? APIError<R.Failure>.unacceptableStatus(kept))
    }

    nonisolated(nonsending) private func readStream<R: APIRequest>(
        of response: HTTPResponse,
        _ request: R,
        _ sent: HTTPRequest,
        _ reading: ResponseContext,
    ) async throws -> R.Response {
        var response = response
        if let deadline = context.deadline {
            response.body = response.body.ending(at: deadline, of: context)
        }
        do {
            return try await request.response(streaming: response, context: reading)
        } catch {
            throw settled(error, of: request, BufferedResponse(response, reading), sent)
        }
    }

    /// Turns what the reading of a response threw into the error of the call, where it doesn't say itself what it is.
    ///
    /// The response has no body where that was a stream, whose bytes are gone.
    private func settled<R: APIRequest>(
        _ error: any Error,
        of request: R,
        _ whole: BufferedResponse,
        _ sent: HTTPRequest,
    ) -> any Error {
        if error is CancellationError || error is TransportError || error is any APIFailure { return error }
        // What the decoder itself says stands inside of its diagnosis.
        let cause: any Error = (error as? DecodingDiagnosis)?.error ?? error
        let kept = whole.kept(context: CallContext(context, sent, cause))
        if let failure = error as? R.Failure { return Settled(APIError.service(failure, kept)) }
        let reading = whole.reading
        let diagnosis =
            switch error {
            case let error as DecodingError:
                DecodingDiagnosis(
                    error,
                    body: R.Definition.streamsBody ? nil : whole.body,
                    isJSON: reading.decoder.readsJSON,
                    convertingKeys: reading.decoder.convertingKeys,
                    revealingValues: (reading.decoder as? HikyakuJSONDecoder)?.revealsValues
                        ?? reading.diagnosisDetail.contains(.values),
                )
            case let diagnosis as DecodingDiagnosis: diagnosis
            default: DecodingDiagnosis(kind: .invalidValue, expected: "a response that \(R.self) can read")
            }
        guard diagnosis.kind != .outOfMemory else {
            return TransportError(.outOfMemory, "a body of \(whole.body.count) bytes", underlyingError: cause)
        }
        return Settled(APIError<R.Failure>.decoding(DecodingFailure(diagnosis: diagnosis, response: kept)))
    }
}
