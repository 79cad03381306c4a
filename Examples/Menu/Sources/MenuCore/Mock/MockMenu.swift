import Hikyaku
import MenuDomain

/// The restaurant's service in memory: it responds to all requests of the app, and keeps changes.
actor MockMenu {
    /// The token that authorizes requests for favourites.
    static let token = "mock-token"
    private static let pageSize = 3

    private var dishes: [Dish]

    init(dishes: [Dish] = MockMenu.sample) {
        self.dishes = dishes
    }

    /// The environment that replaces the restaurant's service.
    nonisolated var environment: APIEnvironment {
        .stubbed { request in try await self.answer(to: request) }
    }

    /// Responds as the service does, with the same JSON and the same statuses.
    func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        let segments = request.url.path().split(separator: "/").map(String.init)
        switch (request.method, segments.first, segments.dropFirst().first.flatMap { Int($0) }) {
        case (.get, "today", nil): return try .encoding(TodayAnswer(restaurant: Self.house, specials: specials))
        case (.get, "dishes", nil): return try page(request.queryItem("page").flatMap { Int($0) } ?? 1)
        case (.get, "dishes", let id?): return try dish(id)
        case (.get, "favourites", nil) where isSignedIn(request): return try .encoding(dishes.filter(\.isFavourite))
        case (.put, "favourites", let id?) where isSignedIn(request):
            return try setFavourite(id, try await request.decode(FavouriteBody.self).isFavourite)
        case (_, "favourites", _): return try .error(.unauthorized, "no_token", "A token is required.")
        default: return try .error(.notFound, "not_found", "There is nothing here.")
        }
    }

    private var specials: [Dish] { dishes.filter { $0.price > 1_000 } }

    private func page(_ number: Int) throws -> HTTPResponse {
        let pageCount = (dishes.count + Self.pageSize - 1) / Self.pageSize
        guard 1...max(1, pageCount) ~= number else {
            return try .error(.notFound, "no_page", "The menu has \(pageCount) pages.")
        }
        let shown = dishes.dropFirst((number - 1) * Self.pageSize).prefix(Self.pageSize)
        return try .encoding(PageAnswer(dishes: Array(shown), page: number, pageCount: pageCount))
    }

    private func dish(_ id: Dish.ID) throws -> HTTPResponse {
        guard let dish = dishes.first(where: { $0.id == id }) else { return try .noSuchDish }
        return try .encoding(dish)
    }

    private func setFavourite(_ id: Dish.ID, _ isFavourite: Bool) throws -> HTTPResponse {
        guard let index = dishes.firstIndex(where: { $0.id == id }) else { return try .noSuchDish }
        guard !dishes[index].isSoldOut else {
            return try .error(.conflict, "sold_out", "\(dishes[index].name) is sold out.")
        }
        dishes[index].isFavourite = isFavourite
        return try .encoding(dishes[index])
    }

    private func isSignedIn(_ request: HTTPRequest) -> Bool {
        request.headers[.authorization] == "Bearer \(Self.token)"
    }

    /// Changes a dish at the service without the app, as the kitchen does.
    func update(_ id: Dish.ID, _ change: @Sendable (inout Dish) -> Void) {
        guard let index = dishes.firstIndex(where: { $0.id == id }) else { return }
        change(&dishes[index])
    }
}

nonisolated extension MockMenu {
    static let house = Restaurant(name: "Hikyaku-tei", lastOrder: "21:30")

    static let sample = [
        Dish(id: 1, name: "Ramen", price: 950),
        Dish(id: 2, name: "Udon", price: 800, isFavourite: true),
        Dish(id: 3, name: "Tempura", price: 1_400),
        Dish(id: 4, name: "Unagi", price: 2_800, isSoldOut: true),
        Dish(id: 5, name: "Soba", price: 850),
        Dish(id: 6, name: "Gyoza", price: 480),
        Dish(id: 7, name: "Matcha", price: 450),
    ]
}
