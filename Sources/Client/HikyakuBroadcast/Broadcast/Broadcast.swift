import Hikyaku
public import HikyakuBase

/// Delivers each published value to all subscribers, however many they are.
///
/// ```swift
/// let changes = Broadcast<Dish>()
/// let stream = changes.subscribe(.newest(100))
/// changes.publish(Dish(id: 1, name: "Ramen"))
/// for await dish in stream { show(dish) }
/// ```
/// Each subscriber has its own buffer, whose size is limited by its ``BroadcastPolicy``, so a slow subscriber delays
/// neither the publisher nor the others. All of them get the values in the same order, even if several tasks publish at
/// once. A failed call publishes nothing, and ends nothing: a stream ends when the broadcast is released, after its
/// buffered values.
///
/// Publishing takes one lock, whatever the number of subscribers, and resumes waiting subscribers after unlocking.
public final class Broadcast<Model: Sendable>: Sendable {
    private let core: BroadcastCore<Model>

    /// Creates a broadcast without subscribers.
    public init() {
        core = BroadcastCore()
    }

    /// Creates one that keeps no value, and calls a closure when its last subscriber was removed; on the subscriber's
    /// thread, outside the lock.
    init(onUnwatched: @escaping @Sendable () -> Void) {
        core = BroadcastCore(keepsLatest: false, onUnwatched: onUnwatched)
    }

    deinit {
        core.finish()
    }

    /// Delivers a value to all subscribers.
    public func publish(_ value: Model) {
        core.offer(value).settle()
    }

    /// Delivers values to all subscribers in order, without values of another publisher in between.
    public func publish(contentsOf values: some Sequence<Model>) {
        core.offer(contentsOf: Array(values)).settle()
    }

    /// Subscribes at once: values published from now on are buffered for the stream's reader, as the policy allows.
    ///
    /// The subscriber is removed when the last copy of the stream and its iterators is released, or when a task that
    /// iterates is cancelled.
    ///
    /// - Parameter policy: The overflow policy: how many values are buffered for a slow reader.
    /// - Returns: The values; one subscriber, however often the stream is copied.
    public func subscribe(_ policy: BroadcastPolicy = .standard) -> BroadcastStream<Model> {
        subscribe(policy, orKnown: nil)
    }

    /// The value that was published last; `nil` if there was none.
    public var latest: Model? { core.latest }

    /// The number of subscribers.
    public var subscriberCount: Int { core.subscriberCount }
}

extension Broadcast {
    /// Subscribes; a subscriber that begins with the latest value begins with the known one if none is kept here.
    func subscribe(_ policy: BroadcastPolicy, orKnown known: Model?) -> BroadcastStream<Model> {
        BroadcastStream(BroadcastSubscriberHandle(core, policy, known: known))
    }

    /// Buffers values for the subscribers, which are resumed when the outcome is settled.
    ///
    /// For callers that hold a lock: settling runs other code.
    func offer(contentsOf values: [Model]) -> BroadcastOutcome<Model> {
        core.offer(contentsOf: values)
    }
}

extension Broadcast: Redacted {
    /// The type and the number of subscribers; the values may contain secrets.
    public var description: String { "Broadcast<\(Model.self)> with \(subscriberCount) subscribers" }
}

/// The overflow policy of a subscriber: how many values are buffered if it is slower than the publisher, and which ones
/// are dropped if there are more.
///
/// ```swift
/// let state = hub.updates(of: Dish.self, id: 1, .latest)               // a view that shows the current state
/// let audit = hub.updates(of: Dish.self, .unbounded)                   // a log that must not miss a change
/// let ticker = hub.updates(of: Dish.self, .newest(16))                 // a list of the last changes
/// ```
/// A publisher never waits. The number of dropped values is ``BroadcastStream/lostCount``.
public struct BroadcastPolicy: Sendable, Hashable {
    /// The maximum number of buffered values; `Int.max` for all.
    let valuesMax: Int
    let keepsOldest: Bool
    let beginsWithLatest: Bool

    /// The newest 1,024: the default policy.
    public static let standard = newest(1_024)

    /// Buffers every value, without a limit: for a subscriber that must not lose any, and is known to keep up.
    public static let unbounded = BroadcastPolicy(valuesMax: .max)

    /// Buffers only the latest value; begins with the last one that was published before, if there is one.
    ///
    /// For a subscriber that shows a state and doesn't need the states in between.
    public static let latest = newest(1).beginningWithLatest

    /// Buffers the newest values; drops the oldest one if the buffer is full.
    ///
    /// - Parameter valuesMax: The maximum number of buffered values; a value below 1 counts as 1.
    /// - Returns: The policy.
    public static func newest(_ valuesMax: Int) -> BroadcastPolicy {
        BroadcastPolicy(valuesMax: max(1, valuesMax))
    }

    /// Buffers the oldest values; drops new ones while the buffer is full.
    ///
    /// - Parameter valuesMax: The maximum number of buffered values; a value below 1 counts as 1.
    /// - Returns: The policy.
    public static func oldest(_ valuesMax: Int) -> BroadcastPolicy {
        BroadcastPolicy(valuesMax: max(1, valuesMax), keepsOldest: true)
    }

    /// The same, beginning with the last value that was published before, if there is one.
    ///
    /// ```swift
    /// for await update in hub.updates(of: Dish.self, id: 1, .newest(16).beginningWithLatest) { show(update.value) }
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
