/// A dish of the menu, as all screens show it.
public nonisolated struct Dish: Codable, Identifiable, Hashable, Sendable {
    /// The identifier.
    public let id: Int
    /// The name on the menu.
    public var name: String
    /// The price in yen.
    public var price: Int
    /// Whether it is sold out today.
    public var isSoldOut: Bool
    /// Whether it is a favourite of the signed-in user.
    public var isFavourite: Bool

    /// Creates a dish.
    public init(id: Int, name: String, price: Int, isSoldOut: Bool = false, isFavourite: Bool = false) {
        self.id = id
        self.name = name
        self.price = price
        self.isSoldOut = isSoldOut
        self.isFavourite = isFavourite
    }
}
