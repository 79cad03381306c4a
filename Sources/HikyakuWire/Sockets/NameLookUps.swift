#if os(Linux)
import Glibc
import HikyakuHTTP

/// Looks up names on a bounded set of threads, since the system's function blocks and can't be stopped.
///
/// Requests for a name share the look-up that is in progress, for ``patience``; the next request then starts a second
/// one, which is the last for that name. So a resolver that doesn't answer for one name occupies two threads at most.
/// Names beyond the number of threads wait.
final class NameLookUps: Sendable {
    typealias Outcome = Result<[SocketAddress], LookUpError>

    static let threadsMax = 32
    private static let perNameMax = 2
    /// 250 ms in nanoseconds.
    private static let patience: Int64 = 250_000_000

    fileprivate struct Name: Hashable {
        let host: ByteText
        let port: UInt16
    }

    private struct LookUp {
        let id: UInt64
        let begin: Int64
        var waiters: [(ticket: UInt64, done: @Sendable (Outcome) -> Void)]
    }

    /// Identifies one request for a look-up.
    struct Ticket {
        fileprivate let name: Name
        fileprivate let id: UInt64
    }

    private struct State {
        var lookUps: [Name: [LookUp]] = [:]
        var queue: [(name: Name, id: UInt64)] = []
        var threadCount = 0
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    /// Looks a name up.
    ///
    /// - Parameters:
    ///   - host: The name.
    ///   - port: What the addresses get as their port.
    ///   - done: Called once, on another thread; at once where the system gives no thread.
    /// - Returns: What ``cancel(_:)`` takes.
    func lookUp(_ host: String, port: UInt16, _ done: @escaping @Sendable (Outcome) -> Void) -> Ticket {
        let name = Name(host: ByteText(host), port: port)
        let (ticket, needsThread) = state.withLock { state in
            state.lastID += 1
            let ticket = Ticket(name: name, id: state.lastID)
            let now = Nanoseconds.coarseNow
            let known = state.lookUps[name] ?? []
            if let last = known.last, now - last.begin < Self.patience || known.count >= Self.perNameMax {
                state.lookUps[name]?[known.count - 1].waiters.append((ticket.id, done))
                return (ticket, false)
            }
            state.lookUps[name, default: []].append(LookUp(id: ticket.id, begin: now, waiters: [(ticket.id, done)]))
            state.queue.append((name, ticket.id))
            guard state.threadCount < Self.threadsMax else { return (ticket, false) }
            state.threadCount += 1
            return (ticket, true)
        }
        guard needsThread else { return ticket }
        let hasStarted = BackgroundThread.start(name: "hikyaku-names") { [self] in work() }
        if !hasStarted { refuse() }
        return ticket
    }

    /// Cancels one request; a look-up that no thread has begun is dropped with its last request.
    func cancel(_ ticket: Ticket) {
        state.withLock { state in
            let lookUps = state.lookUps[ticket.name] ?? []
            for (index, lookUp) in lookUps.enumerated() {
                guard let place = lookUp.waiters.firstIndex(where: { $0.ticket == ticket.id }) else { continue }
                state.lookUps[ticket.name]?[index].waiters.remove(at: place)
                guard lookUp.waiters.count == 1, let turn = state.queue.firstIndex(where: { $0.id == lookUp.id }) else {
                    return
                }
                state.queue.remove(at: turn)
                state.lookUps[ticket.name]?.remove(at: index)
                if lookUps.count == 1 { state.lookUps[ticket.name] = nil }
                return
            }
        }
    }

    private func work() {
        while let (name, id) = next() {
            let outcome = SocketAddress.lookUp(name.host.text, port: name.port)
            for waiter in remove(name, id) { waiter(outcome) }
        }
    }

    private func next() -> (name: Name, id: UInt64)? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.threadCount -= 1
                return nil
            }
            return state.queue.removeFirst()
        }
    }

    /// Takes a look-up out, and gives who waits for it.
    private func remove(_ name: Name, _ id: UInt64) -> [@Sendable (Outcome) -> Void] {
        state.withLock { state in
            guard let index = state.lookUps[name]?.firstIndex(where: { $0.id == id }) else { return [] }
            let lookUp = state.lookUps[name]?.remove(at: index)
            if state.lookUps[name]?.isEmpty == true { state.lookUps[name] = nil }
            return lookUp?.waiters.map(\.done) ?? []
        }
    }

    /// Ends what no thread will do, unless other threads will.
    private func refuse() {
        let refused = state.withLock { state -> [(name: Name, id: UInt64)] in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return [] }
            defer { state.queue = [] }
            return state.queue
        }
        for (name, id) in refused {
            for waiter in remove(name, id) { waiter(.failure(LookUpError(code: EAI_AGAIN))) }
        }
    }
}
#endif
