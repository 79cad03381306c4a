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
private final class CallSubscription<R: APIRequest>: Subscription, @unchecked Sendable {
    private struct State: Sendable {
        var call: APICall<R.Response, APIError<R.Failure>>?
        var isStarted = false
        var isCancelled = false
    }

    /// What a subscriber can be told, its type forgotten.
    private struct Target {
        let receive: (R.Response) -> Void
        let end: (Subscribers.Completion<APIError<R.Failure>>) -> Void
    }

    private let request: BoundRequest<R>
    private let state = Lock(State())
    /// Taken out by whoever ends the subscription first.
    private let target = Lock<Target?>(nil)

    init(_ request: BoundRequest<R>, _ subscriber: some Subscriber<R.Response, APIError<R.Failure>>) {
        self.request = request
        let told = Target(receive: { _ = subscriber.receive($0) }, end: { subscriber.receive(completion: $0) })
        target.withLock { $0 = told }
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
        _ = takeTarget()
        call?.cancel()
    }

    private func tell(_ outcome: Result<R.Response, APIError<R.Failure>>) {
        guard let target = takeTarget() else { return }
        switch outcome {
        case .success(let value):
            target.receive(value)
            target.end(.finished)
        case .failure(let error): target.end(.failure(error))
        }
    }

    private func takeTarget() -> Target? {
        target.withLock { target in
            defer { target = nil }
            return target
        }
    }
}

extension BoundRequest {
    /// The call as a publisher of Combine; nothing is sent until it is subscribed to.
    public var publisher: CallPublisher<R> { CallPublisher(request: self) }
}
#endif
