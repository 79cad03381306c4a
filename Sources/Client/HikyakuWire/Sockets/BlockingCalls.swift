#if os(Linux)
import HikyakuBase
import Glibc
import HikyakuHTTP

/// Makes system calls that block and can't be cancelled, on a limited number of threads.
///
/// Requests for a key share the call that is in progress, for ``patience``; the next request then starts a second one,
/// which is the last for that key. So a call that doesn't return occupies two threads at most. Keys beyond the number
/// of threads wait.
final class BlockingCalls<Key: Hashable & Sendable, Outcome: Sendable>: Sendable {
    static var threadsMax: Int { 32 }
    private static var perKeyMax: Int { 2 }
    /// 250 ms in nanoseconds.
    private static var patience: Int64 { 250_000_000 }

    /// Identifies one request for a call.
    typealias Ticket = UInt64

    private struct Call {
        let id: UInt64
        let key: Key
        let begin: Int64
        /// Whether a thread makes it.
        var hasThread = false
        var waiters: [(ticket: Ticket, done: @Sendable (Outcome) -> Void)]
    }

    private struct State {
        /// The calls in progress and those without a thread, the oldest first.
        var calls: [Call] = []
        var threadCount = 0
        var lastID: UInt64 = 0
    }

    private let threadName: String
    private let outcomeWithoutThread: Outcome
    private let perform: @Sendable (Key) -> Outcome
    private let state = Lock(State())

    /// - Parameters:
    ///   - threadName: The name of the threads.
    ///   - outcomeWithoutThread: The outcome of a call for which the system could not start a thread.
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
    ///   - key: The argument of the call.
    ///   - done: Called once, on another thread; at once if the system could not start a thread.
    /// - Returns: The ticket for ``cancel(_:)``.
    func begin(_ key: Key, _ done: @escaping @Sendable (Outcome) -> Void) -> Ticket {
        let (ticket, needsThread) = state.withLock { state in
            state.lastID += 1
            let ticket = state.lastID
            let now = Nanoseconds.coarseNow
            let known = state.calls.indices.filter { state.calls[$0].key == key }
            if let last = known.last, now - state.calls[last].begin < Self.patience || known.count >= Self.perKeyMax {
                state.calls[last].waiters.append((ticket, done))
                return (ticket, false)
            }
            state.calls.append(Call(id: ticket, key: key, begin: now, waiters: [(ticket, done)]))
            guard state.threadCount < Self.threadsMax else { return (ticket, false) }
            state.threadCount += 1
            return (ticket, true)
        }
        guard needsThread else { return ticket }
        let hasStarted = BackgroundThread.start(name: threadName) { [self] in work() }
        if !hasStarted { refuse() }
        return ticket
    }

    /// Cancels one request; a call that has no thread is dropped with its last request.
    func cancel(_ ticket: Ticket) {
        state.withLock { state in
            for index in state.calls.indices { state.calls[index].waiters.removeAll { $0.ticket == ticket } }
            state.calls.removeAll { $0.waiters.isEmpty && !$0.hasThread }
        }
    }

    private func work() {
        while let call = next() {
            let outcome = perform(call.key)
            let ended = state.withLock { state in
                state.calls.firstIndex { $0.id == call.id }.map { state.calls.remove(at: $0) }
            }
            for waiter in ended?.waiters ?? [] { waiter.done(outcome) }
        }
    }

    private func next() -> Call? {
        state.withLock { state in
            guard let index = state.calls.firstIndex(where: { !$0.hasThread }) else {
                state.threadCount -= 1
                return nil
            }
            state.calls[index].hasThread = true
            return state.calls[index]
        }
    }

    /// Ends the calls without a thread if no other thread will make them.
    private func refuse() {
        let refused = state.withLock { state in
            state.threadCount -= 1
            // Without a thread, no call is in progress.
            guard state.threadCount == 0 else { return [] as [Call] }
            defer { state.calls = [] }
            return state.calls
        }
        for waiter in refused.flatMap(\.waiters) { waiter.done(outcomeWithoutThread) }
    }
}

/// A name to look up.
struct HostName: Hashable, Sendable {
    let host: ByteText
    /// The port of the addresses.
    let port: UInt16
}

/// Looks up names with a system function that blocks.
typealias NameLookUps = BlockingCalls<HostName, Result<[SocketAddress], LookUpError>>

extension NameLookUps {
    convenience init() {
        self.init(threadName: "hikyaku-names", outcomeWithoutThread: .failure(LookUpError(code: EAI_AGAIN))) { name in
            SocketAddress.lookUp(name.host.text, port: name.port)
        }
    }
}
#endif
