import HikyakuBase

// MARK: - Fields

/// What the fields of a request come from.
struct FieldLayers {
    /// The request's own fields.
    let request: HTTPHeaders
    let environment: HTTPHeaders
    /// The fields that the client adds to all requests of the type.
    let client: HTTPHeaders
    let credentials: [PlacedCredential]
    let hasKey: Bool
    let hasBody: Bool
    let hasOwnDecoder: Bool
    let keepsCookies: Bool
    /// Whether the client decodes content codings.
    let decodesContent: Bool

    /// Who set a field of the request as it was built or sent.
    ///
    /// The request's own fields are compared by their names: a value may be another one each time, such as an ID.
    func source(of field: HTTPHeaders.Field) -> CallExplanation.Source {
        let name = field.name
        if isCredential(field) { return .credential }
        if hasKey, name == "Idempotency-Key" { return .idempotencyKey }
        if name == .cookie, keepsCookies, !request.contains(field) { return .cookies }
        if request.contains(name) { return .request }
        if environment.contains(field) { return .environment }
        if environment.contains(name) { return .step }
        if client.contains(field) { return .client }
        switch name {
        case .accept where hasOwnDecoder: return .request
        case .contentType, .contentEncoding, .expect: return hasBody ? .body : .step
        case .acceptEncoding where decodesContent: return .client
        default: return .step
        }
    }

    private func isCredential(_ field: HTTPHeaders.Field) -> Bool {
        field.isSecret
            && credentials.contains { credential in
                switch credential.place {
                case .field(let name, _): !credential.isLeftBehind && name == field.name
                case .cookie: !credential.isLeftBehind && field.name == .cookie
                case .query: false
                }
            }
    }
}

extension HTTPHeaders {
    /// Whether there is a field of that name with that value, marked as a secret or not.
    fileprivate func contains(_ field: Field) -> Bool { values(for: field.name).contains(field.value) }
}

// MARK: - Parts

extension ClientCore {
    /// Adds what a call would add to the request after it was built, as far as it is known.
    ///
    /// - Returns: The fields whose values are known only when the request is sent.
    package func foresee(
        _ request: inout HTTPRequest,
        _ context: RequestContext,
    ) async throws -> [CallExplanation.Field] {
        var steps = ExplainedSteps(at: context.clock.now, isSent: false)
        for step in chain.innerFirst { try await step.foresee(&request, context, &steps) }
        return steps.added
    }

    /// Explains the call.
    ///
    /// It keeps no part of the client and nothing of the body, since an error may be stored for long.
    ///
    /// - Parameters:
    ///   - http: The request as it was built or sent.
    ///   - context: The call.
    ///   - written: The request's own fields.
    ///   - added: Fields that would be added.
    ///   - isStubbed: Whether a stub answers the call.
    ///   - end: How the call ended; `nil` before it.
    /// - Returns: The explanation.
    package func explanation(
        of http: HTTPRequest,
        _ context: RequestContext,
        written: HTTPHeaders,
        adding added: [CallExplanation.Field],
        isStubbed: Bool,
        endingWith end: CallJournal.Outcome?,
    ) -> CallExplanation {
        let (call, now) = (context.call, context.clock.now)
        var steps = ExplainedSteps(at: now, isSent: end != nil && context.attempt > 0)
        for step in chain.all { step.explain(&steps, of: http, context) }
        let layers = FieldLayers(
            request: written,
            environment: call.environment.headers,
            client: call.traits.headers,
            credentials: http.credentials,
            hasKey: call.choices.idempotencyKey != .none,
            hasBody: http.body != nil,
            hasOwnDecoder: call.choices.decoder != nil,
            keepsCookies: parts.options.cookies != nil,
            decodesContent: !call.transport.decodesContent,
        )
        return CallExplanation(
            requestType: String(reflecting: context.requestType).withoutModule,
            method: http.method,
            url: http.shownURL,
            fields: http.headers.map {
                .init(name: $0.name, value: Redaction.value(of: $0), source: layers.source(of: $0))
            } + added,
            body: http.body.map { CallExplanation.Body($0, http.headers) },
            access: steps.access,
            limits: steps.limits,
            circuit: steps.circuit,
            retries: steps.retries,
            deadline: context.deadline.map { deadline(at: $0, context) },
            redirects: steps.redirects,
            sharesExchange: call.choices.sharesExchange,
            middleware: steps.middleware,
            notes: steps.notes,
            transport: isStubbed ? nil : "\(type(of: call.transport))",
            times: end.map { times(of: context, endingWith: $0, at: now) },
        )
    }

