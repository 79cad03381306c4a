/// The data for the screens, in the terms of the app; the screens don't know its source.
///
/// Every change of a dish, by a response or by a screen, is published to all subscribers.
public nonisolated protocol MenuRepository: Sendable {
    /// The restaurant and its recommendations.
    func today() async throws(MenuProblem) -> Today
    /// A part of the menu, counted from 1.
    func dishes(page: Int) async throws(MenuProblem) -> DishPage
    /// One dish as it is now.
    func dish(_ id: Dish.ID) async throws(MenuProblem) -> Dish
    /// The favourites of the signed-in user.
    func favourites() async throws(MenuProblem) -> [Dish]
    /// Adds a dish to the favourites, or removes it.
    ///
    /// All subscribers see the change at once. It is rolled back if the service rejects it.
    func setFavourite(_ isFavourite: Bool, of dish: Dish) async throws(MenuProblem)

    /// Every later state of any dish, from now on. The stream has one reader, and ends with the reader's task.
    func changes() -> AsyncStream<Dish>
    /// The last known state of one dish, if there is one, and every later one.
    func states(of id: Dish.ID) -> AsyncStream<Dish>
}
