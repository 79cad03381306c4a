#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a ``RefreshingToken`` refreshes, and what it is told apart by.
public struct RefreshOptions: Sendable {
    /// How long before its end a token is no longer given, since clocks differ and requests take their time.
    ///
    /// Default: 30 seconds; at most half of a token's life where that is known, so that one that lives a minute is used.
    public var leeway: Duration
    /// How long before that a token is refreshed in the background, while calls go on with it; `nil`, the default, has a
    /// call wait for the refresh when there is need of one.
    ///
    /// At most half of a token's life where that is known. A token that nobody has used isn't refreshed ahead, so that an
    /// app at rest asks for none.
    public var refreshesAhead: Duration?
    /// How long after a failure that says nothing about the token, as when the network is gone, a call may try again.
    ///
    /// Until then calls end with the same error at once. Default: 10 seconds.
    ///
    /// Any other failure is final until the token changes: a refresh token that was refused is refused again, and servers
    /// take those who go on trying for thieves. An authorization server that is down, however, would otherwise end all
    /// sessions, and one that comes back up would be flooded if each call tried.
    public var retryPause: Duration
    /// Whether a failure says nothing about the token.
    ///
    /// Default: ``isPassing(_:)``.
    public var isPassing: @Sendable (any Error) -> Bool
    /// Hears what the store throws where nobody waits for it: when a new token can't be saved, or the store can't be read
    /// before a refresh.
    ///
    /// The token is used nevertheless.
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
        isPassing: @escaping @Sendable (any Error) -> Bool = RefreshOptions.isPassing,
        onStoreFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        clock: any HTTPClock = SystemClock(),
        now: @escaping @Sendable () -> Date = { Date() },
    ) {
        self.leeway = leeway
        self.refreshesAhead = refreshesAhead
        self.retryPause = retryPause
        self.isPassing = isPassing
        self.onStoreFailure = onStoreFailure
        self.clock = clock
        self.now = now
    }

    /// Whether a failure of a refresh says nothing about the token: no answer came, it came too late, it was cancelled, a
    /// limit was reached, or the status is 408, 429 or 5xx.
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
        HeldToken.Margins(leeway: Self.seconds(leeway), ahead: refreshesAhead.map(Self.seconds))
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
