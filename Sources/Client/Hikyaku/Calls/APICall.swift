public import HikyakuBase

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One call in flight: it is started once, any number of tasks can wait for it, and any of them can cancel it.
///
/// ```swift
/// let call = client.call(Qiita.Items(page: 2))
/// for await progress in call.progress { show(progress) }
/// let items = try await call.value
/// ```
/// or as a chain, whose closures run on the main actor:
/// ```swift
/// client.call(Qiita.Items())
///     .progress { show($0) }
///     .then { client.call(Qiita.ItemByID(id: $0[0].id)) }
///     .success { show($0) }
///     .failure { show($0.localizedDescription) }
///     .finally { hideSpinner() }
/// ```
/// A call runs to its end even if it is not stored; only ``cancel()``, ``APIClient/cancelAll(_:where:)``, a deadline
/// and the client's shutdown end it early. It has exactly one outcome, which is the same for all waiting tasks.
///
/// `Problem` is the ``APIError`` of the request, the app's own error on a ``MappedClient``, or ``AnyAPIFailure`` for a
/// chain whose calls have several failure types.
public final class APICall<Value: Sendable, Problem: Error>: Sendable {
    private let state = CallState()
    let meter: ProgressMeter
    /// The error for a task that is cancelled while it waits.
    let makeCancelled: @Sendable () -> Problem

    init(meter: ProgressMeter, makeCancelled: @escaping @Sendable () -> Problem) {
        self.meter = meter
        self.makeCancelled = makeCancelled
    }

    /// Ends the call, and all earlier calls of its chain that are in flight, with `.cancelled`; does nothing after the
    /// end.
    ///
    /// Other tasks that wait for the same call get that outcome too.
    public func cancel() {
        state.cancel()
    }

    /// The model.
    ///
    /// A task that is cancelled while it waits gets `.cancelled` at once. The call continues for others; ``cancel()``
    /// ends it.
    ///
    /// - Throws: The error that ended the call.
    public var value: Value {
        get async throws(Problem) { try await result.get() }
    }

    /// The model or the error that ended the call; see ``value``.
    public var result: Result<Value, Problem> {
        get async {
            let outcome = await state.settled()
            return outcome.map(typed) ?? .failure(makeCancelled())
        }
    }

    /// The outcome, after the call has ended.
    public var outcome: Result<Value, Problem>? { state.outcome.map(typed) }

    /// The progress in bytes of whichever call of the chain is in flight: first the latest, then each change until the
    /// call has ended.
    ///
    /// A slow reader gets only the newest progress, so nothing accumulates. Each use of the property creates a new
    /// sequence.
    public var progress: AsyncStream<CallProgress> { meter.stream }
}

extension APICall {
    /// Settles the outcome and notifies all waiting tasks; only the first call of this function has an effect.
    func settle(_ outcome: Result<Value, Problem>) {
        state.settle(TypedCallOutcome(outcome))
    }

    /// Settles the outcome of a call with its own meter, after the last progress.
    func finish(with outcome: Result<Value, Problem>) {
        meter.finish()
        settle(outcome)
    }

    /// Passes the outcome to a closure, now or when there is one.
    func whenSettled(_ take: @escaping @Sendable (Result<Value, Problem>) -> Void) {
        state.whenSettled { take(self.typed($0)) }
    }

    /// Whether the call was cancelled; work that hasn't started by then isn't needed.
    var isCancelled: Bool { state.isCancelled }

    /// Calls a closure on a queue with the outcome, and returns the call.
    func completing(
        on queue: CallbackQueue,
        _ completion: @escaping @Sendable (Result<Value, Problem>) -> Void,
    ) -> APICall {
        whenSettled { outcome in queue.run { completion(outcome) } }
        return self
    }

    /// Sets the closure that cancels the work of the call; calls it at once if the call was already cancelled.
    func cancelling(by canceller: @escaping @Sendable () -> Void) {
        state.cancelling(by: canceller)
    }

    /// The state is private, and ``settle(_:)`` gives it only outcomes of these types.
    private func typed(_ outcome: any CallOutcome) -> Result<Value, Problem> {
        let outcome: TypedCallOutcome<Value, Problem> = unsafe unsafeDowncast(
            outcome,
            to: TypedCallOutcome<Value, Problem>.self,
        )
        return outcome.result
    }
}

extension APICall: Redacted {
    /// The types and the state; the model may contain secrets.
    public var description: String {
        let standing =
            switch outcome {
            case nil: "in flight"
            case .success: "succeeded"
            case .failure(let problem as any APIFailure): "failed: \(problem.reason)"
            // The app's own error may contain a secret.
            case .failure(let problem): "failed: \(type(of: problem as Any))"
            }
        return "APICall<\(Value.self)>, \(standing)"
    }
}

