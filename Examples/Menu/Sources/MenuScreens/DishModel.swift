import MenuDomain
import Observation

/// The page of one dish, with the heart that makes it a favourite.
@MainActor
@Observable
public final class DishModel {
    /// The dish; `nil` until it is known.
    public private(set) var dish: Dish?
    /// Whether it waits for an answer, from the beginning on.
    public private(set) var isLoading = true
    /// What went wrong last.
    public private(set) var problem: String?

    private let id: Dish.ID
    private let repository: any MenuRepository

    /// Makes the page; it shows nothing before it runs.
    public init(_ id: Dish.ID, repository: any MenuRepository) {
        self.id = id
        self.repository = repository
    }

    /// Runs as long as the screen is there: first what is known, then what the restaurant says, then every change.
    public func run() async {
        let states = repository.states(of: id)
        async let loading: Void = refresh()
        for await state in states { dish = state }
        await loading
    }

    /// Asks the restaurant anew.
    ///
    /// What it says is heard of as all else is.
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

    /// Makes the dish a favourite, or no favourite any more; shown at once, taken back if it is refused.
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
