/// The calls that a client, and those that come from the same one, have in flight.
final class CallsInFlight: Sendable {
    private let calls = Lock(SlotTable<CallInformation>())

    /// Notes a call until ``end(_:)``.
    func begin(_ call: CallInformation) -> SlotTable<CallInformation>.Key { calls.withLock { $0.insert(call) } }

    func end(_ key: SlotTable<CallInformation>.Key) {
        // The request goes after unlocking: what it holds may run code when it does.
        _ = calls.withLock { $0.remove(key) }
    }

    /// Cancels the calls that a condition holds for, those that began first before the others.
    ///
    /// - Returns: How many.
    func cancel(where condition: (any APIRequest) -> Bool) -> Int {
        calls.withLock(\.values).filter { $0.request.map(condition) ?? false }
            .count { $0.stop.stop(with: CancellationError()) }
    }

    var count: Int { calls.withLock(\.count) }
}

extension APIRequest {
    /// The request, or one that it has inside, if it is of that type.
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
        core.parts.calls.cancel { request in request.unwrapped(as: type).map(condition) ?? false }
    }

    /// Cancels all calls in flight of this client, and of all that come from the same one.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancelAll() -> Int {
        core.parts.calls.cancel { _ in true }
    }
}
