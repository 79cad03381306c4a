import Hikyaku
import MenuDomain
import MenuScreens
import Testing

@testable import MenuCore

/// The problems that screens show, and when they show none.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ProblemTests {
    private let service = Service()

    @Test
    func cancellingAChangeShowsNoProblem() async {
        let screens = await Screens(of: 1, service.repository())
        await service.hold()
        let change = Task { await screens.page.toggleFavourite() }
        await screens.waitUntilAllShow(true, 1, count: 2)
        change.cancel()
        await change.value
        await screens.waitUntilAllShow(false, 1, count: 1)
        #expect(screens.page.problem == nil)
        await service.release()
        await screens.close()
    }

    @Test
    func closingAScreenWhileItLoadsShowsNoProblem() async {
        let list = MenuListModel(repository: service.repository())
        let badge = FavouritesBadgeModel(repository: service.repository())
        let page = DishModel(1, repository: service.repository())
        let running = [Task { await list.run() }, Task { await badge.run() }, Task { await page.run() }]
        for task in running { task.cancel() }
        for task in running { await task.value }
        #expect(list.problem == nil && badge.problem == nil && page.problem == nil)
    }

    @Test
    func withoutASignedInUserTheProblemSaysSo() async {
        let repository = service.repository(token: nil)
        let page = DishModel(1, repository: repository)
        let running = Task { await page.run() }
        await waitUntil { page.dish != nil && !page.isLoading }
        await page.toggleFavourite()
        #expect(page.problem == "Sign in to keep favourites.")
        await waitUntil { page.dish?.isFavourite == false }
        running.cancel()
        await running.value
    }

    @Test
    func aRejectedTokenMeansTheSame() async {
        await #expect(throws: MenuProblem.notSignedIn) {
            _ = try await service.repository(token: "another").favourites()
        }
    }

    @Test
    func aProblemDisappearsWhenTheNextLoadSucceeds() async {
        let page = DishModel(1, repository: service.repository())
        await service.fail()
        await page.refresh()
        #expect(page.problem?.isEmpty == false)
        await service.fail(false)
        await page.refresh()
        #expect(page.problem == nil)
    }
}
