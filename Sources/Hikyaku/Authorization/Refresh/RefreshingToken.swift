import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token that is refreshed when it ends or is refused, once for all calls that wait.
///
/// ```swift
/// let plain = APIClient()
/// let session = RefreshingToken(store: KeychainTokenStore(service: "app.example", account: "main")) { old in
///     try await plain.send(Auth.Refresh(token: old.refreshToken)).issuedToken
/// }
/// let client = plain.authorized(by: session, for: .qiita)
/// ```
/// The store is read when a token is first needed, and written on every refresh before anyone gets the new token. Calls
/// that need another token while a refresh is under way wait for it; one that is cancelled ends at once, and the
/// refresh goes on, since a server may have taken the old refresh token already. A call that was refused with a token
/// that has been replaced meanwhile gets the new one without a refresh.
///
/// A token that a refresh has brought and that a service rejects within 10 seconds isn't refreshed again for 10
/// seconds: calls go on with it, and those that are rejected end with the service's 401. So a service that rejects
/// every token costs one refresh in 10 seconds, and not one for each call.
///
/// A refresh that fails ends all calls that wait for it, and those that come later, until the token changes; for a
/// passing failure until a pause has ended (``RefreshOptions/retryPause``). A token whose end isn't known is used until
/// it is refused.
///
/// Several processes may share a store: it is read again before a refresh, after it, and for each call that would
/// otherwise end without a token; what another process has written there since is used. What a refresh brings is
/// dropped where another process has signed out or in meanwhile. A moment is left between that look and the writing:
/// what another process does just then is written over, and it has to sign out once more. Two that refresh at the very
/// same time aren't kept apart either: with refresh tokens that are good for one use, one of them is refused, and takes
/// what the other has written as soon as it is there.
///
/// The refresh itself must not be authorized by the token that it is to bring: where it asks for that, it gets
/// ``TokenError/refreshNeedsItself`` at once. So does a `Task` that was begun in a refresh, in the store or in
/// ``RefreshOptions/onStoreFailure``, as long as it runs: begin what is to use the token elsewhere, or detached. A
/// detached task that the refresh itself waits for isn't known as a part of it, and waits for it in turn, until
/// ``RefreshOptions/refreshTimeout``.
public final class RefreshingToken: TokenProvider {
    typealias Machine = RefreshMachine<any Error>

    struct State: Sendable {
        var machine: Machine
        var lastCaller = 0
        var continuations: [Machine.Caller: CheckedContinuation<Machine.Outcome, Never>] = [:]
        var refreshes: [Machine.Number: Task<Void, Never>] = [:]
        /// What ends refreshes that take too long.
        var bounds: [Machine.Number: HTTPClockTimer] = [:]
        var alarm: HTTPClockTimer?
        var pause: HTTPClockTimer?
    }

    /// The providers whose refreshes this task is a part of.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    private let store: any TokenStore
    private let options: RefreshOptions
    private let refresh: @Sendable (IssuedToken?) async throws -> IssuedToken
    let state: Lock<State>

    private init(
        _ means: Machine.Means,
        _ store: any TokenStore,
        _ options: RefreshOptions,
        _ refresh: @escaping @Sendable (IssuedToken?) async throws -> IssuedToken,
    ) {
        self.store = store
        self.options = options
        self.refresh = refresh
        state = Lock(State(machine: Machine(means: means, margins: options.margins)))
    }

    deinit {
        let timers = state.withLock { [$0.alarm, $0.pause].compactMap(\.self) + $0.bounds.values }
        for timer in timers { timer.cancel() }
    }

    /// Makes a provider of tokens that come with refresh tokens, after the user has signed in.
    ///
    /// - Parameters:
    ///   - store: What keeps the token between launches.
    ///   - options: When to refresh.
    ///   - refresh: Asks the service for another token; the one that it gets has a refresh token. It runs in a task of
    ///     its own, without the caller's deadline and task-local values. Where the new token comes without a refresh
    ///     token or scopes, those of the old one are kept.
    public convenience init(
        store: any TokenStore,
        options: RefreshOptions = RefreshOptions(),
        refresh: @escaping @Sendable (IssuedToken) async throws -> IssuedToken,
    ) {
        self.init(.refreshToken, store, options) { token in
            guard let token else { throw TokenError.missing }
            return try await refresh(token)
        }
    }

