import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

/// When silence is too long, in time in which the process could run.
struct SilenceTests {
    private let start = SuspendingClock.now

    @Test func aLimitStrikesWhenItHasPassedAndNotBefore() throws {
        var (silence, now, checks) = (Silence(at: start), start, 0)
        while let pause = silence.check(limit: .seconds(60), shortest: .seconds(60), at: now) {
            #expect(pause > .zero)
            now += pause
            checks += 1
            try #require(checks < 100)
        }
        #expect(now == start + .seconds(60))
        #expect(checks == 4, "few checks, so that they cost nothing")
    }

    @Test func whatIsReceivedBeginsAnew() {
        var silence = Silence(at: start)
        silence.end(at: start + .seconds(59))
        #expect(silence.check(limit: .seconds(60), shortest: .seconds(60), at: start + .seconds(60)) != nil)
        #expect(silence.check(limit: .seconds(60), shortest: .seconds(60), at: start + .seconds(60)) != nil)
    }

    /// An app that was suspended for an hour gets its checks an hour late.
    @Test func theTimeOfASuspensionDoesNotCount() throws {
        var silence = Silence(at: start)
        let first = silence.check(limit: .seconds(60), shortest: .seconds(60), at: start)
        let pause = try #require(first)
        let back = start + pause + .seconds(3600)
        var (now, checks) = (back, 0)
        while let pause = silence.check(limit: .seconds(60), shortest: .seconds(60), at: now) {
            now += pause
            checks += 1
            try #require(checks < 100)
        }
        // It has the rest of its time.
        #expect(now - back == .seconds(45))
    }

    @Test func aBusyMachineIsNotSuspended() throws {
        var silence = Silence(at: start)
        let first = silence.check(limit: .seconds(4), shortest: .seconds(4), at: start)
        let pause = try #require(first)
        // Half a second late counts.
        let late = start + pause + .milliseconds(500)
        let next = silence.check(limit: .seconds(4), shortest: .seconds(4), at: late)
        #expect(next == .seconds(1))
        #expect(silence.check(limit: .milliseconds(1500), shortest: .seconds(1), at: late) == nil)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .farFuture, .farFuture * 10, .nanoseconds(1)])
    func anyLimitIsPossible(_ limit: Duration) {
        var silence = Silence(at: start)
        let pause = silence.check(limit: limit, shortest: limit, at: start)
        #expect((pause == nil) == (limit <= .zero))
        #expect(silence.check(limit: limit, shortest: .zero, at: start + .farFuture) == nil || limit > .zero)
    }
}
