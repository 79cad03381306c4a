#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a call failed, by the stage at which it failed: the only error type that a client throws.
///
/// ```swift
/// do {
///     show(try await client.send(Qiita.Items()))
/// } catch .service(let error, _) {
///     show(error.message)  // a QiitaError
/// } catch {
///     show(error.localizedDescription, error.recoverySuggestion)
/// }
/// ```
/// No cases are added, but reasons may be. In a `do` block that mixes services or other throwing calls, catch
/// ``APIFailure``.
public enum APIError<Failure: ServiceFailure>: Error {
    /// The request is invalid; nothing was sent.
    case invalidRequest(CallFailure)
    /// There is no usable credential for the request; nothing was sent.
    case unauthorized(CallFailure)
    /// No complete response was received.
    case transport(CallFailure)
    /// The service responded with its own failure.
    case service(Failure, BufferedResponse)
    /// The status isn't accepted, and no failure could be read from the body.
    case unacceptableStatus(BufferedResponse)
    /// The status was accepted, but the body doesn't match the model.
    case decoding(DecodingFailure)
    /// A limit or policy of the client rejected the call: a size, a queue, a rate, an open circuit.
    case limit(CallFailure)
    /// A deadline passed.
    case timedOut(CallFailure)
    /// The caller cancelled the call; there is no failure to show.
    case cancelled(CallFailure)
    /// The error that a middleware or a token provider threw; it is the context's `underlyingError`.
    case other(CallFailure)
}

extension APIError: APIFailure {
    /// The stage at which the call failed.
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

    /// The call that failed.
    public var context: CallContext {
        switch self {
        case .service(_, let response), .unacceptableStatus(let response): response.context
        case .decoding(let failure): failure.context
        default: callFailure?.context ?? CallContext()
        }
    }

    /// The response, if the head of one was received; its body is what came before the failure.
    public var response: BufferedResponse? {
        switch self {
        case .service(_, let response), .unacceptableStatus(let response): response
        case .decoding(let failure): failure.response
        default: callFailure?.context.ownResponse
        }
    }

    /// Where the body differs from the model, for a decoding failure.
    public var diagnosis: DecodingDiagnosis? {
        if case .decoding(let failure) = self { failure.diagnosis } else { nil }
    }

    /// The service's failure, if it has that type.
    public func service<Other: ServiceFailure>(as type: Other.Type) -> Other? {
        if case .service(let failure, _) = self { failure as? Other } else { nil }
    }

    /// The details in one line, without secrets.
    ///
    /// Of the service's own words only the title of a problem is shown: its text for people may contain anything.
    fileprivate var logDetails: String {
        switch self {
        case .service(let failure as ProblemDetails, let response):
            "\(response), \(failure.shownTitle.map { "\"\($0)\"" } ?? "read as ProblemDetails")\(failure.codeText)"
        case .service(let failure, let response): "\(response), read as \(type(of: failure))\(failure.codeText)"
        case .unacceptableStatus(let response):
            "\(response)\(response.context.bodyShape.map { ": \($0)" } ?? "")"
        case .decoding(let failure): "\(failure.diagnosis)"
        default:
            Redaction.printable(callFailure?.message ?? "", scalarsMax: .max)
                + (context.bodyShape.map { ": \($0)" } ?? "")
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

extension ServiceFailure {
    /// `, code sold_out`.
    fileprivate var codeText: String { shownCode.map { ", code \($0)" } ?? "" }
}

extension APIError: CustomStringConvertible, CustomReflectable {
    /// One line for logs: the call, the reason, the details and the ``hint``, without secrets.
    public var description: String {
        "\(ownLine)\(hint.map { " (hint: \(Redaction.printable($0, scalarsMax: 1_000)))" } ?? "")"
    }

    /// The line, the hint, and the redacted response, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["error": ownLine, "hint": hint as Any, "response": response as Any])
    }

    fileprivate var ownLine: String { "\(context) failed: \(reason): \(logDetails)" }
}

/// A failure whose line for logs can be had without its hint, for an error that has one itself.
private protocol LinedFailure {
    var ownLine: String { get }
}

extension APIError: LinedFailure {}

extension APIFailure {
    /// The line for logs without the hint.
    package var line: String {
        ((self as? AnyAPIFailure)?.base as? any LinedFailure ?? self as? any LinedFailure)?.ownLine ?? description
    }
}

extension APIError: LocalizedError {
    /// What happened, in a sentence for people: the service's own words if its failure is a `LocalizedError`.
    public var localizedDescription: String { text.errorDescription }
    /// What happened, in a sentence for people: the service's own words if its failure is a `LocalizedError`.
    public var errorDescription: String? { text.errorDescription }
    /// Why, in one line, without secrets; or the service's own words, so that logs need ``description`` instead.
    public var failureReason: String? {
        guard case .service(let failure as any LocalizedError, _) = self else { return logDetails }
        let words = failure.failureReason.map { Redaction.readable($0) } ?? ""
        return words.isEmpty ? logDetails : words
    }
    /// What people can do next; `nil` if there is nothing to do.
    public var recoverySuggestion: String? { text.recoverySuggestion }
    /// What a developer can do.
    public var hint: String? { text.hint }

    /// The texts of the client, or the English ones.
    private var text: ErrorText {
        guard let texts = context.texts else { return ErrorTexts.english(for: self) }
        var context = context
        // A text that is made from this failure's own texts must not lead here again.
        context.texts = nil
        let plain = with(context)
        let english = ErrorTexts.english(for: plain)
        var text = texts.text(plain, english)
        // An alert without a text helps nobody.
        if text.errorDescription.isEmpty { text.errorDescription = english.errorDescription }
        return text
    }
}

struct Settled<Failure: ServiceFailure>: SettledError {
    let error: APIError<Failure>

    var reason: FailureReason { error.reason }
    var line: String { error.description }
    var logText: String { "\(error.reason): \(error.logDetails)" }
    var shownCode: String? { if case .service(let failure, _) = error { failure.shownCode } else { nil } }
}

extension APIError {
    /// The error of a call, which throws only settled errors.
    @inline(never)
    init(settled error: any Error) {
        guard let settled = error as? Settled<Failure> else {
            self.init(.defect, "a call threw a \(type(of: error))", .unknown)
            return
        }
        self = settled.error
    }

    /// Assigns a reason to its phase.
    ///
    /// A reason that needs a response becomes ``FailureReason/transportFailed``: only a custom transport can throw it.
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

extension APIError {
    /// The same error with another context.
    func with(_ context: CallContext) -> APIError {
        func changed(_ failure: CallFailure) -> CallFailure {
            CallFailure(failure.reason, message: failure.message, context: context)
        }
        return switch self {
        case .invalidRequest(let failure): .invalidRequest(changed(failure))
        case .unauthorized(let failure): .unauthorized(changed(failure))
        case .transport(let failure): .transport(changed(failure))
        case .service(let failure, let response): .service(failure, response.with(context))
        case .unacceptableStatus(let response): .unacceptableStatus(response.with(context))
        case .decoding(let failure):
            .decoding(DecodingFailure(diagnosis: failure.diagnosis, response: failure.response.with(context)))
        case .limit(let failure): .limit(changed(failure))
        case .timedOut(let failure): .timedOut(changed(failure))
        case .cancelled(let failure): .cancelled(changed(failure))
        case .other(let failure): .other(changed(failure))
        }
    }
}

extension CallContext {
    /// What came of a response before the failure, with this context.
    fileprivate var ownResponse: BufferedResponse? { response?.with(self) }
}