    /// A provider of tokens that need no refresh token, as those of client credentials.
    ///
    /// ```swift
    /// let session = RefreshingToken.issued(in: MemoryTokenStore()) { _ in try await service.newToken() }
    /// ```
    /// - Parameters:
    ///   - store: What keeps the token between launches.
    ///   - options: When to ask for another.
    ///   - issue: Asks the service for a token; it gets the one before, if there is one. Otherwise as `refresh` of the
    ///     initializer.
    /// - Returns: The provider.
    public static func issued(
        in store: any TokenStore,
        options: RefreshOptions = RefreshOptions(),
        by issue: @escaping @Sendable (IssuedToken?) async throws -> IssuedToken,
    ) -> RefreshingToken {
        RefreshingToken(.issue, store, options, issue)
    }

    /// `true`, whatever the refresh and the store wait for.
    public var endsOnCancellation: Bool { true }

    /// The token, refreshed if it has ended; a missing one where nobody is signed in.
    ///
    /// - Throws: What the store or the refresh throws; ``TokenError/expired`` where there is no refresh token;
    ///   `CancellationError` when the caller is cancelled while it waits.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        try await token { .asked($0) } ?? AccessToken(String?.none)
    }

    /// The token that has replaced the refused one, or replaces it now.
    ///
    /// - Returns: `nil` where there is no other: the old one has no refresh token, or was issued again as it was.
    /// - Throws: As ``token(for:)``.
    public func token(
        replacing refused: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>? {
        let key = TokenKey(refused)
        return try await token { .refused($0, key) }
    }

    /// Takes a token that the user has signed in for, in the place of the one before, and writes it to the store.
    ///
    /// A refresh that is under way is cancelled, and what comes of it dropped. Cancelling the caller changes nothing.
    ///
    /// - Throws: What the store throws; the token is used nevertheless.
    public func signIn(_ token: IssuedToken) async throws {
        if case .failed(let error) = await outcome({ .signedIn($0, token) }) { throw error }
    }

    /// Forgets the token, here and in the store.
    ///
    /// A refresh that is under way is cancelled, and what comes of it dropped; calls that wait for it end as those of a
    /// client that nobody is signed in to. One made by ``issued(in:options:by:)`` asks for a new token when there is
    /// next need of one. Cancelling the caller changes nothing.
    ///
    /// - Throws: What the store throws; it may have the token still, and this provider hasn't.
    public func signOut() async throws {
        if case .failed(let error) = await outcome({ .signedOut($0) }) { throw error }
    }

    private func token(
        _ event: @Sendable (Machine.Caller) -> Machine.Event
    ) async throws -> AccessToken<NotReady>? {
        guard !Self.refreshing.contains(ObjectIdentifier(self)) else { throw TokenError.refreshNeedsItself }
        switch await outcome(event) {
        case .token(let token): return token.accessToken
        case .missing: return AccessToken(String?.none)
        case .noOther, .stored: return nil
        case .expired: throw TokenError.expired
        case .failed(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }
}

extension RefreshingToken: CustomStringConvertible, CustomReflectable {
    /// What it is, without a token.
    public var description: String { "RefreshingToken with a store of type \(type(of: store))" }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["provider": description]) }
}

