#if os(Linux)
import Testing

@testable import HikyakuCurl

@Suite struct PaceTests {
    private let start = ContinuousClock.now
    private let url = "http://127.0.0.1:8080/items"

    private func after(_ microseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .microseconds(microseconds))
    }

    /// The pace after one exchange.
    private func pace(
        isAlone: Bool = true,
        isSuccess: Bool = true,
        isOverKeptConnection: Bool = true,
        microseconds: Int = 199,
    ) -> Pace {
        var pace = Pace()
        pace.requestCame(isAlone: isAlone, at: after(0))
        pace.outcomeCame(
            for: url,
            isSuccess: isSuccess,
            isOverKeptConnection: isOverKeptConnection,
            at: after(microseconds),
        )
        return pace
    }

    @Test func isQuickOnlyAfterALoneSuccessOverAKeptConnection() {
        #expect(!Pace().isQuick(for: url), "nothing is known of the first")
        #expect(pace().isQuick(for: url))
        #expect(!pace(isAlone: false).isQuick(for: url))
        #expect(!pace(isSuccess: false).isQuick(for: url))
        #expect(!pace(isOverKeptConnection: false).isQuick(for: url))
        #expect(!pace(microseconds: 200).isQuick(for: url))
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/items", true), ("http://127.0.0.1:8080/", true), ("http://127.0.0.1:8080/a?b=/", true),
        ("http://127.0.0.1:808/items", false), ("http://127.0.0.1:80801/items", false),
        ("https://127.0.0.1:8080/items", false), ("http://127.0.0.2:8080/items", false), ("", false),
    ])
    func isQuickForTheSameOriginAlone(_ other: String, _ isQuick: Bool) {
        #expect(pace().isQuick(for: other) == isQuick)
    }

    @Test func oneWindowInVainEndsItUntilTheNextQuickOutcome() {
        var pace = pace()
        pace.requestCame(isAlone: true, at: after(300))
        #expect(pace.elapsed(at: after(400)) == .microseconds(100))
        pace.waitedInVain()
        #expect(!pace.isQuick(for: url))
        // The exchange began before: when it ends says nothing any more.
        pace.outcomeCame(for: url, isSuccess: true, isOverKeptConnection: true, at: after(301))
        #expect(!pace.isQuick(for: url))
        pace.requestCame(isAlone: true, at: after(500))
        pace.outcomeCame(for: url, isSuccess: true, isOverKeptConnection: true, at: after(510))
        #expect(pace.isQuick(for: url))
    }

    @Test func anotherRequestEndsTheWindow() {
        var pace = pace()
        pace.requestCame(isAlone: true, at: after(300))
        pace.requestCame(isAlone: false, at: after(301))
        #expect(pace.elapsed(at: after(302)) == Pace.window)
    }
}
#endif
