extension FailureReason {
    /// The token has ended, and nothing refreshes it: the user has to sign in again.
    public static let expiredToken = FailureReason(.unauthorized, "expiredToken")
    /// The call that refreshes a token was to be authorized by that very token.
    public static let refreshNeedsItself = FailureReason(.unauthorized, "refreshNeedsItself")
    /// The call that refreshes a token took longer than ``RefreshOptions/refreshTimeout``.
    public static let refreshTimeout = FailureReason(.timedOut, "refreshTimeout")
}

extension TokenError {
    /// The token has ended, and nothing refreshes it.
    public static let expired = TokenError(
        reason: .expiredToken,
        message: "the token has ended, and there is no refresh token to get another with",
    )

    /// A token was asked for by the refresh that is to bring it, which would wait for itself.
    public static let refreshNeedsItself = TokenError(
        reason: .refreshNeedsItself,
        message:
            "the call that refreshes the token would wait for the token: send it by a client without this provider",
    )
}
