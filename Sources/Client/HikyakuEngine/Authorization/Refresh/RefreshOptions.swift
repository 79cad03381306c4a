#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// When a ``RefreshingToken`` refreshes, and which clocks it uses.
///
/// ```swift
/// let options = RefreshOptions(proactiveRefresh: .seconds(300), refreshTimeout: .seconds(20))
/// let session = RefreshingToken(store: tokenStore, options: options) { old in
///     try await client.send(Auth.Refresh(token: old.refreshToken)).issuedToken
/// }
/// ```
public struct RefreshOptions: Sendable {
    /// How long before its end a token is no longer used, since clocks differ and requests take time.
    ///
    /// Default: 30 seconds, but at most half of a token's lifetime if that is known, so that a token with a lifetime of
    /// a minute is used.
    public var leeway: Duration
    /// How long before that a token is refreshed proactively, in the background, while calls continue to use it.
    ///
    /// With `nil`, the default, a call waits for the refresh when it is needed.
    ///
    /// At most half of a token's lifetime if that is known. A token that was not used isn't refreshed proactively, so
    /// an idle app sends no refreshes.
    public var proactiveRefresh: Duration?
    /// The back-off after a transient failure, for example of the network, before a call may try again.
    ///
    /// Until then calls fail with the same error at once. If `Retry-After` of the server is longer, that counts, up
    /// to an hour. Default: 10 seconds.
    ///
    /// Any other failure is final until the token changes: a rejected refresh token is rejected again, and servers
    /// treat repeated attempts as an attack. For an authorization server that is down, however, a final failure would
    /// end all sessions, and a server that comes back up would be flooded if each call tried.
    public var backOff: Duration
    /// The timeout of a refresh.
    ///
    /// Then it is cancelled, and ends as a transient failure, since all calls wait for it.
    ///
    /// A later result is dropped. If the server has already used up a one-time refresh token by then, it rejects that
    /// token the next time, so prefer a longer timeout. Default: 60 seconds; `nil` sets no limit. A store that doesn't
    /// return is not limited by it, but delays calls until their own deadlines.
    public var refreshTimeout: Duration?
    /// Whether a failure is transient.
    ///
    /// By default, `nil`, an `OAuthSession` has the rules for authorization servers. For a ``RefreshingToken``, it is
    /// transient that no response was received, that it timed out, was cancelled or exceeded a limit, and that the
    /// status is 408, 425, 429, or 500 and more. An error of another type than ``APIFailure``, `TransportError` and
    /// `CancellationError` is final.
    public var isTransient: (@Sendable (any Error) -> Bool)?
    /// Whether a response of the service says that its token is rejected, so that the token is refreshed, and the call
    /// sent once more; `nil`, the default, if its status is 401.
    ///
    /// ```swift
    /// var options = RefreshOptions()
    /// options.isRejection = { [401, 419].contains($0.status.code) || $0.headers["X-Error"] == "token_expired" }
    /// ```
    /// The body is empty for a response that is read as a stream. It is called for each response, and must not block.
    public var isRejection: (@Sendable (HTTPResponse) -> Bool)?
    /// Called with an error of the store that no caller gets: a new token can't be saved, or the store can't be read
    /// before or after a refresh.
    ///
    /// The token is used nevertheless. With one-time refresh tokens, the token in the store has been used up by then.
    /// Unless a later token can be saved, the next launch sends the used one, and the user has to sign in again, or is
    /// signed out everywhere. Default: one line on standard error, with the failure's type and, for a failure of this
    /// package, its text: that of another store's error may contain a token.
    public var onStoreFailure: @Sendable (any Error) -> Void
    /// The clock for pauses and proactive refreshes.
    public var clock: any HTTPClock
    /// The wall clock for the expiry of tokens.
    ///
    /// Default: the date of the clock that is passed to the initializer.
    public var now: @Sendable () -> Date

    /// Creates options; see the properties.
    public init(
        leeway: Duration = .seconds(30),
        proactiveRefresh: Duration? = nil,
        backOff: Duration = .seconds(10),
        refreshTimeout: Duration? = .seconds(60),
        isTransient: (@Sendable (any Error) -> Bool)? = nil,
        onStoreFailure: (@Sendable (any Error) -> Void)? = nil,
        clock: any HTTPClock = SystemClock(),
        now: (@Sendable () -> Date)? = nil,
    ) {
        self.leeway = leeway
        self.proactiveRefresh = proactiveRefresh
        self.backOff = backOff
        self.refreshTimeout = refreshTimeout
        self.isTransient = isTransient
        self.onStoreFailure = onStoreFailure ?? { CallLogging.standardError(Self.storeFailureLine($0)) }
        self.clock = clock
        self.now = now ?? { clock.date }
    }

    static func storeFailureLine(_ error: any Error) -> String {
        let particulars = error is any TokenStoreFailure ? ": \(error)" : ""
        let text =
            "Hikyaku: the token store failed, and may hold a used token: \(type(of: error))\(particulars)"
        return Redaction.printable(text)
    }

    func isRejection(_ response: HTTPResponse) -> Bool {
        guard let isRejection else { return response.status == .unauthorized }
        return isRejection(response)
    }

    /// The default rules for a failure of a refresh: see the property.
    package static func isTransient(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        if let error = error as? TransportError { return error.reason.phase.isTransient }
        guard let failure = error as? any InnerFailure else { return false }
        guard !failure.isTransient, !failure.reason.phase.isTransient else { return true }
        // A token is no worse for any error of the server.
        return failure.status.map { $0.code >= 500 } ?? false
    }
}

extension RefreshOptions {
    var margins: HeldToken.Margins {
        HeldToken.Margins(
            leeway: Self.seconds(leeway),
            ahead: proactiveRefresh.map(Self.seconds),
            rejectionPause: 10,
        )
    }

    private static func seconds(_ duration: Duration) -> TimeInterval {
        max(0, min(duration, .farFuture) / .seconds(1))
    }
}

extension FailurePhase {
    /// Whether a failure in this phase is transient.
    fileprivate var isTransient: Bool {
        switch self {
        case .transport, .timedOut, .limit, .cancelled: true
        case .invalidRequest, .unauthorized, .service, .unacceptableStatus, .decoding, .other: false
        }
    }
}

extension TokenError {
    /// The token has expired and can't be refreshed.
    public static let expired = TokenError(
        reason: .expiredToken,
        message: "the token has expired, and there is no refresh token",
    )

    /// The refresh needs the token that it is to obtain, and would wait for itself.
    public static let refreshNeedsItself = TokenError(
        reason: .refreshNeedsItself,
        message:
            "the call that refreshes the token would wait for that token: send it with a client without this provider",
    )
}
