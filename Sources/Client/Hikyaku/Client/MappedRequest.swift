public import HikyakuBase

/// A request together with a client that may send it and throws the app's own errors.
///
/// ```swift
/// func load<R: APIRequest>(_ request: MappedRequest<R, AppError>) async throws(AppError) -> R.Response {
///     try await request.send()
/// }
/// let mapped = client.mapError { AppError($0) }
/// let dishes = try await load(mapped.bind(Shop.Dishes()))
/// ```
/// Created by `bind(_:)` of a ``MappedClient``, which compares the levels. It sends the request like a
/// ``BoundRequest``, and converts the error that ends the call.
public struct MappedRequest<R: APIRequest, Mapped: Error>: Sendable {
    let bound: BoundRequest<R>
    let map: @Sendable (any APIFailure) -> Mapped

    /// The request.
    public var request: R { bound.request }

    /// Sends the request and returns its model.
    ///
    /// - Throws: The error that the client's closure returns for the ``APIError``.
    public func send() async throws(Mapped) -> R.Response {
        do {
            return try await bound.send()
        } catch {
            throw map(error)
        }
    }

    /// Sends the request and returns its model, or `nil` if there is none: see ``BoundRequest/found()``.
    ///
    /// - Throws: The error that the client's closure returns for the ``APIError``.
    public func found() async throws(Mapped) -> R.Response? {
        do {
            return try await bound.found()
        } catch {
            throw map(error)
        }
    }

    /// Sends the request and returns its model with status, headers and timings.
    ///
    /// - Throws: The error that the client's closure returns for the ``APIError``.
    public func response() async throws(Mapped) -> APIResponse<R.Response> {
        try await response(observedBy: nil)
    }

    /// The same, with an observer of this call only.
    func response(observedBy listener: (any EventObserver)?) async throws(Mapped) -> APIResponse<R.Response> {
        do {
            return try await bound.response(observedBy: listener)
        } catch {
            throw map(error)
        }
    }

    /// Starts the request and returns the call in flight, which runs to its end even if it is not stored.
    ///
    /// See ``BoundRequest/call()``.
    ///
    /// - Returns: The call, for progress, cancellation, the model, or a chain.
    @discardableResult
    public func call() -> APICall<R.Response, Mapped> {
        bound.call().mappingError(map)
    }

    /// Starts the request and calls a closure on the main actor when it has ended.
    ///
    /// - Parameter completion: Called once, with the model or the error.
    /// - Returns: The call, for example to cancel it.
    @discardableResult
    public func send(
        completion: @escaping @MainActor @Sendable (Result<R.Response, Mapped>) -> Void
    ) -> APICall<R.Response, Mapped> {
        send(on: .main) { outcome in MainActor.assumeIsolated { completion(outcome) } }
    }

    /// Starts the request and calls a closure when it has ended.
    ///
    /// - Parameters:
    ///   - queue: The queue that the closure is called on.
    ///   - completion: Called once, with the model or the error.
    /// - Returns: The call, for example to cancel it.
    @discardableResult
    public func send(
        on queue: CallbackQueue,
        completion: @escaping @Sendable (Result<R.Response, Mapped>) -> Void,
    ) -> APICall<R.Response, Mapped> {
        call().completing(on: queue, completion)
    }
}

extension MappedRequest: Redacted {
    /// The types only.
    public var description: String { "MappedRequest<\(R.self), \(Mapped.self)>" }
}

extension APICall where Problem: APIFailure {
    /// The same call with converted errors: it has the same progress, and cancelling it cancels this one.
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

extension MappedRequest {
    /// The call as the sequence of its events; nothing is sent until it is read.
    public func events() -> CallEvents<R.Response, Mapped> {
        CallEvents { listener async throws(Mapped) in try await response(observedBy: listener) }
    }
}
