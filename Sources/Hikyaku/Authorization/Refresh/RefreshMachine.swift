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

    mutating func makeNumber() -> Number {
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
