public import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token that is refreshed when it expires or is rejected, single-flight for all calls that wait.
///
/// ```swift
/// let plain = APIClient()
/// let session = RefreshingToken(store: FileTokenStore(path: "/var/lib/reader/token.json")) { old in
///     try await plain.send(Auth.Refresh(token: old.refreshToken)).issuedToken
/// }
/// let client = plain.authorized(by: session, for: .qiita)
/// ```
/// The store is read when a token is first needed, and written on every refresh before any caller gets the new token.
/// Calls that need another token during a refresh wait for it. A call that is cancelled ends at once, and the refresh
/// continues, since a server may already have used up the old refresh token. A call whose token was rejected, but has
/// been replaced meanwhile, gets the new one without a refresh.
///
/// If a service rejects a refreshed token within 10 seconds, it isn't refreshed again for 10 seconds: calls continue to
/// use it, and rejected ones end with the service's 401. So a service that rejects every token costs one refresh in 10
/// seconds, instead of one for each call.
///
/// A failed refresh fails all calls that wait for it, and later ones until the token changes. After a transient failure
/// it is only until the back-off has ended (``RefreshOptions/backOff``). A token with an unknown expiry is used
/// until it is rejected.
///
/// Several processes may share a store: it is read again before a refresh, after it, and for each call that would
/// otherwise end without a token. A token that another process has written there is used. The result of a refresh is
/// dropped if another process has signed out or in meanwhile. There is a short window between this check and the
/// writing: a change that another process makes in it is overwritten, so it has to sign out again. Two simultaneous
/// refreshes are not prevented either: with one-time refresh tokens, one of them is rejected, and that process uses the
/// other's token as soon as it is stored.
///
/// The refresh itself must not be authorized with the token that it replaces: if it needs that token, it gets
/// ``TokenError/refreshNeedsItself`` at once. So does a `Task` that was started in a refresh, in the store or in
/// ``RefreshOptions/onStoreFailure``, as long as it runs: start a task that uses the token elsewhere, or detached. A
/// detached task that the refresh itself waits for isn't recognized as a part of it. It waits for the refresh in turn,
/// until ``RefreshOptions/refreshTimeout``.
public final class RefreshingToken: TokenProvider {
    typealias Machine = RefreshMachine<any Error>

    struct State: Sendable {
        var machine: Machine
        var lastCaller = 0
        var continuations: [Machine.Caller: CheckedContinuation<Machine.Outcome, Never>] = [:]
        var refreshes: [Machine.Number: Task<Void, Never>] = [:]
        /// The timers that end refreshes at their timeout.
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

    /// Creates a provider for tokens with refresh tokens, after the user has signed in.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the token between launches.
    ///   - options: When to refresh.
    ///   - refresh: Requests another token from the service; the token that it gets has a refresh token. It runs in its
    ///     own task, without the caller's deadline and task-local values. If the new token has no refresh token or
    ///     scopes, those of the old one are kept.
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

    /// A provider for tokens without refresh tokens, such as those of client credentials.
    ///
    /// ```swift
    /// let plain = APIClient()
    /// let session = RefreshingToken.issued(in: MemoryTokenStore()) { _ in
    ///     try await plain.send(Auth.NewToken(scope: "orders")).issuedToken
    /// }
    /// ```
    /// - Parameters:
    ///   - store: The store that keeps the token between launches.
    ///   - options: When to request another token.
    ///   - issue: Requests a token from the service; it gets the previous one, if there is one. Otherwise like
    ///     `refresh` of the initializer.
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

    /// The token, refreshed if it has expired; a missing one if no user is signed in.
    ///
    /// - Throws: The error of the store or the refresh; ``TokenError/expired`` without a refresh token;
    ///   `CancellationError` if the caller is cancelled while it waits.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        try await token { .requested($0) } ?? AccessToken(String?.none)
    }

    /// As the options say.
    public func isRejection(_ response: HTTPResponse) -> Bool { options.isRejection(response) }

    /// The token that has replaced the rejected one, or replaces it now.
    ///
    /// - Returns: `nil` if there is no other: the old one has no refresh token, or the same token was issued again.
    /// - Throws: As ``token(for:)``.
    public func token(
        replacing rejected: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>? {
        let key = TokenKey(rejected)
        return try await token { .rejected($0, key) }
    }

    /// Replaces the previous token with that of a sign-in, and writes it to the store.
    ///
    /// A refresh in flight is cancelled, and its result dropped. Cancelling the caller has no effect.
    ///
    /// - Throws: The error of the store; the token is used nevertheless.
    public func signIn(_ token: IssuedToken) async throws {
        if case .failed(let error) = await outcome({ .signedIn($0, token) }) { throw error }
    }

    /// Deletes the token, here and in the store.
    ///
    /// A refresh in flight is cancelled, and its result dropped; calls that wait for it fail like those of a client
    /// without a signed-in user. A provider from ``issued(in:options:by:)`` requests a new token when one is next
    /// needed. Cancelling the caller has no effect.
    ///
    /// - Throws: The error of the store; it may still have the token, but this provider does not.
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

extension RefreshingToken: Redacted {
    /// A description without the token.
    public var description: String { "RefreshingToken with a store of type \(type(of: store))" }
}

/// Performs the actions of the machine, outside the lock.
extension RefreshingToken {
    /// Passes a caller's event to the machine, and waits for the outcome.
    private func outcome(_ event: (Machine.Caller) -> Machine.Event) async -> Machine.Outcome {
        let caller = state.withLock { state in
            state.lastCaller += 1
            return state.lastCaller
        }
        return await CallCancellation.withHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuations[caller] = continuation }
                perform(event(caller))
                // The handler may have run before the machine had the caller.
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
            detach { self.perform(.storeEnded(await Result { try await self.done(task) })) }
        case .refresh(let number, let token):
            beginRefresh(number, token)
        case .cancelRefresh(let number):
            endRefresh(number)
        case .pause(let number):
            pause(number)
        case .setAlarm(let number, let date):
            setAlarm(number, date)
        case .reportStoreFailure(let error):
            options.onStoreFailure(error)
        }
    }

