public import Hikyaku

#if canImport(Combine)
public import Combine
#endif

extension APICall {
    /// Publishes the model, if there is one, to whoever subscribes to a broadcast.
    ///
    /// ```swift
    /// let dish = try await client.call(Shop.DishByID(id: 1)).branch(to: dishes).value
    /// ```
    /// A failure publishes nothing, and doesn't end the broadcast.
    ///
    /// - Parameter broadcast: Gets the model before who stands behind this link of the chain.
    /// - Returns: A call with the same outcome.
    @discardableResult
    public func branch(to broadcast: Broadcast<Value>) -> APICall {
        success(on: .immediate) { broadcast.publish($0) }
    }

    /// Publishes the values inside of the model, if there is one, each by itself and all in one go.
    ///
    /// ```swift
    /// client.call(Shop.Dishes()).branch(to: dishes, each: \.self)
    /// ```
    ///
    /// - Parameters:
    ///   - broadcast: Gets the values before who stands behind this link of the chain.
    ///   - values: Gives the values of a model.
    /// - Returns: A call with the same outcome.
    @discardableResult
    public func branch<Values: Sequence & SendableMetatype>(
        to broadcast: Broadcast<Values.Element>,
        each values: @escaping @Sendable (Value) -> Values,
    ) -> APICall {
        success(on: .immediate) { broadcast.publish(contentsOf: values($0)) }
    }
}

#if canImport(Combine)
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
