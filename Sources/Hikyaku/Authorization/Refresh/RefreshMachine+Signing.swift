#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What becomes of the token that is held.
extension RefreshMachine {
    mutating func signIn(_ caller: Caller, _ token: IssuedToken, _ now: Date, _ actions: inout [Action]) {
        giveUp(&actions)
        adopt(token, issuedAt: now, &actions)
        enqueue(.signIn(token, caller), &actions)
        settle(now, &actions)
        if !waiters.isEmpty { beginWork(&actions) }
    }

    mutating func signOut(_ caller: Caller, _ now: Date, _ actions: inout [Action]) {
        giveUp(&actions)
        adopt(nil, issuedAt: nil, &actions)
        finishAll(.missing, &actions)
        enqueue(.signOut(caller), &actions)
    }

    /// Drops the work that is under way.
    ///
    /// What the store was given for it runs before what follows, and is then ignored.
    private mutating func giveUp(_ actions: inout [Action]) {
        if case .refreshing(let number) = work { actions.append(.cancelRefresh(number)) }
        work = .none
    }

    /// Puts a token in the place of the one before.
    mutating func adopt(
        _ token: IssuedToken?,
        issuedAt: Date?,
        refreshedAt: Date? = nil,
        _ actions: inout [Action],
    ) {
        trouble = nil
        for caller in waiters.keys { waiters[caller]?.failure = nil }
        let held = token.map { HeldToken($0, issuedAt: issuedAt, refreshedAt: refreshedAt, margins) }
        holding = held.map { .token($0) } ?? .nothing
        guard margins.ahead != nil else { return }
        let number = makeNumber()
        alarm = number
        actions.append(.setAlarm(number, at: held?.dueAt))
    }

    /// What a refresh doesn't tell stays as it was ([RFC 6749, section
    /// 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)).
    func keepingOld(_ token: IssuedToken) -> IssuedToken {
        guard case .refreshToken = means, case .token(let held) = holding else { return token }
        var token = token
        token.refreshToken = token.refreshToken ?? held.token.refreshToken
        token.scopes = token.scopes ?? held.token.scopes
        token.idToken = token.idToken ?? held.token.idToken
        return token
    }
}
