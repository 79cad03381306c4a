#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Any service's ``APIError``, for code that handles several services, or other errors beside.
///
/// ```swift
/// do {
///     let items = try await client.send(Qiita.Items())
///     try save(items)
/// } catch let failure as any APIFailure where failure.isCancelled {
///     return
/// } catch let failure as any APIFailure {
///     show(failure.localizedDescription)
/// }
/// ```
public protocol APIFailure: LocalizedError, Sendable, CustomStringConvertible {
    /// The stage at which the call failed.
    var phase: FailurePhase { get }
    /// Why, in a form that code can switch over.
    var reason: FailureReason { get }
    /// The response, where one came.
    var response: BufferedResponse? { get }
    /// Where the body differs from the model, when that is what is wrong.
    var diagnosis: DecodingDiagnosis? { get }
    /// Which call it was.
    var context: CallContext { get }
    /// What happened, in a sentence for people, without secrets.
    var localizedDescription: String { get }

    /// The service's failure, if it is one of that type.
    func service<Failure: ServiceFailure>(as type: Failure.Type) -> Failure?
}

extension APIFailure {
    /// Whether the caller gave up: nothing to show.
    public var isCancelled: Bool { phase == .cancelled }

    /// Whether the system says that there is no way to the network.
    ///
    /// On Linux a name is looked up before that shows, so that a machine without a network as a rule gives
    /// ``FailureReason/hostNotFound`` instead.
    public var isOffline: Bool { reason == .networkUnreachable }

    /// Whether the same call may succeed later, and sending it again can do no harm.
    ///
    /// That is so when nothing reached the service, or when the method is idempotent (RFC 9110, section 9.2.2) and the
    /// connection broke, the time ran out, or the status is 408, 500, 502, 503 or 504. With 429 the service says that
    /// it did nothing, so there the method doesn't matter. A body that can be read once has to be made anew.
    ///
    /// After a redirect that turned the method into GET, as is the answer to a POST that was done, it is so only where
    /// the method before was idempotent too: sending the call again begins with that one.
    public var isRetryable: Bool {
        let mayHaveBeenDone = context.redirects.contains { $0.method != $0.nextMethod && !$0.method.isIdempotent }
        guard !mayHaveBeenDone else { return false }
        switch reason {
        case .hostNotFound, .connectionRefused, .networkUnreachable, .connectionFailed, .connectTimeout, .proxyFailed,
            .queueFull:
            return true
        case .connectionClosed, .connectionReset, .truncatedHeaders, .truncatedResponse, .missingLastChunk, .deadline,
            .firstByteTimeout, .idleTimeout:
            return context.method.isIdempotent
        default: break
        }
        guard phase == .service || phase == .unacceptableStatus, let status = response?.status else { return false }
        switch status.code {
        case 429: return true
        case 408, 500, 502, 503, 504: return context.method.isIdempotent
        default: return false
        }
    }
}

/// Any service's failure as one type: what ends a chain whose calls have several.
///
/// It is what it holds in everything but its type: ``base`` has the ``APIError`` itself, ``service(as:)`` the service's
/// failure. (`any APIFailure` can't stand where a type of errors is asked for: it doesn't conform to `Error`.)
public struct AnyAPIFailure: APIFailure {
    /// The failure, of whatever service.
    public let base: any APIFailure

    /// Holds a failure; one that is held already is held once.
    public init(_ failure: any APIFailure) {
        base = (failure as? AnyAPIFailure)?.base ?? failure
    }

    /// The stage at which the call failed.
    public var phase: FailurePhase { base.phase }
    /// Why, in a form that code can switch over.
    public var reason: FailureReason { base.reason }
    /// The response, where one came.
    public var response: BufferedResponse? { base.response }
    /// Where the body differs from the model, when that is what is wrong.
    public var diagnosis: DecodingDiagnosis? { base.diagnosis }
    /// Which call it was.
    public var context: CallContext { base.context }
    /// What happened, in a sentence for people, without secrets.
    public var localizedDescription: String { base.localizedDescription }
    /// What happened, in a sentence for people.
    public var errorDescription: String? { base.errorDescription }
    /// Why, in one line, without secrets.
    public var failureReason: String? { base.failureReason }
    /// What to do next.
    public var recoverySuggestion: String? { base.recoverySuggestion }
    /// One line for logs, without secrets.
    public var description: String { base.description }

    /// The service's failure, if it is one of that type.
    public func service<Failure: ServiceFailure>(as type: Failure.Type) -> Failure? { base.service(as: type) }
}

extension AnyAPIFailure: CustomReflectable {
    /// The failure as it shows itself, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(reflecting: base) }
}
