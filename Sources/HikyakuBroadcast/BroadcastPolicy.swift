import Hikyaku

/// How many values wait for a subscriber that is slower than the publisher, and which ones go when there are more.
///
/// A publisher never waits for anybody. What a subscriber so loses is counted in ``BroadcastStream/lostCount``.
public struct BroadcastPolicy: Sendable, Hashable {
    /// The most that wait; `Int.max` for all.
    let valuesMax: Int
    let keepsOldest: Bool
    let beginsWithLatest: Bool

    /// The newest 1,024: what a subscriber gets that says nothing.
    public static let standard = newest(1_024)

    /// Every value waits, however many there are: for a subscriber that must not lose any, and is known to keep up.
    public static let unbounded = BroadcastPolicy(valuesMax: .max)

    /// One value waits, the latest; it begins with the last one that was published before, where there is one.
    ///
    /// For who shows a state and needn't see what it was in between.
    public static let latest = newest(1).beginningWithLatest

    /// The values that were published last wait; the oldest one goes when there is no more room.
    ///
    /// - Parameter valuesMax: The most that wait; below 1 it counts as 1.
    /// - Returns: The policy.
    public static func newest(_ valuesMax: Int) -> BroadcastPolicy {
        BroadcastPolicy(valuesMax: max(1, valuesMax))
    }

    /// The values that came first wait; what is published while there is no room doesn't reach the subscriber.
    ///
    /// - Parameter valuesMax: The most that wait; below 1 it counts as 1.
    /// - Returns: The policy.
    public static func oldest(_ valuesMax: Int) -> BroadcastPolicy {
        BroadcastPolicy(valuesMax: max(1, valuesMax), keepsOldest: true)
    }

    /// The same, beginning with the last value that was published before, where there is one.
    ///
    /// ```swift
    /// for await update in hub.updates(of: Dish.self, id: 1, .newest(16).beginningWithLatest) { … }
    /// ```
    public var beginningWithLatest: BroadcastPolicy {
        BroadcastPolicy(valuesMax: valuesMax, keepsOldest: keepsOldest, beginsWithLatest: true)
    }

    private init(valuesMax: Int, keepsOldest: Bool = false, beginsWithLatest: Bool = false) {
        self.valuesMax = valuesMax
        self.keepsOldest = keepsOldest
        self.beginsWithLatest = beginsWithLatest
    }
}
