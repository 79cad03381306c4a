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
        let outcome: TypedCallOutcome<Value, Problem> = unsafeDowncast(
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
