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
    package let text: @Sendable (any Error, ErrorText) -> ErrorText

    package init(ofAny text: @escaping @Sendable (any Error, ErrorText) -> ErrorText) {
        self.text = text
    }
}
