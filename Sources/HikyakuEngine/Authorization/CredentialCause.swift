/// The causes of errors of the credential of a request.
package enum CredentialCause: FailureCause {
    case missingToken, emptyToken, expiredToken, refreshNeedsItself, malformedCredential, missingScopes,
        tokenStore, insufficientLevel, otherOrigin, redirectedCredential, insecureOrigin, credentialInURL,
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
        case .insecureOrigin: CauseFacts(.insecureOrigin)
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
