#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuCurl

/// The timer alone, on a clock that the tests move.
@Suite struct StageTimerTests {
    private static let limits = StageTimer.Limits(
        TransportTimeouts(connect: .seconds(10), firstByte: .seconds(30), idle: .seconds(20))
    )

    private func at(_ seconds: Double) -> CoarseInstant { CoarseInstant(nanoseconds: Int64((seconds * 1e9).rounded())) }

    private func verdict(
        _ timer: inout StageTimer,
        at seconds: Double,
        isHeldBack: Bool = false,
        sending: StageTimer.Sending = StageTimer.Sending(),
    ) -> StageTimer.Verdict {
        timer.verdict(at: at(seconds), isHeldBack: isHeldBack) { sending }
    }

    private func timer(hasUpload: Bool = false) -> StageTimer {
        var timer = StageTimer()
        _ = timer.begin(Self.limits, hasUpload: hasUpload, at: at(0))
        return timer
    }

    @Test func nothingIsOverBeforeTheShortestTimeout() {
        var timer = StageTimer()
        #expect(timer.begin(Self.limits, hasUpload: false, at: at(100)) == at(110))
        #expect(timer.begin(Self.limits, hasUpload: true, at: at(100)) == at(100.2))
    }

    @Test func connectingIsLeftToLibcurlForAWhile() {
        var timer = timer()
        #expect(verdict(&timer, at: 10.1) == .goesOn(until: at(10.2)))
        #expect(verdict(&timer, at: 10.2) == .expired(.connectTimeout))
    }

    @Test func theFirstByteIsWaitedForFromTheRequestOn() {
        var timer = timer()
        timer.sends(at: at(5))
        #expect(verdict(&timer, at: 34) == .goesOn(until: at(35)))
        #expect(verdict(&timer, at: 35) == .expired(.firstByteTimeout))
    }

    @Test func aByteOfAnUnfinishedLineIsTheFirst() {
        var timer = timer()
        timer.sends(at: at(5))
        let sending = StageTimer.Sending(microsecondsToFirstByte: 7_000_000)
        #expect(verdict(&timer, at: 26, sending: sending) == .goesOn(until: at(27)))
        #expect(verdict(&timer, at: 27, sending: sending) == .expired(.idleTimeout))
    }

    @Test func aBodyThatGoesOutIsNotIdle() {
        var timer = timer(hasUpload: true)
        timer.sends(at: at(0))
        timer.sentBody(at: at(1))
        for second in 2...60 {
            let sending = StageTimer.Sending(bytesSent: second, isOut: false)
            #expect(verdict(&timer, at: Double(second), sending: sending) == .goesOn(until: at(Double(second) + 0.2)))
        }
        let stuck = StageTimer.Sending(bytesSent: 60, isOut: false)
        #expect(verdict(&timer, at: 79.9, sending: stuck) == .goesOn(until: at(80)))
        #expect(verdict(&timer, at: 80, sending: stuck) == .expired(.idleTimeout))
    }

    @Test func whatIsReceivedPushesTheEnd() {
        var timer = timer()
        timer.receives(at: at(15))
        timer.receives(at: at(30))
        #expect(verdict(&timer, at: 49) == .goesOn(until: at(50)))
        #expect(verdict(&timer, at: 50) == .expired(.idleTimeout))
    }

    @Test func aHeldBackExchangeIsOnNobodysTime() {
        var timer = timer()
        timer.receives(at: at(0))
        #expect(verdict(&timer, at: 1000, isHeldBack: true) == .goesOn(until: at(1010)))
        #expect(verdict(&timer, at: 1005) == .goesOn(until: at(1015)))
        #expect(verdict(&timer, at: 1020) == .expired(.idleTimeout))
    }

    @Test func connectingAgainHasItsTimeAgain() {
        var timer = timer()
        timer.sends(at: at(5))
        timer.connects(at: at(6))
        timer.connects(at: at(7))
        #expect(verdict(&timer, at: 16) == .goesOn(until: at(16.2)))
        #expect(verdict(&timer, at: 16.2) == .expired(.connectTimeout))
    }

    @Test(arguments: [
        (Duration.seconds(Int64.max), Int64.max), (.seconds(-1), 0), (.seconds(Int64.min), 0), (.zero, 0),
        (.milliseconds(1500), 1_500_000_000), (.seconds(10_000_000_000), .max), (.milliseconds(-1), 0),
    ])
    func anyDurationIsReckonedWith(_ duration: Duration, _ nanoseconds: Int64) {
        #expect(duration.clampedNanoseconds == nanoseconds)
        #expect(at(1).advanced(by: nanoseconds) > at(0))
    }

    @Test func neverIsNoTimeToWaitFor() {
        #expect(at(5).advanced(by: .max) == .never)
        #expect(CoarseInstant.never.milliseconds(from: at(1)) == .infinity)
        #expect(at(2).milliseconds(from: at(1)) == 1004)
        #expect(at(1).milliseconds(from: at(2)) == 4)
    }
}
#endif
