#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ErrorTexts {
    /// Creates texts.
    ///
    /// - Parameter text: Returns the text for a failure, from the failure and its English text. It is called each time
    ///   that a text is read, on any thread, so that a change of the language takes effect. The texts of the failure
    ///   that it gets are English.
    public init(_ text: @escaping @Sendable (_ failure: any APIFailure, _ english: ErrorText) -> ErrorText) {
        self.init(ofAny: { error, english in
            (error as? any APIFailure).map { text($0, english) } ?? english
        })
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
        reason.text ?? EnglishTexts.byPhase(reason.phase)
    }

    private static func english(for response: BufferedResponse) -> ErrorText {
        response.isOfQuota ? EnglishTexts.ofQuota(response.status) : EnglishTexts.ofStatus(response.status)
    }
}
