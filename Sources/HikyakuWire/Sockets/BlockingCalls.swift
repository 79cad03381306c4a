#if os(Linux)
import HikyakuBase
import Glibc
import HikyakuHTTP

/// Makes calls of the system that block and can't be stopped, on a bounded set of threads.
///
/// Requests for a key share the call that is in progress, for ``patience``; the next request then starts a second one,
/// which is the last for that key. So a call that doesn't return occupies two threads at most. Keys beyond the number
/// of threads wait.
final class BlockingCalls<Key: Hashable & Sendable, Outcome: Sendable>: Sendable {
    static var threadsMax: Int { 32 }
    private static var perKeyMax: Int { 2 }
    /// 250 ms in nanoseconds.
    private static var patience: Int64 { 250_000_000 }

    private struct Call {
        let id: UInt64
        let begin: Int64
        var waiters: [(ticket: UInt64, done: @Sendable (Outcome) -> Void)]
    }

    /// Identifies one request for a call.
    struct Ticket {
        fileprivate let key: Key
        fileprivate let id: UInt64
    }

    private struct State {
        var calls: [Key: [Call]] = [:]
        var queue: [(key: Key, id: UInt64)] = []
        var threadCount = 0
        var lastID: UInt64 = 0
    }

    private let threadName: String
    private let outcomeWithoutThread: Outcome
    private let perform: @Sendable (Key) -> Outcome
    private let state = Lock(State())

    /// - Parameters:
    ///   - threadName: What the threads are called.
    ///   - outcomeWithoutThread: What comes of a call for which the system could not start a thread.
    ///   - perform: The call.
    init(
        threadName: String,
        outcomeWithoutThread: Outcome,
        _ perform: @escaping @Sendable (Key) -> Outcome,
    ) {
        (self.threadName, self.outcomeWithoutThread, self.perform) = (threadName, outcomeWithoutThread, perform)
    }

    /// Makes a call, or waits for one that is in progress.
    ///
    /// - Parameters:
    ///   - key: What the call is for.
    ///   - done: Called once, on another thread; at once where the system could not start a thread.
    /// - Returns: What ``cancel(_:)`` takes.
    func begin(_ key: Key, _ done: @escaping @Sendable (Outcome) -> Void) -> Ticket {
        let (ticket, needsThread) = state.withLock { state in
            state.lastID += 1
            let ticket = Ticket(key: key, id: state.lastID)
            let now = Nanoseconds.coarseNow
            let known = state.calls[key] ?? []
            if let last = known.last, now - last.begin < Self.patience || known.count >= Self.perKeyMax {
                state.calls[key]?[known.count - 1].waiters.append((ticket.id, done))
                return (ticket, false)
            }
            state.calls[key, default: []].append(Call(id: ticket.id, begin: now, waiters: [(ticket.id, done)]))
            state.queue.append((key, ticket.id))
            guard state.threadCount < Self.threadsMax else { return (ticket, false) }
            state.threadCount += 1
            return (ticket, true)
        }
        guard needsThread else { return ticket }
        let hasStarted = BackgroundThread.start(name: threadName) { [self] in work() }
        if !hasStarted { refuse() }
        return ticket
    }

    /// Cancels one request; a call that no thread has begun is dropped with its last request.
    func cancel(_ ticket: Ticket) {
        state.withLock { state in
            let calls = state.calls[ticket.key] ?? []
            for (index, call) in calls.enumerated() {
                guard let offset = call.waiters.firstIndex(where: { $0.ticket == ticket.id }) else { continue }
                state.calls[ticket.key]?[index].waiters.remove(at: offset)
                guard call.waiters.count == 1, let turn = state.queue.firstIndex(where: { $0.id == call.id }) else {
                    return
                }
                state.queue.remove(at: turn)
                state.calls[ticket.key]?.remove(at: index)
                if calls.count == 1 { state.calls[ticket.key] = nil }
                return
            }
        }
    }

    private func work() {
        while let (key, id) = next() {
            let outcome = perform(key)
            for waiter in remove(key, id) { waiter(outcome) }
        }
    }

    private func next() -> (key: Key, id: UInt64)? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.threadCount -= 1
                return nil
            }
            return state.queue.removeFirst()
        }
    }

    /// Takes a call out, and gives those who wait for it.
    private func remove(_ key: Key, _ id: UInt64) -> [@Sendable (Outcome) -> Void] {
        state.withLock { state in
            guard let index = state.calls[key]?.firstIndex(where: { $0.id == id }) else { return [] }
            let call = state.calls[key]?.remove(at: index)
            if state.calls[key]?.isEmpty == true { state.calls[key] = nil }
            return call?.waiters.map(\.done) ?? []
        }
    }

    /// Ends what no thread will do, unless other threads will.
    private func refuse() {
        let refused = state.withLock { state -> [(key: Key, id: UInt64)] in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return [] }
            defer { state.queue = [] }
            return state.queue
        }
        for (key, id) in refused {
            for waiter in remove(key, id) { waiter(outcomeWithoutThread) }
        }
    }
}

/// A name to look up.
struct HostName: Hashable, Sendable {
    let host: ByteText
    /// What the addresses get as their port.
    let port: UInt16
}

/// Looks up names, by a function of the system that blocks.
typealias NameLookUps = BlockingCalls<HostName, Result<[SocketAddress], LookUpError>>

extension NameLookUps {
    convenience init() {
        self.init(threadName: "hikyaku-names", outcomeWithoutThread: .failure(LookUpError(code: EAI_AGAIN))) { name in
            SocketAddress.lookUp(name.host.text, port: name.port)
        }
    }
}
#endif
