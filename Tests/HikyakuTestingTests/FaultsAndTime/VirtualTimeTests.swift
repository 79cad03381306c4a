import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct VirtualTimeTests {
    private struct Broken: Error {}

    private enum Name {
        @TaskLocal static var current = ""
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aYearTakesNoTime() async throws {
        let start = ContinuousClock.now
        let date = try await VirtualTime.run { time in
            try await time.sleep(for: .seconds(365 * 86_400))
            try await Task.sleep(for: .milliseconds(1500), clock: time.clock)
            #expect(time.elapsed == .seconds(365 * 86_400) + .milliseconds(1500))
            #expect(time.outsideEventCount == 0)
            return time.date
        }
        #expect(date == Date(timeIntervalSince1970: 1_798_761_601.5))
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theOperationReturnsThrowsAndInherits() async throws {
        #expect(try await VirtualTime.run { _ in 7 } == 7)
        await #expect(throws: Broken.self) { try await VirtualTime.run { _ in throw Broken() } }
        let name = try await Name.$current.withValue("outer") { try await VirtualTime.run { _ in Name.current } }
        #expect(name == "outer")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func timersRunAtTheirInstants() async throws {
        let log = Lock<[String]>([])
        try await VirtualTime.run { time in
            let clock = time.clock
            let start = clock.now
            @Sendable func note(_ name: String) {
                log.withLock { $0.append("\(name) at \(clock.elapsed / .seconds(1))") }
            }
            _ = clock.schedule(at: start.advanced(by: .seconds(2))) { note("later") }
            _ = clock.schedule(at: start.advanced(by: .seconds(1))) {
                note("first")
                _ = clock.schedule(at: clock.now) { note("due") }
                note("after")
            }
            _ = clock.schedule(at: start.advanced(by: .seconds(1))) { note("second") }
            clock.schedule(at: start) { note("cancelled") }.cancel()
            #expect(clock.pendingCount == 3)
            try await clock.sleep(until: start.advanced(by: .seconds(3)))
            #expect(clock.pendingCount == 0)
        }
        #expect(
            log.withLock(\.self) == ["first at 1.0", "after at 1.0", "second at 1.0", "due at 1.0", "later at 2.0"]
        )
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func manyTimersKeepTheirOrder() async throws {
        let order = Lock<[Int]>([])
        let expected = try await VirtualTime.run { time in
            var generator = time.makeGenerator()
            let start = time.clock.now
            var expected: [(delay: Int, index: Int)] = []
            for index in 0..<5000 {
                let delay = Int.random(in: 0..<500, using: &generator)
                let timer = time.clock.schedule(at: start.advanced(by: .seconds(delay))) {
                    order.withLock { $0.append(index) }
                }
                if Bool.random(using: &generator) { timer.cancel() } else { expected.append((delay, index)) }
            }
            try await time.sleep(for: .seconds(500))
            return expected.sorted { ($0.delay, $0.index) < ($1.delay, $1.index) }.map(\.index)
        }
        #expect(order.withLock(\.self) == expected)
    }

    // MARK: - The order of tasks

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func order(of seed: UInt64) async throws -> [Int] {
        try await VirtualTime.run(seed: seed) { time in
            await withTaskGroup(of: Int.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        await Task.yield()
                        try? await time.sleep(for: .seconds(index % 2))
                        return index
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theSeedChoosesTheOrder() async throws {
        var orders: Set<[Int]> = []
        for seed in 0..<10 as Range<UInt64> {
            let order = try await order(of: seed)
            #expect(try await self.order(of: seed) == order)
            orders.insert(order)
        }
        #expect(orders.count > 1)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func whatIsLeftBehindRunsToItsEnd() async throws {
        let log = Lock<[String]>([])
        try await VirtualTime.run { time in
            Task(executorPreference: time.executor) {
                try await time.sleep(for: .seconds(10))
                log.withLock { $0.append("left") }
            }
            log.withLock { $0.append("end") }
        }
        #expect(log.withLock(\.self) == ["end", "left"])
    }

    /// A task that waits for another thread when the operation ends continues on the process's executor.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func whatWaitsForOthersContinuesLater() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = try await VirtualTime.run { time in
            Task(executorPreference: time.executor) {
                var sum = 0
                for await number in stream { sum += number }
                return sum
            }
        }
        for number in 1...3 { continuation.yield(number) }
        continuation.finish()
        #expect(await task.value == 6)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func eventsFromOtherThreadsAreCounted() async throws {
        try await VirtualTime.run { time in
            #expect(await MainActor.run { 1 } == 1)
            #expect(time.outsideEventCount > 0)
        }
    }

    // MARK: - Operations that don't end

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [true, false]) func aStallIsAnError(_ endsOnCancellation: Bool) async throws {
        let error = await #expect(throws: VirtualTimeError.self) {
            try await VirtualTime.run(limits: VirtualTime.Limits(patience: .milliseconds(20))) { time in
                try await time.sleep(for: .seconds(5))
                if endsOnCancellation {
                    for await _ in AsyncStream<Int>.makeStream().stream {}
                } else {
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                }
            }
        }
        #expect(error?.kind == .stalled && error?.elapsed == .seconds(5))
        #expect(error?.description.contains("no task can run") == true)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [true, false]) func runningOnAndOnIsAnError(_ yields: Bool) async throws {
        let error = await #expect(throws: VirtualTimeError.self) {
            try await VirtualTime.run(limits: VirtualTime.Limits(stepsMax: 1000)) { time in
                while true {
                    // Only the second ends by its cancellation.
                    if yields { await Task.yield() } else { try await time.sleep(for: .zero) }
                }
            }
        }
        #expect(error?.kind == .busy && error?.elapsed == .zero)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func stepsAtDifferentInstantsHaveNoLimit() async throws {
        try await VirtualTime.run(limits: VirtualTime.Limits(stepsMax: 100)) { time in
            for _ in 0..<1000 { try await time.sleep(for: .nanoseconds(1)) }
            #expect(time.elapsed == .microseconds(1))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func cancellingTheCallerCancelsTheOperation() async throws {
        let hasStarted = Lock(false)
        let task = Task {
            try await VirtualTime.run(limits: VirtualTime.Limits(patience: .seconds(300))) { _ in
                hasStarted.withLock { $0 = true }
                for await _ in AsyncStream<Int>.makeStream().stream {}
                try Task.checkCancellation()
            }
        }
        while !hasStarted.withLock(\.self) { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
