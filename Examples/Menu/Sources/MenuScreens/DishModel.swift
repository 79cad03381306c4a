import MenuDomain
import Observation

/// The page of one dish, with the button that makes it a favourite.
@MainActor
@Observable
public final class DishModel {
    /// The dish; `nil` until it is loaded.
    public private(set) var dish: Dish?
    /// Whether it waits for a response; `true` before it runs.
    public private(set) var isLoading = true
    /// The text of the last problem.
    public private(set) var problem: String?

    private let id: Dish.ID
    private let repository: any MenuRepository

    /// Creates the page; it shows nothing before it runs.
    public init(_ id: Dish.ID, repository: any MenuRepository) {
        self.id = id
        self.repository = repository
    }

    /// Runs as long as the screen exists: shows the known state, then the response, then every change.
    public func run() async {
        let states = repository.states(of: id)
        async let loading: Void = refresh()
        for await state in states { dish = state }
        await loading
    }

    /// Loads the dish again.
    ///
    /// The response is received as an update, like every other change.
    public func refresh() async {
        isLoading = true
        defer { isLoading = false }
        do throws(MenuProblem) {
            _ = try await repository.dish(id)
            problem = nil
        } catch {
            problem = error.text ?? problem
        }
    }

    /// Adds the dish to the favourites, or removes it; shown at once, and rolled back if it is rejected.
    public func toggleFavourite() async {
        guard let dish else { return }
        do throws(MenuProblem) {
            try await repository.setFavourite(!dish.isFavourite, of: dish)
            problem = nil
        } catch {
            problem = error.text ?? problem
        }
    }
}
