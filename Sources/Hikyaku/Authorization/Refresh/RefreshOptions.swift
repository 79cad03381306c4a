#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// When a ``RefreshingToken`` refreshes, and what it is told apart by.
public struct RefreshOptions: Sendable {
    /// How long before its end a token is no longer given, since clocks differ and requests take their time.
    ///
    /// Default: 30 seconds; at most half of a token's life where that is known, so that one that lives a minute is
    /// used.
    public var leeway: Duration
    /// How long before that a token is refreshed in the background, while calls go on with it; `nil`, the default, has
    /// a call wait for the refresh when there is need of one.
    ///
    /// At most half of a token's life where that is known. A token that nobody has used isn't refreshed ahead, so that
    /// an app at rest asks for none.
    public var refreshesAhead: Duration?
    /// How long after a failure that says nothing about the token, as when the network is gone, a call may try again.
    ///
    /// Until then calls end with the same error at once. Default: 10 seconds.
    ///
    /// Any other failure is final until the token changes: a refresh token that was refused is refused again, and
    /// servers take those who go on trying for thieves. An authorization server that is down, however, would otherwise
    /// end all sessions, and one that comes back up would be flooded if each call tried.
    public var retryPause: Duration
    /// How long a refresh may take; then it is cancelled, and ends as a passing failure, since all calls wait for it.
    ///
    /// What comes of it later is dropped, and a server that has taken a refresh token that is good for one use by then
    /// doesn't take it again: rather too long than too short. Default: 60 seconds; `nil` sets no bound. A store that
    /// doesn't return isn't bounded by it, but holds calls up until their own deadlines.
    public var refreshTimeout: Duration?
    /// Whether a failure says nothing about the token; `nil`, the default, leaves that to what refreshes: to
    /// ``isPassing(_:)`` for a ``RefreshingToken``, while an `OAuthSession` knows what authorization servers say.
    public var isPassing: (@Sendable (any Error) -> Bool)?
    /// Hears what the store throws where nobody waits for it: when a new token can't be saved, or the store can't be
    /// read before or after a refresh.
    ///
    /// The token is used nevertheless. Where refresh tokens are good for one use, what is in the store is spent by
    /// then: unless a later token can be saved, the next launch sends the spent one, and the user has to sign in again,
    /// or is signed out everywhere. Default: ``reportStoreFailure(_:)``.
    public var onStoreFailure: @Sendable (any Error) -> Void
    /// What pauses and refreshing ahead are measured by.
    public var clock: any HTTPClock
    /// The wall clock, which the end of a token is measured by.
    public var now: @Sendable () -> Date

    /// Makes options; each is described where it stands.
    public init(
        leeway: Duration = .seconds(30),
        refreshesAhead: Duration? = nil,
        retryPause: Duration = .seconds(10),
        refreshTimeout: Duration? = .seconds(60),
        isPassing: (@Sendable (any Error) -> Bool)? = nil,
        onStoreFailure: @escaping @Sendable (any Error) -> Void = RefreshOptions.reportStoreFailure,
        clock: any HTTPClock = SystemClock(),
        now: @escaping @Sendable () -> Date = { Date() },
    ) {
        self.leeway = leeway
        self.refreshesAhead = refreshesAhead
        self.retryPause = retryPause
        self.refreshTimeout = refreshTimeout
        self.isPassing = isPassing
        self.onStoreFailure = onStoreFailure
        self.clock = clock
        self.now = now
    }

    /// Writes one line to standard error, with the failure's type and, of a failure of this package, its text.
    ///
    /// What a store of another kind says isn't written: nobody knows that there is no token in it.
    public static func reportStoreFailure(_ error: any Error) {
        CallLogging.standardError(storeFailureLine(error))
    }

    static func storeFailureLine(_ error: any Error) -> String {
        #if canImport(Security)
        let isOurs = error is TokenFileError || error is KeychainError
        #else
        let isOurs = error is TokenFileError
        #endif
        let particulars = isOurs ? ": \(error)" : ""
        let text =
            "Hikyaku: the token store failed, and may hold a used token: \(type(of: error))\(particulars)"
        return Redaction.printable(text)
    }

    /// Whether a failure of a refresh says nothing about the token: no answer came, it came too late, it was cancelled,
    /// a limit was reached, or the status is 408, 429 or 5xx.
    ///
    /// An error of another type than ``APIFailure``, `TransportError` and `CancellationError` is final.
    public static func isPassing(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        if let error = error as? TransportError { return error.reason.phase.isPassing }
        guard let failure = error as? any APIFailure else { return false }
        guard !failure.isRetryable, !failure.phase.isPassing else { return true }
        guard failure.phase == .service || failure.phase == .unacceptableStatus else { return false }
        return failure.response.map { [408, 429].contains($0.status.code) || $0.status.code >= 500 } ?? false
    }
}

extension RefreshOptions {
    var margins: HeldToken.Margins {
        HeldToken.Margins(
            leeway: Self.seconds(leeway),
            ahead: refreshesAhead.map(Self.seconds),
            rejectionPause: 10,
        )
    }

    private static func seconds(_ duration: Duration) -> TimeInterval {
        max(0, min(duration, .farFuture) / .seconds(1))
    }
}

extension FailurePhase {
    /// Whether a failure there says nothing about what was sent.
    fileprivate var isPassing: Bool {
        switch self {
        case .transport, .timedOut, .limit, .cancelled: true
        case .invalidRequest, .unauthorized, .service, .unacceptableStatus, .decoding, .other: false
        }
    }
}

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
        message: "the token has expired, and there is no refresh token",
    )

    /// A token was asked for by the refresh that is to bring it, which would wait for itself.
    public static let refreshNeedsItself = TokenError(
        reason: .refreshNeedsItself,
        message:
            "the call that refreshes the token would wait for that token: send it with a client without this provider",
    )
}
