/// The restaurant.
public nonisolated struct Restaurant: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The time of the last order.
    public var lastOrder: String

    /// Creates a restaurant.
    public init(name: String, lastOrder: String) {
        self.name = name
        self.lastOrder = lastOrder
    }
}

/// The first screen's data: the restaurant and today's recommendations.
public nonisolated struct Today: Hashable, Sendable {
    /// The restaurant.
    public var restaurant: Restaurant
    /// The kitchen's recommendations.
    public var specials: [Dish]

    /// Creates the data of a day.
    public init(restaurant: Restaurant, specials: [Dish]) {
        self.restaurant = restaurant
        self.specials = specials
    }
}

/// A part of the menu.
public nonisolated struct DishPage: Hashable, Sendable {
    /// The dishes in the menu's order.
    public var dishes: [Dish]
    /// The number of the next page; `nil` on the last page.
    public var next: Int?

    /// Creates a page.
    public init(dishes: [Dish], next: Int?) {
        self.dishes = dishes
        self.next = next
    }
}
