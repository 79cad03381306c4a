import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests in flight by the number that the session gives to each task.
final class ExchangeTable: Sendable {
    static let shutDown = TransportError(.shutDown, "the transport was shut down")

    private struct State {
        var isClosed = false
        var exchanges: [Int: Exchange] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The most that is taken, on the way and waiting together: the session keeps no bound by itself.
    private let exchangesMax: Int
    private let state = Lock(State())

    init(exchangesMax: Int) {
        self.exchangesMax = exchangesMax
    }

    /// Makes the task for an exchange and notes it, unless the table is closed or full.
    ///
    /// The task is made under the lock: a session that was invalidated in between stops the process.
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

    /// Forgets a task that has ended, and gives its exchange.
    func remove(_ task: URLSessionTask) -> Exchange? {
        let id = task.taskIdentifier
        let (exchange, waiters) = state.withLock { state in
            let exchange = state.exchanges.removeValue(forKey: id)
            return (exchange, Self.takeWaiters(&state))
        }
        for waiter in waiters { waiter.resume() }
        return exchange
    }

    /// Takes no more; `false` when it was closed before.
    func close() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    /// Returns when nothing is in flight.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { state in
                if !state.exchanges.isEmpty { state.waiters.append(continuation) }
                return state.exchanges.isEmpty
            }
            if isDrained { continuation.resume() }
        }
    }

    /// Ends what is in flight as shut down.
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
