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
    }

    let token: IssuedToken
    let key: TokenKey
    let usableUntil: Date?
    let dueAt: Date?
    var isRefused = false
    var isUsed = false

    /// - Parameters:
    ///   - token: The token.
    ///   - issuedAt: When it was issued, if that is known; each margin is then at most half of what is left.
    ///   - margins: The margins.
    init(_ token: IssuedToken, issuedAt: Date?, _ margins: Margins) {
        self.token = token
        key = TokenKey(token)
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
