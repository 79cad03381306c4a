#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token with the times at which it expires and at which its proactive refresh is due.
struct HeldToken: Hashable, Sendable {
    /// How long before its end a token counts as expired, and how long before that its refresh is due, in seconds.
    struct Margins: Hashable, Sendable {
        var leeway: TimeInterval
        var ahead: TimeInterval?
        /// A token that is rejected within this time after a refresh isn't refreshed again for the same time; 0 for
        /// never.
        var rejectionPause: TimeInterval = 0
    }

    let token: IssuedToken
    let key: TokenKey
    private let usableUntil: Date?
    let dueAt: Date?
    /// When it was refreshed; `nil` for a token from a sign-in, or one that was in the store from the beginning.
    private let refreshedAt: Date?
    /// Until when it is used although it was rejected, since otherwise a service that rejects new tokens would cost a
    /// refresh for each call.
    private(set) var toleratedUntil: Date?
    private(set) var isRejected = false
    var isUsed = false

    /// - Parameters:
    ///   - token: The token.
    ///   - issuedAt: When it was issued, if that is known; then each margin is at most half of the remaining lifetime.
    ///   - refreshedAt: When it was refreshed, here or in another process, if that is known.
    ///   - margins: The margins.
    init(_ token: IssuedToken, issuedAt: Date?, refreshedAt: Date? = nil, _ margins: Margins) {
        self.token = token
        key = TokenKey(token.accessToken)
        self.refreshedAt = margins.rejectionPause > 0 ? refreshedAt : nil
        let end = token.expiresAt.flatMap { $0.timeIntervalSinceReferenceDate.isNaN ? nil : $0 }
        let usableUntil = end?.moved(back: margins.leeway, since: issuedAt)
        self.usableUntil = usableUntil
        dueAt = margins.ahead.flatMap { usableUntil?.moved(back: $0, since: issuedAt) }
    }

    func isUsable(at now: Date) -> Bool {
        !isRejected && usableUntil.map { now < $0 } != false
    }

    /// Records that a service has rejected it.
    mutating func reject(at now: Date, _ margins: Margins) {
        let pause = margins.rejectionPause
        if let toleratedUntil {
            // The wall clock may have been set back.
            let left = toleratedUntil.timeIntervalSince(now)
            isRejected = isRejected || left <= 0 || left > pause
        } else if let refreshedAt, 0...pause ~= now.timeIntervalSince(refreshedAt) {
            toleratedUntil = now.addingTimeInterval(pause)
        } else {
            isRejected = true
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
