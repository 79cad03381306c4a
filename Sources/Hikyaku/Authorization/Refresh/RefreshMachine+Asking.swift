#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who gets what at once, and who waits.
extension RefreshMachine {
    mutating func ask(_ caller: Caller, _ want: Want, _ now: Date, _ actions: inout [Action]) {
        noteRefusal(want)
        if let outcome = answer(to: want, now) {
            actions.append(.finish(caller, outcome))
            guard case .token = outcome, case .token(var held) = holding else { return }
            held.isUsed = true
            holding = .token(held)
            if held.isDue(at: now) { refreshAhead(&actions) }
        } else {
            waiters[caller] = want
            if case .none = work { beginWork(&actions) }
        }
    }

    /// A token that can't be replaced isn't marked, or a service that answers 401 for other reasons would end the session.
    mutating func noteRefusal(_ want: Want) {
        guard case .token(var held) = holding, held.key == want.refused, canRefresh(held) else { return }
        held.isRefused = true
        holding = .token(held)
    }

    /// What a caller gets at once; `nil` where it has to wait.
    func answer(to want: Want, _ now: Date) -> Outcome? {
        switch holding {
        case .unknown:
            return nil
        case .nothing:
            guard case .issue = means else { return .missing }
            return trouble.map { .failed($0.failure) }
        case .token(let held):
            if held.isUsable(at: now) { return held.key == want.refused ? .noOther : .token(held.token) }
            if let trouble { return .failed(trouble.failure) }
            guard !canRefresh(held) else { return nil }
            return held.key == want.refused ? .noOther : .expired
        }
    }

    func canRefresh(_ held: HeldToken) -> Bool {
        if case .issue = means { true } else { held.token.refreshToken != nil }
    }

    mutating func refreshAhead(_ actions: inout [Action]) {
        guard case .none = work, trouble == nil, case .token(let held) = holding, canRefresh(held) else { return }
        beginWork(&actions)
    }

    /// Looks into the store first: it isn't known yet, or another process may have refreshed the token.
    mutating func beginWork(_ actions: inout [Action]) {
        let number = makeNumber()
        work = .loading(number)
        enqueue(.load(number), &actions)
    }

    mutating func finishAll(_ outcome: Outcome, _ actions: inout [Action]) {
        for caller in waiters.keys.sorted() { actions.append(.finish(caller, outcome)) }
        waiters = [:]
    }

    /// Answers those who needn't wait any longer.
    mutating func settle(_ now: Date, _ actions: inout [Action]) {
        for want in waiters.values { noteRefusal(want) }
        for (caller, want) in waiters.sorted(by: { $0.key < $1.key }) {
            guard let outcome = answer(to: want, now) else { continue }
            waiters[caller] = nil
            actions.append(.finish(caller, outcome))
            if case .token = outcome { markUsed() }
        }
    }

    mutating func markUsed() {
        guard case .token(var held) = holding else { return }
        held.isUsed = true
        holding = .token(held)
    }
}
