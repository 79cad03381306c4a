import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

#if os(Linux)
import Glibc
#endif

/// Holds threads up until it is opened.
private final class Gate: Sendable {
    private let isOpen = DispatchSemaphore(value: 0)

    /// Blocks the thread.
    func pass() {
        isOpen.wait()
        isOpen.signal()
    }

    func open() { isOpen.signal() }
}

@Suite(.timeLimit(.minutes(10)))
struct SerialWorkerTests {
    private let worker = SerialWorker(name: "test-worker")

    private func done<Value>(_ outcome: SerialWorker.Outcome<Value>) -> Value? {
        guard case .done(let value) = outcome else { return nil }
        return value
    }

    private func isCancelled<Value>(_ outcome: SerialWorker.Outcome<Value>) -> Bool {
        guard case .cancelled = outcome else { return false }
        return true
    }

    /// Blocks the worker's thread until the gate is open; returns when it is blocked.
    private func block(_ gate: Gate) async -> Task<Bool, Never> {
        let (isBlocked, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [worker] in
            let outcome = await worker.run { isCancelled in
                continuation.yield()
                gate.pass()
                return isCancelled()
            }
            if case .done(let wasCancelled) = outcome { return wasCancelled }
            return true
        }
        for await _ in isBlocked { break }
        return task
    }

    private func waiters(_ count: Int) async throws {
        try #require(try await holds { worker.waitingCount >= count })
    }

    @Test func workIsDoneOnceEachAndOneAtATime() async {
        let running = Lock(0)
        let total = Lock(0)
        await withTaskGroup(of: Int?.self) { group in
            for number in 0..<200 {
                group.addTask { [worker] in
                    done(
                        await worker.run { _ in
                            running.withLock { $0 += 1 }
                            #expect(running.withLock { $0 } == 1)
                            total.withLock { $0 += 1 }
                            running.withLock { $0 -= 1 }
                            return number
                        }
                    )
                }
            }
            var numbers: Set<Int> = []
            for await number in group { numbers.insert(number ?? -1) }
            #expect(numbers == Set(0..<200))
        }
        #expect(total.withLock { $0 } == 200)
    }

    @Test func anActorsWorkIsDoneInTheOrderOfItsCalls() async throws {
        let order = Lock<[Int]>([])
        let gate = Gate()
        let blocked = await block(gate)
        let caller = Caller(worker: worker, order: order)
        let tasks = await caller.begin(20)
        try await waiters(20)
        gate.open()
        for task in tasks { await task.value }
        _ = await blocked.value
        #expect(order.withLock { $0 } == Array(0..<20))
    }

    private actor Caller {
        let worker: SerialWorker
        let order: Lock<[Int]>
        var lastNumber = 0

        init(worker: SerialWorker, order: Lock<[Int]>) {
            self.worker = worker
            self.order = order
        }

        func begin(_ count: Int) -> [Task<Void, Never>] {
            (0..<count).map { _ in Task { await self.call() } }
        }

        private func call() async {
            let number = lastNumber
            lastNumber += 1
            _ = await worker.run { [order] _ in order.withLock { $0.append(number) } }
        }
    }

    @Test func aCancelledCallerReturnsWhileTheThreadIsBlockedAndItsWorkIsNeverDone() async throws {
        let gate = Gate()
        let blocked = await block(gate)
        let ran = Lock(false)
        let waiting = Task { [worker] in await worker.run { _ in ran.withLock { $0 = true } } }
        try await waiters(1)
        waiting.cancel()
        #expect(isCancelled(await waiting.value))
        #expect(worker.waitingCount == 0, "what the work holds is released")
        gate.open()
        #expect(await blocked.value == false)
        #expect(done(await worker.run { _ in 1 }) == 1)
        #expect(!ran.withLock { $0 })
    }

    @Test func workThatIsDoneEvenIfCancelledIsDone() async throws {
        let gate = Gate()
        let blocked = await block(gate)
        let ran = Lock(0)
        let waiting = Task { [worker] in
            await worker.run(evenIfCancelled: true) { _ in ran.withLock { $0 += 1 } }
        }
        try await waiters(1)
        waiting.cancel()
        #expect(isCancelled(await waiting.value))
        let late = Task { [worker] in
            while !Task.isCancelled { await Task.yield() }
            return await worker.run(evenIfCancelled: true) { _ in ran.withLock { $0 += 1 } }
        }
        late.cancel()
        #expect(isCancelled(await late.value))
        gate.open()
        _ = await blocked.value
        #expect(done(await worker.run { _ in ran.withLock { $0 } }) == 2)
    }

    @Test func runningWorkIsNotifiedOfTheCancellation() async {
        let gate = Gate()
        let (endings, continuation) = AsyncStream.makeStream(of: Bool.self)
        let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [worker] in
            await worker.run { isCancelled in
                #expect(!isCancelled())
                beginning.yield()
                gate.pass()
                continuation.yield(isCancelled())
            }
        }
        for await _ in beginnings { break }
        task.cancel()
        #expect(isCancelled(await task.value))
        gate.open()
        for await wasNotified in endings {
            #expect(wasNotified)
            break
        }
    }

    @Test func aCallerThatIsCancelledBeforeItCallsGetsNothingDone() async {
        let ran = Lock(false)
        let task = Task { [worker] in
            while !Task.isCancelled { await Task.yield() }
            return await worker.run { _ in ran.withLock { $0 = true } }
        }
        task.cancel()
        #expect(isCancelled(await task.value))
        #expect(done(await worker.run { _ in ran.withLock { $0 } }) == false)
    }

    @Test func aBlockedWorkerHoldsUpNoOtherWorker() async {
        let gate = Gate()
        let blocked = await block(gate)
        #expect(done(await SerialWorker(name: "other").run { _ in 1 }) == 1)
        gate.open()
        _ = await blocked.value
    }
    #if os(Linux)
    /// A process of its own, in which there is no memory left for a thread's stack.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["HIKYAKU_SANITIZER"] == nil))
    func workFailsIfTheSystemStartsNoThread() async {
        await #expect(processExitsWith: .success) {
            let worker = SerialWorker(name: "test-worker")
            // No thread of the worker's has ended yet, whose stack the next one would get.
            let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            let pageCount = try #require(Int(sizes.prefix { $0 != " " }))
            let bytes: Int = pageCount * Int(getpagesize()) + 1_048_576
            var limit = rlimit()
            try #require(getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            limit.rlim_cur = rlim_t(bytes)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let ran = Lock(false)
            guard case .noThread = await worker.run({ _ in ran.withLock { $0 = true } }) else { exit(1) }
            #expect(!ran.withLock { $0 })
            #expect(worker.waitingCount == 0)
            limit.rlim_cur = limit.rlim_max
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            guard case .done = await worker.run({ _ in true }) else { exit(2) }
        }
    }
    #endif
}
