/// What an error says: two texts for people, and one for developers.
///
/// ```swift
/// let busy = ErrorText(
///     "The kitchen is busy.",
///     recoverySuggestion: "Order again in a minute.",
///     hint: "The service allows 10 orders a minute.",
/// )
/// let texts = ErrorTexts { failure, english in failure.reason == .rateLimited ? busy : english }
/// ```
public struct ErrorText: Sendable, Hashable {
    /// What happened, in a sentence for people: the error's `localizedDescription`.
    public var errorDescription: String
    /// What people can do, in a sentence or two: the error's `recoverySuggestion`; `nil` for nothing.
    public var recoverySuggestion: String?
    /// What a developer can do, in a sentence or two: the error's `hint`; `nil` for nothing.
    public var hint: String?

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - errorDescription: What happened, for people.
    ///   - recoverySuggestion: What people can do.
    ///   - hint: What a developer can do.
    public init(_ errorDescription: String, recoverySuggestion: String? = nil, hint: String? = nil) {
        self.errorDescription = errorDescription
        self.recoverySuggestion = recoverySuggestion
        self.hint = hint
    }
}

/// What people can do, where many reasons have it in common.
package struct Suggestion: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package let description: String

    package init(stringLiteral value: String) {
        description = value
    }

    package static let report: Suggestion = "This is an error of the app: report it to its developers."
    package static let checkInput: Suggestion =
        "Check what you have entered. If it is correct, report this to the app's developers."
    package static let checkNetwork: Suggestion = "Check the internet connection, then try again."
    package static let tryAgain: Suggestion = "Try again."
    package static let tryLater: Suggestion = "Try again later."
    package static let checkFirst: Suggestion = "This may have been done already: check it before you try again."
    package static let reportIfAgain: Suggestion = "If this happens again, report it to the app's developers."
    package static let reportToService: Suggestion = "Try again later. If this happens again, report it to the service."
    package static let signIn: Suggestion = "Sign in, then try again."
    package static let signInAgain: Suggestion = "Sign in again."
    package static let leaveNetwork: Suggestion = "Don't enter any data, and use another network."
}
