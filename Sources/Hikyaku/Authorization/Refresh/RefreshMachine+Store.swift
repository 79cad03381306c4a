#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What happens with the store, which does one thing at a time.
extension RefreshMachine {
    mutating func enqueue(_ task: StoreTask, _ actions: inout [Action]) {
        storeTasks.append(task)
        if storeTasks.count == 1 { actions.append(.store(task)) }
    }

    mutating func storeEnded(_ result: Result<IssuedToken?, Failure>, _ now: Date, _ actions: inout [Action]) {
        guard !storeTasks.isEmpty else { return }
        let task = storeTasks.removeFirst()
        if let next = storeTasks.first { actions.append(.store(next)) }
        switch task {
        case .load(let number):
            loaded(number, result, now, &actions)
        case .save(let token, let number):
            saved(token, number, result.failure, now, &actions)
        case .signIn(let token, let caller):
            written(token, caller, result.failure, &actions)
        case .signOut(let caller):
            written(nil, caller, result.failure, &actions)
        }
    }

    private mutating func written(
        _ token: IssuedToken?,
        _ caller: Caller,
        _ failure: Failure?,
        _ actions: inout [Action],
    ) {
        // What is in the store instead is older than what was done here, and no news whoever wrote it.
        kept = failure == nil ? .known(token) : .unknown
        actions.append(.finish(caller, failure.map { .failed($0) } ?? .stored))
    }

    private mutating func loaded(
        _ number: Number,
        _ result: Result<IssuedToken?, Failure>,
        _ now: Date,
        _ actions: inout [Action],
    ) {
        let before = kept
        if case .success(let found) = result { kept = .known(found) }
        switch work {
        case .loading(number, let isAhead):
            looked(number, isAhead: isAhead, result, before, now, &actions)
        case .checking(number, let token):
            checked(number, token, result, before, now, &actions)
        case .none, .loading, .refreshing, .checking, .saving:
            break
        }
    }

    /// Has read the store for those who want a token.
    private mutating func looked(
        _ number: Number,
        isAhead: Bool,
        _ result: Result<IssuedToken?, Failure>,
        _ before: Kept,
        _ now: Date,
        _ actions: inout [Action],
    ) {
        var hasNews = false
        switch result {
        case .success(let found):
            hasNews = isNews(found, since: before)
            if hasNews { adoptNews(found, now, &actions) }
        case .failure(let failure):
            if case .unknown = holding {
                work = .none
                return finishAll(.failed(failure), &actions)
            }
            // The token at hand can be refreshed without it.
            actions.append(.tell(failure))
        }
        settle(now, &actions)
        guard !waiters.isEmpty || isAhead && !hasNews else { return work = .none }
        beginRefresh(number, &actions)
    }

    /// Has read the store once more with a new token at hand, which is written unless another process was there.
    private mutating func checked(
        _ number: Number,
        _ token: IssuedToken,
        _ result: Result<IssuedToken?, Failure>,
        _ before: Kept,
        _ now: Date,
        _ actions: inout [Action],
    ) {
        switch result {
        case .success(let found) where isNews(found, since: before):
            work = .none
            adoptNews(found, now, &actions)
            settle(now, &actions)
            if !waiters.isEmpty { beginWork(&actions) }
            return
        case .success:
            break
        case .failure(let failure):
            actions.append(.tell(failure))
        }
        work = .saving(number)
        enqueue(.save(token, number), &actions)
    }

    /// Takes over what another process has written.
    ///
    /// What takes the place of a token was as a rule refreshed there, a moment ago: two processes must not refresh by
    /// turns for a service that rejects every token.
    private mutating func adoptNews(_ found: IssuedToken?, _ now: Date, _ actions: inout [Action]) {
        var refreshedAt: Date?
        if case .token = holding { refreshedAt = now }
        adopt(found, issuedAt: nil, refreshedAt: refreshedAt, &actions)
    }

    private mutating func beginRefresh(_ number: Number, _ actions: inout [Action]) {
        work = .refreshing(number)
        guard case .token(let held) = holding else { return actions.append(.refresh(number, nil)) }
        actions.append(.refresh(number, held.token))
    }

    /// Whether the store has what neither this provider wrote nor has read before: another process signed in or out, or
    /// refreshed the token.
    private func isNews(_ found: IssuedToken?, since before: Kept) -> Bool {
        switch holding {
        case .unknown:
            return true
        case .nothing:
            guard case .known(let before) = before else { return false }
            return !IssuedToken.isSame(found, before)
        case .token(let held):
            guard case .known(let before) = before else { return false }
            return !IssuedToken.isSame(found, before) && !IssuedToken.isSame(found, held.token)
        }
    }

    private mutating func saved(
        _ token: IssuedToken,
        _ number: Number,
        _ failure: Failure?,
        _ now: Date,
        _ actions: inout [Action],
    ) {
        if let failure { actions.append(.tell(failure)) } else { kept = .known(token) }
        guard case .saving(number) = work else { return }
        work = .none
        adopt(token, issuedAt: now, refreshedAt: now, &actions)
        // However short it lives: it was issued just now, and asking for another would have no end.
        let key = TokenKey(token)
        for (caller, want) in waiters.sorted(by: { $0.key < $1.key }) {
            actions.append(.finish(caller, want.refused == key ? .noOther : .token(token)))
            if want.refused != key { markUsed() }
        }
        waiters = [:]
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension IssuedToken {
    /// Whether two are the same by what a service knows them by; a store may keep dates less precisely.
    fileprivate static func isSame(_ one: IssuedToken?, _ other: IssuedToken?) -> Bool {
        one?.token == other?.token && one?.refreshToken == other?.refreshToken
    }
}
