import HikyakuBase

/// One call of a request by a client: the request is built and sent, and the response is read.
///
/// It isn't generic, and throws untyped errors, since looking up generic types is a large part of the cost of a small
/// call. Its functions get the request that it was created from.
struct Call: Sendable {
    /// Called at once with the error of a call that was ended early.
    typealias EarlyEnd<Failure: ServiceFailure> = @Sendable (APIError<Failure>) -> Void

    let core: ClientCore
    let context: RequestContext

    /// - Parameters:
    ///   - request: The request.
    ///   - core: The client's parts, which send it.
    ///   - recorder: Records the timings of the call.
    ///   - listener: An observer of this call only.
    init<R: APIRequest>(
        of request: R,
        by core: ClientCore,
        recorder: TimingsRecorder? = nil,
        listener: (any EventObserver)? = nil,
    ) {
        self.core = core
        // An observer needs the exchange that a drift belongs to.
        let recorder = recorder ?? (core.isObserved ? TimingsRecorder() : nil)
        let observer: (any EventObserver)?
        if let recorder {
            observer = ObserverGroup.of([recorder, core.observer, listener].compactMap(\.self))
        } else {
            // A single observer, such as a call's meter, needs no group.
            observer = listener
        }
        context = RequestContext(
            core.call(CallPlan(of: request, by: core), observer: observer, recorder: recorder)
        )
    }

    /// The call of a response that is still being read.
    init(continuing context: RequestContext, by core: ClientCore) {
        (self.core, self.context) = (core, context)
    }

    /// Runs the call to its end.
    ///
    /// - Parameters:
    ///   - request: The request that the call was created from.
    ///   - onEarlyEnd: Called if the call is ended early while it runs in its own task, which nothing waits for. It
    ///     must cancel that task.
    /// - Returns: The model, the response that it was read from, and the source of the response; or a fallback.
    /// - Throws: ``Settled`` with the call's error.
    nonisolated(nonsending) func run<R: APIRequest>(
        _ request: R,
        onEarlyEnd: EarlyEnd<R.Failure>? = nil,
    ) async throws -> (value: R.Response, response: HTTPResponse, source: ResponseSource) {
        let sent: HTTPRequest
        do {
            sent = try request.built(for: context, by: core)
        } catch {
            core.parts.logging?.log(error)
            return try fallback(of: request, for: APIError(settled: error))
        }
        if core.hasResultObserver { context.noteToken(core.parts.results?.exchangeWillStart()) }
        let id = core.parts.calls.begin(context.call)
        defer { core.parts.calls.end(id) }
        let interval = core.parts.intervals?.begin(R.self)
        do {
            let (value, response, isStubbed) = try await outcome(of: request, sent, onEarlyEnd)
            context.call.log?.ends(sent, context, with: response, isStubbed: isStubbed)
            interval?.end(with: isStubbed ? "stubbed" : "\(response.status)")
            let source: ResponseSource = isStubbed ? .stub : context.source
            if core.hasResultObserver {
                core.results?.resultReceived(value, of: R.Definition.self, from: source, token: context.token)
            }
            return (value, response, source)
        } catch {
            context.call.log?.ends(sent, context, throwing: error)
            interval?.end(throwing: error)
            return try fallback(of: request, for: self.error(error, of: request, sent))
        }
    }

