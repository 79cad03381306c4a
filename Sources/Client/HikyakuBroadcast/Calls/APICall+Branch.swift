public import Hikyaku

#if canImport(Combine)
public import Combine
#endif

extension APICall {
    /// Publishes the model, if the call succeeds, to a broadcast.
    ///
    /// ```swift
    /// let dishes = Broadcast<Dish>()
    /// let dish = try await client.call(Shop.DishByID(id: 1)).branch(to: dishes).value
    /// ```
    /// A failure publishes nothing, and doesn't end the broadcast.
    ///
    /// - Parameter broadcast: The broadcast; it gets the model before the next step of the chain.
    /// - Returns: A call with the same outcome.
    @discardableResult
    public func branch(to broadcast: Broadcast<Value>) -> APICall {
        success(on: .immediate) { broadcast.publish($0) }
    }

    /// Publishes the values inside the model, if the call succeeds, each separately and all at once.
    ///
    /// ```swift
    /// let dishes = Broadcast<Dish>()
    /// let menu = try await client.call(Shop.Dishes()).branch(to: dishes, each: \.self).value
    /// ```
    ///
    /// - Parameters:
    ///   - broadcast: The broadcast; it gets the values before the next step of the chain.
    ///   - values: Returns the values of a model.
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
    /// The same publisher, which also publishes its values to a broadcast.
    ///
    /// - Parameter broadcast: The broadcast; it gets the values again for each subscriber of the publisher.
    /// - Returns: The publisher; nothing is published without a subscriber.
    public func branch(to broadcast: Broadcast<Output>) -> Publishers.HandleEvents<Self> where Output: Sendable {
        handleEvents(receiveOutput: { broadcast.publish($0) })
    }

    /// The same publisher, which also publishes the values inside its outputs to a broadcast, each separately.
    ///
    /// - Parameters:
    ///   - broadcast: The broadcast; it gets the values again for each subscriber of the publisher.
    ///   - values: Returns the values in an output: `\.self` for arrays.
    /// - Returns: The publisher; nothing is published without a subscriber.
    public func branch<Values: Sequence>(
        to broadcast: Broadcast<Values.Element>,
        each values: @escaping (Output) -> Values,
    ) -> Publishers.HandleEvents<Self> {
        handleEvents(receiveOutput: { broadcast.publish(contentsOf: values($0)) })
    }

    /// The same publisher, which also publishes the models in its values to a hub.
    ///
    /// - Parameters:
    ///   - hub: The hub; it gets the models again for each subscriber of the publisher.
    ///   - source: The source of the models.
    /// - Returns: The publisher; nothing is published without a subscriber.
    public func branch(to hub: ModelHub, source: ResponseSource) -> Publishers.HandleEvents<Self>
    where Output: HubContent {
        handleEvents(receiveOutput: { hub.publish($0, source: source) })
    }
}
#endif
