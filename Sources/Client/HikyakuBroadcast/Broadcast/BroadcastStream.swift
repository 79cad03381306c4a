import Hikyaku
public import HikyakuBase

/// The values of a ``Broadcast`` for one subscriber.
///
/// ```swift
/// let changes = Broadcast<Dish>()
/// let stream: BroadcastStream<Dish> = changes.subscribe()
/// let watching = Task { for await dish in stream { show(dish) } }
/// changes.publish(Dish(id: 1, name: "Ramen"))
/// ```
/// It is subscribed from ``Broadcast/subscribe(_:)`` on, so nothing is missed between that call and the loop. Several
/// iterators, and copies of the stream, share its values: each value is delivered to one of them. If a task that
/// iterates is cancelled, the subscription ends for all of them, and the iteration returns `nil`; buffered values are
/// dropped.
public struct BroadcastStream<Model: Sendable>: AsyncSequence, Sendable {
    /// The type of the published values.
    public typealias Element = Model

    private let subscription: BroadcastSubscriberHandle<Model>

    init(_ subscription: BroadcastSubscriberHandle<Model>) {
        self.subscription = subscription
    }

    /// The number of values that this subscriber has lost so far, because its buffer was full.
    public var lostCount: Int { subscription.lostCount }

    /// The same subscriber's values together with its losses, in the order of publishing.
    ///
    /// ```swift
    /// let changes = Broadcast<Dish>()
    /// for await event in changes.subscribe(.newest(100)).withLosses {
    ///     switch event {
    ///     case .value(let dish): show(dish)
    ///     case .lost(let count): log("\(count) changes were lost: load the menu again")
    ///     }
    /// }
    /// ```
    public var withLosses: WithLosses { WithLosses(subscription: subscription) }

    /// Starts to read; values that were already read are not repeated.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Reads the values.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let subscription: BroadcastSubscriberHandle<Model>

        /// The next value; `nil` at the end, and from then on.
        public mutating func next() async -> Model? { await subscription.next(isolation: nil) }

        /// The next value, without leaving the actor; `nil` at the end, and from then on.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Model? {
            await subscription.next(isolation: actor)
        }
    }
}

extension BroadcastStream {
    /// An element for a subscriber that needs to know its losses.
    public enum Event: Sendable {
        /// The next value.
        case value(Model)
        /// This number of values, at least one, was published here and lost.
        case lost(Int)
    }

    /// A subscriber's values and losses; see ``BroadcastStream/withLosses``.
    public struct WithLosses: AsyncSequence, Sendable {
        /// A value, or the number of lost values.
        public typealias Element = Event

        fileprivate let subscription: BroadcastSubscriberHandle<Model>

        /// Starts to read; values that were already read are not repeated.
        public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

        /// Reads values and losses.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let subscription: BroadcastSubscriberHandle<Model>

            /// The next value or loss; `nil` at the end, and from then on.
            public mutating func next() async -> Event? { await subscription.nextEvent(isolation: nil) }

            /// The next value or loss, without leaving the actor; `nil` at the end, and from then on.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
                await subscription.nextEvent(isolation: actor)
            }
        }
    }
}

extension BroadcastStream.Event: Equatable where Model: Equatable {}
extension BroadcastStream.Event: Hashable where Model: Hashable {}

extension BroadcastStream: Redacted {
    /// The type and the number of losses; the values may contain secrets.
    public var description: String { "BroadcastStream<\(Model.self)>, \(lostCount) lost" }
}

/// The state that a stream and its iterators share; the subscriber is removed when the last of them is released.
final class BroadcastSubscriberHandle<Model: Sendable>: Sendable {
    private let core: BroadcastCore<Model>
    private let subscriber: BroadcastSubscriber<Model>

    init(_ core: BroadcastCore<Model>, _ policy: BroadcastPolicy, known: Model?) {
        self.core = core
        subscriber = core.add(policy, known: known)
    }

    deinit {
        core.forget(subscriber)
    }

    fileprivate var lostCount: Int { core.lostCount(of: subscriber) }

    fileprivate func next(isolation: isolated (any Actor)?) async -> Model? {
        while true {
            switch look(reportingLosses: false) {
            case .value(let value): return value
            case .ended: return nil
            case .nothing, .lost: break
            }
            if let value = await wait(reportingLosses: false, isolation: isolation) { return value }
        }
    }

    fileprivate func nextEvent(isolation: isolated (any Actor)?) async -> BroadcastStream<Model>.Event? {
        while true {
            switch look(reportingLosses: true) {
            case .value(let value): return .value(value)
            case .lost(let count): return .lost(count)
            case .ended: return nil
            case .nothing: break
            }
            if let value = await wait(reportingLosses: true, isolation: isolation) { return .value(value) }
        }
    }

    private func look(reportingLosses: Bool) -> BroadcastRead<Model> {
        if Task.isCancelled { core.forget(subscriber) }
        return core.take(for: subscriber, reportingLosses: reportingLosses)
    }

    /// - Returns: The next value, or `nil` if it has to be read again.
    private func wait(reportingLosses: Bool, isolation: isolated (any Actor)?) async -> Model? {
        await withTaskCancellationHandler(
            operation: {
                await unsafe withUnsafeContinuation(isolation: isolation) { continuation in
                    core.wait(unsafe BroadcastWaiter(continuation), for: subscriber, reportingLosses: reportingLosses)
                }
            },
            onCancel: { core.forget(subscriber) },
            isolation: isolation,
        )
    }
}
