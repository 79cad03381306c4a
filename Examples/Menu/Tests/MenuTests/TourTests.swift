import MenuCore
import Testing

@testable import MenuTour

/// The output of the program.
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

                Udon is no longer a favourite, and all screens show it:
                  list   Ramen, Udon, Tempura, Unagi, Soba, Gyoza, …
                  page   Udon, ¥800
                  page   Unagi, ¥2800
                  badge  0

                Unagi could not become a favourite, and all screens rolled it back (Unagi is sold out.):
                  list   Ramen, Udon, Tempura, Unagi, Soba, Gyoza, …
                  page   Udon, ¥800
                  page   Unagi, ¥2800
                  badge  0
                """
        )
    }
}
