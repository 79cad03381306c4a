/// The causes of errors of the credential of a request.
package enum CredentialCause: FailureCause {
    case missingToken, emptyToken, expiredToken, refreshNeedsItself, malformedCredential, missingScopes,
        tokenStore, insufficientLevel, otherOrigin, redirectedCredential, credentialInURL,
        credentialInCookie, rejectedRefresh, rejectedClient, refreshTimeout

    package var facts: CauseFacts {
        switch self {
        case .missingToken: CauseFacts(.missingToken)
        case .emptyToken: CauseFacts(.emptyToken)
        case .expiredToken: CauseFacts(.expiredToken)
        case .refreshNeedsItself: CauseFacts(.refreshNeedsItself)
        case .malformedCredential: CauseFacts(.malformedCredential)
        case .missingScopes: CauseFacts(.missingScopes)
        case .tokenStore: CauseFacts(.tokenStore)
        case .insufficientLevel: CauseFacts(.insufficientLevel)
        case .otherOrigin: CauseFacts(.otherOrigin)
        case .redirectedCredential: CauseFacts(.otherOrigin)
        case .credentialInURL: CauseFacts(.url)
        case .credentialInCookie: CauseFacts(.header)
        case .rejectedRefresh:
            CauseFacts(.expiredToken, hint: "The service rejects the refresh token: the person has to sign in again.")
        case .rejectedClient: CauseFacts(.rejectedClient)
        case .refreshTimeout: CauseFacts(.refreshTimeout)
        }
    }
}

extension CredentialCause {
    /// The cause of an error of a token.
    package init(_ error: TokenError) {
        self =
            switch error.reason {
            case .emptyToken: .emptyToken
            case .malformedCredential: .malformedCredential
            case .missingScopes: .missingScopes
            case .expiredToken: .expiredToken
            case .refreshNeedsItself: .refreshNeedsItself
            default: .missingToken
            }
    }
}

extension FailureReason {
    /// The credential can't be written in the format of its scheme, has a line break or another control character, or
    /// begins with the scheme, such as `Bearer`, which is added to it.
    public static let malformedCredential = FailureReason(
        .unauthorized,
        "malformedCredential",
        "Your sign-in data can't be sent in this form.",
        "Enter it again.",
        hint: "Correct it where it is read: a token has no control characters and does not begin with its scheme "
            + "(Bearer), and a user name has no colon.",
    )
    /// The token has expired and can't be refreshed: the user has to sign in again.
    public static let expiredToken = FailureReason(
        .unauthorized,
        "expiredToken",
        "Your sign-in has expired.",
        .signInAgain,
        hint: "The token has expired, and there is no refresh token, or the service rejects it.",
    )
    /// The service that gives tokens rejects the app's own credential: its ID, its secret, or the key that it signs by.
    public static let rejectedClient = FailureReason(
        .unauthorized,
        "rejectedClient",
        "The app could not sign in to the service.",
        .report,
        hint: "The service that gives tokens rejects the app's own credential: check it where the provider gets it.",
    )
    /// The call that refreshes a token needs that token itself.
    public static let refreshNeedsItself = FailureReason(
        .unauthorized,
        "refreshNeedsItself",
        "Your sign-in could not be renewed.",
        .report,
        hint: "The call that refreshes the token needs that token: send it with a client that is not authorized by "
            + "the same provider.",
    )
    /// The call that refreshes a token took longer than ``RefreshOptions/refreshTimeout``.
    public static let refreshTimeout = FailureReason(
        .timedOut,
        "refreshTimeout",
        "Renewing your sign-in took too long.",
        .tryAgain,
        hint: "Check the service that refreshes tokens, or raise the timeout in RefreshOptions.",
    )
}
