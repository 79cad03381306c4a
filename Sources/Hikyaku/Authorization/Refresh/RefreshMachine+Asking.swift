#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who gets what at once, and who waits.
extension RefreshMachine {
    mutating func ask(_ caller: Caller, _ want: Want, _ now: Date, _ actions: inout [Action]) {
        noteRefusal(want, now)
        if let outcome = verdict(on: want, now), case .token = outcome {
            actions.append(.finish(caller, outcome))
            markUsed()
            if case .token(let held) = holding, held.isDue(at: now) { refreshAhead(&actions) }
        } else {
            waiters[caller] = want
            if case .none = work { beginWork(&actions) }
        }
    }

    /// A token that can't be replaced isn't marked, or a service that answers 401 for other reasons would end the
    /// session.
    mutating func noteRefusal(_ want: Want, _ now: Date) {
        guard case .token(var held) = holding, held.key == want.refused, canRefresh(held) else { return }
        held.reject(at: want.refusedAt ?? now, margins)
        holding = .token(held)
    }

    /// What a caller gets, as far as the store is known; `nil` where another token has to be asked for.
    func verdict(on want: Want, _ now: Date) -> Outcome? {
        switch holding {
        case .unknown:
            return nil
        case .nothing:
            if let failure = trouble?.failure ?? want.failure { return .failed(failure) }
            if case .issue = means { return nil } else { return .missing }
        case .token(let held):
            if held.isUsable(at: now) { return held.key == want.refused ? .noOther : .token(held.token) }
            if let failure = trouble?.failure ?? want.failure { return .failed(failure) }
            guard !canRefresh(held) else { return nil }
            return held.key == want.refused ? .noOther : .expired
        }
    }

    func canRefresh(_ held: HeldToken) -> Bool {
        if case .issue = means { true } else { held.token.refreshToken != nil }
    }

    mutating func refreshAhead(_ actions: inout [Action]) {
        guard case .none = work, trouble == nil, case .token(let held) = holding, canRefresh(held) else { return }
        beginWork(isAhead: true, &actions)
    }

    /// Looks into the store first: it isn't known yet, or another process may have refreshed the token.
    mutating func beginWork(isAhead: Bool = false, _ actions: inout [Action]) {
        let number = makeNumber()
        work = .loading(number, isAhead: isAhead)
        enqueue(.load(number), &actions)
    }

    mutating func finishAll(_ outcome: Outcome, _ actions: inout [Action]) {
        for caller in waiters.keys.sorted() { actions.append(.finish(caller, outcome)) }
        waiters = [:]
    }

    /// Keeps the service from being asked again, and has the store read for those who wait.
    mutating func failed(_ number: Number, _ failure: Failure, isPassing: Bool, _ actions: inout [Action]) {
        work = .none
        trouble = Trouble(number: number, failure: failure)
        if isPassing { actions.append(.pause(number)) }
        for caller in waiters.keys { waiters[caller]?.failure = failure }
        if !waiters.isEmpty { beginWork(&actions) }
    }

    /// Answers those who needn't wait any longer.
    mutating func settle(_ now: Date, _ actions: inout [Action]) {
        for want in waiters.values { noteRefusal(want, now) }
        for (caller, want) in waiters.sorted(by: { $0.key < $1.key }) {
            guard let outcome = verdict(on: want, now) else { continue }
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