    /// How long the call has taken so far.
    var timings: CallTimings {
        var timings = context.call.recorder?.timings ?? CallTimings(total: .zero)
        timings.total = context.start.duration(to: context.clock.now)
        return timings
    }
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

// MARK: - Send

extension Call {
    /// Sends the request and reads its response, until the call is stopped by its deadline or its app.
    ///
    /// It works in the caller's task if everything that it waits for ends when the call is stopped. Otherwise it works
    /// in its own task, so that a step that ignores cancellation delays no caller.
    // A separate async function would need one more frame. The same applies to the other inlined functions.
    @inline(__always)
    nonisolated(nonsending) private func outcome<R: APIRequest>(
        of request: R,
        _ sent: HTTPRequest,
        _ onEarlyEnd: EarlyEnd<R.Failure>?,
    ) async throws -> (R.Response, HTTPResponse, isStubbed: Bool) {
        let call = context.call
        if let deadline = call.deadline, call.start >= deadline { throw call.deadlineError }
        guard core.endsOnCancellation(call) else {
            return try await outcomeInTask(of: request, sent, onEarlyEnd)
        }
        do {
            let response = try await core.sendHere(sent, context)
            if let error = call.stop.error { throw error }
            let value = try await request.read(response, to: sent, context, by: core)
            if let error = call.stop.end() { throw error }
            // As in a separate task: a cancelled call returns nothing, however far it got.
            try Task.checkCancellation()
            return (value, response, isStubbed: false)
        } catch {
            throw call.stop.end() ?? error
        }
    }

    /// The result of a call in its own task.
    private struct Outcome<Value: Sendable>: Sendable {
        let value: Value
        let response: HTTPResponse
        let isStubbed: Bool
    }

    nonisolated(nonsending) private func outcomeInTask<R: APIRequest>(
        of request: R,
        _ sent: HTTPRequest,
        _ onEarlyEnd: EarlyEnd<R.Failure>?,
    ) async throws -> (R.Response, HTTPResponse, isStubbed: Bool) {
        let race = Race<Outcome<R.Response>>()
        let id = context.call.stop.ends(race)
        defer { context.call.stop.remove(id) }
        // Anything that waits inside is cancelled with the task.
        let scope = context.deadline.map { CallScope(stop: nil, deadline: $0) }
        context.recordSpending()
        let send = { @Sendable in
            if let stub = core.stub(for: request) {
                let value = try await response(of: stub, for: request, sent)
                return Outcome(value: value, response: HTTPResponse(status: .ok), isStubbed: true)
            }
            guard !core.sendsNothing else { throw RequestCause.noStub.error("the client has no stub for \(R.self)") }
            if let destination = try resumableDestination(of: request, sent) {
                var download = try await Download(of: sent, to: destination, context, by: core)
                let (value, response) = try await download.run {
                    try await request.read($0, to: $1, context, by: core)
                }
                return Outcome(value: value, response: response, isStubbed: false)
            }
            let response = try await core.send(sent, context)
            let value = try await request.read(response, to: sent, context, by: core)
            return Outcome(value: value, response: response, isStubbed: false)
        }
        let work = { @Sendable in try await CallCancellation.$scope.withValue(scope, operation: send) }
        do {
            let outcome: Outcome<R.Response>
            if let onEarlyEnd {
                outcome = try await race.runHere(work) { error in
                    let error = self.error(error, sent, of: R.Failure.self)
                    onEarlyEnd(error.explained(by: self, request, sent))
                }
            } else {
                outcome = try await race.run(work)
            }
            // `cancelAll` has counted the call as cancelled.
            if let error = context.call.stop.end() { throw error }
            return (outcome.value, outcome.response, outcome.isStubbed)
        } catch {
            throw context.call.stop.end() ?? error
        }
    }
}

extension ClientCore {
    /// The observer of the results that the calls have read.
    fileprivate var results: (any ResultObserver)? { parts.results as? any ResultObserver }
}

extension Call {
    /// The destination of a request whose download resumes; `nil` for any other request.
    ///
    /// - Throws: ``FailureReason/fileNotWritten`` if no file may be put at the destination, resumable or not.
    func resumableDestination<R: APIRequest>(
        of request: R,
        _ sent: HTTPRequest,
    ) throws(TransportError) -> FileDestination? {
        // A call that only shows its request must not touch a draft.
        guard R.Definition.self == FileResponse.self, !(context.call.transport is CapturingTransport),
            let destination = fileDestination(of: request)
        else { return nil }
        try destination.check()
        let isWhole = sent.method == .get && !sent.headers.contains("Range")
        return isWhole && destination.isResumable ? destination : nil
    }
}
