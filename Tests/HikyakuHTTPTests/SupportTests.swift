import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@Suite struct SupportTests {
    @Test func bodiesAboveTheLimitAreNotCollected() async throws {
        let body = HTTPBody("12345")
        #expect(try await body.collect(upTo: 5) == Data("12345".utf8))
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 4) }
        #expect(error?.reason == .bodyTooLarge)
    }

    @Test func aThreadRunsItsBodyOnce() async {
        await withCheckedContinuation { continuation in
            let started = BackgroundThread.start(name: "a name that is longer than fifteen bytes") {
                continuation.resume()
            }
            if !started { continuation.resume() }
            #expect(started)
        }
    }

    @Test func theSystemClockRunsActionsInTheOrderOfTheirTimes() async {
        let clock = SystemClock()
        let order = Lock<[Int]>([])
        await withCheckedContinuation { continuation in
            for (number, delay) in [(3, 60), (1, 5), (2, 30)] {
                _ = clock.schedule(at: clock.now.advanced(by: .milliseconds(delay))) {
                    order.withLock { $0.append(number) }
                    if number == 3 { continuation.resume() }
                }
            }
        }
        #expect(order.withLock { $0 } == [1, 2, 3])
    }

    @Test func aCancelledTimerNeverRuns() async {
        let clock = SystemClock()
        let ran = Lock(false)
        let timer = clock.schedule(at: clock.now.advanced(by: .milliseconds(20))) { ran.withLock { $0 = true } }
        timer.cancel()
        await withCheckedContinuation { continuation in
            _ = clock.schedule(at: clock.now.advanced(by: .milliseconds(60))) { continuation.resume() }
        }
        #expect(!ran.withLock { $0 })
    }

    @Test func aTimerThatIsDueRunsWithoutWaiting() async {
        let clock = SystemClock()
        await withCheckedContinuation { continuation in
            _ = clock.schedule(at: clock.now.advanced(by: .seconds(-1))) { continuation.resume() }
        }
    }

    @Test func anEarlierTimerIsNotHeldUpByALaterOne() async {
        let clock = SystemClock()
        let late = clock.schedule(at: clock.now.advanced(by: .seconds(3600))) {}
        let never = clock.schedule(at: clock.now.advanced(by: .seconds(Int64.max / 2))) {}
        let runs = Lock(0)
        for _ in 0..<20 {
            await withCheckedContinuation { continuation in
                _ = clock.schedule(at: clock.now.advanced(by: .milliseconds(2))) {
                    runs.withLock { $0 += 1 }
                    continuation.resume()
                }
            }
        }
        #expect(runs.withLock { $0 } == 20)
        late.cancel()
        never.cancel()
    }
}
