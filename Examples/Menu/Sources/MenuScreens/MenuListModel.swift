import MenuDomain
import Observation

/// The menu: the restaurant, its recommendations, and all dishes page by page.
@MainActor
@Observable
public final class MenuListModel {
    /// The restaurant; `nil` until it is loaded.
    public private(set) var restaurant: Restaurant?
    /// The kitchen's recommendations.
    public private(set) var specials: [Dish] = []
    /// The dishes of all loaded pages.
    public private(set) var dishes: [Dish] = []
    /// Whether it waits for a response; `true` before it runs.
    public private(set) var isLoading = true
    /// The text of the last problem.
    public private(set) var problem: String?
    /// Whether there is more to load.
    public var hasMore: Bool { next != nil }

    private let repository: any MenuRepository
    private var next: Int? = 1
    @ObservationIgnored private var isLoadingPage = false

    /// Creates the list; it shows nothing before it runs.
    public init(repository: any MenuRepository) {
        self.repository = repository
    }

    /// Runs as long as the screen exists: `.task { await model.run() }`.
    public func run() async {
        // Subscribed before the first request is sent, so that no change is missed.
        let changes = repository.changes()
        async let loading: Void = load()
        for await dish in changes { show(dish) }
        await loading
    }

    /// Loads the restaurant and the first page, unless they are loaded.
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

    /// Loads the page after the dishes, if there is one and it is not being loaded.
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
