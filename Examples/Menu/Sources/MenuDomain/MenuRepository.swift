/// What screens ask for, in the words of the app; where it comes from is none of their business.
///
/// Whatever an answer says of a dish, and whatever is changed, all who watch hear of: nobody has to tell the others.
public nonisolated protocol MenuRepository: Sendable {
    /// What a guest sees first.
    func today() async throws(MenuProblem) -> Today
    /// A part of the menu, counted from 1.
    func dishes(page: Int) async throws(MenuProblem) -> DishPage
    /// One dish as it is now.
    func dish(_ id: Dish.ID) async throws(MenuProblem) -> Dish
    /// All that whoever is signed in likes.
    func favourites() async throws(MenuProblem) -> [Dish]
    /// Makes a dish a favourite, or no favourite any more.
    ///
    /// All who watch see it at once, and see it taken back if it is refused.
    func setFavourite(_ isFavourite: Bool, of dish: Dish) async throws(MenuProblem)

    /// Every later state of any dish, from now on. The stream has one reader, and ends with the reader's task.
    func changes() -> AsyncStream<Dish>
    /// The last known state of one dish, if there is one, and every later one.
    func states(of id: Dish.ID) -> AsyncStream<Dish>
}
