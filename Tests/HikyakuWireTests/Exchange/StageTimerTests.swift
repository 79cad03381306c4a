#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// The timer alone, on a clock that the tests move.
@Suite struct StageTimerTests {
    private static let limits = StageTimer.Limits(
        TransportTimeouts(connect: .seconds(10), firstByte: .seconds(30), idle: .seconds(20))
    )

    private func at(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

    private func timer(in stage: StageTimer.Stage, at seconds: Double) -> StageTimer {
        var timer = StageTimer(Self.limits)
        timer.move(to: stage, at: at(seconds))
        return timer
    }

    @Test func nothingIsOverBeforeTheShortestTimeout() {
        #expect(Self.limits.shortest == at(20))
        // The time for a connection isn't the stage timer's.
        let timeouts = TransportTimeouts(connect: .seconds(1), firstByte: .seconds(2), idle: .seconds(3))
        #expect(StageTimer.Limits(timeouts).shortest == at(2))
    }

    @Test func theUsualTimeoutsAreThoseThatWereGiven() {
        let usual = TransportTimeouts()
        let limits = StageTimer.Limits.of(usual)
        #expect(limits.connect == usual.connect.clampedNanoseconds)
        #expect(limits.firstByte == usual.firstByte.clampedNanoseconds)
        #expect(limits.idle == usual.idle.clampedNanoseconds)
        #expect(StageTimer.Limits.of(TransportTimeouts(idle: .seconds(7))).idle == at(7))
    }

    @Test func anExpectationEndsByItselfAndNeverLaterThanTheFirstByte() {
        #expect(timer(in: .expecting, at: 5).end == at(6))
        let timeouts = TransportTimeouts(firstByte: .seconds(2), expectation: .seconds(3))
        #expect(StageTimer.Limits(timeouts).expectation == at(2))
        #expect(StageTimer.Limits(TransportTimeouts(expectation: .milliseconds(1))).shortest == at(60))
    }

    @Test func theFirstByteIsWaitedForFromTheRequestOn() {
        let timer = timer(in: .waiting, at: 5)
        #expect(timer.end == at(35))
        #expect(timer.reason == .firstByteTimeout)
    }

    @Test func aRequestThatDoesNotGoOutIsIdle() {
        let timer = timer(in: .sending, at: 5)
        #expect(timer.end == at(25))
        #expect(timer.reason == .idleTimeout)
    }

    @Test func aRequestOfWhichNothingGoesOutCountsFromItsBeginning() {
        var timer = StageTimer(Self.limits)
        timer.begin(at: at(1000))
        timer.begin(at: at(1005))
        #expect(timer.stage == .sending && timer.end == at(1020))
    }

    @Test func whatIsSentPushesTheEnd() {
        var timer = timer(in: .sending, at: 0)
        for second in 1...60 { timer.move(to: .sending, at: at(Double(second))) }
        #expect(timer.end == at(80))
        #expect(timer.reason == .idleTimeout)
    }

    @Test func whatIsReceivedPushesTheEnd() {
        var timer = timer(in: .waiting, at: 5)
        timer.move(to: .receiving, at: at(15))
        timer.move(to: .receiving, at: at(30))
        #expect(timer.end == at(50))
        #expect(timer.reason == .idleTimeout)
    }

    @Test func whatIsSentMovesTheStageUnlessAResponseComes() {
        var timer = StageTimer(Self.limits)
        timer.sent(isWhole: false, at: at(10))
        #expect(timer.stage == .sending && timer.end == at(30))
        timer.sent(isWhole: true, at: at(20))
        #expect(timer.stage == .waiting && timer.end == at(50))
        timer.move(to: .receiving, at: at(30))
        for isWhole in [false, true] {
            timer.sent(isWhole: isWhole, at: at(40))
            #expect(timer.stage == .receiving && timer.end == at(60))
        }
    }

    /// Such as the time in which the caller reads nothing.
    @Test func aPauseIsNotCountedInAnyStage() {
        for (stage, end) in [(StageTimer.Stage.sending, 1020.0), (.waiting, 1030), (.receiving, 1020)] {
            var timer = timer(in: stage, at: 0)
            timer.move(at: at(1000))
            #expect(timer.stage == stage)
            #expect(timer.end == at(end))
        }
    }

    @Test(arguments: [
        (Duration.seconds(Int64.max), Int64.max), (.seconds(-1), 0), (.seconds(Int64.min), 0), (.zero, 0),
        (.milliseconds(1500), 1_500_000_000), (.seconds(10_000_000_000), .max), (.milliseconds(-1), 0),
    ])
    func anyDurationIsReckonedWith(_ duration: Duration, _ nanoseconds: Int64) {
        #expect(duration.clampedNanoseconds == nanoseconds)
        #expect(Nanoseconds.sum(at(1), nanoseconds) >= at(1))
    }

    @Test func neverIsNotATimeToWaitFor() {
        let ever = Duration.seconds(Int64.max)
        var timer = StageTimer(StageTimer.Limits(TransportTimeouts(connect: ever, firstByte: ever, idle: ever)))
        timer.move(to: .waiting, at: at(5))
        #expect(timer.end == .max)
        #expect(Nanoseconds.milliseconds(until: .max, from: at(1)) == -1)
        #expect(Nanoseconds.milliseconds(until: at(2), from: at(1)) == 1004)
        #expect(Nanoseconds.milliseconds(until: at(1), from: at(2)) == 0)
    }
}
#endif
