import MenuDomain
import MenuScreens
import Testing

@testable import MenuCore

/// The two other screens show what one screen loads or changes.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ChangesReachAllScreensTests {
    private let service = Service()

    @Test
    func aChangeThatOneScreenMakesReachesTheOthers() async {
        let screens = await Screens(of: 1, service.repository())
        #expect(screens.listed(1)?.isFavourite == false)
        await screens.page.toggleFavourite()
        await screens.waitUntilAllShow(true, 1, count: 2)
        await screens.page.toggleFavourite()
        await screens.waitUntilAllShow(false, 1, count: 1)
        #expect(screens.page.problem == nil)
        await screens.close()
    }

    @Test
    func aChangeThatOneScreenFetchesReachesTheOthers() async {
        let screens = await Screens(of: 3, service.repository())
        await service.mock.update(3) { ($0.price, $0.isFavourite) = (1_600, true) }
        #expect(screens.listed(3)?.price == 1_400)
        await screens.page.refresh()
        await screens.waitUntilAllShow(true, 3, count: 2)
        #expect(screens.listed(3)?.price == 1_600)
        #expect(screens.list.specials.first { $0.id == 3 }?.price == 1_600)
        await screens.close()
    }

    @Test
    func dishesThatTheListLoadsReachThePageAndTheBadge() async {
        let screens = await Screens(of: 5, service.repository())
        await service.mock.update(5) { $0.isFavourite = true }
        #expect(screens.page.dish?.isFavourite == false)
        await screens.list.loadNext()
        await screens.waitUntilAllShow(true, 5, count: 2)
        await screens.close()
    }

    @Test
    func aChangeIsShownBeforeTheServiceResponds() async {
        let screens = await Screens(of: 1, service.repository())
        await service.hold()
        async let change: Void = screens.page.toggleFavourite()
        await screens.waitUntilAllShow(true, 1, count: 2)
        await service.release()
        await change
        await screens.waitUntilAllShow(true, 1, count: 2)
        await screens.close()
    }

    @Test
    func aRejectedChangeIsRolledBackOnAllScreens() async {
        let screens = await Screens(of: 4, service.repository())
        await screens.list.loadNext()
        await service.hold()
        async let change: Void = screens.page.toggleFavourite()
        await screens.waitUntilAllShow(true, 4, count: 2)
        #expect(screens.page.problem == nil)
        await service.release()
        await change
        await screens.waitUntilAllShow(false, 4, count: 1)
        #expect(screens.page.problem == "Unagi is sold out.")
        await screens.close()
    }

    @Test
    func aScreenThatOpensLateStartsWithTheKnownState() async {
        let repository = service.repository()
        let screens = await Screens(of: 1, repository)
        await screens.page.toggleFavourite()
        await service.fail()
        let late = DishModel(1, repository: repository)
        let running = Task { await late.run() }
        await waitUntil { late.dish?.isFavourite == true && !late.isLoading }
        #expect(late.problem != nil)
        running.cancel()
        await running.value
        await screens.close()
    }
}
