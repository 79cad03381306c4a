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
