import HikyakuBase

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs work that blocks in the system, such as writing to a disk, one piece after another on a thread of its own.
///
/// Swift has as many threads for tasks as the machine has cores. A few pieces of blocking work on them stop every task
/// of the process, so callers suspend here instead. The ``BackgroundThread`` starts with the first piece of work and
/// ends when none is left. Each worker has its own thread: a worker that waits for a disk delays no other worker.
package final class SerialWorker: Sendable {
    /// The outcome of a piece of work.
    package enum Outcome<Value: Sendable>: Sendable {
        /// The work's result.
        case done(Value)
        /// The caller's task was cancelled first.
        case cancelled
        /// The system started no thread, and the work was not done.
        case noThread
    }

    /// Runs a piece of work, or fails it if there is no thread.
    private typealias Job = @Sendable (_ hasThread: Bool) -> Void

    private struct State {
        /// By number, so that a job can be removed when its caller is cancelled.
        var jobs: [UInt64: Job] = [:]
        var lastNumber: UInt64 = 0
        /// The number of the next job, or of a removed one before it.
        var nextNumber: UInt64 = 1
        var isRunning = false

        mutating func next() -> Job? {
            guard !jobs.isEmpty else {
                nextNumber = lastNumber + 1
                isRunning = false
                return nil
            }
            while true {
                defer { nextNumber += 1 }
                if let job = jobs.removeValue(forKey: nextNumber) { return job }
            }
        }
    }

    private let name: String
    private let state = Lock(State())

    /// Makes a worker; it has no thread yet.
    ///
    /// - Parameter name: The thread's name, of which the system takes 15 bytes.
    package init(name: String) {
        self.name = name
    }

    /// How many pieces of work have not begun.
    package var waitingCount: Int { state.withLock { $0.jobs.count } }

    /// Does a piece of work on the thread, after all earlier work.
    ///
    /// Work from one actor is done in the order of that actor's calls.
    ///
    /// - Parameters:
    ///   - evenIfCancelled: Whether the work is still done if the caller's task is cancelled before it begins. Work
    ///     that has begun always continues.
    ///   - isolation: The caller's actor, on which the call waits.
    ///   - work: The blocking work. Its parameter returns whether the caller's task has been cancelled since, so that
    ///     the work can stop before it changes anything.
    /// - Returns: The outcome; at once if the caller's task is cancelled.
    package func run<Value: Sendable>(
        evenIfCancelled: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ work: @escaping @Sendable (_ isCancelled: @Sendable () -> Bool) -> Value,
    ) async -> Outcome<Value> {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let caller = Caller<Value>()
        return await CallCancellation.withHandler {
            await withCheckedContinuation { continuation in
                guard caller.wait(with: continuation) || evenIfCancelled else { return }
                add(number) { hasThread in
                    guard hasThread else { return caller.end(.noThread) }
                    guard evenIfCancelled || !caller.isGone else { return }
                    caller.end(.done(work { caller.isGone }))
                }
            }
        } onCancel: {
            caller.end(.cancelled)
            guard !evenIfCancelled else { return }
            _ = self.state.withLock { $0.jobs.removeValue(forKey: number) }
        }
    }

    private func add(_ number: UInt64, _ job: @escaping Job) {
        let needsThread = state.withLock { state in
            state.jobs[number] = job
            // Two callers may add their jobs in another order than they got the numbers.
            state.nextNumber = min(state.nextNumber, number)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard needsThread, !BackgroundThread.start(name: name, { self.work() }) else { return }
        for job in takeAll() { job(false) }
    }

    private func work() {
        while let job = state.withLock({ $0.next() }) { job(true) }
    }

    private func takeAll() -> [Job] {
        state.withLock { state in
            defer { (state.jobs, state.isRunning) = ([:], false) }
            return Array(state.jobs.values)
        }
    }
}

/// A caller that waits for a piece of work, and is resumed once: by the end of the work or by a cancellation.
private final class Caller<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<SerialWorker.Outcome<Value>, Never>)
        case gone
    }

    private let state = Lock(State.new)

    /// Whether the caller has its outcome.
    var isGone: Bool {
        state.withLock { if case .gone = $0 { true } else { false } }
    }

    /// - Returns: `false` if the caller was cancelled before; the continuation is then resumed.
    func wait(with continuation: CheckedContinuation<SerialWorker.Outcome<Value>, Never>) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(returning: .cancelled) }
        return isWaiting
    }

    func end(_ outcome: SerialWorker.Outcome<Value>) {
        let continuation: CheckedContinuation<SerialWorker.Outcome<Value>, Never>? = state.withLock { state in
            defer { state = .gone }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume(returning: outcome)
    }
}

/// A detached thread for loops that block in the system, which Swift's own threads must not.
package enum BackgroundThread {
    /// Runs `body` on a thread of its own; the thread ends when `body` returns.
    ///
    /// Signals are blocked there, SIGPIPE among them: a peer that closed shows as an error of the write.
    ///
    /// - Returns: `false` when the system could not start a thread; `body` is then not run.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(&thread, &attributes, { Start.run($0) }, start.toOpaque())
        #else
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { Start.run($0) }, start.toOpaque())
        #endif
        if code != 0 { start.release() }
        return code == 0
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let pointer else { return nil }
            let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            nameThread(String(start.name.prefix(15)))  // the longest that the system takes
            start.body()
            return nil
        }
    }

    private static func nameThread(_ name: String) {
        #if canImport(Darwin)
        _ = pthread_setname_np(name)
        #else
        // `pthread_setname_np` is hidden from Swift here, but the kernel accepts the name through a file.
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
        #endif
    }
}
