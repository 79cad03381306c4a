extension APIError {
    /// Converts the error that a step threw to its phase.
    fileprivate init(_ error: any Error, context: RequestContext, request: HTTPRequest, by core: ClientCore) {
        switch error {
        case let settled as Settled<Failure>:
            self = settled.error
        case is CancellationError:
            var ended = CallContext(context, request, nil)
            if let response = context.beginning { ended.note(response, context, by: core, showsBody: false) }
            self.init(.cancelled, "the caller cancelled the call", ended)
        case let error as TransportError:
            let spending = error.reason == .deadline ? context.spent : nil
            let (error, cause) = (context.detailed(error, spending), error.underlyingError)
            let hint = error.hint ?? context.hintOfForeignHost(for: error.reason)
            var failed = CallContext(context, request, cause, spending, hint: hint)
            if error.transience != Transience(error.reason) { failed.transience = .some(error.transience) }
            if let response = error.response ?? (error.reason == .deadline ? context.beginning : nil) {
                failed.note(response, context, by: core, showsBody: error.reason == .notAnEventStream)
            }
            self.init(error.reason, error.message, failed)
        case let inner as any APIFailure:
            let spending = inner.reason == .deadline ? context.spent : nil
            self.init(inner: inner, CallContext(context, request, inner, spending, hint: inner.hint))
        default:
            let message = ForeignWords.thrown(error, by: context.thrower(of: error))
            self.init(.other, message, CallContext(context, request, error, hint: ForeignWords.hint(of: error)))
        }
    }

    /// The error of another call that a step has made, such as a token refresh.
    ///
    /// This call gets its reason, but not its response. A page in place of data has a reason that says more than
    /// "other".
    private init(inner: any APIFailure, _ context: CallContext) {
        let message = "an inner call failed: \(inner.line)"
        switch inner.phase {
        case .cancelled, .timedOut, .transport, .limit, .unauthorized:
            self.init(inner.reason, message, context)
        case .service where inner.isTransient, .unacceptableStatus where inner.isTransient,
            .decoding where inner.reason == .htmlBody:
            self = .other(CallFailure(inner.reason, message: message, context: context))
        case .invalidRequest, .service, .unacceptableStatus, .decoding, .other:
            self.init(.other, message, context)
        }
    }
}

extension Call {
    /// The same with an explanation of the call.
    func error<R: APIRequest>(_ error: any Error, of request: R, _ sent: HTTPRequest) -> APIError<R.Failure> {
        self.error(error, sent).explained(by: self, request, sent)
    }

    /// The error of the call for what a step threw.
    func error<Failure: ServiceFailure>(
        _ error: any Error,
        _ sent: HTTPRequest,
        of type: Failure.Type = Failure.self,
    ) -> APIError<Failure> {
        APIError(error, context: context, request: sent, by: core)
    }
}

extension CallContext {
    /// Keeps what came of a response before the failure.
    fileprivate mutating func note(
        _ response: HTTPResponse,
        _ context: RequestContext,
        by core: ClientCore,
        showsBody: Bool,
    ) {
        let buffered = BufferedResponse(response, ResponseContext(of: context.requestType, context, by: core))
        self.response = buffered
        if showsBody { bodyShape = BodyShape.text(of: buffered.body) }
    }

    init(
        _ context: RequestContext,
        _ request: HTTPRequest,
        _ underlyingError: (any Error)?,
        _ spending: DeadlineSpending? = nil,
        hint: String? = nil,
    ) {
        var sent = context.sent ?? request
        // A middleware may have created another request.
        sent.pathSecrets.formUnion(request.pathSecrets)
        let retries = context.retries
        self.init(
            requestType: String(reflecting: context.requestType).withoutModule,
            method: sent.method,
            url: sent.shownURL,
            isIdempotent: context.call.mayRepeat(sent),
            attempt: context.attempt,
            elapsed: context.start.duration(to: context.clock.now),
            earlierAttempts: retries.earlier,
            retryEnd: retries.end,
            spending: spending,
            redirects: context.redirects,
            underlyingError: underlyingError,
        )
        texts = context.call.errorTexts
        self.hint = hint
    }
}
