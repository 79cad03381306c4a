import Hikyaku
import MenuDomain
import MenuScreens

@testable import MenuCore

/// A service in memory that can hold back its responses to changes.
final actor Service {
    let mock = MockMenu()
    private var isHolding = false
    private var isFailing = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated func repository(token: String? = MockMenu.token) -> RemoteMenu {
        let environment = APIEnvironment.stubbed { request in try await self.answer(to: request) }
        return RemoteMenu(MenuEnvironment(environment, token: .bearer(token)))
    }

    private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        if request.method == .put, isHolding { await withCheckedContinuation { waiting.append($0) } }
        return isFailing ? HTTPResponse(status: .internalServerError) : try await mock.answer(to: request)
    }

    /// Starts or stops responding with an internal error.
    func fail(_ isFailing: Bool = true) {
        self.isFailing = isFailing
    }

    /// Holds back the responses to changes from now on.
    func hold() {
        isHolding = true
    }

    /// Sends the responses that were held back, and all later ones at once.
    func release() {
        isHolding = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// The three screens of the app over one repository, as they run.
@MainActor
struct Screens {
    let list: MenuListModel
    let page: DishModel
    let badge: FavouritesBadgeModel
    private let running: [Task<Void, Never>]

    /// Opens the screens, and waits until all have loaded.
    init(of dish: Dish.ID, _ repository: RemoteMenu) async {
        let list = MenuListModel(repository: repository)
        let page = DishModel(dish, repository: repository)
        let badge = FavouritesBadgeModel(repository: repository)
        (self.list, self.page, self.badge) = (list, page, badge)
        running = [Task { await list.run() }, Task { await page.run() }, Task { await badge.run() }]
        // A response in flight could have the state before a change.
        await waitUntil { !list.isLoading && !page.isLoading && !badge.isLoading }
        await waitUntil { list.dishes.count == 3 && page.dish != nil && badge.count == 1 }
    }

    func listed(_ id: Dish.ID) -> Dish? { list.dishes.first { $0.id == id } }

    /// Waits until all three show a dish as a favourite or not, with `count` favourites in all.
    func waitUntilAllShow(_ isFavourite: Bool, _ id: Dish.ID, count: Int) async {
        await waitUntil {
            listed(id)?.isFavourite == isFavourite && page.dish?.isFavourite == isFavourite && badge.count == count
        }
    }

    func close() async {
        for task in running { task.cancel() }
        for task in running { await task.value }
    }
}
