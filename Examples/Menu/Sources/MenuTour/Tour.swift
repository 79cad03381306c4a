import MenuDomain
import MenuScreens

/// Prints the content of all screens while some of them load and change dishes.
@MainActor
struct Tour {
    private let list: MenuListModel
    private let udon: DishModel
    private let unagi: DishModel
    private let badge: FavouritesBadgeModel
    private let write: (String) -> Void

    init(repository: any MenuRepository, write: @escaping (String) -> Void) {
        list = MenuListModel(repository: repository)
        udon = DishModel(2, repository: repository)
        unagi = DishModel(4, repository: repository)
        badge = FavouritesBadgeModel(repository: repository)
        self.write = write
    }

    func run() async {
        let screens = [
            Task { await list.run() }, Task { await udon.run() }, Task { await unagi.run() },
            Task { await badge.run() },
        ]
        // A response in flight could have the state before a change.
        await waitUntil { !list.isLoading && !udon.isLoading && !unagi.isLoading && !badge.isLoading }
        await waitUntil { udon.dish != nil && unagi.dish != nil && badge.count == 1 }
        write("\(list.restaurant?.name ?? ""), last order at \(list.restaurant?.lastOrder ?? "").")
        show("All screens have loaded:")

        await list.loadNext()
        show("The list has loaded another page:")

        await udon.toggleFavourite()
        await waitUntil { list.dishes[1].isFavourite == false && badge.count == 0 }
        show("Udon is no longer a favourite, and all screens show it:")

        await unagi.toggleFavourite()
        await waitUntil { unagi.dish?.isFavourite == false && list.dishes[3].isFavourite == false && badge.count == 0 }
        show("Unagi could not become a favourite, and all screens rolled it back (\(unagi.problem ?? "")):")

        for screen in screens { screen.cancel() }
    }

    private func show(_ event: String) {
        write("\n\(event)")
        write("  list   \(list.dishes.map(text).joined(separator: ", "))\(list.hasMore ? ", …" : "")")
        for page in [udon, unagi] {
            write("  page   \(page.dish.map { "\(text(of: $0)), ¥\($0.price)" } ?? "")")
        }
        write("  badge  \(badge.count)")
    }

    private func text(of dish: Dish) -> String { dish.name + (dish.isFavourite ? " ♥" : "") }
}
