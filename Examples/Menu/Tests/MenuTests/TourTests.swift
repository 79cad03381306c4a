import MenuCore
import Testing

@testable import MenuTour

/// What the program prints.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TourTests {
    @Test
    func theTourShowsWhatTheScreensShow() async {
        var lines: [String] = []
        await Tour(repository: RemoteMenu(.mock)) { lines.append($0) }.run()
        #expect(
            lines.joined(separator: "\n") == """
                Hikyaku-tei, last order at 21:30.

                All screens have loaded:
                  list   Ramen, Udon ♥, Tempura, …
                  page   Udon ♥, ¥800
                  page   Unagi, ¥2800
                  badge  1

                The list has loaded another page:
                  list   Ramen, Udon ♥, Tempura, Unagi, Soba, Gyoza, …
                  page   Udon ♥, ¥800
                  page   Unagi, ¥2800
                  badge  1

                On its page, Udon was made no favourite any more, and all have heard of it:
                  list   Ramen, Udon, Tempura, Unagi, Soba, Gyoza, …
                  page   Udon, ¥800
                  page   Unagi, ¥2800
                  badge  0

                On its page, Unagi was to be a favourite, and all have taken it back (Unagi is sold out.):
                  list   Ramen, Udon, Tempura, Unagi, Soba, Gyoza, …
                  page   Udon, ¥800
                  page   Unagi, ¥2800
                  badge  0
                """
        )
    }
}
