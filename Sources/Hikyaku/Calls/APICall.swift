import HikyakuBase

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One call in flight: started once, watched by as many as like, cancelled by any of them.
///
/// ```swift
/// let call = client.call(Qiita.Items(page: 2))
/// for await progress in call.progress { show(progress) }
/// let items = try await call.value
/// ```
/// or as a chain, whose closures run on the main actor:
/// ```swift
/// client.call(Qiita.Items())
///     .progress { bar.show($0) }
///     .then { client.call(Qiita.ItemByID(id: $0[0].id)) }
///     .success { show($0) }
///     .failure { show($0.localizedDescription) }
///     .finally { spinner.stop() }
/// ```
/// A call runs to its end whether or not anybody keeps it; only ``cancel()``, ``APIClient/cancelAll(_:where:)``, a
/// deadline and the client's shutdown end it early. It has exactly one outcome, the same for all who ask.
///
/// `Problem` is the ``APIError`` of the request, the app's own error on a ``MappedClient``, or ``AnyAPIFailure`` where
/// a chain has calls with several failures.
public final class APICall<Value: Sendable, Problem: Error>: Sendable {
    private let state = CallState()
    let meter: ProgressMeter
    /// What those get who give up waiting.
    let makeCancelled: @Sendable () -> Problem

    init(meter: ProgressMeter, makeCancelled: @escaping @Sendable () -> Problem) {
        self.meter = meter
        self.makeCancelled = makeCancelled
    }

    /// Ends the call, and all that the chain before it has in flight, with `.cancelled`; does nothing once it is over.
    ///
    /// Who else waits for the same call gets that outcome too.
    public func cancel() {
        state.cancel()
    }

    /// The model.
    ///
    /// A task that is cancelled while it waits gets `.cancelled` at once; the call goes on for others, and is ended by
    /// ``cancel()``.
    ///
    /// - Throws: What ended the call.
    public var value: Value {
        get async throws(Problem) { try await result.get() }
    }

    /// The model or what ended the call; see ``value``.
    public var result: Result<Value, Problem> {
        get async {
            let outcome = await state.settled()
            return outcome.map(typed) ?? .failure(makeCancelled())
        }
    }

    /// The outcome, once there is one.
    public var outcome: Result<Value, Problem>? { state.outcome.map(typed) }

    /// How far the bytes have come, of whichever call of the chain is in flight: the latest first, then each change,
    /// until the call is over.
    ///
    /// Whoever is slower than the bytes gets the newest, so that nothing piles up. Each use of the property is a
    /// sequence of its own.
    public var progress: AsyncStream<CallProgress> { meter.stream }
}

extension APICall {
    /// Settles the outcome and tells all who wait; only the first does anything.
    func settle(_ outcome: Result<Value, Problem>) {
        state.settle(TypedCallOutcome(outcome))
    }

    /// Settles the outcome of a call with a meter of its own, behind the last progress.
    func finish(with outcome: Result<Value, Problem>) {
        meter.finish()
        settle(outcome)
    }

    /// Gives the outcome to a closure, now or when there is one.
    func whenSettled(_ take: @escaping @Sendable (Result<Value, Problem>) -> Void) {
        state.whenSettled { take(self.typed($0)) }
    }

    /// Whether somebody has asked for its end; what hasn't begun by then needn't.
    var isCancelled: Bool { state.isCancelled }

    /// Calls a closure on the main actor with the outcome, and returns the call.
    func completing(_ completion: @escaping @MainActor @Sendable (Result<Value, Problem>) -> Void) -> APICall {
        completing(on: .main) { outcome in MainActor.assumeIsolated { completion(outcome) } }
    }

    /// Calls a closure on a queue with the outcome, and returns the call.
    func completing(
        on queue: CallbackQueue,
        _ completion: @escaping @Sendable (Result<Value, Problem>) -> Void,
    ) -> APICall {
        whenSettled { outcome in queue.run { completion(outcome) } }
        return self
    }

    /// Says what ends the work that the call waits for from now on; ends it at once if the call was cancelled before.
    func cancelling(by canceller: @escaping @Sendable () -> Void) {
        state.cancelling(by: canceller)
    }

    /// The state is private, and ``settle(_:)`` gives it no outcome of other types.
    private func typed(_ outcome: any CallOutcome) -> Result<Value, Problem> {
        let outcome: TypedCallOutcome<Value, Problem> = unsafe unsafeDowncast(
            outcome,
            to: TypedCallOutcome<Value, Problem>.self,
        )
        return outcome.result
    }
}

extension APICall: CustomStringConvertible, CustomReflectable {
    /// The types, and how it stands; the model may hold secrets.
    public var description: String {
        let standing =
            switch outcome {
            case nil: "in flight"
            case .success: "succeeded"
            case .failure(let problem as any APIFailure): "failed: \(problem.reason)"
            // An error of the app's own may hold a secret.
            case .failure(let problem): "failed: \(type(of: problem as Any))"
            }
        return "APICall<\(Value.self)>, \(standing)"
    }

    /// The description, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["call": description]) }
}

/// How a call in flight stands, whatever its types.
///
/// It knows no type of a model, and so no generic one: there each lock, state and closure would cost the look-up of its
/// type, a third of what a call costs besides.
///
/// In flight → settled, once; with waiters and a canceller before, and an outcome alone behind.
private final class CallState: Sendable {
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
            unsafe await withUnsafeContinuation { continuation in
                let outcome = wait(as: id) { unsafe continuation.resume(returning: $0) }
                if let outcome { unsafe continuation.resume(returning: outcome) }
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
private protocol CallOutcome: AnyObject, Sendable {}

/// What a call of these types ended with.
private final class TypedCallOutcome<Value: Sendable, Problem: Error>: CallOutcome {
    let result: Result<Value, Problem>

    init(_ result: Result<Value, Problem>) {
        self.result = result
    }
}

/// Runs work that comes of other work behind it, and not inside of it: so a chain of any length needs no more stack
/// than one link.
private enum Trampoline {
    /// What is still to be run on a thread.
    private final class Pending {
        var work: [@Sendable () -> Void] = []
    }

    /// Finds a thread's ``Pending`` while its first work runs. (A task-local would be inherited by the tasks that work
    /// starts.)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// Runs the work now, or on the same thread behind what is running.
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
