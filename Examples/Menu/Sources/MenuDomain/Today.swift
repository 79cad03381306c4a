/// The house.
public nonisolated struct Restaurant: Codable, Hashable, Sendable {
    /// What stands above the door.
    public var name: String
    /// When the kitchen closes.
    public var lastOrder: String

    /// Makes a restaurant.
    public init(name: String, lastOrder: String) {
        self.name = name
        self.lastOrder = lastOrder
    }
}

/// What a guest sees first: the house, and what the kitchen recommends.
public nonisolated struct Today: Hashable, Sendable {
    /// The house.
    public var restaurant: Restaurant
    /// What the kitchen recommends.
    public var specials: [Dish]

    /// Makes a day.
    public init(restaurant: Restaurant, specials: [Dish]) {
        self.restaurant = restaurant
        self.specials = specials
    }
}

/// A part of the menu.
public nonisolated struct DishPage: Hashable, Sendable {
    /// The dishes in the menu's order.
    public var dishes: [Dish]
    /// The page behind it; `nil` for the last.
    public var next: Int?

    /// Makes a page.
    public init(dishes: [Dish], next: Int?) {
        self.dishes = dishes
        self.next = next
    }
}
