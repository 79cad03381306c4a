#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who gets which token, when it is refreshed, and when the store is written: ``RefreshingToken`` without time, locks
/// and tasks.
///
/// Events go in one after the other, with the wall clock's time; actions come out, and are done in their order. Each
/// action that takes time comes back as an event of its own.
///
/// One work is under way at a time: none → loading (the store) → refreshing → checking (the store) → saving →
/// none. What another process has done to the store during a refresh, signing out say, isn't undone: checking →
/// none. After a refresh that failed the store is read again, refreshing → loading → none, since another process
/// may have been first.
/// Signing in or out gives the work up, and what comes of it later finds that its number is no longer the work's.
///
/// Between the look and the writing, another process may still write what is then written over: a store can't be asked
/// to write only where nothing has changed.
///
/// Who wants a token gets one at once if there is a usable one. All else is said only after a look into the store,
/// which other processes write too: that nobody is signed in, that the token has ended, and that the refresh has
/// failed.
struct RefreshMachine<Failure: Error>: Sendable {
    typealias Caller = Int
    typealias Number = Int

    enum Event: Sendable {
        /// A caller wants a token.
        case asked(Caller)
        /// A caller's request with this token was answered 401, and it wants another.
        case refused(Caller, TokenKey)
        case cancelled(Caller)
        case signedIn(Caller, IssuedToken)
        case signedOut(Caller)
        /// The store is done with the task that it was given last; what it loaded.
        case storeEnded(Result<IssuedToken?, Failure>)
        case refreshed(Number, IssuedToken)
        /// A passing failure says nothing about the token.
        case refreshFailed(Number, Failure, isPassing: Bool)
        case pauseEnded(Number)
        case alarmRang(Number)
    }

    enum Action: Sendable {
        case finish(Caller, Outcome)
        /// The next follows when this one has ended.
        case store(StoreTask)
        case refresh(Number, IssuedToken?)
        case cancelRefresh(Number)
        /// Keeps the service from being asked again until a while has passed.
        case pause(Number)
        /// Takes the place of the alarm before; without a date there is none.
        case setAlarm(Number, at: Date?)
        /// The store has failed, and nobody else will hear of it.
        case tell(Failure)
    }

    enum Outcome: Sendable {
        case token(IssuedToken)
        /// There is none, and no way to one but to sign in.
        case missing
        /// It has ended, and nothing refreshes it.
        case expired
        /// There is no other than the one that was refused.
        case noOther
        case failed(Failure)
        case cancelled
        /// The store holds what was signed in, or nothing any more.
        case stored
    }

    enum StoreTask: Sendable {
        case load(Number)
        case save(IssuedToken, Number)
        case signIn(IssuedToken, Caller)
        case signOut(Caller)
    }

    /// How there comes to be another token.
    enum Means: Sendable {
        /// By the refresh token of the one before.
        case refreshToken
        /// By what the provider itself knows.
        case issue
    }

    enum Holding: Sendable {
        case unknown
        case nothing
        case token(HeldToken)
    }

    enum Work: Sendable {
        case none
        /// A refresh ahead of need follows for nobody's sake.
        case loading(Number, isAhead: Bool)
        case refreshing(Number)
        /// A look at what another process has done meanwhile.
        case checking(Number, IssuedToken)
        case saving(Number)
    }

    /// Why the last refresh failed: until the token changes, or a pause has ended, it isn't tried again.
    struct Trouble: Sendable {
        let number: Number
        let failure: Failure
    }

    /// What the store holds, as far as it is known.
    enum Kept: Sendable {
        case unknown
        case known(IssuedToken?)
    }

    struct Want: Sendable {
        let refused: TokenKey?
        /// When it was refused, as far as that matters: a look into the store takes its time.
        var refusedAt: Date?
        /// Why the refresh failed that was waited for; there is no second one for who has waited for that.
        var failure: Failure?
    }

    private let means: Means
    let margins: HeldToken.Margins
    private(set) var holding = Holding.unknown
    private(set) var work = Work.none
    private(set) var trouble: Trouble?
    private var kept = Kept.unknown
    /// Who waits for the work that is under way.
    private(set) var waiters: [Caller: Want] = [:]
    /// The first is with the store.
    private(set) var storeTasks: [StoreTask] = []
    private(set) var alarm: Number?
    private var lastNumber = 0

    init(means: Means, margins: HeldToken.Margins) {
        self.means = means
        self.margins = margins
    }

    mutating func handle(_ event: Event, at now: Date) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .asked(let caller):
            ask(caller, Want(refused: nil), now, &actions)
        case .refused(let caller, let key):
            let date = margins.rejectionPause > 0 ? now : nil
            ask(caller, Want(refused: key, refusedAt: date), now, &actions)
        case .cancelled(let caller):
            if waiters.removeValue(forKey: caller) != nil { actions.append(.finish(caller, .cancelled)) }
        case .signedIn(let caller, let token):
            signIn(caller, token, now, &actions)
        case .signedOut(let caller):
            signOut(caller, now, &actions)
        case .storeEnded(let result):
            storeEnded(result, now, &actions)
        case .refreshed(let number, let token):
            guard isRefreshing(number) else { break }
            work = .checking(number, keepingOld(token))
            enqueue(.load(number), &actions)
        case .refreshFailed(let number, let failure, let isPassing):
            guard isRefreshing(number) else { break }
            failed(number, failure, isPassing: isPassing, &actions)
        case .pauseEnded(let number):
            if trouble?.number == number { trouble = nil }
        case .alarmRang(let number):
            // A token that nobody has used since isn't worth another: the next who asks for one begins anew.
            if alarm == number, case .token(let held) = holding, held.isUsed { refreshAhead(&actions) }
        }
        return actions
    }

    func isRefreshing(_ number: Number) -> Bool {
        if case .refreshing(number) = work { true } else { false }
    }

    private mutating func makeNumber() -> Number {
        lastNumber += 1
        return lastNumber
    }
}

