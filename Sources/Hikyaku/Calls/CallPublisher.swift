#if canImport(Combine)
public import Combine
import HikyakuBase

/// A call as a Combine publisher: one value, then the completion, or the error.
///
/// It is cold: each subscription makes its own call, which starts with the first demand and is cancelled with the
/// subscription. The value arrives on the thread that received the outcome: use `receive(on:)`.
///
/// `Problem` is the ``APIError`` of the request, or the app's own error on a ``MappedClient``.
public struct CallPublisher<Value: Sendable, Problem: Error>: Publisher {
    /// The model.
    public typealias Output = Value
    /// The error that ends the call.
    public typealias Failure = Problem

    let start: @Sendable () -> APICall<Value, Problem>

    /// Prepares a call for a subscriber.
    public func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Value, Target.Failure == Problem {
        subscriber.receive(subscription: CallSubscription(start, subscriber))
    }
}

/// Starts a call with the first demand, and sends its outcome.
///
/// `@unchecked`: Combine's protocol doesn't declare that a subscriber may be called from another thread. Its rules
/// allow it, as long as calls don't overlap, and only the call's outcome is sent, once. Can go when `Subscriber`
/// declares it.
private final class CallSubscription<Value: Sendable, Problem: Error>: Subscription, @unchecked Sendable {
    private struct State: Sendable {
        var call: APICall<Value, Problem>?
        var isStarted = false
        var isCancelled = false
    }

    private let start: @Sendable () -> APICall<Value, Problem>
    private let state = Lock(State())
    /// Passes the outcome to the subscriber; taken by the first one that ends the subscription.
    private let target = Lock<((Result<Value, Problem>) -> Void)?>(nil)

    init(_ start: @escaping @Sendable () -> APICall<Value, Problem>, _ subscriber: some Subscriber<Value, Problem>) {
        self.start = start
        let receive = { (outcome: Result<Value, Problem>) in
            switch outcome {
            case .success(let value):
                _ = subscriber.receive(value)
                subscriber.receive(completion: .finished)
            case .failure(let error): subscriber.receive(completion: .failure(error))
            }
        }
        target.withLock { $0 = receive }
    }

    func request(_ demand: Subscribers.Demand) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = state.isStarted || demand > .none }
            return demand > .none && !state.isStarted && !state.isCancelled
        }
        guard isFirst else { return }
        let call = start()
        call.whenSettled { self.takeTarget()?($0) }
        let isCancelled = state.withLock { state in
            state.call = call
            return state.isCancelled
        }
        if isCancelled { call.cancel() }
    }

    func cancel() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call
        }
        _ = takeTarget()
        call?.cancel()
    }

    private func takeTarget() -> ((Result<Value, Problem>) -> Void)? {
        target.withLock { target in
            defer { target = nil }
            return target
        }
    }
}

extension BoundRequest {
    /// The call as a Combine publisher; nothing is sent until it is subscribed to.
    public func publisher() -> CallPublisher<R.Response, APIError<R.Failure>> { CallPublisher { call() } }
}

extension MappedRequest {
    /// The call as a Combine publisher; nothing is sent until it is subscribed to.
    public func publisher() -> CallPublisher<R.Response, Mapped> { CallPublisher { call() } }
}
#endif
