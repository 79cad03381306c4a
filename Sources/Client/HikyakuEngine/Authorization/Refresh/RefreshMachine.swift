#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state machine of ``RefreshingToken``, without time, locks and tasks: which caller gets which token, when it is
/// refreshed, and when the store is written.
///
/// Events go in one after another, with the time of the wall clock; actions come out, and are performed in order. Each
/// action that takes time returns as its own event.
///
/// One piece of work runs at a time: none → loading (the store) → refreshing → checking (the store) → saving
/// → none. A change that another process made to the store during a refresh, such as signing out, is kept: checking
/// → none. After a failed refresh the store is read again, refreshing → loading → none, since another process may
/// have refreshed the token first. Signing in or out abandons the work; its later results have an outdated number and
/// are ignored.
///
/// Between checking and saving, another process may still write a token, which is then overwritten: a store has no
/// conditional write.
///
/// A caller gets a usable token at once if there is one. Everything else needs a look into the store first, since other
/// processes write it too: that no user is signed in, that the token has expired, and that the refresh has failed.
struct RefreshMachine<Failure: Error>: Sendable {
    typealias Caller = Int
    typealias Number = Int

    enum Event: Sendable {
        /// A caller needs a token.
        case requested(Caller)
        /// A caller's request with this token was rejected with 401, and the caller needs another one.
        case rejected(Caller, TokenKey)
        case cancelled(Caller)
        case signedIn(Caller, IssuedToken)
        case signedOut(Caller)
        /// The store has finished its last task; the result is what it loaded.
        case storeEnded(Result<IssuedToken?, Failure>)
        case refreshed(Number, IssuedToken)
        /// A transient failure says nothing about the token.
        case refreshFailed(Number, Failure, isTransient: Bool)
        case pauseEnded(Number)
        case alarmFired(Number)
    }

    enum Action: Sendable {
        case finish(Caller, Outcome)
        /// The next task starts when this one has ended.
        case store(StoreTask)
        case refresh(Number, IssuedToken?)
        case cancelRefresh(Number)
        /// Prevents another refresh for a while.
        case pause(Number)
        /// Replaces the previous alarm; without a date there is none.
        case setAlarm(Number, at: Date?)
        /// The store has failed, and no caller gets the error.
        case reportStoreFailure(Failure)
    }

    enum Outcome: Sendable {
        case token(IssuedToken)
        /// There is no token; the user must sign in.
        case missing
        /// The token has expired, and can't be refreshed.
        case expired
        /// There is no other token than the rejected one.
        case noOther
        case failed(Failure)
        case cancelled
        /// The store holds the token of the sign-in, or none after signing out.
        case stored
    }

    enum StoreTask: Hashable, Sendable {
        case load(Number)
        case save(IssuedToken, Number)
        case signIn(IssuedToken, Caller)
        case signOut(Caller)
    }

    /// How a new token is obtained.
    enum Means: Sendable {
        /// With the refresh token of the previous one.
        case refreshToken
        /// With the provider's own credentials.
        case issue
    }

    enum Holding: Hashable, Sendable {
        case unknown
        case nothing
        case token(HeldToken)
    }

    enum Work: Hashable, Sendable {
        case none
        /// With `isAhead`, a proactive refresh follows, for which no caller waits.
        case loading(Number, isAhead: Bool)
        case refreshing(Number)
        /// Checks whether another process has changed the store meanwhile.
        case checking(Number, IssuedToken)
        case saving(Number)
    }

    /// Why the last refresh failed: it isn't repeated until the token changes, or a pause has ended.
    struct LastFailure: Sendable {
        let number: Number
        let failure: Failure
    }

    /// The content of the store, as far as it is known.
    enum Kept: Hashable, Sendable {
        case unknown
        case known(IssuedToken?)
    }

    struct Waiter: Sendable {
        let rejected: TokenKey?
        /// When the token was rejected, since reading the store takes time.
        var rejectedAt: Date?
        /// The failure of the refresh that the caller waited for; it doesn't wait for a second refresh.
        var failure: Failure?
    }

