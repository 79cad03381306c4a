/// Why a call failed, where there is no response to look into.
public struct CallFailure: Sendable {
    /// Why, in a form that code can switch over.
    public let reason: FailureReason
    /// The particulars in one line, without secrets.
    public let message: String
    /// Which call it was.
    public let context: CallContext

    /// Makes a failure, for tests of what handles errors.
    public init(_ reason: FailureReason, message: String = "", context: CallContext = CallContext()) {
        self.reason = reason
        self.message = message
        self.context = context
    }
}

extension CallFailure: CustomStringConvertible {
    /// The reason and the particulars, without secrets.
    public var description: String {
        message.isEmpty ? "\(reason)" : Redaction.printable("\(reason): \(message)", scalarsMax: .max)
    }
}

extension FailureReason {
    /// The service answered with its own failure.
    public static let service = FailureReason(.service, "service")
    /// The status isn't accepted, and no failure could be read from the body.
    public static let unacceptableStatus = FailureReason(.unacceptableStatus, "unacceptableStatus")
    /// Hikyaku found itself in a state that can't be; please report it with the message.
    public static let defect = FailureReason(.other, "defect")
    /// A middleware or a token provider threw.
    public static let other = FailureReason(.other, "other")
}
