import Hikyaku

/// Hands each value that is published to all who have subscribed, however many they are.
///
/// ```swift
/// let changes = Broadcast<Dish>()
/// let stream = changes.subscribe(.newest(100))
/// changes.publish(Dish(id: 1, name: "Ramen"))
/// for await dish in stream { show(dish) }
/// ```
/// Each subscriber has values of its own that wait for it, as many as its ``BroadcastPolicy`` allows, so that a slow
/// one holds up neither the publisher nor the others. All of them get the values in one order, also when several tasks
/// publish at once. A call that fails publishes nothing, and ends nothing: a stream ends when the broadcast goes, after
/// what waits.
///
/// Publishing takes one lock, whatever the number of subscribers, and resumes those who wait after it.
public final class Broadcast<Model: Sendable>: Sendable {
    private let core: BroadcastCore<Model>

    /// Makes a broadcast without subscribers.
    public init() {
        core = BroadcastCore()
    }

    /// Makes one that keeps no value, and says when its last subscriber has gone; on the subscriber's thread, outside
    /// of the lock.
    init(onUnwatched: @escaping @Sendable () -> Void) {
        core = BroadcastCore(keepsLatest: false, onUnwatched: onUnwatched)
    }

    deinit {
        core.finish()
    }

    /// Hands a value to all subscribers.
    public func publish(_ value: Model) {
        core.offer(value).settle()
    }

    /// Hands values to all subscribers in their order, with none of another publisher's in between.
    public func publish(contentsOf values: some Sequence<Model>) {
        core.offer(contentsOf: Array(values)).settle()
    }

    /// Subscribes at once: what is published from now on waits for the stream's reader, as the policy allows.
    ///
    /// The subscriber is forgotten when the last copy of the stream and its iterators are gone, or when a task that
    /// iterates is cancelled.
    ///
    /// - Parameter policy: How much waits while nobody reads.
    /// - Returns: The values; one subscriber, however often the stream is copied.
    public func subscribe(_ policy: BroadcastPolicy = .standard) -> BroadcastStream<Model> {
        subscribe(policy, orKnown: nil)
    }

    /// The value that was published last; `nil` where none was.
    public var latest: Model? { core.latest }

    /// How many subscribers there are.
    public var subscriberCount: Int { core.subscriberCount }
}

extension Broadcast {
    /// Subscribes; who begins with the latest value begins with the known one where none is kept here.
    func subscribe(_ policy: BroadcastPolicy, orKnown known: Model?) -> BroadcastStream<Model> {
        BroadcastStream(BroadcastSubscription(core, policy, known: known))
    }

    /// Lets values wait for the subscribers, who hear of it when the outcome is settled.
    ///
    /// For who holds a lock: settling runs code of others.
    func offer(contentsOf values: [Model]) -> BroadcastOutcome<Model> {
        core.offer(contentsOf: values)
    }
}

extension Broadcast: CustomStringConvertible, CustomReflectable {
    /// The type and the number of subscribers; the values may hold secrets.
    public var description: String { "Broadcast<\(Model.self)> with \(subscriberCount) subscribers" }

    /// The number of subscribers, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["subscriberCount": subscriberCount]) }
}

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