/// Does what the machine says, outside of the lock.
extension RefreshingToken {
    /// Tells the machine of a caller, and waits for what it gets.
    private func outcome(_ event: (Machine.Caller) -> Machine.Event) async -> Machine.Outcome {
        let caller = state.withLock { state in
            state.lastCaller += 1
            return state.lastCaller
        }
        return await CallCancellation.withHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuations[caller] = continuation }
                perform(event(caller))
                // The handler may have run before the machine knew of the caller.
                if CallCancellation.isCancelled { perform(.cancelled(caller)) }
            }
        } onCancel: {
            self.perform(.cancelled(caller))
        }
    }

    private func perform(_ event: Machine.Event) {
        let now = options.now()
        for action in state.withLock({ $0.machine.handle(event, at: now) }) { run(action) }
    }

    private func run(_ action: Machine.Action) {
        switch action {
        case .finish(let caller, let outcome):
            state.withLock { $0.continuations.removeValue(forKey: caller) }?.resume(returning: outcome)
        case .store(let task):
            detach { await self.run(task) }
        case .refresh(let number, let token):
            beginRefresh(number, token)
        case .cancelRefresh(let number):
            endRefresh(number)
        case .pause(let number):
            pause(number)
        case .setAlarm(let number, let date):
            setAlarm(number, date)
        case .tell(let error):
            options.onStoreFailure(error)
        }
    }

    /// Runs work that belongs to no caller, and so knows nothing of its deadline or cancellation.
    @discardableResult
    private func detach(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let refreshing = Self.refreshing.union([ObjectIdentifier(self)])
        return Task.detached(priority: Task.currentPriority) {
            await Self.$refreshing.withValue(refreshing, operation: work)
        }
    }

    private func run(_ task: Machine.StoreTask) async {
        let result: Result<IssuedToken?, any Error>
        do {
            result = .success(try await done(task))
        } catch {
            result = .failure(error)
        }
        perform(.storeEnded(result))
    }

    private func done(_ task: Machine.StoreTask) async throws -> IssuedToken? {
        switch task {
        case .load: return try await store.load()
        case .save(let token, _), .signIn(let token, _): try await store.save(token)
        case .signOut: try await store.remove()
        }
        return nil
    }

    private func beginRefresh(_ number: Machine.Number, _ token: IssuedToken?) {
        let task = detach {
            let event: Machine.Event
            do {
                event = .refreshed(number, try await self.refresh(token))
            } catch {
                let isPassing = self.options.isPassing ?? RefreshOptions.isPassing
                event = .refreshFailed(number, error, isPassing: isPassing(error))
            }
            self.perform(event)
            // Behind the event: from there on the task isn't put there any more, if it hasn't been yet.
            self.endRefresh(number)
        }
        let isWanted = state.withLock { state in
            guard state.machine.isRefreshing(number) else { return false }
            state.refreshes[number] = task
            return true
        }
        guard isWanted else { return task.cancel() }
        bound(number)
    }

    /// Gives a refresh up that takes too long; whoever waits for it hears of that, whatever the refresh does.
    private func bound(_ number: Machine.Number) {
        guard let timeout = options.refreshTimeout else { return }
        let timer = schedule(after: max(.zero, min(timeout, .farFuture))) { provider in
            let error = TransportError(.refreshTimeout, "refreshing the token took longer than \(timeout)")
            provider.perform(.refreshFailed(number, error, isPassing: true))
            provider.endRefresh(number)
        }
        let isLate = state.withLock { state in
            guard state.refreshes[number] != nil else { return true }
            state.bounds[number] = timer
            return false
        }
        if isLate { timer.cancel() }
    }

    private func endRefresh(_ number: Machine.Number) {
        let (task, timer) = state.withLock { state in
            (state.refreshes.removeValue(forKey: number), state.bounds.removeValue(forKey: number))
        }
        task?.cancel()
        timer?.cancel()
    }

    /// Internal so that a late one can be tested: another thread may have come by with the next failure's.
    func pause(_ number: Machine.Number) {
        let timer = schedule(after: max(.zero, min(options.retryPause, .farFuture))) { $0.perform(.pauseEnded(number)) }
        state.withLock { state -> HTTPClockTimer? in
            guard state.machine.trouble?.number == number else { return timer }
            defer { state.pause = timer }
            return state.pause
        }?.cancel()
    }

    private func setAlarm(_ number: Machine.Number, _ date: Date?) {
        let timer = date.map { date in
            let seconds = date.timeIntervalSince(options.now())
            let delay = seconds.isNaN ? 0 : max(0, min(seconds, Duration.farFuture / .seconds(1)))
            return schedule(after: .seconds(delay)) { $0.perform(.alarmRang(number)) }
        }
        state.withLock { state in
            guard state.machine.alarm == number else { return timer }
            defer { state.alarm = timer }
            return state.alarm
        }?.cancel()
    }

    /// A timer that keeps nobody alive.
    private func schedule(
        after delay: Duration,
        _ action: @escaping @Sendable (RefreshingToken) -> Void,
    ) -> HTTPClockTimer {
        options.clock.schedule(at: options.clock.now.advanced(by: delay)) { [weak self] in
            if let self { action(self) }
        }
    }
}