    private let means: Means
    let margins: HeldToken.Margins
    private(set) var holding = Holding.unknown
    private(set) var work = Work.none
    private(set) var lastFailure: LastFailure?
    private var kept = Kept.unknown
    /// The callers that wait for the current work.
    private(set) var waiters: [Caller: Waiter] = [:]
    /// The first task is running.
    private(set) var storeTasks: [StoreTask] = []
    private(set) var alarm: Number?
    private var lastNumber = 0
    /// The actions of the event that is being handled; empty between events.
    private var actions: [Action] = []

    init(means: Means, margins: HeldToken.Margins) {
        self.means = means
        self.margins = margins
    }

    mutating func handle(_ event: Event, at now: Date) -> [Action] {
        defer { actions = [] }
        switch event {
        case .requested(let caller):
            admit(caller, Waiter(rejected: nil), now)
        case .rejected(let caller, let key):
            let date = margins.rejectionPause > 0 ? now : nil
            admit(caller, Waiter(rejected: key, rejectedAt: date), now)
        case .cancelled(let caller):
            if waiters.removeValue(forKey: caller) != nil { actions.append(.finish(caller, .cancelled)) }
        case .signedIn(let caller, let token):
            signIn(caller, token, now)
        case .signedOut(let caller):
            signOut(caller, now)
        case .storeEnded(let result):
            storeEnded(result, now)
        case .refreshed(let number, let token):
            guard isRefreshing(number) else { break }
            work = .checking(number, keepingOld(token))
            enqueue(.load(number))
        case .refreshFailed(let number, let failure, let isTransient):
            guard isRefreshing(number) else { break }
            failed(number, failure, isTransient: isTransient)
        case .pauseEnded(let number):
            if lastFailure?.number == number { lastFailure = nil }
        case .alarmFired(let number):
            // A token that was not used since isn't refreshed; the next caller that needs one starts the work.
            if alarm == number, case .token(let held) = holding, held.isUsed { refreshAhead() }
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

extension RefreshMachine.Action: Equatable where Failure: Equatable {}
extension RefreshMachine.Action: Hashable where Failure: Hashable {}
extension RefreshMachine.Outcome: Equatable where Failure: Equatable {}
extension RefreshMachine.Outcome: Hashable where Failure: Hashable {}
extension RefreshMachine.Waiter: Equatable where Failure: Equatable {}
extension RefreshMachine.Waiter: Hashable where Failure: Hashable {}
extension RefreshMachine.LastFailure: Equatable where Failure: Equatable {}
extension RefreshMachine.LastFailure: Hashable where Failure: Hashable {}
extension RefreshMachine: Equatable where Failure: Equatable {}
extension RefreshMachine: Hashable where Failure: Hashable {}

/// Which caller gets a result at once, and which one waits.
extension RefreshMachine {
    private mutating func admit(_ caller: Caller, _ waiter: Waiter, _ now: Date) {
        recordRejection(waiter, now)
        if let outcome = verdict(on: waiter, now), case .token = outcome {
            actions.append(.finish(caller, outcome))
            markUsed()
            if case .token(let held) = holding, held.isDue(at: now) { refreshAhead() }
        } else {
            waiters[caller] = waiter
            if case .none = work { beginWork() }
        }
    }

    /// A token that can't be replaced isn't marked.
    ///
    /// Otherwise a service that responds with 401 for other reasons would end the session.
    private mutating func recordRejection(_ waiter: Waiter, _ now: Date) {
        guard case .token(var held) = holding, held.key == waiter.rejected, canRefresh(held) else { return }
        held.reject(at: waiter.rejectedAt ?? now, margins)
        holding = .token(held)
    }

    /// The result for a caller, as far as the store is known; `nil` if another token is needed.
    private func verdict(on waiter: Waiter, _ now: Date) -> Outcome? {
        let failed = (lastFailure?.failure ?? waiter.failure).map { Outcome.failed($0) }
        switch holding {
        case .unknown:
            return nil
        case .nothing:
            return failed ?? (means == .issue ? nil : .missing)
        case .token(let held):
            let isRejected = held.key == waiter.rejected
            if held.isUsable(at: now) { return isRejected ? .noOther : .token(held.token) }
            return failed ?? (canRefresh(held) ? nil : isRejected ? .noOther : .expired)
        }
    }

    private func canRefresh(_ held: HeldToken) -> Bool {
        means == .issue || held.token.refreshToken != nil
    }

    private mutating func refreshAhead() {
        guard case .none = work, lastFailure == nil, case .token(let held) = holding, canRefresh(held) else { return }
        beginWork(isAhead: true)
    }

    /// Reads the store first: it isn't known yet, or another process may have refreshed the token.
    private mutating func beginWork(isAhead: Bool = false) {
        let number = makeNumber()
        work = .loading(number, isAhead: isAhead)
        enqueue(.load(number))
    }

    private mutating func finishAll(_ outcome: Outcome) {
        for caller in waiters.keys.sorted() { actions.append(.finish(caller, outcome)) }
        waiters = [:]
    }

    /// Prevents another refresh for a while, and reads the store for the waiting callers.
    private mutating func failed(_ number: Number, _ failure: Failure, isTransient: Bool) {
        work = .none
        lastFailure = LastFailure(number: number, failure: failure)
        if isTransient { actions.append(.pause(number)) }
        for caller in waiters.keys { waiters[caller]?.failure = failure }
        if !waiters.isEmpty { beginWork() }
    }

    /// Finishes the callers that don't need to wait any longer.
    private mutating func settle(_ now: Date) {
        for waiter in waiters.values { recordRejection(waiter, now) }
        for (caller, waiter) in waiters.sorted(by: { $0.key < $1.key }) {
            guard let outcome = verdict(on: waiter, now) else { continue }
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

/// Changes of the held token.
extension RefreshMachine {
    private mutating func signIn(_ caller: Caller, _ token: IssuedToken, _ now: Date) {
        giveUp()
        adopt(token, issuedAt: now)
        enqueue(.signIn(token, caller))
        settle(now)
        if !waiters.isEmpty { beginWork() }
    }

    private mutating func signOut(_ caller: Caller, _ now: Date) {
        giveUp()
        adopt(nil, issuedAt: nil)
        finishAll(.missing)
        enqueue(.signOut(caller))
    }

    /// Abandons the current work.
    ///
    /// Its store task still runs before the next one; the result is ignored.
    private mutating func giveUp() {
        if case .refreshing(let number) = work { actions.append(.cancelRefresh(number)) }
        work = .none
    }

    /// Replaces the previous token.
    private mutating func adopt(_ token: IssuedToken?, issuedAt: Date?, refreshedAt: Date? = nil) {
        lastFailure = nil
        for caller in waiters.keys { waiters[caller]?.failure = nil }
        let held = token.map { HeldToken($0, issuedAt: issuedAt, refreshedAt: refreshedAt, margins) }
        holding = held.map { .token($0) } ?? .nothing
        guard margins.ahead != nil else { return }
        let number = makeNumber()
        alarm = number
        actions.append(.setAlarm(number, at: held?.dueAt))
    }

    /// Members that a refresh doesn't return keep their values ([RFC 6749, section
    /// 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)).
    private func keepingOld(_ token: IssuedToken) -> IssuedToken {
        guard means == .refreshToken, case .token(let held) = holding else { return token }
        var token = token
        token.refreshToken = token.refreshToken ?? held.token.refreshToken
        token.scopes = token.scopes ?? held.token.scopes
        token.idToken = token.idToken ?? held.token.idToken
        return token
    }
}

/// Tasks of the store, which run one at a time.
extension RefreshMachine {
    private mutating func enqueue(_ task: StoreTask) {
        storeTasks.append(task)
        if storeTasks.count == 1 { actions.append(.store(task)) }
    }

    private mutating func storeEnded(_ result: Result<IssuedToken?, Failure>, _ now: Date) {
        guard !storeTasks.isEmpty else { return }
        let task = storeTasks.removeFirst()
        if let next = storeTasks.first { actions.append(.store(next)) }
        switch task {
        case .load(let number):
            loaded(number, result, now)
        case .save(let token, let number):
            saved(token, number, result.failure, now)
        case .signIn(let token, let caller):
            written(token, caller, result.failure)
        case .signOut(let caller):
            written(nil, caller, result.failure)
        }
    }

    private mutating func written(_ token: IssuedToken?, _ caller: Caller, _ failure: Failure?) {
        // The content of the store is older than this change, and is not news, whichever process wrote it.
        kept = failure == nil ? .known(token) : .unknown
        actions.append(.finish(caller, failure.map { .failed($0) } ?? .stored))
    }

    private mutating func loaded(_ number: Number, _ result: Result<IssuedToken?, Failure>, _ now: Date) {
        let before = kept
        if case .success(let found) = result { kept = .known(found) }
        switch work {
        case .loading(number, let isAhead):
            if case .unknown = holding, let failure = result.failure {
                work = .none
                return finishAll(.failed(failure))
            }
            let hasNews = adoptNews(in: result, since: before, now)
            settle(now)
            if !waiters.isEmpty || isAhead && !hasNews { beginRefresh(number) } else { work = .none }
        case .checking(number, let token):
            if adoptNews(in: result, since: before, now) {
                work = .none
                settle(now)
                if !waiters.isEmpty { beginWork() }
            } else {
                work = .saving(number)
                enqueue(.save(token, number))
            }
        case .none, .loading, .refreshing, .checking, .saving:
            break
        }
    }

    /// Adopts a token that another process has written.
    ///
    /// It was usually refreshed there a moment ago: two processes must not take turns refreshing for a service that
    /// rejects every token.
    ///
    /// - Returns: Whether there was one. After a failure of the store there is none: the held token can be used without
    ///   it.
    private mutating func adoptNews(
        in result: Result<IssuedToken?, Failure>,
        since before: Kept,
        _ now: Date,
    ) -> Bool {
        switch result {
        case .success(let found):
            guard isNews(found, since: before) else { return false }
            var refreshedAt: Date?
            if case .token = holding { refreshedAt = now }
            adopt(found, issuedAt: nil, refreshedAt: refreshedAt)
            return true
        case .failure(let failure):
            actions.append(.reportStoreFailure(failure))
            return false
        }
    }

    private mutating func beginRefresh(_ number: Number) {
        work = .refreshing(number)
        guard case .token(let held) = holding else { return actions.append(.refresh(number, nil)) }
        actions.append(.refresh(number, held.token))
    }

    /// Whether the store has a token that this provider neither wrote nor read before: another process signed in or
    /// out, or refreshed the token.
    private func isNews(_ found: IssuedToken?, since before: Kept) -> Bool {
        if case .unknown = holding { return true }
        guard case .known(let before) = before, !IssuedToken.isSame(found, before) else { return false }
        guard case .token(let held) = holding else { return true }
        return !IssuedToken.isSame(found, held.token)
    }

    private mutating func saved(_ token: IssuedToken, _ number: Number, _ failure: Failure?, _ now: Date) {
        if let failure { actions.append(.reportStoreFailure(failure)) } else { kept = .known(token) }
        guard case .saving(number) = work else { return }
        work = .none
        adopt(token, issuedAt: now, refreshedAt: now)
        // However short its lifetime: it was just issued, and requesting another one would never end.
        let key = TokenKey(token.accessToken)
        for (caller, waiter) in waiters.sorted(by: { $0.key < $1.key }) {
            actions.append(.finish(caller, waiter.rejected == key ? .noOther : .token(token)))
            if waiter.rejected != key { markUsed() }
        }
        waiters = [:]
    }
}

extension IssuedToken {
    /// Whether two tokens are the same for a service; a store may keep dates less precisely.
    fileprivate static func isSame(_ one: IssuedToken?, _ other: IssuedToken?) -> Bool {
        one?.token == other?.token && one?.refreshToken == other?.refreshToken
    }
}
