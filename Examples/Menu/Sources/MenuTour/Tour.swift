import MenuDomain
import MenuScreens

/// Shows what three screens show while two of them learn and change things.
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
        // An answer that is still on its way could bring what was before a change.
        await waitUntil { !list.isLoading && !udon.isLoading && !unagi.isLoading && !badge.isLoading }
        await waitUntil { udon.dish != nil && unagi.dish != nil && badge.count == 1 }
        write("\(list.restaurant?.name ?? ""), last order at \(list.restaurant?.lastOrder ?? "").")
        show("All screens have loaded:")

        await list.loadNext()
        show("The list has loaded another page:")

        await udon.toggleFavourite()
        await waitUntil { list.dishes[1].isFavourite == false && badge.count == 0 }
        show("On its page, Udon was made no favourite any more, and all have heard of it:")

        await unagi.toggleFavourite()
        await waitUntil { unagi.dish?.isFavourite == false && list.dishes[3].isFavourite == false && badge.count == 0 }
        show("On its page, Unagi was to be a favourite, and all have taken it back (\(unagi.problem ?? "")):")

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