    private func deadline(
        at deadline: ContinuousClock.Instant,
        _ context: RequestContext,
    ) -> CallExplanation.Deadline {
        let own = context.call.choices.timeout
        let timeout = own ?? parts.options.timeout
        let isOwn = timeout.map { $0 < .farFuture && context.start.advanced(by: max($0, .zero)) == deadline } ?? false
        return CallExplanation.Deadline(
            duration: context.start.duration(to: deadline),
            source: isOwn ? own == nil ? .client : .request : CallDeadline.isBound(deadline) ? .scope : .outerCall,
        )
    }

    private func times(
        of context: RequestContext,
        endingWith end: CallJournal.Outcome,
        at now: ContinuousClock.Instant,
    ) -> CallExplanation.Times {
        let (start, elapsed) = (context.start, context.start.duration(to: now))
        let journal = context.call.spending?.journal ?? CallJournal()
        var attempts = journal.attempts.map { attempt in
            CallExplanation.Attempt(
                attempt.number,
                start.duration(to: attempt.start),
                attempt.end.map { start.duration(to: $0) } ?? elapsed,
                end.outcome(of: attempt, isOnly: journal.attempts.count == 1),
            )
        }
        // Without a wait, or with the exchange of another call, nothing was recorded.
        if attempts.isEmpty, context.attempt > 0 { attempts = [.init(context.attempt, .zero, elapsed, end)] }
        let recorder = context.call.recorder.flatMap { $0.exchange > 0 ? $0 : nil }
        var exchange = recorder?.timings
        exchange?.total = elapsed
        return CallExplanation.Times(
            elapsed: elapsed,
            attempts: attempts,
            waits: journal.waits.map { wait in
                let end = wait.end.map { start.duration(to: $0) } ?? elapsed
                return .init(phase: wait.phase, start: start.duration(to: wait.start), end: end)
            },
            lastExchange: exchange,
        )
    }
}

extension CallJournal.Outcome {
    /// How an attempt of a call with this outcome ended; `nil` if that is unknown.
    fileprivate func outcome(of attempt: CallJournal.Attempt, isOnly: Bool) -> Self? {
        guard case .failure = self else { return attempt.outcome ?? (isOnly ? self : nil) }
        // What ends a call early cancels its attempt.
        return attempt.outcome == .failure(.cancelled) ? self : attempt.outcome ?? self
    }
}

extension CallExplanation.Attempt {
    fileprivate init(
        _ number: Int,
        _ start: Duration,
        _ end: Duration,
        _ outcome: CallJournal.Outcome?,
    ) {
        var (status, reason): (HTTPStatus?, FailureReason?)
        switch outcome {
        case .status(let received): status = received
        case .failure(let failure): reason = failure
        case nil: break
        }
        self.init(
            number: number,
            start: start,
            end: end,
            status: status,
            reason: reason,
        )
    }
}

extension CallExplanation.Body {
    fileprivate init(_ body: HTTPBody, _ headers: HTTPHeaders) {
        let isShown = !headers.contains { $0.name == .contentType && $0.isSecret }
        let mediaType = isShown ? headers.mediaType?.essence : nil
        self.init(
            mediaType: mediaType.flatMap { $0.isEmpty ? nil : Redaction.printable($0, scalarsMax: 100) },
            count: body.count,
            isReplayable: body.isReplayable,
        )
    }
}
