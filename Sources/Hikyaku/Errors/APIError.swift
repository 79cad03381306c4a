/// Why a call gave no model, by the stage at which it failed: the one error that a client throws.
///
/// ```swift
/// do {
///     items = try await client.send(Qiita.Items())
/// } catch .service(let error, _) {
///     show(error.message)  // a QiitaError
/// } catch {
///     show(error.localizedDescription, error.recoverySuggestion)
/// }
/// ```
/// The cases don't grow; reasons may. In a `do` block that mixes services or other throwing calls, catch
/// ``APIFailure``.
public enum APIError<Failure: ServiceFailure>: Error {
    /// The request can't be sent as it stands; nothing was sent.
    case invalidRequest(CallFailure)
    /// There is no usable credential for it; nothing was sent.
    case unauthorized(CallFailure)
    /// No whole response came.
    case transport(CallFailure)
    /// The service answered with its own failure.
    case service(Failure, BufferedResponse)
    /// The status isn't accepted, and the body holds no failure that could be read.
    case unacceptableStatus(BufferedResponse)
    /// The status was accepted, and the body isn't what the request says.
    case decoding(DecodingFailure)
    /// A bound or policy of the client refused: size, queue.
    case limit(CallFailure)
    /// A deadline passed.
    case timedOut(CallFailure)
    /// The caller gave up; no failure to show.
    case cancelled(CallFailure)
    /// What a middleware or a token provider threw; it is the context's `underlyingError`.
    case other(CallFailure)
}

extension APIError: APIFailure {
    /// The stage.
    public var phase: FailurePhase { reason.phase }

    /// Why, in a form that code can switch over.
    public var reason: FailureReason {
        switch self {
        case .service: .service
        case .unacceptableStatus: .unacceptableStatus
        case .decoding(let failure): failure.reason
        default: callFailure?.reason ?? .other
        }
    }

    /// Which call it was.
    public var context: CallContext {
        switch self {
        case .service(_, let response), .unacceptableStatus(let response): response.context
        case .decoding(let failure): failure.context
        default: callFailure?.context ?? CallContext()
        }
    }

    /// The response, where one came.
    public var response: BufferedResponse? {
        switch self {
        case .service(_, let response), .unacceptableStatus(let response): response
        case .decoding(let failure): failure.response
        default: nil
        }
    }

    /// Where the body differs from the model, when that is what is wrong.
    public var diagnosis: DecodingDiagnosis? {
        if case .decoding(let failure) = self { failure.diagnosis } else { nil }
    }

    /// The service's failure, if it is one of that type.
    public func service<Other: ServiceFailure>(as type: Other.Type) -> Other? {
        if case .service(let failure, _) = self { failure as? Other } else { nil }
    }

    /// The particulars in one line, without secrets.
    var message: String {
        switch self {
        case .service(let failure, let response): "\(response), read as \(type(of: failure))"
        case .unacceptableStatus(let response): "\(response)"
        case .decoding(let failure): "\(failure.diagnosis)"
        default: Redaction.printable(callFailure?.message ?? "", scalarsMax: .max)
        }
    }

    /// The payload of the cases without a response.
    private var callFailure: CallFailure? {
        switch self {
        case .invalidRequest(let failure), .unauthorized(let failure), .transport(let failure), .limit(let failure),
            .timedOut(let failure), .cancelled(let failure), .other(let failure):
            failure
        case .service, .unacceptableStatus, .decoding: nil
        }
    }
}