extension RefreshMachine.Holding: Hashable {}
extension RefreshMachine.Work: Hashable {}
extension RefreshMachine.Kept: Hashable {}
extension RefreshMachine.Want: Equatable where Failure: Equatable {}
extension RefreshMachine.Want: Hashable where Failure: Hashable {}
extension RefreshMachine.StoreTask: Hashable {}
extension RefreshMachine.Trouble: Equatable where Failure: Equatable {}
extension RefreshMachine.Trouble: Hashable where Failure: Hashable {}
extension RefreshMachine: Equatable where Failure: Equatable {}
extension RefreshMachine: Hashable where Failure: Hashable {}

/// Who gets what at once, and who waits.
extension RefreshMachine {
    private mutating func ask(_ caller: Caller, _ want: Want, _ now: Date, _ actions: inout [Action]) {
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
    private mutating func noteRefusal(_ want: Want, _ now: Date) {
        guard case .token(var held) = holding, held.key == want.refused, canRefresh(held) else { return }
        held.reject(at: want.refusedAt ?? now, margins)
        holding = .token(held)
    }

    /// What a caller gets, as far as the store is known; `nil` where another token has to be asked for.
    private func verdict(on want: Want, _ now: Date) -> Outcome? {
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

    private func canRefresh(_ held: HeldToken) -> Bool {
        if case .issue = means { true } else { held.token.refreshToken != nil }
    }

    private mutating func refreshAhead(_ actions: inout [Action]) {
        guard case .none = work, trouble == nil, case .token(let held) = holding, canRefresh(held) else { return }
        beginWork(isAhead: true, &actions)
    }

    /// Looks into the store first: it isn't known yet, or another process may have refreshed the token.
    private mutating func beginWork(isAhead: Bool = false, _ actions: inout [Action]) {
        let number = makeNumber()
        work = .loading(number, isAhead: isAhead)
        enqueue(.load(number), &actions)
    }

    private mutating func finishAll(_ outcome: Outcome, _ actions: inout [Action]) {
        for caller in waiters.keys.sorted() { actions.append(.finish(caller, outcome)) }
        waiters = [:]
    }

    /// Keeps the service from being asked again, and has the store read for those who wait.
    private mutating func failed(_ number: Number, _ failure: Failure, isPassing: Bool, _ actions: inout [Action]) {
        work = .none
        trouble = Trouble(number: number, failure: failure)
        if isPassing { actions.append(.pause(number)) }
        for caller in waiters.keys { waiters[caller]?.failure = failure }
        if !waiters.isEmpty { beginWork(&actions) }
    }

    /// Answers those who needn't wait any longer.
    private mutating func settle(_ now: Date, _ actions: inout [Action]) {
        for want in waiters.values { noteRefusal(want, now) }
        for (caller, want) in waiters.sorted(by: { $0.key < $1.key }) {
            guard let outcome = verdict(on: want, now) else { continue }
            waiters[caller] = nil
            actions.append(.finish(caller, outcome))
            if case .token = outcome { markUsed() }
        }
    }

    private mutating func markUsed() {
        guard case .token(var held) = holding else { return }
        held.isUsed = true
        holding = .token(held)
    }
}

/// What becomes of the token that is held.
extension RefreshMachine {
    private mutating func signIn(_ caller: Caller, _ token: IssuedToken, _ now: Date, _ actions: inout [Action]) {
        giveUp(&actions)
        adopt(token, issuedAt: now, &actions)
        enqueue(.signIn(token, caller), &actions)
        settle(now, &actions)
        if !waiters.isEmpty { beginWork(&actions) }
    }

    private mutating func signOut(_ caller: Caller, _ now: Date, _ actions: inout [Action]) {
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
    private mutating func adopt(
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
    private func keepingOld(_ token: IssuedToken) -> IssuedToken {
        guard case .refreshToken = means, case .token(let held) = holding else { return token }
        var token = token
        token.refreshToken = token.refreshToken ?? held.token.refreshToken
        token.scopes = token.scopes ?? held.token.scopes
        token.idToken = token.idToken ?? held.token.idToken
        return token
    }
}

/// What happens with the store, which does one thing at a time.
extension RefreshMachine {
    private mutating func enqueue(_ task: StoreTask, _ actions: inout [Action]) {
        storeTasks.append(task)
        if storeTasks.count == 1 { actions.append(.store(task)) }
    }

    private mutating func storeEnded(_ result: Result<IssuedToken?, Failure>, _ now: Date, _ actions: inout [Action]) {
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
