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
