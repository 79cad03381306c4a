#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The ``APIError`` of any service, for code that handles several services, or other errors too.
///
/// ```swift
/// do {
///     let items = try await client.send(Qiita.Items())
///     try await save(items)
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
    /// The response, if one was received.
    var response: BufferedResponse? { get }
    /// Where the body differs from the model, for a decoding failure.
    var diagnosis: DecodingDiagnosis? { get }
    /// The call that failed.
    var context: CallContext { get }
    /// What happened, in a sentence for people.
    ///
    /// It is the text of the service's own failure if that is a `LocalizedError`; otherwise it is without secrets.
    var localizedDescription: String { get }
    /// What a developer can do; `nil` if there is nothing to do.
    ///
    /// An app can replace the texts for people and developers: see ``ErrorTexts``.
    var hint: String? { get }

    /// The service's failure, if it has that type.
    func service<Failure: ServiceFailure>(as type: Failure.Type) -> Failure?
}

extension APIFailure {
    /// `nil`: a type of your own has no hints unless it declares them.
    public var hint: String? { nil }

    /// Whether the caller cancelled the call: then there is nothing to show.
    public var isCancelled: Bool { phase == .cancelled }

    /// Whether the system reports that the network is unreachable.
    ///
    /// On Linux the host name is resolved first, so a machine without a network usually gives
    /// ``FailureReason/hostNotFound`` instead.
    public var isOffline: Bool { reason == .networkUnreachable }

    /// Whether the same call may succeed later, and sending it again does no harm.
    ///
    /// It is true if nothing reached the service. It is also true if the call is idempotent
    /// (``CallContext/isIdempotent``) and the connection failed, the time ran out, or the status is 408, 425 or 5xx,
    /// except 501, 505 to 508, 510 and 511. With 429 the service did nothing, so any request may be sent again. A body
    /// that can be read once must be created again. If a token could not be refreshed, it is that of the refresh.
    ///
    /// After a redirect that changed the method to GET, as in the response to a POST that was processed, it is true
    /// only if the original method is idempotent too: sending the call again starts with that method.
    public var isRetryable: Bool {
        if let inner = context.underlyingError as? any APIFailure, response == nil {
            return inner.isRetryable && (context.attempt == 0 || context.isIdempotent)
        }
        if context.wasProcessed { return false }
        switch Transience(self) {
        case .notDone: return true
        case .unknown: return context.isIdempotent
        case nil: return false
        }
    }

    /// Whether the cause may be gone a moment later.
    package var isTransient: Bool { Transience(self) != nil }
}

/// The failure of any service as one type: the error of a chain whose calls have several failure types.
///
/// ```swift
/// func describe(_ outcome: Result<[Dish], AnyAPIFailure>) -> String {
///     switch outcome {
///     case .success(let dishes): "\(dishes.count) dishes"
///     case .failure(let failure): failure.isRetryable ? "Try again later" : failure.localizedDescription
///     }
/// }
/// // In a test, with HikyakuTesting:
/// let failure = APIError<ShopError>.transport(.sample(.connectionReset))
/// #expect(describe(.failure(AnyAPIFailure(failure))) == "Try again later")
/// ```
/// It forwards everything to the failure inside: ``base`` is the ``APIError`` itself, ``service(as:)`` the service's
/// failure. (`any APIFailure` can't be used as an error type: it doesn't conform to `Error`.)
public struct AnyAPIFailure: APIFailure {
    /// The failure, of any service.
    public let base: any APIFailure

    /// Wraps a failure; one that is already wrapped is not wrapped again.
    public init(_ failure: any APIFailure) {
        base = (failure as? AnyAPIFailure)?.base ?? failure
    }

    /// The stage at which the call failed.
    public var phase: FailurePhase { base.phase }
    /// Why, in a form that code can switch over.
    public var reason: FailureReason { base.reason }
    /// The response, if one was received.
    public var response: BufferedResponse? { base.response }
    /// Where the body differs from the model, for a decoding failure.
    public var diagnosis: DecodingDiagnosis? { base.diagnosis }
    /// The call that failed.
    public var context: CallContext { base.context }
    /// What happened, in a sentence for people, without secrets.
    public var localizedDescription: String { base.localizedDescription }
    /// What happened, in a sentence for people.
    public var errorDescription: String? { base.errorDescription }
    /// Why, in one line, without secrets; or the service's own words, so that logs need `description` instead.
    public var failureReason: String? { base.failureReason }
    /// What people can do next.
    public var recoverySuggestion: String? { base.recoverySuggestion }
    /// What a developer can do.
    public var hint: String? { base.hint }
    /// One line for logs, without secrets.
    public var description: String { base.description }

    /// The service's failure, if it has that type.
    public func service<Failure: ServiceFailure>(as type: Failure.Type) -> Failure? { base.service(as: type) }
}

extension AnyAPIFailure: CustomReflectable {
    /// The mirror of the failure itself, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(reflecting: base) }
}
