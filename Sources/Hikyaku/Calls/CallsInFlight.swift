/// The calls that a client, and those that come from the same one, have in flight.
final class CallsInFlight: Sendable {
    private struct State: Sendable {
        var lastID: UInt64 = 0
        var calls: [UInt64: any CallInFlight] = [:]
    }

    private let state = Lock(State())

    /// Notes a call until ``end(_:)``.
    func begin(_ call: any CallInFlight) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.calls[state.lastID] = call
            return state.lastID
        }
    }

    func end(_ id: UInt64) {
        // The request goes after unlocking: what it holds may run code when it does.
        _ = state.withLock { $0.calls.removeValue(forKey: id) }
    }

    /// Cancels the calls that a condition holds for, those that began first before the others.
    ///
    /// - Returns: How many.
    func cancel(where condition: (any CallInFlight) -> Bool) -> Int {
        let calls = state.withLock(\.calls).sorted { $0.key < $1.key }.map(\.value).filter(condition)
        return calls.count { $0.cancel() }
    }

    var count: Int { state.withLock(\.calls.count) }
}

/// A call in flight whose request's type is forgotten.
protocol CallInFlight: Sendable {
    /// The request, or one that it has inside, if it is of that type.
    func request<R: APIRequest>(as type: R.Type) -> R?
    /// Ends the call; whether it hadn't ended before.
    func cancel() -> Bool
}

/// One call in flight.
struct BoundCall<R: APIRequest>: CallInFlight {
    let request: R
    let race: Race<HTTPResponse>

    func request<Other: APIRequest>(as type: Other.Type) -> Other? { request.unwrapped(as: type) }

    func cancel() -> Bool {
        race.finish(with: .failure(CancellationError()))
    }
}

extension APIRequest {
    fileprivate func unwrapped<Other: APIRequest>(as type: Other.Type) -> Other? {
        if let request = self as? Other { return request }
        return (self as? any RequestProxy)?.unwrappedBase(as: type)
    }
}

extension RequestProxy {
    fileprivate func unwrappedBase<Other: APIRequest>(as type: Other.Type) -> Other? { request.unwrapped(as: type) }
}

extension APIClient {
    /// Cancels the calls in flight of one type of request, however they were started, if a condition holds for them.
    ///
    /// ```swift
    /// client.cancelAll(Qiita.Items.self) { $0.page > 3 }
    /// ```
    /// Calls of this client are looked at, and of all that come from the same one: by authorizing, logging and so on. A
    /// request in proxies counts too. Each call ends as `.cancelled`; what is over, and a streamed body that is still being
    /// read, stays as it is.
    ///
    /// - Parameters:
    ///   - type: The type of the requests; their level doesn't matter here.
    ///   - condition: Whether a request's call is cancelled; by default all are.
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll<R: APIRequest>(_ type: R.Type, where condition: (R) -> Bool = { _ in true }) -> Int {
        core.parts.calls.cancel { call in call.request(as: type).map(condition) ?? false }
    }

    /// Cancels all calls in flight of this client, and of all that come from the same one.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll() -> Int {
        core.parts.calls.cancel { _ in true }
    }
}
