#if canImport(Combine)
import Combine
import Hikyaku

extension Publisher {
    /// The same publisher, whose values are published to a broadcast as they pass.
    ///
    /// - Parameter broadcast: Who is told; for each subscriber of the publisher once more.
    /// - Returns: The publisher; nothing is published unless somebody subscribes to it.
    public func branch(to broadcast: Broadcast<Output>) -> Publishers.HandleEvents<Self> where Output: Sendable {
        handleEvents(receiveOutput: { broadcast.publish($0) })
    }

    /// The same publisher, from each of whose values several are published to a broadcast, each by itself.
    ///
    /// - Parameters:
    ///   - broadcast: Who is told; for each subscriber of the publisher once more.
    ///   - values: What is in a value of the publisher: `\.self` for arrays.
    /// - Returns: The publisher; nothing is published unless somebody subscribes to it.
    public func branch<Values: Sequence>(
        to broadcast: Broadcast<Values.Element>,
        each values: @escaping (Output) -> Values,
    ) -> Publishers.HandleEvents<Self> {
        handleEvents(receiveOutput: { broadcast.publish(contentsOf: values($0)) })
    }

    /// The same publisher, whose values' models a hub is told of as they pass.
    ///
    /// - Parameters:
    ///   - hub: Who is told; for each subscriber of the publisher once more.
    ///   - source: Where the models come from.
    /// - Returns: The publisher; nothing is published unless somebody subscribes to it.
    public func branch(to hub: ModelHub, source: ResponseSource) -> Publishers.HandleEvents<Self>
    where Output: HubContent {
        handleEvents(receiveOutput: { hub.publish($0, source: source) })
    }
}
#endif
