import Hikyaku

/// All causes of errors that this module throws on its own, besides those of the calls that it makes.
enum OAuthCause: FailureCause {
    case rejectedRefresh, rejectedClient, refreshTimeout, keyID, clock, streamedBody

    var facts: CauseFacts {
        switch self {
        case .rejectedRefresh: CauseFacts(.expiredToken, hint: "The person has to sign in again by OAuthClient.")
        case .rejectedClient:
            CauseFacts(
                .rejectedClient,
                hint: "Compare the client ID and secret with the application's registration.",
            )
        case .refreshTimeout: CauseFacts(.refreshTimeout)
        case .keyID:
            CauseFacts(.header, hint: "Correct the key ID of the signer: it is a text of visible ASCII characters.")
        case .clock: CauseFacts(.header, hint: "Correct the date that the signer is given.")
        case .streamedBody: CauseFacts(.body, hint: "Use bytes or a file as the body.")
        }
    }
}
