/// What a transport, or a step above it, throws when it can say what went wrong.
///
/// The client turns it into the phase of `APIError` that its reason belongs to.
public struct TransportError: Error, Sendable {
    /// Why, in a form that code can switch over.
    public var reason: FailureReason
    /// The particulars in one line, without secrets: they end up in logs.
    public var message: String
    /// What lies below: a code of the system or of the library that does the work.
    public var underlyingError: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - message: The particulars in one line, without secrets.
    ///   - underlyingError: What lies below.
    public init(_ reason: FailureReason, _ message: String, underlyingError: (any Error)? = nil) {
        self.reason = reason
        self.message = message
        self.underlyingError = underlyingError
    }
}

extension TransportError: CustomStringConvertible, CustomReflectable {
    /// The reason and the particulars.
    public var description: String {
        message.isEmpty ? "\(reason)" : Redaction.printable("\(reason): \(message)", scalarsMax: .max)
    }

    /// The reason and the particulars, and of what lies below only the type, for `dump` and debuggers.
    public var customMirror: Mirror {
        let underlying = underlyingError.map { String(describing: type(of: $0)) }
        return Mirror(self, children: ["error": description, "underlyingError": underlying as Any])
    }
}
