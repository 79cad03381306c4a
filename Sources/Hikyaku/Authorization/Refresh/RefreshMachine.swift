#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who gets which token, when it is refreshed, and when the store is written: ``RefreshingToken`` without time, locks and
/// tasks.
///
/// Events go in one after the other, with the wall clock's time; actions come out, and are done in their order. Each
/// action that takes time comes back as an event of its own.
///
/// One work is under way at a time: none → loading (the store) → refreshing → saving → none. Signing in or out gives the
/// work up, and what comes of it later finds that its number is no longer the work's.
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
        case loading(Number)
        case refreshing(Number)
        case saving(Number, IssuedToken)
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
    }

    let means: Means
    let margins: HeldToken.Margins
    var holding = Holding.unknown
    var work = Work.none
    var trouble: Trouble?
    var kept = Kept.unknown
    /// Who waits for the work that is under way.
    var waiters: [Caller: Want] = [:]
    /// The first is with the store.
    var storeTasks: [StoreTask] = []
    var alarm: Number?
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
            ask(caller, Want(refused: key), now, &actions)
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
            let merged = keepingOld(token)
            work = .saving(number, merged)
            enqueue(.save(merged, number), &actions)
        case .refreshFailed(let number, let failure, let isPassing):
            guard isRefreshing(number) else { break }
            work = .none
            trouble = Trouble(number: number, failure: failure)
            if isPassing { actions.append(.pause(number)) }
            finishAll(.failed(failure), &actions)
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

    mutating func makeNumber() -> Number {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - Asking

extension RefreshMachine {
    private mutating func ask(_ caller: Caller, _ want: Want, _ now: Date, _ actions: inout [Action]) {
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

    private mutating func refreshAhead(_ actions: inout [Action]) {
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

// MARK: - Signing in and out

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

    /// Drops the work that is under way, with what it would have written.
    private mutating func giveUp(_ actions: inout [Action]) {
        if case .refreshing(let number) = work { actions.append(.cancelRefresh(number)) }
        work = .none
        let waiting = storeTasks.dropFirst().filter(\.isForCaller)
        storeTasks = storeTasks.prefix(1) + waiting
    }

    /// Puts a token in the place of the one before.
    mutating func adopt(_ token: IssuedToken?, issuedAt: Date?, _ actions: inout [Action]) {
        trouble = nil
        let held = token.map { HeldToken($0, issuedAt: issuedAt, margins) }
        holding = held.map { .token($0) } ?? .nothing
        guard margins.ahead != nil else { return }
        let number = makeNumber()
        alarm = number
        actions.append(.setAlarm(number, at: held?.dueAt))
    }

    /// What a refresh doesn't tell stays as it was ([RFC 6749, section 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)).
    private func keepingOld(_ token: IssuedToken) -> IssuedToken {
        guard case .refreshToken = means, case .token(let held) = holding else { return token }
        var token = token
        token.refreshToken = token.refreshToken ?? held.token.refreshToken
        token.scopes = token.scopes ?? held.token.scopes
        token.idToken = token.idToken ?? held.token.idToken
        return token
    }
}

extension RefreshMachine.StoreTask {
    /// Whether somebody waits for this very task.
    fileprivate var isForCaller: Bool {
        switch self {
        case .load, .save: false
        case .signIn, .signOut: true
        }
    }
}

extension RefreshMachine.Holding: Hashable {}
extension RefreshMachine.Work: Hashable {}
extension RefreshMachine.Kept: Hashable {}
extension RefreshMachine.Want: Hashable {}
extension RefreshMachine.StoreTask: Hashable {}
extension RefreshMachine.Trouble: Equatable where Failure: Equatable {}
extension RefreshMachine.Trouble: Hashable where Failure: Hashable {}
extension RefreshMachine: Equatable where Failure: Equatable {}
extension RefreshMachine: Hashable where Failure: Hashable {}
