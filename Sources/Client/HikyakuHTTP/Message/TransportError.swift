/// The error of a transport, or of a step above it, with a reason.
///
/// ```swift
/// nonisolated extension FailureReason {
///     static let maintenance = FailureReason(.other, "maintenance")
/// }
/// struct MaintenanceWindow: HTTPMiddleware {
///     func intercept(
///         _ request: HTTPRequest, context: RequestContext, next: MiddlewareNext
///     ) async throws -> HTTPResponse {
///         let response = try await next(request)
///         guard response.headers["X-Maintenance"] == nil else {
///             throw TransportError(.maintenance, "the service is being maintained")
///         }
///         return response
///     }
/// }
/// ```
/// The client turns it into the phase of `APIError` to which its reason belongs.
public struct TransportError: Error, Sendable {
    /// Why, in a form that code can switch over.
    public var reason: FailureReason
    /// The details in one line, without secrets, since they are logged.
    public var message: String
    /// The underlying error: a code of the system or of a library.
    public var underlyingError: (any Error)?
    /// What a developer can do, if the general hint of the reason doesn't fit: the `hint` of the call's error.
    public var hint: String?
    /// Whether the cause may be gone a moment later, if that isn't what its reason says.
    private var ownTransience: Transience??
    /// Whether a credential's provider or signer threw it, so that it says nothing about the exchange.
    package var isOfCredential = false
    /// A reference, since few errors have one.
    private var received: Received?

    private final class Received: Sendable {
        let response: HTTPResponse

        init(_ response: HTTPResponse) { self.response = response }
    }

    /// The response that came before the error, with the beginning of its body in memory; `nil` if none did.
    package var response: HTTPResponse? {
        get { received?.response }
        set { received = newValue.map(Received.init) }
    }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - message: The details in one line, without secrets.
    ///   - underlyingError: The underlying error.
    ///   - hint: What a developer can do; `nil` for the general hint of the reason.
    public init(
        _ reason: FailureReason,
        _ message: String,
        underlyingError: (any Error)? = nil,
        hint: String? = nil,
    ) {
        self.reason = reason
        self.message = message
        self.underlyingError = underlyingError
        self.hint = hint
    }

    /// Whether the cause may be gone a moment later, and what the service has done; `nil` if it will still be there.
    package var transience: Transience? {
        get { ownTransience ?? Transience(reason) }
        set { ownTransience = .some(newValue) }
    }

    /// The error of a cause that will still be there, although those of its reason usually pass.
    package var final: TransportError {
        var error = self
        error.transience = nil
        return error
    }
}

/// An error of the package that says what a developer can do.
package protocol HintedError: Error {
    /// What a developer can do; `nil` for nothing.
    var hint: String? { get }
}

extension TransportError: HintedError {}

extension TransportError: CustomStringConvertible, CustomReflectable {
    /// The reason and the details.
    public var description: String {
        message.isEmpty ? "\(reason)" : Redaction.printable("\(reason): \(message)", scalarsMax: .max)
    }

    /// The reason and the details, and only the type of the underlying error, for `dump` and debuggers.
    public var customMirror: Mirror {
        let underlying = underlyingError.map { String(describing: type(of: $0)) }
        return Mirror(self, children: ["error": description, "underlyingError": underlying as Any])
    }
}

extension FailureCause {
    /// The error of this cause.
    ///
    /// - Parameters:
    ///   - message: The details in one line, without secrets, since they are logged.
    ///   - underlyingError: The underlying error.
    ///   - hint: What a developer can do, if that depends on the values; `nil` for what is said of the cause.
    /// - Returns: The error, with what is said of the cause.
    package func error(
        _ message: String,
        underlyingError: (any Error)? = nil,
        hint: String? = nil,
    ) -> TransportError {
        let facts = facts
        var error = TransportError(facts.reason, message, underlyingError: underlyingError, hint: hint ?? facts.hint)
        if facts.transience != Transience(facts.reason) { error.transience = facts.transience }
        return error
    }
}

extension Transience {
    /// `nil` for a status that isn't transient.
    ///
    /// A status of 5xx that isn't registered is as transient as 500 (RFC 9110, section 15); those from 600 on are used
    /// to turn clients away.
    package init?(_ status: HTTPStatus) {
        switch status.code {
        case 429: self = .notDone
        case 501, 505...508, 510, 511: return nil
        case 408, 425, 500..<600: self = .unknown
        default: return nil
        }
    }
}
