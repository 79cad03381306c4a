/// Why a call failed without a response to inspect.
///
/// ```swift
/// let offline = APIError<ShopError>.transport(.sample(.connectionRefused, message: "port 443"))
/// let view = AlertModel(offline)  // a test of what an app shows
/// #expect(view.isRetryOffered)
/// ```
public struct CallFailure: Sendable {
    /// Why, in a form that code can switch over.
    public let reason: FailureReason
    /// The details in one line, without secrets.
    public let message: String
    /// The call that failed.
    public let context: CallContext

    package init(_ reason: FailureReason, message: String = "", context: CallContext = CallContext()) {
        self.reason = reason
        self.message = message
        self.context = context
    }
}

extension CallFailure: CustomStringConvertible {
    /// The reason and the details, without secrets.
    public var description: String {
        message.isEmpty ? "\(reason)" : Redaction.printable("\(reason): \(message)", scalarsMax: .max)
    }
}
