import MenuDomain
import Observation

/// The menu: the house, what it recommends, and all dishes page by page.
@MainActor
@Observable
public final class MenuListModel {
    /// The house; `nil` until it is known.
    public private(set) var restaurant: Restaurant?
    /// What the kitchen recommends.
    public private(set) var specials: [Dish] = []
    /// The pages so far.
    public private(set) var dishes: [Dish] = []
    /// Whether it waits for an answer, from the beginning on.
    public private(set) var isLoading = true
    /// What went wrong last.
    public private(set) var problem: String?
    /// Whether there is more to load.
    public var hasMore: Bool { next != nil }

    private let repository: any MenuRepository
    private var next: Int? = 1
    @ObservationIgnored private var isLoadingPage = false

    /// Makes the list; it shows nothing before it runs.
    public init(repository: any MenuRepository) {
        self.repository = repository
    }

    /// Runs as long as the screen is there: `.task { await model.run() }`.
    public func run() async {
        // Heard from before anything is asked for, so that no change falls between.
        let changes = repository.changes()
        async let loading: Void = load()
        for await dish in changes { show(dish) }
        await loading
    }

    /// Loads the house and the first page, unless they are there.
    public func load() async {
        isLoading = true
        defer { isLoading = false }
        do throws(MenuProblem) {
            if restaurant == nil {
                let today = try await repository.today()
                (restaurant, specials) = (today.restaurant, today.specials)
            }
        } catch {
            problem = error.text ?? problem
        }
        if dishes.isEmpty { await loadNext() }
    }

    /// Loads the page behind the dishes, if there is one and nobody is loading it.
    public func loadNext() async {
        guard let page = next, !isLoadingPage else { return }
        (isLoading, isLoadingPage) = (true, true)
        defer { (isLoading, isLoadingPage) = (false, false) }
        do throws(MenuProblem) {
            let answer = try await repository.dishes(page: page)
            dishes += answer.dishes
            next = answer.next
            problem = nil
        } catch {
            problem = error.text ?? problem
        }
    }

    private func show(_ dish: Dish) {
        if let index = dishes.firstIndex(where: { $0.id == dish.id }) { dishes[index] = dish }
        if let index = specials.firstIndex(where: { $0.id == dish.id }) { specials[index] = dish }
    }
}
