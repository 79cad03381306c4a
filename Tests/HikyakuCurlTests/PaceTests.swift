#if os(Linux)
import Testing

@testable import HikyakuCurl

@Suite struct PaceTests {
    private let start = ContinuousClock.now

    private func after(_ microseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .microseconds(microseconds))
    }

    @Test func isQuickOnlyAfterAQuickRequestAndAQuickAnswer() {
        var pace = Pace()
        pace.requestCame(at: after(0))
        #expect(!pace.isCallerQuick && !pace.isServerQuick, "nothing is known of the first")
        pace.outcomeCame(at: after(50))
        #expect(pace.isServerQuick)
        pace.requestCame(at: after(90))
        #expect(pace.isCallerQuick)
        pace.outcomeCame(at: after(400))
        #expect(!pace.isServerQuick)
        pace.requestCame(at: after(600))
        #expect(!pace.isCallerQuick)
    }

    @Test func oneWaitInVainEndsIt() {
        var pace = Pace()
        pace.requestCame(at: after(0))
        pace.outcomeCame(at: after(10))
        pace.requestCame(at: after(20))
        pace.outcomeCame(at: after(30))
        let isTooLateBefore = pace.isTooLate(at: after(129))
        #expect(!isTooLateBefore)
        #expect(pace.isCallerQuick)
        let isTooLate = pace.isTooLate(at: after(130))
        #expect(isTooLate)
        #expect(!pace.isCallerQuick && !pace.isServerQuick)
    }
}
#endif
