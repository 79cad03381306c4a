import MenuDomain
import Observation

/// The number of favourites, for a badge.
@MainActor
@Observable
public final class FavouritesBadgeModel {
    /// The number of known favourites.
    public var count: Int { ids.count }
    /// Whether it waits for a response; `true` before it runs.
    public private(set) var isLoading = true
    /// The text of the last problem.
    public private(set) var problem: String?

    private var ids: Set<Dish.ID> = []
    private let repository: any MenuRepository

    /// Creates the badge; it counts nothing before it runs.
    public init(repository: any MenuRepository) {
        self.repository = repository
    }

    /// Runs as long as the badge exists.
    public func run() async {
        let changes = repository.changes()
        async let loading: Void = load()
        for await dish in changes {
            if dish.isFavourite { ids.insert(dish.id) } else { ids.remove(dish.id) }
        }
        await loading
    }

    /// Loads the favourites.
    ///
    /// The dishes of the response are received as updates, and counted then.
    public func load() async {
        isLoading = true
        defer { isLoading = false }
        do throws(MenuProblem) {
            _ = try await repository.favourites()
            problem = nil
        } catch {
            problem = error.text ?? problem
        }
    }
}
