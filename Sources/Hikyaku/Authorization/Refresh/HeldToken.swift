#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a token is recognized by when a service has refused it.
struct TokenKey: Hashable, Sendable {
    let value: Secret<String>?
    let placement: CredentialPlacement

    init(_ token: IssuedToken) {
        value = token.token
        placement = token.accessToken.placement
    }

    init(_ token: AccessToken<Ready>) {
        value = token.value
        placement = token.placement
    }
}

/// A token with the times at which it is no longer given, and refreshed ahead.
struct HeldToken: Hashable, Sendable {
    /// How long before its end a token counts as ended, and before that is due to be refreshed, in seconds.
    struct Margins: Hashable, Sendable {
        var leeway: TimeInterval
        var ahead: TimeInterval?
        /// How soon after a refresh a rejection of its token isn't worth another, and for how long then; 0 for never.
        var rejectionPause: TimeInterval = 0
    }

    let token: IssuedToken
    let key: TokenKey
    private let usableUntil: Date?
    let dueAt: Date?
    /// When a refresh has brought it; `nil` for one that was signed in, or was in the store from the beginning.
    private let refreshedAt: Date?
    /// Until when it is used although it was rejected, since a service that rejects new tokens would cost a refresh for
    /// each call.
    private(set) var toleratedUntil: Date?
    private(set) var isRefused = false
    var isUsed = false

    /// - Parameters:
    ///   - token: The token.
    ///   - issuedAt: When it was issued, if that is known; each margin is then at most half of what is left.
    ///   - refreshedAt: When a refresh has brought it, here or in another process, as far as that is known.
    ///   - margins: The margins.
    init(_ token: IssuedToken, issuedAt: Date?, refreshedAt: Date? = nil, _ margins: Margins) {
        self.token = token
        key = TokenKey(token)
        self.refreshedAt = margins.rejectionPause > 0 ? refreshedAt : nil
        guard let end = token.expiresAt, !end.timeIntervalSinceReferenceDate.isNaN else {
            usableUntil = nil
            dueAt = nil
            return
        }
        let usableUntil = end.moved(back: margins.leeway, since: issuedAt)
        self.usableUntil = usableUntil
        dueAt = margins.ahead.map { usableUntil.moved(back: $0, since: issuedAt) }
    }

    func isUsable(at now: Date) -> Bool {
        !isRefused && usableUntil.map { now < $0 } != false
    }

    /// Notes that a service has rejected it.
    mutating func reject(at now: Date, _ margins: Margins) {
        let pause = margins.rejectionPause
        if let toleratedUntil {
            // The wall clock may have been set back.
            let left = toleratedUntil.timeIntervalSince(now)
            isRefused = isRefused || left <= 0 || left > pause
        } else if let refreshedAt, 0...pause ~= now.timeIntervalSince(refreshedAt) {
            toleratedUntil = now.addingTimeInterval(pause)
        } else {
            isRefused = true
        }
    }

    func isDue(at now: Date) -> Bool {
        dueAt.map { now >= $0 } == true
    }
}

extension Date {
    fileprivate func moved(back margin: TimeInterval, since start: Date?) -> Date {
        guard let start else { return addingTimeInterval(-margin) }
        return addingTimeInterval(-min(margin, max(0, timeIntervalSince(start) / 2)))
    }
}
