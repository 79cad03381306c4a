import Hikyaku

/// The values of a ``Broadcast`` for one subscriber.
///
/// It is subscribed from ``Broadcast/subscribe(_:)`` on, so that nothing is missed between that and the loop. Several
/// iterators, and copies of the stream, share its values: each value goes to one of them. When a task that iterates is
/// cancelled, the subscription ends for all of them, and the iteration gives `nil`; values that wait are dropped.
public struct BroadcastStream<Model: Sendable>: AsyncSequence, Sendable {
    /// What is published.
    public typealias Element = Model

    private let subscription: BroadcastSubscription<Model>

    init(_ subscription: BroadcastSubscription<Model>) {
        self.subscription = subscription
    }

    /// How many values this subscriber lost so far, since they didn't fit beside those that waited.
    public var lostCount: Int { subscription.lostCount }

    /// The same subscriber's values with what it lost, in the order of publishing.
    ///
    /// ```swift
    /// for await event in stream.withLosses {
    ///     switch event {
    ///     case .value(let dish): show(dish)
    ///     case .lost: try await reload()
    ///     }
    /// }
    /// ```
    public var withLosses: WithLosses { WithLosses(subscription: subscription) }

    /// Begins to read; what was read before isn't read again.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Reads the values.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let subscription: BroadcastSubscription<Model>

        /// The next value; `nil` at the end, and from then on.
        public mutating func next() async -> Model? { await subscription.next(isolation: nil) }

        /// The next value, without leaving the actor; `nil` at the end, and from then on.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Model? {
            await subscription.next(isolation: actor)
        }
    }
}

extension BroadcastStream {
    /// What a subscriber hears that wants to know of its losses.
    public enum Event: Sendable {
        /// The next value.
        case value(Model)
        /// So many values, at least one, were published here and are lost.
        case lost(Int)
    }

    /// A subscriber's values and losses; see ``BroadcastStream/withLosses``.
    public struct WithLosses: AsyncSequence, Sendable {
        /// A value, or how many are missing.
        public typealias Element = Event

        fileprivate let subscription: BroadcastSubscription<Model>

        /// Begins to read; what was read before isn't read again.
        public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

        /// Reads values and losses.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let subscription: BroadcastSubscription<Model>

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

extension BroadcastStream: CustomStringConvertible, CustomReflectable {
    /// The type and what was lost; the values may hold secrets.
    public var description: String { "BroadcastStream<\(Model.self)>, \(lostCount) lost" }

    /// What was lost, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["lostCount": lostCount]) }
}

/// What a stream and its iterators share; the subscriber is forgotten with the last of them.
final class BroadcastSubscription<Model: Sendable>: Sendable {
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
            switch look(tellingLosses: false) {
            case .value(let value): return value
            case .ended: return nil
            case .nothing, .lost: break
            }
            if let value = await wait(tellingLosses: false, isolation: isolation) { return value }
        }
    }

    fileprivate func nextEvent(isolation: isolated (any Actor)?) async -> BroadcastStream<Model>.Event? {
        while true {
            switch look(tellingLosses: true) {
            case .value(let value): return .value(value)
            case .lost(let count): return .lost(count)
            case .ended: return nil
            case .nothing: break
            }
            if let value = await wait(tellingLosses: true, isolation: isolation) { return .value(value) }
        }
    }

    private func look(tellingLosses: Bool) -> BroadcastTaken<Model> {
        if Task.isCancelled { core.forget(subscriber) }
        return core.take(for: subscriber, tellingLosses: tellingLosses)
    }

    /// - Returns: The next value, or `nil` where it has to be looked for again.
    private func wait(tellingLosses: Bool, isolation: isolated (any Actor)?) async -> Model? {
        await withTaskCancellationHandler(
            operation: {
                await withUnsafeContinuation(isolation: isolation) { waiter in
                    core.wait(waiter, for: subscriber, tellingLosses: tellingLosses)
                }
            },
            onCancel: { core.forget(subscriber) },
            isolation: isolation,
        )
    }
}
