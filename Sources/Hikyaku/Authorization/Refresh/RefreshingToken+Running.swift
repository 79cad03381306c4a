#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Does what the machine says, outside of the lock.
extension RefreshingToken {
    /// Tells the machine of a caller, and waits for what it gets.
    func outcome(_ event: (Machine.Caller) -> Machine.Event) async -> Machine.Outcome {
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
            let error = TransportError(.refreshTimeout, "the token wasn't refreshed in \(timeout)")
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
