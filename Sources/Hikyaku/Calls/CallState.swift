/// How a call in flight stands, whatever its types.
///
/// It knows no type of a model, and so no generic one: there each lock, state and closure would cost the look-up of its
/// type, a third of what a call costs besides.
///
/// In flight → settled, once; with waiters and a canceller before, and an outcome alone behind.
final class CallState: Sendable {
    private struct State: Sendable {
        /// Once it is there it stays, and all else is gone.
        var outcome: (any CallOutcome)?
        var isCancelled = false
        /// Ends what the call waits for.
        var canceller: (@Sendable () -> Void)?
        /// In the order in which they came, those that gave up left out.
        var waiters: [(id: UInt64, take: @Sendable ((any CallOutcome)?) -> Void)] = []
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    /// The outcome, once there is one.
    var outcome: (any CallOutcome)? { state.withLock { $0.outcome } }

    /// Whether somebody has asked for its end; what hasn't begun by then needn't.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Settles the outcome and tells all who wait; only the first does anything.
    func settle(_ outcome: any CallOutcome) {
        // What was is taken out whole, and goes after unlocking: what closures hold may run code when it does.
        let before: State? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            defer { state = State(outcome: outcome) }
            return state
        }
        for waiter in before?.waiters ?? [] { waiter.take(outcome) }
    }

    /// Gives the outcome to a closure, now or when there is one.
    func whenSettled(_ take: @escaping @Sendable (any CallOutcome) -> Void) {
        let outcome = wait(as: makeID()) { outcome in
            guard let outcome else { return }
            Trampoline.run { take(outcome) }
        }
        if let outcome { Trampoline.run { take(outcome) } }
    }

    /// Waits for the outcome; `nil` when the task that waits, or the call in which it does, is cancelled before.
    func settled() async -> (any CallOutcome)? {
        if let outcome { return outcome }
        let id = makeID()
        return await CallCancellation.withHandler {
            await withUnsafeContinuation { continuation in
                let outcome = wait(as: id) { continuation.resume(returning: $0) }
                if let outcome { continuation.resume(returning: outcome) }
                // A cancellation that came before found nobody who waits.
                if CallCancellation.isCancelled { giveUp(id) }
            }
        } onCancel: {
            self.giveUp(id)
        }
    }

    /// Asks for the end of what the call waits for.
    func cancel() {
        let canceller: (@Sendable () -> Void)? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.isCancelled = true
            return state.canceller
        }
        if let canceller { Trampoline.run(canceller) }
    }

    /// Says what ends the work that the call waits for from now on; ends it at once if the call was cancelled before,
    /// or has its outcome.
    func cancelling(by canceller: @escaping @Sendable () -> Void) {
        let (isOver, before) = state.withLock { state in
            let before = state.canceller
            if state.outcome == nil { state.canceller = canceller }
            return (state.isCancelled || state.outcome != nil, before)
        }
        // It goes here, after unlocking.
        _ = before
        // With an outcome, nobody waits for that work.
        if isOver { Trampoline.run(canceller) }
    }

    private func makeID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// - Returns: The outcome, if there is one already: then nothing waits.
    private func wait(as id: UInt64, _ take: @escaping @Sendable ((any CallOutcome)?) -> Void) -> (any CallOutcome)? {
        state.withLock { state in
            if state.outcome == nil { state.waiters.append((id, take)) }
            return state.outcome
        }
    }

    private func giveUp(_ id: UInt64) {
        let waiter = state.withLock { state in
            let index = state.waiters.firstIndex { $0.id == id }
            return index.map { state.waiters.remove(at: $0) }
        }
        waiter?.take(nil)
    }
}

/// What a call ended with, its types forgotten.
protocol CallOutcome: AnyObject, Sendable {}

/// What a call of these types ended with.
final class TypedCallOutcome<Value: Sendable, Problem: Error>: CallOutcome {
    let result: Result<Value, Problem>

    init(_ result: Result<Value, Problem>) {
        self.result = result
    }
}
