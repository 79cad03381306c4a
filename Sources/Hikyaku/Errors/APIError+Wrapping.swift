/// An error of the call itself, on its way out through the steps around it.
///
/// The wrapper tells it from one of another call that a step has made: a token's refresh, say.
protocol SettledError: Error {
    var failure: any APIFailure { get }
}

struct Settled<Failure: ServiceFailure>: SettledError {
    let error: APIError<Failure>

    init(_ error: APIError<Failure>) {
        self.error = error
    }

    var failure: any APIFailure { error }
}

extension APIError {
    /// The error of a call, which throws nothing but settled ones.
    @inline(never)
    init(settled error: any Error) {
        guard let settled = error as? Settled<Failure> else {
            self.init(.defect, "a call threw a \(type(of: error))", .unknown)
            return
        }
        self = settled.error
    }

    /// Turns what a step threw into the phase that it belongs to.
    init(_ error: any Error, context: RequestContext, request: HTTPRequest) {
        switch error {
        case let settled as Settled<Failure>:
            self = settled.error
        case is CancellationError:
            self.init(.cancelled, "the caller gave up", CallContext(context, request, nil))
        case let error as TransportError:
            self.init(error.reason, error.message, CallContext(context, request, error.underlyingError))
        case let inner as any APIFailure:
            self.init(inner: inner, CallContext(context, request, inner))
        default:
            self.init(.other, "a step threw a \(type(of: error))", CallContext(context, request, error))
        }
    }

    /// What came of another call that a step has made: its phase, but not its response, is this call's too.
    private init(inner: any APIFailure, _ context: CallContext) {
        let message = "a call inside failed: \(inner)"
        switch inner.phase {
        case .cancelled, .timedOut, .transport, .limit, .unauthorized:
            self.init(inner.reason, message, context)
        case .invalidRequest, .service, .unacceptableStatus, .decoding, .other:
            self.init(.other, message, context)
        }
    }

    /// Sorts a reason into its phase; one that needs a response is the transport's own invention.
    init(_ reason: FailureReason, _ message: String, _ context: CallContext) {
        let failure = CallFailure(reason, message: message, context: context)
        switch reason.phase {
        case .invalidRequest: self = .invalidRequest(failure)
        case .unauthorized: self = .unauthorized(failure)
        case .limit: self = .limit(failure)
        case .timedOut: self = .timedOut(failure)
        case .cancelled: self = .cancelled(failure)
        case .other: self = .other(failure)
        case .transport: self = .transport(failure)
        case .service, .unacceptableStatus, .decoding:
            self = .transport(CallFailure(.transportFailed, message: message, context: context))
        }
    }
}

extension CallContext {
    init(_ context: RequestContext, _ request: HTTPRequest, _ underlyingError: (any Error)?) {
        var sent = context.sent ?? request
        // A middleware may have made another request.
        sent.pathSecrets.formUnion(request.pathSecrets)
        self.init(
            requestType: String(reflecting: context.requestType).withoutModule,
            method: sent.method,
            url: sent.shownURL,
            attempt: context.attempt,
            elapsed: context.start.duration(to: context.clock.now),
            redirects: context.redirects,
            underlyingError: underlyingError,
        )
    }
}

extension String {
    /// `Qiita.Items` of `App.Qiita.Items`, without what the runtime puts in for functions around a local type.
    var withoutModule: String {
        let names = split(separator: ".").dropFirst().filter { !$0.hasPrefix("(") }
        return names.isEmpty ? self : names.joined(separator: ".")
    }
}
