public import Hikyaku

/// A sequence whose elements are published as they are taken from it; made by `branch(to:)`.
///
/// It is as lazy as what it is made of: an element that nobody takes isn't published. Two that iterate publish each for
/// themselves. An error goes through, and is published to nobody.
public struct BranchedSequence<Base: AsyncSequence>: AsyncSequence {
    /// The elements of the sequence behind it.
    public typealias Element = Base.Element
    /// The error of the sequence behind it.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Base.Failure

    private let base: Base
    private let publish: @Sendable (Base.Element) -> Void

    fileprivate init(_ base: Base, _ publish: @escaping @Sendable (Base.Element) -> Void) {
        self.base = base
        self.publish = publish
    }

    /// Begins to iterate over the sequence behind it.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), publish: publish)
    }

    /// Takes elements, and publishes each before it hands it on.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let publish: @Sendable (Base.Element) -> Void

        /// The next element, which is published then; `nil` at the end.
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
    /// The same sequence, whose elements are published to a broadcast as they are taken.
    ///
    /// ```swift
    /// for try await dish in jsonLines(of: Dish.self).branch(to: dishes) { … }
    /// ```
    /// - Parameter broadcast: Who is told.
    /// - Returns: The sequence; nothing is published unless somebody iterates over it.
    public func branch(to broadcast: Broadcast<Element>) -> BranchedSequence<Self> where Element: Sendable {
        BranchedSequence(self) { broadcast.publish($0) }
    }

    /// The same sequence, from each of whose elements several values are published to a broadcast, each by itself.
    ///
    /// ```swift
    /// pages.branch(to: dishes, each: \.items)    // of arrays: each: \.self
    /// ```
    /// - Parameters:
    ///   - broadcast: Who is told.
    ///   - values: The values in an element; no other publisher's come in between.
    /// - Returns: The sequence; nothing is published unless somebody iterates over it.
    public func branch<Values: Sequence & SendableMetatype>(
        to broadcast: Broadcast<Values.Element>,
        each values: @escaping @Sendable (Element) -> Values,
    ) -> BranchedSequence<Self> {
        BranchedSequence(self) { broadcast.publish(contentsOf: values($0)) }
    }

    /// The same sequence, whose elements' models a hub is told of as they are taken.
    ///
    /// - Parameters:
    ///   - hub: Who is told.
    ///   - source: Where the models come from.
    /// - Returns: The sequence; nothing is published unless somebody iterates over it.
    public func branch(to hub: ModelHub, source: ResponseSource) -> BranchedSequence<Self>
    where Element: HubContent & SendableMetatype {
        BranchedSequence(self) { hub.publish($0, source: source) }
    }
}
