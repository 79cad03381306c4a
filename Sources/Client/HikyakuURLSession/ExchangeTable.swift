import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests of a transport: those that wait for a connection, and those in flight by the identifier of their task.
final class ExchangeTable: Sendable {
    static let shutDown = SessionCause.shutDown.error("the transport was shut down")

    private struct State {
        var isClosed = false
        /// Whether the session makes no more tasks.
        var isInvalid = false
        var line: WaitingLine<Exchange>
        var exchanges: [Int: Exchange] = [:]
        /// Those that were ended while their tasks go on for a moment.
        var ending: [Int: Exchange] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isDrained: Bool { line.isEmpty && exchanges.isEmpty }
    }

    private let limits: WaitingLine<Exchange>.Limits
    private let state: Lock<State>

    init(_ limits: WaitingLine<Exchange>.Limits) {
        self.limits = limits
        state = Lock(State(line: WaitingLine(limits)))
    }

    /// Starts an exchange, now or when its origin has a free connection.
    func enter(_ exchange: Exchange, priority: UInt8) {
        let entry: Result<WaitingLine<Exchange>.Entry, TransportError> = state.withLock { state in
            guard !state.isClosed else { return .failure(Self.shutDown) }
            let entry = state.line.enter(exchange, origin: exchange.origin, priority: priority)
            // Under the lock, so that it comes before `leaveQueue`.
            if entry == .waits { exchange.enterQueue() }
            return .success(entry)
        }
        switch entry {
        case .success(.starts): start(exchange)
        // It may have ended just before it was added.
        case .success(.waits): if exchange.isOver { leave(exchange) }
        case .success(.full):
            let text = "\(limits.inFlightMax) requests are in flight and \(limits.waitingMax) wait"
            exchange.finish(.failure(SessionCause.queueFull.error(text)))
        case .failure(let error): exchange.finish(.failure(error))
        }
    }

    /// Frees the place of an exchange that has ended without a task; a task uses its connection until it has ended.
    func leave(_ exchange: Exchange) {
        free { $0.line.leave(exchange) }
    }

    /// Notes the protocol of an exchange's connection.
    func note(_ protocolName: String, of exchange: Exchange) {
        let isMultiplexed = protocolName == "h2" || protocolName.hasPrefix("h3")
        free { $0.line.note(isMultiplexed: isMultiplexed, at: exchange.origin) }
    }

    private func start(_ exchange: Exchange) {
        if !exchange.start() { leave(exchange) }
    }

    /// Makes the task for an exchange and adds it, unless the exchange or the session has ended.
    ///
    /// The task is made under the lock: making one in a session that was invalidated meanwhile crashes the process.
    func add(_ exchange: Exchange, makeTask: () -> URLSessionDataTask) -> Result<URLSessionDataTask, TransportError> {
        state.withLock { state in
            guard !state.isInvalid, state.line.isRunning(exchange) else { return .failure(Self.shutDown) }
            let task = makeTask()
            state.exchanges[task.taskIdentifier] = exchange
            return .success(task)
        }
    }

    func exchange(of task: URLSessionTask) -> Exchange? {
        let id = task.taskIdentifier
        return state.withLock { $0.exchanges[id] ?? $0.ending[id] }
    }

    /// Removes a task that has ended, and returns its exchange.
    func remove(_ task: URLSessionTask) -> Exchange? {
        let id = task.taskIdentifier
        var removed: Exchange?
        free { state in
            removed = state.exchanges.removeValue(forKey: id) ?? state.ending.removeValue(forKey: id)
            return removed.map { state.line.leave($0) } ?? []
        }
        return removed
    }

    /// Accepts no more exchanges; `false` if the table was closed before.
    func close() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    /// Makes no more tasks, for those that are still to come.
    func invalidate() {
        state.withLock { $0.isInvalid = true }
    }

    /// Returns when no request is in flight or waits.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { state in
                if !state.isDrained { state.waiters.append(continuation) }
                return state.isDrained
            }
            if isDrained { continuation.resume() }
        }
    }

    /// Ends all requests with ``FailureReason/shutDown``.
    func endAll() {
        var ended: [Exchange] = []
        free { state in
            ended = state.line.removeAll()
            state.ending.merge(state.exchanges) { $1 }
            state.exchanges = [:]
            return []
        }
        for exchange in ended { exchange.finish(.failure(Self.shutDown)) }
    }

    /// Changes the state, starts what may start now, and resumes those who wait for the end.
    private func free(_ change: (inout State) -> [Exchange]) {
        let (started, waiters) = state.withLock { state in
            let started = change(&state)
            for exchange in started { exchange.leaveQueue() }
            guard state.isDrained else { return (started, [CheckedContinuation<Void, Never>]()) }
            defer { state.waiters = [] }
            return (started, state.waiters)
        }
        for exchange in started { start(exchange) }
        for waiter in waiters { waiter.resume() }
    }
}
