import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests in flight, by the session's identifier of each task.
final class ExchangeTable: Sendable {
    static let shutDown = TransportError(.shutDown, "the transport was shut down")

    private struct State {
        var isClosed = false
        var exchanges: [Int: Exchange] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The limit for requests in flight and waiting together: the session has no limit.
    private let exchangesMax: Int
    private let state = Lock(State())

    init(exchangesMax: Int) {
        self.exchangesMax = exchangesMax
    }

    /// Makes the task for an exchange and adds it, unless the table is closed or full.
    ///
    /// The task is made under the lock: making one in a session that was invalidated meanwhile crashes the process.
    func add(_ exchange: Exchange, makeTask: () -> URLSessionDataTask) -> Result<URLSessionDataTask, TransportError> {
        state.withLock { state in
            guard !state.isClosed else { return .failure(Self.shutDown) }
            guard state.exchanges.count < exchangesMax else {
                return .failure(TransportError(.queueFull, "\(exchangesMax) requests are in flight or waiting"))
            }
            let task = makeTask()
            state.exchanges[task.taskIdentifier] = exchange
            return .success(task)
        }
    }

    func exchange(of task: URLSessionTask) -> Exchange? {
        let id = task.taskIdentifier
        return state.withLock { $0.exchanges[id] }
    }

    /// Removes a task that has ended, and returns its exchange.
    func remove(_ task: URLSessionTask) -> Exchange? {
        let id = task.taskIdentifier
        let (exchange, waiters) = state.withLock { state in
            let exchange = state.exchanges.removeValue(forKey: id)
            return (exchange, Self.takeWaiters(&state))
        }
        for waiter in waiters { waiter.resume() }
        return exchange
    }

    /// Accepts no more exchanges; `false` if the table was closed before.
    func close() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    /// Returns when no request is in flight.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { state in
                if !state.exchanges.isEmpty { state.waiters.append(continuation) }
                return state.exchanges.isEmpty
            }
            if isDrained { continuation.resume() }
        }
    }

    /// Ends all requests in flight with ``FailureReason/shutDown``.
    func endAll() {
        let (exchanges, waiters) = state.withLock { state in
            let exchanges = Array(state.exchanges.values)
            state.exchanges = [:]
            return (exchanges, Self.takeWaiters(&state))
        }
        for exchange in exchanges { exchange.finish(.failure(Self.shutDown)) }
        for waiter in waiters { waiter.resume() }
    }

    private static func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        guard state.exchanges.isEmpty else { return [] }
        defer { state.waiters = [] }
        return state.waiters
    }
}
