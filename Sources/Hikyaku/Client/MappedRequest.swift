/// A request together with a client that may send it and throws errors of the app's own.
///
/// Made by `bind(_:)` of a ``MappedClient``, which is where the levels are compared. It sends what a ``BoundRequest``
/// sends, and converts what ends the call.
public struct MappedRequest<R: APIRequest, Mapped: Error>: Sendable {
    private let bound: BoundRequest<R>
    private let map: @Sendable (any APIFailure) -> Mapped

    init(_ bound: BoundRequest<R>, _ map: @escaping @Sendable (any APIFailure) -> Mapped) {
        self.bound = bound
        self.map = map
    }

    /// The request.
    public var request: R { bound.request }

    /// Sends the request and returns its model.
    ///
    /// - Throws: What the client's closure makes of the ``APIError``.
    public func send() async throws(Mapped) -> R.Response {
        do {
            return try await bound.send()
        } catch {
            throw map(error)
        }
    }

    /// Sends the request and returns its model with status, headers and timings.
    ///
    /// - Throws: What the client's closure makes of the ``APIError``.
    public func response() async throws(Mapped) -> APIResponse<R.Response> {
        try await response(telling: nil)
    }

    /// The same, with an observer of this call alone.
    func response(telling listener: (any EventObserver)?) async throws(Mapped) -> APIResponse<R.Response> {
        do {
            return try await bound.response(telling: listener)
        } catch {
            throw map(error)
        }
    }

    /// Starts the request and returns the call in flight, which runs to its end whether or not it is kept.
    ///
    /// See ``BoundRequest/call()``.
    ///
    /// - Returns: The call: progress, cancellation, the model, a chain.
    @discardableResult
    public func call() -> APICall<R.Response, Mapped> {
        bound.call().mappingError(map)
    }

    /// Starts the request and calls a closure on the main actor when it is over.
    ///
    /// - Parameter completion: Gets the model or the error, once.
    /// - Returns: The call: to cancel it, say.
    @discardableResult
    public func send(
        completion: @escaping @MainActor @Sendable (Result<R.Response, Mapped>) -> Void
    ) -> APICall<R.Response, Mapped> {
        call().completing(completion)
    }

    /// Starts the request and calls a closure when it is over.
    ///
    /// - Parameters:
    ///   - queue: Where it is called.
    ///   - completion: Gets the model or the error, once.
    /// - Returns: The call: to cancel it, say.
    @discardableResult
    public func send(
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, Mapped>) -> Void,
    ) -> APICall<R.Response, Mapped> {
        call().completing(on: queue, completion)
    }
}

extension MappedRequest: CustomStringConvertible, CustomReflectable {
    /// The types, and nothing of what request and client hold.
    public var description: String { "MappedRequest<\(R.self), \(Mapped.self)>" }

    /// The types, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["type": String(describing: R.self)]) }
}

extension APICall where Problem: APIFailure {
    /// The same call with a converted error: it has the same progress, and cancelling it cancels this one.
    fileprivate func mappingError<Mapped: Error>(
        _ map: @escaping @Sendable (any APIFailure) -> Mapped
    ) -> APICall<Value, Mapped> {
        let makeCancelled = makeCancelled
        let mapped = APICall<Value, Mapped>(meter: meter) { map(makeCancelled()) }
        mapped.cancelling(by: cancel)
        whenSettled { outcome in mapped.settle(outcome.mapError { map($0) }) }
        return mapped
    }
}
