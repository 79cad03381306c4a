import Hikyaku
import HikyakuBroadcast
import MenuDomain

/// The menu from the restaurant's service: the only type that uses clients, requests and the hub.
public struct RemoteMenu: MenuRepository {
    private let hub: ModelHub
    private let api: MappedClient<Authorized, MenuProblem>

    /// Opens the menu; nothing is sent yet.
    ///
    /// - Parameter environment: The service that the requests are sent to.
    public init(_ environment: MenuEnvironment = .production) {
        hub = ModelHub()
        api = APIClient()
            .substituting(environment.api, for: .menu)
            .publishing(to: hub)
            .authorized(by: environment.token, for: environment.api)
            .mapError { MenuProblem($0) }
    }

    /// Sends one request, whose response has both parts.
    public func today() async throws(MenuProblem) -> Today {
        let (restaurant, specials) = try await api.send(Menu.Today())
        return Today(restaurant: restaurant, specials: specials)
    }

    /// Sends one request for each page.
    public func dishes(page: Int) async throws(MenuProblem) -> DishPage {
        let answer = try await api.send(Menu.Dishes(page: page))
        return DishPage(dishes: answer.items, next: page < answer.info.pageCount ? page + 1 : nil)
    }

    /// Sends one request.
    public func dish(_ id: Dish.ID) async throws(MenuProblem) -> Dish {
        try await api.send(Menu.DishByID(id: id))
    }

    /// Sends one request, with the token.
    public func favourites() async throws(MenuProblem) -> [Dish] {
        try await api.send(Menu.Favourites())
    }

    /// Publishes the change, sends it with the token, and rolls it back if that fails.
    public func setFavourite(_ isFavourite: Bool, of dish: Dish) async throws(MenuProblem) {
        var changed = dish
        changed.isFavourite = isFavourite
        _ = try await hub.change(changed, from: dish) { () async throws(MenuProblem) in
            try await api.send(Menu.SetFavourite(id: dish.id, isFavourite: isFavourite))
        }
    }

    /// The hub's updates of all dishes.
    public func changes() -> AsyncStream<Dish> {
        AsyncStream(hub.updates(of: Dish.self))
    }

    /// The hub's latest state of one dish, and its updates.
    public func states(of id: Dish.ID) -> AsyncStream<Dish> {
        AsyncStream(hub.updates(of: Dish.self, id: id, .latest))
    }
}

nonisolated extension AsyncStream where Element: Sendable {
    /// Only the models, read from the hub's stream on demand: nothing is buffered twice.
    fileprivate init(_ updates: BroadcastStream<HubUpdate<Element>>) {
        self.init {
            // Iterators of one stream share its values, so a new one continues after the last one.
            var iterator = updates.makeAsyncIterator()
            return await iterator.next()?.value
        }
    }
}

nonisolated extension MenuProblem {
    /// The app's own error for a failed call.
    fileprivate init(_ failure: any APIFailure) {
        if failure.isCancelled {
            self = .cancelled
        } else if failure.phase == .unauthorized || failure.response?.status == .unauthorized {
            self = .notSignedIn
        } else if let menuError = failure.service(as: MenuError.self) {
            self = .rejected(menuError.message)
        } else {
            self = .other(failure.localizedDescription, suggestion: failure.recoverySuggestion)
        }
    }
}