    /// Runs work that belongs to no caller, without a caller's deadline or cancellation.
    @discardableResult
    private func detach(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let refreshing = Self.refreshing.union([ObjectIdentifier(self)])
        return UnstructuredTask.startDetached {
            await Self.$refreshing.withValue(refreshing, operation: work)
        }
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
                let isTransient = (self.options.isTransient ?? RefreshOptions.isTransient)(error)
                let rejection = isTransient || token == nil ? nil : TransportError(rejectionOfRefresh: error)
                event = .refreshFailed(number, rejection ?? error, isTransient: isTransient)
            }
            self.perform(event)
            // After the event: from there on the task is no longer stored, if it hasn't been yet.
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

    /// Abandons a refresh at its timeout; its callers get the error, even if the refresh doesn't return.
    private func bound(_ number: Machine.Number) {
        guard let timeout = options.refreshTimeout else { return }
        let timer = schedule(after: max(.zero, min(timeout, .farFuture))) { provider in
            let error = CredentialCause.refreshTimeout.error("refreshing the token took longer than \(timeout)")
            provider.perform(.refreshFailed(number, error, isTransient: true))
            provider.endRefresh(number)
        }
        keep(timer, at: \.bounds[number]) { $0.refreshes[number] != nil }
    }

    private func endRefresh(_ number: Machine.Number) {
        let (task, timer) = state.withLock { state in
            (state.refreshes.removeValue(forKey: number), state.bounds.removeValue(forKey: number))
        }
        task?.cancel()
        timer?.cancel()
    }

    /// No `Retry-After` of the authorization server counts for longer.
    private static var retryAfterMax: Duration { .seconds(3600) }

    /// Internal for a test of a late timer: another thread may already have set the pause for the next failure.
    func pause(_ number: Machine.Number) {
        let stated = (state.withLock(\.machine.lastFailure)?.failure as? any InnerFailure)?.retryAfter ?? .zero
        let pause = max(options.backOff, min(stated, Self.retryAfterMax))
        let timer = schedule(after: max(.zero, min(pause, .farFuture))) { $0.perform(.pauseEnded(number)) }
        keep(timer, at: \.pause) { $0.machine.lastFailure?.number == number }
    }

    private func setAlarm(_ number: Machine.Number, _ date: Date?) {
        let timer = date.map { date in
            let seconds = date.timeIntervalSince(options.now())
            let delay = seconds.isNaN ? 0 : max(0, min(seconds, Duration.farFuture / .seconds(1)))
            return schedule(after: .seconds(delay)) { $0.perform(.alarmFired(number)) }
        }
        keep(timer, at: \.alarm) { $0.machine.alarm == number }
    }

    /// Replaces a timer, unless the new one isn't needed any more; the other one of the two is cancelled.
    private func keep(
        _ timer: HTTPClockTimer?,
        at path: WritableKeyPath<State, HTTPClockTimer?>,
        if isNeeded: (State) -> Bool,
    ) {
        state.withLock { state in
            guard isNeeded(state) else { return timer }
            defer { state[keyPath: path] = timer }
            return state[keyPath: path]
        }?.cancel()
    }

    /// A timer that doesn't keep the provider alive.
    private func schedule(
        after delay: Duration,
        _ action: @escaping @Sendable (RefreshingToken) -> Void,
    ) -> HTTPClockTimer {
        options.clock.schedule(at: options.clock.now.advanced(by: delay)) { [weak self] in
            if let self { action(self) }
        }
    }
}

extension TransportError {
    /// The error of calls whose token can't be refreshed any more; `nil` if the refresh failed for another reason.
    fileprivate init?(rejectionOfRefresh error: any Error) {
        guard let failure = error as? any InnerFailure, failure.isOfResponse,
            failure.status == .badRequest || failure.status == .unauthorized
        else { return nil }
        self = CredentialCause.rejectedRefresh.error(
            "the refresh was rejected: \(failure.line)",
            underlyingError: error,
        )
    }
}
