/// The English texts for what has no reason with a text: a phase, a status.
enum EnglishTexts {
    /// A suggestion for what may have been done already: without "Try again.", which is done after a check.
    static func afterCheck(_ suggestion: String) -> String {
        let sentences = suggestion.split(separator: ". ").map { $0.hasSuffix(".") ? String($0) : "\($0)." }
        let others = sentences.filter { !$0.hasPrefix("Try again") && !$0.hasPrefix("Then try again") }
        return ([Suggestion.checkFirst.description] + others).joined(separator: " ")
    }

    static func text(_ what: String, _ next: Suggestion, hint: String) -> ErrorText {
        ErrorText(what, recoverySuggestion: next.description, hint: hint)
    }

    static func byPhase(_ phase: FailurePhase) -> ErrorText {
        switch phase {
        case .invalidRequest:
            text(
                "The app made an invalid request.",
                .report,
                hint: "Correct the part of the request that the reason names.",
            )
        case .unauthorized:
            text("You need to sign in for this.", .signIn, hint: "Authorize the client: client.authorized(by:for:).")
        case .transport:
            text(
                "The connection to the service failed.",
                "\(Suggestion.tryLater) \(Suggestion.reportIfAgain)",
                hint: "See context.underlyingError for the code of the system or of a library.",
            )
        case .service, .unacceptableStatus:
            text(
                "The service rejected the request.",
                .tryLater,
                hint: "Compare the request with what the service expects: try await client.curlCommand(for: request).",
            )
        case .decoding:
            text(
                "The service's response can't be read.",
                .reportToService,
                hint: "Compare the model with the response at the path in the reason.",
            )
        case .limit:
            text("This is more than the app allows.", .tryLater, hint: "Request less, or raise the limit.")
        case .timedOut: text("The service took too long.", .tryAgain, hint: "Allow more time.")
        case .cancelled: ErrorText("This was cancelled.")
        case .other:
            text(
                "Something in the app failed.",
                .reportIfAgain,
                hint: "See context.underlyingError: the reason names its type.",
            )
        }
    }
}
