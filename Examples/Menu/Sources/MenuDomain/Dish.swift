/// Something to eat, as all screens show it.
public nonisolated struct Dish: Codable, Identifiable, Hashable, Sendable {
    /// What tells it from all others.
    public let id: Int
    /// What stands on the menu.
    public var name: String
    /// The price in yen.
    public var price: Int
    /// Whether it can't be had today.
    public var isSoldOut: Bool
    /// Whether whoever is signed in likes it.
    public var isFavourite: Bool

    /// Makes a dish.
    public init(id: Int, name: String, price: Int, isSoldOut: Bool = false, isFavourite: Bool = false) {
        self.id = id
        self.name = name
        self.price = price
        self.isSoldOut = isSoldOut
        self.isFavourite = isFavourite
    }
}
