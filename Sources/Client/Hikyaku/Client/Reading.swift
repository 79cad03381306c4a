import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIRequest {
    /// Reads the response of a call: checks the status and for a failure before anything is decoded as a success.
    nonisolated(nonsending) func read(
        _ response: HTTPResponse,
        to sent: HTTPRequest,
        _ context: RequestContext,
        by core: ClientCore,
    ) async throws -> Response {
        let tally = core.isObserved ? DriftTally() : nil
        defer { tally.map { context.call.report($0, to: core.observer) } }
        let reading = ResponseContext(of: Self.self, context, by: core, driftTally: tally)
        let isAccepted = accepts(response.status)
        guard !isAccepted || !response.isBodyCut else {
            throw ResponseCause.changedStatus.error(
                "a middleware changed the status after the body was cut to the limit for errors"
            )
        }
        if context.streamsBody, isAccepted { return try await readStream(response, to: sent, context, reading, core) }
        let whole =
            core.isCollected(response)
            ? BufferedResponse(response, reading)
            : BufferedResponse(try await core.collected(response, context), reading)
        if let failure = failure(in: whole, isAccepted: isAccepted, sent, context, core) { throw failure }
        do {
            return try await self.response(from: whole)
        } catch {
            throw settled(error, whole, sent, context)
        }
    }

    /// The service's failure, or the error for a status that isn't accepted; `nil` if the response is read as a
    /// success.
    @inline(never)
    private func failure(
        in whole: BufferedResponse,
        isAccepted: Bool,
        _ sent: HTTPRequest,
        _ context: RequestContext,
        _ core: ClientCore,
    ) -> (any Error)? {
        let failure =
            if isAccepted { whole.isBodyCut ? nil : failure(in: whole) } else { refusal(in: whole) }
        guard failure != nil || !isAccepted else { return nil }
        return settled(failure, in: whole, sent, context, core)
    }

    /// The service's failure in a response whose status isn't accepted.
    @inline(never)
    private func refusal(in whole: BufferedResponse) -> Failure? {
        whole.isBodyCut && !whole.endsLikeJSON ? nil : failure(in: whole.withoutMark)
    }

    @inline(never)
    private func settled(
        _ failure: Failure?,
        in whole: BufferedResponse,
        _ sent: HTTPRequest,
        _ context: RequestContext,
        _ core: ClientCore? = nil,
    ) -> any Error {
        var callContext = CallContext(context, sent, nil)
        if let policy = core?.parts.options.retryPolicy, policy.transientStatuses != nil {
            callContext.transience = .some(policy.transience(of: whole.status))
        }
        if let isPassing = (failure as? any PassingFailure)?.isPassing {
            callContext.transience = .some(isPassing ? .notDone : nil)
        }
        var hints = [UnacceptedStatus.hint(for: whole, to: context.sent ?? sent, context)]
        if failure == nil { hints.append(UnacceptedStatus.hint(for: whole, to: context.sent ?? sent, of: self)) }
        if let own = (failure as? any HintedError)?.hint { hints = [own] }
        let known = hints.compactMap(\.self)
        callContext.hint = known.isEmpty ? nil : known.joined(separator: " ")
        if failure == nil {
            callContext.bodyShape = BodyShape.text(of: whole.body)
        }
        let kept = whole.kept(context: callContext)
        return Settled(error: failure.map { APIError.service($0, kept) } ?? APIError<Failure>.unacceptableStatus(kept))
    }

    nonisolated(nonsending) private func readStream(
        _ response: HTTPResponse,
        to sent: HTTPRequest,
        _ context: RequestContext,
        _ reading: ResponseContext,
        _ core: ClientCore,
    ) async throws -> Response {
        var response = response
        var head = response
        head.body = .empty
        context.call.received(head.beginning())
        let whole = BufferedResponse(head, reading)
        var reading = reading
        reading.converting = { error in
            Call(continuing: context, by: core).error(settled(error, whole, sent, context), of: self, sent)
        }
        if let deadline = context.call.bodyDeadline {
            response.body = response.body.ending(at: deadline, of: context)
        }
        do {
            return try await self.response(streaming: response, context: reading)
        } catch {
            guard let refusal = error as? TransportError else { throw settled(error, whole, sent, context) }
            throw await refused(refusal, response, sent, context, reading)
        }
    }

    /// The error for a response that is another one than the stream that was requested: the service's failure, if it
    /// is one.
    nonisolated(nonsending) private func refused(
        _ refusal: TransportError,
        _ response: HTTPResponse,
        _ sent: HTTPRequest,
        _ context: RequestContext,
        _ reading: ResponseContext,
    ) async -> any Error {
        let refusal = await refusal.about(response, context)
        guard refusal.reason == .notAnEventStream, let beginning = refusal.response else { return refusal }
        let whole = BufferedResponse(beginning, reading)
        guard !whole.isBodyCut, let failure = failure(in: whole) ?? Failure(response: whole) else { return refusal }
        return settled(failure, in: whole, sent, context)
    }

    /// Converts an error of reading a response to the error of the call, unless it already is one.
    ///
    /// The response has no body if it was a stream, which was already consumed.
    func settled(
        _ error: any Error,
        _ whole: BufferedResponse,
        _ sent: HTTPRequest,
        _ context: RequestContext,
    ) -> any Error {
        if let error = error as? TransportError {
            guard error.reason == .notAnEventStream, let beginning = error.response?.body.bytes else {
                return error.after(whole.head, body: whole.body)
            }
            let document = whole.with(body: beginning)
            let isWhole = error.response?.isBodyCut == false
            let read = document.withoutMark
            if isWhole, let failure = failure(in: read) ?? Failure(response: read) {
                return settled(failure, in: document, sent, context)
            }
            var refusal = error
            refusal.response?.status = whole.status
            refusal.response?.headers = whole.headers
            return refusal
        }
        if error is CancellationError || error is any APIFailure { return error }
        // Of a stream, the event that can't be read is what is known of the body.
        if let error = error as? EventError {
            let part = whole.with(body: Data(error.event.data.utf8))
            let inner = settled(error.error, part, sent, context)
            guard let hint = error.hint, let settled = inner as? Settled<Failure>, settled.error.phase == .decoding
            else {
                return inner
            }
            var callContext = settled.error.context
            callContext.hint = hint
            return Settled(error: settled.error.with(callContext))
        }
        if let error = error as? AdvisedDiagnosis {
            guard let settled = settled(error.diagnosis, whole, sent, context) as? Settled<Failure> else {
                return error
            }
            var callContext = settled.error.context
            // A page is another server's, such as that of a network that wants a sign-in.
            if settled.error.reason != .htmlBody { callContext.hint = error.hint }
            return Settled(error: settled.error.with(callContext))
        }
        // The decoder's own error is inside its diagnosis.
        let cause: any Error = (error as? DecodingDiagnosis)?.error ?? error
        var callContext = CallContext(context, sent, cause)
        // Of a stream, the line that can't be read is what is known of the body.
        let line = (error as? JSONLineError)?.text.map { whole.with(body: $0) }
        let failed = line.map { $0.settled(error, as: Failure.self) } ?? error
        if let failure = failed as? Failure {
            if Definition.streamsBody {
                callContext.hint = "The service reports a failure in its stream, which had begun: see what it says."
            }
            return Settled(error: APIError.service(failure, (line ?? whole).kept(context: callContext)))
        }
        let reading = whole.reading
        let diagnosis =
            switch error {
            case let error as DecodingError:
                DecodingDiagnosis(
                    error,
                    body: Definition.streamsBody ? nil : whole.body,
                    isJSON: reading.decoder.readsJSON,
                    convertingKeys: reading.decoder.convertingKeys,
                    revealingValues: (reading.decoder as? HikyakuJSONDecoder)?.revealsValues
                        ?? reading.diagnosisDetail.contains(.values),
                )
            case let diagnosis as DecodingDiagnosis: diagnosis
            case let error as JSONLineError: error.diagnosis
            default: DecodingDiagnosis(kind: .invalidValue, expected: "a response that \(Self.self) can read")
            }
        guard diagnosis.kind != .outOfMemory else {
            return ResponseCause.memory.error("a body of \(whole.body.count) bytes", underlyingError: cause)
        }
        callContext.hint =
            ValueAdvice.hint(for: diagnosis, whole, of: Self.self)
            ?? RootAdvice.hint(for: diagnosis, whole, of: Self.self)
        let kept = (line ?? whole).kept(context: callContext)
        return Settled(error: APIError<Failure>.decoding(DecodingFailure(diagnosis: diagnosis, response: kept)))
    }
}

extension ClientCore {
    /// Whether a response has its body in memory, and within all limits.
    fileprivate func isCollected(_ response: HTTPResponse) -> Bool {
        guard let count = response.body.bytes?.count else { return false }
        return count <= min(parts.options.bodyBytesMax, parts.options.errorBodyBytesMax)
    }

    /// Buffers a body that is a stream although none was requested, for example one that a middleware created.
    @inline(never)
    nonisolated(nonsending) fileprivate func collected(
        _ response: HTTPResponse,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let options = parts.options.transportOptions(for: context)
        guard response.body.bytes == nil else { return try await response.collectingBody(within: options) }
        // Its source may ignore the end of the call.
        let race = Race<HTTPResponse>()
        let id = context.call.stop.ends(race)
        defer { context.call.stop.remove(id) }
        return try await context.spending(.body) {
            try await race.run { try await response.collectingBody(within: options) }
        }
    }
}
