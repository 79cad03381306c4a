import MenuDomain
import Observation

/// The number of favourites, as a badge shows it.
@MainActor
@Observable
public final class FavouritesBadgeModel {
    /// How many there are, as far as they are known.
    public var count: Int { ids.count }
    /// Whether it waits for an answer, from the beginning on.
    public private(set) var isLoading = true
    /// What went wrong last.
    public private(set) var problem: String?

    private var ids: Set<Dish.ID> = []
    private let repository: any MenuRepository

    /// Makes the badge; it counts nothing before it runs.
    public init(repository: any MenuRepository) {
        self.repository = repository
    }

    /// Runs as long as the badge is there.
    public func run() async {
        let changes = repository.changes()
        async let loading: Void = load()
        for await dish in changes {
            if dish.isFavourite { ids.insert(dish.id) } else { ids.remove(dish.id) }
        }
        await loading
    }

    /// Asks which favourites there are.
    ///
    /// The answer's dishes are heard of as all others are, and counted then.
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