/// The state of a call in flight, independent of its types.
///
/// It isn't generic. Otherwise each lock, state and closure would cost a look-up of its type: a third of the remaining
/// cost of a call.
///
/// In flight → settled, once. Before that it has waiters and a canceller, after that only an outcome.
private final class CallState: Sendable {
    private struct State: Sendable {
        /// Once it is set, it doesn't change, and all other members are empty.
        var outcome: (any CallOutcome)?
        var isCancelled = false
        /// Cancels the work that the call waits for.
        var canceller: (@Sendable () -> Void)?
        /// In the order in which they started to wait, without those that were cancelled.
        var waiters: [(id: UInt64, take: @Sendable ((any CallOutcome)?) -> Void)] = []
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    /// The outcome, after the call has ended.
    var outcome: (any CallOutcome)? { state.withLock { $0.outcome } }

    /// Whether the call was cancelled; work that hasn't started by then isn't needed.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Settles the outcome and notifies all waiting tasks; only the first call of this function has an effect.
    func settle(_ outcome: any CallOutcome) {
        // The old state is moved out and released after unlocking: the deinit of captured values may run code.
        let before: State? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            defer { state = State(outcome: outcome) }
            return state
        }
        for waiter in before?.waiters ?? [] { waiter.take(outcome) }
    }

    /// Passes the outcome to a closure, now or when there is one.
    func whenSettled(_ take: @escaping @Sendable (any CallOutcome) -> Void) {
        let outcome = wait(as: makeID()) { outcome in
            guard let outcome else { return }
            Trampoline.run { take(outcome) }
        }
        if let outcome { Trampoline.run { take(outcome) } }
    }

    /// Waits for the outcome; `nil` if the waiting task, or the call in which it waits, is cancelled first.
    func settled() async -> (any CallOutcome)? {
        if let outcome { return outcome }
        let id = makeID()
        return await CallCancellation.withHandler {
            unsafe await withUnsafeContinuation { continuation in
                let outcome = wait(as: id) { unsafe continuation.resume(returning: $0) }
                if let outcome { unsafe continuation.resume(returning: outcome) }
                // An earlier cancellation found no waiter.
                if CallCancellation.isCancelled { giveUp(id) }
            }
        } onCancel: {
            self.giveUp(id)
        }
    }

    /// Cancels the work that the call waits for.
    func cancel() {
        let canceller: (@Sendable () -> Void)? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.isCancelled = true
            return state.canceller
        }
        if let canceller { Trampoline.run(canceller) }
    }

    /// Sets the closure that cancels the work of the call; calls it at once if the call was already cancelled or has
    /// its outcome.
    func cancelling(by canceller: @escaping @Sendable () -> Void) {
        let (isOver, before) = state.withLock { state in
            let before = state.canceller
            if state.outcome == nil { state.canceller = canceller }
            return (state.isCancelled || state.outcome != nil, before)
        }
        // Released here, after unlocking.
        _ = before
        // If there is an outcome, that work is not needed.
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

/// The outcome of a call with its types erased.
private protocol CallOutcome: AnyObject, Sendable {}

/// The outcome of a call with these types.
private final class TypedCallOutcome<Value: Sendable, Problem: Error>: CallOutcome {
    let result: Result<Value, Problem>

    init(_ result: Result<Value, Problem>) {
        self.result = result
    }
}

/// Runs work that other work submits after that work, not inside it.
///
/// So a chain of any length needs no more stack than one step.
private enum Trampoline {
    /// The work that a thread still has to run.
    private final class Pending {
        var work: [@Sendable () -> Void] = []
    }

    /// The key for a thread's ``Pending`` while its first work runs. (A task-local would be inherited by the tasks that
    /// the work starts.)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// Runs the work now, or after the current work of the same thread.
    static func run(_ work: @escaping @Sendable () -> Void) {
        if let running = unsafe pthread_getspecific(key) {
            unsafe Unmanaged<Pending>.fromOpaque(running).takeUnretainedValue().work.append(work)
            return
        }
        let pending = Pending()
        withExtendedLifetime(pending) {
            unsafe pthread_setspecific(key, Unmanaged.passUnretained(pending).toOpaque())
            work()
            while !pending.work.isEmpty {
                let round = pending.work
                pending.work = []
                for work in round { work() }
            }
            pthread_setspecific(key, nil)
        }
    }
}
