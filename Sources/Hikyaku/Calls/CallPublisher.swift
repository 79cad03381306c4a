#if canImport(Combine)
import Combine

/// A call as a publisher of Combine: one value, then the end, or the error.
///
/// It is cold: each subscription makes a call of its own, which starts with the first demand and is cancelled with the
/// subscription. Values come on whatever thread the outcome became known: use `receive(on:)`.
public struct CallPublisher<R: APIRequest>: Publisher {
    /// The model.
    public typealias Output = R.Response
    /// What ends the call.
    public typealias Failure = APIError<R.Failure>

    let request: BoundRequest<R>

    /// Prepares a call for a subscriber.
    public func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == R.Response, Target.Failure == APIError<R.Failure> {
        subscriber.receive(subscription: CallSubscription(request, subscriber))
    }
}

/// Starts a call with the first demand, and tells its outcome.
///
/// `@unchecked`: Combine's protocol doesn't say that a subscriber may be called from another thread; its rules do, as long
/// as calls don't overlap, and only the call's outcome is told, once. Can go when `Subscriber` says it.
private final class CallSubscription<R: APIRequest, Target: Subscriber>: Subscription, @unchecked Sendable
where Target.Input == R.Response, Target.Failure == APIError<R.Failure> {
    private struct State: Sendable {
        var call: APICall<R.Response, APIError<R.Failure>>?
        var isStarted = false
        var isCancelled = false
    }

    private let request: BoundRequest<R>
    private let state = Lock(State())
    /// Taken out by whoever ends the subscription first.
    private let subscriber: Lock<Target?>

    init(_ request: BoundRequest<R>, _ subscriber: Target) {
        self.request = request
        self.subscriber = Lock(nil)
        self.subscriber.withLock { $0 = subscriber }
    }

    func request(_ demand: Subscribers.Demand) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = state.isStarted || demand > .none }
            return demand > .none && !state.isStarted && !state.isCancelled
        }
        guard isFirst else { return }
        let call = request.call()
        call.whenSettled { self.tell($0) }
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
        _ = takeSubscriber()
        call?.cancel()
    }

    private func tell(_ outcome: Result<R.Response, APIError<R.Failure>>) {
        guard let subscriber = takeSubscriber() else { return }
        switch outcome {
        case .success(let value):
            _ = subscriber.receive(value)
            subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
    }

    private func takeSubscriber() -> Target? {
        subscriber.withLock { subscriber in
            defer { subscriber = nil }
            return subscriber
        }
    }
}

extension BoundRequest {
    /// The call as a publisher of Combine; nothing is sent until it is subscribed to.
    public var publisher: CallPublisher<R> { CallPublisher(request: self) }
}
#endif
