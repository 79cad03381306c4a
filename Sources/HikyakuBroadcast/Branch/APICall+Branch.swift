import Hikyaku

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
