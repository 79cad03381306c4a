#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

/// The texts of a client's errors, by which an app speaks its own language.
///
/// Each reason has an English text. An app replaces all of them, or only some, in ``ClientOptions/errorTexts``:
/// ```swift
/// let german = ErrorTexts { failure, english in
///     var text = english
///     switch failure.reason {
///     case .hostNotFound, .networkUnreachable:
///         text.errorDescription = "Der Dienst ist nicht erreichbar."
///         text.recoverySuggestion = "Prüfen Sie die Internetverbindung."
///     case .unacceptableStatus where failure.response?.status == .notFound:
///         text.errorDescription = "Das gibt es nicht mehr."
///     default: break
///     }
///     return text
/// }
/// let client = APIClient(options: ClientOptions(errorTexts: german))
/// ```
/// The description of a reason, such as `transport.hostNotFound`, is stable and can be the key of a string catalogue.
/// For a failure of the service that is a `LocalizedError`, the English text contains the service's own words.
public struct ErrorTexts: Sendable {
    /// Returns the text for a failure, from the failure and its English text.
    let text: @Sendable (any APIFailure, ErrorText) -> ErrorText

    /// Creates texts.
    ///
    /// - Parameter text: Returns the text for a failure, from the failure and its English text. It is called each time
    ///   that a text is read, on any thread, so that a change of the language takes effect. The texts of the failure
    ///   that it gets are English.
    public init(_ text: @escaping @Sendable (_ failure: any APIFailure, _ english: ErrorText) -> ErrorText) {
        self.text = text
    }
}

// MARK: - English

extension ErrorTexts {
    /// The English text of an error; a service's failure has priority if it is a `LocalizedError`.
    static func english<Failure>(for error: APIError<Failure>) -> ErrorText {
        var text: ErrorText
        switch error {
        case .service(_, let response), .unacceptableStatus(let response): text = english(for: response)
        default: text = english(for: error.reason)
        }
        if error.mayHaveBeenDone {
            text.recoverySuggestion = text.recoverySuggestion.map(EnglishTexts.afterCheck)
        }
        if case .service(let own as any LocalizedError, _) = error {
            if let words = own.errorDescription.map({ Redaction.readable($0) }), !words.isEmpty {
                text.errorDescription = words
            }
            if let words = own.recoverySuggestion.map({ Redaction.readable($0) }), !words.isEmpty {
                text.recoverySuggestion = words
            }
        }
        if let hint = error.context.hint { text.hint = hint }
        return text
    }

    static func english(for reason: FailureReason) -> ErrorText {
        EnglishTexts.byReason[reason] ?? EnglishTexts.byPhase(reason.phase)
    }

    private static func english(for response: BufferedResponse) -> ErrorText {
        response.isOfQuota ? EnglishTexts.ofQuota(response.status) : EnglishTexts.ofStatus(response.status)
    }
}
