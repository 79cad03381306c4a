import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite struct SpendingLedgerTests {
    private static let start = ContinuousClock.now

    /// Every sequence of five changes, each some time after the one before, or before it on another thread.
    @Test func allTimeBelongsToOnePhase() {
        let phases: [DeadlineSpending.Phase] = [.attempt, .pause, .body]
        let steps: [Duration] = [.zero, .seconds(1), .seconds(-1)]
        var sequences: [[(DeadlineSpending.Phase, Duration)]] = [[]]
        for _ in 0..<5 {
            sequences = sequences.flatMap { sequence in
                phases.flatMap { phase in steps.map { sequence + [(phase, $0)] } }
            }
        }
        for sequence in sequences {
            var ledger = SpendingLedger(.other, since: Self.start)
            var (now, latest) = (Self.start, Self.start)
            for (phase, step) in sequence {
                now = now.advanced(by: step)
                latest = max(latest, now)
                ledger.enter(phase, at: now)
            }
            let totals = ledger.totals(at: now)
            #expect(totals.values.reduce(.zero, +) == Self.start.duration(to: latest))
            #expect(totals.values.allSatisfy { $0 >= .zero })
        }
    }

    @Test func theTimeOfASharedAttemptIsReplacedAndNeverMoreThanThereIs() {
        var ledger = SpendingLedger(.attempt, since: Self.start)
        let end = Self.start.advanced(by: .seconds(5))
        ledger.replaceAttempt(by: [.pause: .seconds(3), .attempt: .seconds(1), .redirects: .seconds(-1)], at: end)
        #expect(ledger.totals(at: end) == [.attempt: .seconds(2), .pause: .seconds(3)])
        ledger.replaceAttempt(by: [.body: .seconds(9)], at: end)
        #expect(ledger.totals(at: end) == [.attempt: .zero, .pause: .seconds(3), .body: .seconds(2)])
    }

    @Test func aBodyBeginsOnlyWhereAResponseIsAwaited() {
        for phase in DeadlineSpending.Phase.allCases {
            var ledger = SpendingLedger(phase, since: Self.start)
            ledger.beginBody(at: Self.start)
            let totals = ledger.totals(at: Self.start.advanced(by: .seconds(1)))
            #expect(totals == [phase == .attempt || phase == .redirects ? .body : phase: .seconds(1)])
        }
    }

    @Test(arguments: [
        (Duration.zero, "0 ms"), (.microseconds(1240), "1.2 ms"), (.milliseconds(850), "850 ms"), (.seconds(1), "1 s"),
        (.milliseconds(4200), "4.2 s"), (.milliseconds(4256), "4.26 s"), (.seconds(300), "300 s"),
        (.seconds(-2), "-2000 ms"),
    ])
    func durationsAreShort(_ duration: Duration, _ text: String) {
        #expect(duration.shortText == text)
    }

    @Test func noDurationIsTooLong() {
        #expect((Duration.seconds(Int64.max) * 10).shortText.hasSuffix(" s"))
    }
}
