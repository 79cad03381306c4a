import Hikyaku

/// What a stream and its iterators share; the subscriber is forgotten with the last of them.
final class BroadcastSubscription<Model: Sendable>: Sendable {
    private let core: BroadcastCore<Model>
    private let subscriber: BroadcastSubscriber<Model>

    init(_ core: BroadcastCore<Model>, _ policy: BroadcastPolicy, known: Model?) {
        self.core = core
        subscriber = core.add(policy, known: known)
    }

    deinit {
        core.forget(subscriber)
    }

    var lostCount: Int { core.lostCount(of: subscriber) }

    func next(isolation: isolated (any Actor)?) async -> Model? {
        while true {
            switch look(tellingLosses: false) {
            case .value(let value): return value
            case .ended: return nil
            case .nothing, .lost: break
            }
            if let value = await wait(tellingLosses: false, isolation: isolation) { return value }
        }
    }

    func nextEvent(isolation: isolated (any Actor)?) async -> BroadcastStream<Model>.Event? {
        while true {
            switch look(tellingLosses: true) {
            case .value(let value): return .value(value)
            case .lost(let count): return .lost(count)
            case .ended: return nil
            case .nothing: break
            }
            if let value = await wait(tellingLosses: true, isolation: isolation) { return .value(value) }
        }
    }

    private func look(tellingLosses: Bool) -> BroadcastTaken<Model> {
        if Task.isCancelled { core.forget(subscriber) }
        return core.take(for: subscriber, tellingLosses: tellingLosses)
    }

    /// - Returns: The next value, or `nil` where it has to be looked for again.
    private func wait(tellingLosses: Bool, isolation: isolated (any Actor)?) async -> Model? {
        await withTaskCancellationHandler(
            operation: {
                await withUnsafeContinuation(isolation: isolation) { waiter in
                    core.wait(waiter, for: subscriber, tellingLosses: tellingLosses)
                }
            },
            onCancel: { core.forget(subscriber) },
            isolation: isolation,
        )
    }
}
