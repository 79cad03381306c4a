public import Hikyaku

/// A sequence that publishes its elements when they are read; created by `branch(to:)`.
///
/// ```swift
/// let prices = Broadcast<Price>()
/// for try await price in client.bind(Shop.Prices()).eventStream().branch(to: prices) { show(price) }
/// ```
/// It is as lazy as its base: an element that isn't read isn't published. Two iterators each publish their elements. An
/// error is passed on, and not published.
public struct BranchedSequence<Base: AsyncSequence>: AsyncSequence {
    /// The elements of the base.
    public typealias Element = Base.Element
    /// The error of the base.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    private let base: Base
    private let publish: @Sendable (Base.Element) -> Void

    fileprivate init(_ base: Base, _ publish: @escaping @Sendable (Base.Element) -> Void) {
        self.base = base
        self.publish = publish
    }

    /// Starts to iterate over the base.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), publish: publish)
    }

    /// Reads elements, and publishes each before it returns it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let publish: @Sendable (Base.Element) -> Void

        /// The next element, which is then published; `nil` at the end.
        public mutating func next() async rethrows -> Base.Element? {
            guard let element = try await base.next() else { return nil }
            publish(element)
            return element
        }

        /// The next element, without leaving the actor; `nil` at the end.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Base.Element? {
            guard let element = try await base.next(isolation: actor) else { return nil }
            publish(element)
            return element
        }
    }
}

extension BranchedSequence: Sendable where Base: Sendable {}

extension AsyncSequence {
    /// The same sequence, which also publishes its elements to a broadcast when they are read.
    ///
    /// ```swift
    /// let prices = Broadcast<Price>()
    /// for try await price in client.bind(Shop.Prices()).eventStream().branch(to: prices) { show(price) }
    /// ```
    /// - Parameter broadcast: The broadcast.
    /// - Returns: The sequence; nothing is published unless it is iterated.
    public func branch(to broadcast: Broadcast<Element>) -> BranchedSequence<Self> where Element: Sendable {
        BranchedSequence(self) { broadcast.publish($0) }
    }

    /// The same sequence, which also publishes the values inside its elements to a broadcast, each separately.
    ///
    /// ```swift
    /// let dishes = Broadcast<Dish>()
    /// let pages = client.bind(Shop.Dishes()).pages().branch(to: dishes, each: \.items)  // of arrays: each: \.self
    /// ```
    /// - Parameters:
    ///   - broadcast: The broadcast.
    ///   - values: The values in an element; no other publisher's values come in between.
    /// - Returns: The sequence; nothing is published unless it is iterated.
    public func branch<Values: Sequence & SendableMetatype>(
        to broadcast: Broadcast<Values.Element>,
        each values: @escaping @Sendable (Element) -> Values,
    ) -> BranchedSequence<Self> {
        BranchedSequence(self) { broadcast.publish(contentsOf: values($0)) }
    }

    /// The same sequence, which also publishes the models in its elements to a hub when they are read.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - source: The source of the models.
    /// - Returns: The sequence; nothing is published unless it is iterated.
    public func branch(to hub: ModelHub, source: ResponseSource) -> BranchedSequence<Self>
    where Element: HubContent & SendableMetatype {
        BranchedSequence(self) { hub.publish($0, source: source) }
    }
}
