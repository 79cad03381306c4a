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

/// Starts a call with the first demand, and sends its outcome, by the rules of a ``CallDelivery``.
///
/// `@unchecked`: Combine's protocol doesn't declare that a subscriber may be called from another thread. Its rules
/// allow it, as long as calls don't overlap, and only the call's outcome is sent, once. Can go when `Subscriber`
/// declares it.
private final class CallSubscription<Value: Sendable, Problem: Error>: Subscription, @unchecked Sendable {
    private struct State: Sendable {
        var delivery = CallDelivery()
        var call: APICall<Value, Problem>?
    }

    private let start: @Sendable () -> APICall<Value, Problem>
    private let state = Lock(State())
    /// The subscriber, until the subscription has ended.
    private let target: Lock<(any Subscriber<Value, Problem>)?>

    init(_ start: @escaping @Sendable () -> APICall<Value, Problem>, _ subscriber: some Subscriber<Value, Problem>) {
        self.start = start
        target = Lock(nil)
        target.withLock { $0 = subscriber }
    }

    func request(_ demand: Subscribers.Demand) {
        guard state.withLock({ $0.delivery.demand(isPositive: demand > .none) }) else { return }
        let call = start()
        call.whenSettled { self.send($0) }
        let isCancelled = state.withLock { state in
            let isCancelled = state.delivery.started()
            state.call = isCancelled ? nil : call
            return isCancelled
        }
        if isCancelled { call.cancel() }
    }

    func cancel() {
        let call = state.withLock { state in
            let call = state.delivery.cancel() ? state.call : nil
            state.call = nil
            return call
        }
        target.withLock { $0 = nil }
        call?.cancel()
    }

    private func send(_ outcome: Result<Value, Problem>) {
        guard state.withLock({ $0.delivery.settled() }), let target = target.withLock(\.self) else { return }
        if case .success(let value) = outcome { _ = target.receive(value) }
        let sendsCompletion = state.withLock { state in
            state.call = nil
            return state.delivery.delivered()
        }
        self.target.withLock { $0 = nil }
        guard sendsCompletion else { return }
        switch outcome {
        case .success: target.receive(completion: .finished)
        case .failure(let error): target.receive(completion: .failure(error))
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
