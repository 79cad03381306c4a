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
/// A call runs to its end whether or not anybody keeps it; only ``cancel()``, ``APIClient/cancelAll(_:where:)``, a deadline
/// and the client's shutdown end it early. It has exactly one outcome, the same for all who ask.
///
/// `Problem` is the ``APIError`` of the request, or ``AnyAPIFailure`` where a chain has calls with several failures.
public final class APICall<Value: Sendable, Problem: APIFailure>: Sendable {
    fileprivate struct State: Sendable {
        /// Once it is there it stays, and all else is gone.
        var outcome: Result<Value, Problem>?
        var isCancelled = false
        /// Ends what the call waits for.
        var canceller: (@Sendable () -> Void)?
        /// In the order in which they came, those that gave up left out.
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
    }

    fileprivate struct Waiter: Sendable {
        let id: UInt64
        let take: @Sendable (Result<Value, Problem>) -> Void
    }

    private let state = Lock(State())
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
        let canceller: (@Sendable () -> Void)? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.isCancelled = true
            return state.canceller
        }
        canceller?()
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
            if let outcome { return outcome }
            let id = Lock<UInt64?>(nil)
            return await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let taken = whenSettled { continuation.resume(returning: $0) }
                    id.withLock { $0 = taken }
                    if Task.isCancelled, let taken { giveUp(taken) }
                }
            } onCancel: {
                if let id = id.withLock(\.self) { giveUp(id) }
            }
        }
    }

    /// The outcome, once there is one.
    public var outcome: Result<Value, Problem>? {
        state.withLock(\.outcome)
    }

    /// How far the bytes have come, of whichever call of the chain is in flight: the latest first, then each change, until
    /// the call is over.
    ///
    /// Whoever is slower than the bytes gets the newest, so that nothing piles up. Each use of the property is a sequence
    /// of its own.
    public var progress: AsyncStream<CallProgress> { meter.stream }
}

extension APICall {
    /// Settles the outcome and tells all who wait; only the first does anything.
    func settle(_ outcome: Result<Value, Problem>) {
        // What was is taken out whole, and goes after unlocking: what closures hold may run code when it does.
        let before = state.withLock { state in
            let before = state
            if before.outcome == nil { state = State(outcome: outcome) }
            return before
        }
        guard before.outcome == nil else { return }
        for waiter in before.waiters { waiter.take(outcome) }
    }

    /// Settles the outcome of a call with a meter of its own, behind the last progress.
    func finish(with outcome: Result<Value, Problem>) {
        meter.finish()
        settle(outcome)
    }

    /// Gives the outcome to a closure, now or when there is one.
    ///
    /// - Returns: What to call ``giveUp(_:)`` with, as long as the closure waits.
    @discardableResult
    func whenSettled(_ take: @escaping @Sendable (Result<Value, Problem>) -> Void) -> UInt64? {
        let (outcome, id): (Result<Value, Problem>?, UInt64) = state.withLock { state in
            guard state.outcome == nil else { return (state.outcome, 0) }
            state.lastID += 1
            state.waiters.append(Waiter(id: state.lastID, take: take))
            return (nil, state.lastID)
        }
        guard let outcome else { return id }
        take(outcome)
        return nil
    }

    /// Gives `.cancelled` to one that waits, and the outcome no more.
    private func giveUp(_ id: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            let index = state.waiters.firstIndex { $0.id == id }
            return index.map { state.waiters.remove(at: $0) }
        }
        waiter?.take(.failure(makeCancelled()))
    }

    /// Whether somebody has asked for its end; what hasn't begun by then needn't.
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Says what ends the work that the call waits for from now on; ends it at once if the call was cancelled before.
    func cancelling(by canceller: @escaping @Sendable () -> Void) {
        let (isCancelled, before) = state.withLock { state in
            let before = state.canceller
            if state.outcome == nil { state.canceller = canceller }
            return (state.isCancelled, before)
        }
        _ = before
        if isCancelled { canceller() }
    }
}

extension APICall: CustomStringConvertible, CustomReflectable {
    /// The types, and how it stands; the model may hold secrets.
    public var description: String {
        let standing =
            switch outcome {
            case nil: "in flight"
            case .success: "succeeded"
            case .failure(let problem): "failed: \(problem.reason)"
            }
        return "APICall<\(Value.self)>, \(standing)"
    }

    /// The description, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["call": description]) }
}
