extension APIError {
    /// Turns what a step threw into the phase that it belongs to.
    init(_ error: any Error, context: RequestContext, request: HTTPRequest) {
        switch error {
        case let error as APIError<Failure>:
            self = error
        case is CancellationError:
            self = .cancelled(
                CallFailure(.cancelled, message: "the caller gave up", context: CallContext(context, request, nil))
            )
        case let error as TransportError:
            self.init(error, context: CallContext(context, request, error.underlyingError))
        default:
            self = .other(
                CallFailure(
                    .other,
                    message: "a step threw a \(type(of: error))",
                    context: CallContext(context, request, error),
                )
            )
        }
    }

    /// Sorts a reason into its phase; one that needs a response is the transport's own invention.
    init(_ error: TransportError, context: CallContext) {
        let failure = CallFailure(error.reason, message: error.message, context: context)
        switch error.reason.phase {
        case .invalidRequest: self = .invalidRequest(failure)
        case .unauthorized: self = .unauthorized(failure)
        case .limit: self = .limit(failure)
        case .timedOut: self = .timedOut(failure)
        case .cancelled: self = .cancelled(failure)
        case .other: self = .other(failure)
        case .transport: self = .transport(failure)
        case .service, .unacceptableStatus, .decoding:
            self = .transport(CallFailure(.transportFailed, message: error.message, context: context))
        }
    }
}

extension CallContext {
    init(_ context: RequestContext, _ request: HTTPRequest, _ underlyingError: (any Error)?) {
        self.init(
            requestType: String(reflecting: context.requestType).withoutModule,
            method: request.method,
            url: Redaction.text(of: (context.sent ?? request).url),
            attempts: context.attempts,
            elapsed: context.start.duration(to: context.clock.now),
            underlyingError: underlyingError,
        )
    }
}

extension String {
    /// `Qiita.Items` of `App.Qiita.Items`; names of local types keep what tells them apart.
    var withoutModule: String {
        guard let dot = firstIndex(of: ".") else { return self }
        return String(self[index(after: dot)...])
    }
}
