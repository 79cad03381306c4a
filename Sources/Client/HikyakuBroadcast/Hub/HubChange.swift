public import Hikyaku

/// An optimistic change: subscribers see it before the service confirms it, and it can be rolled back.
///
/// ```swift
/// let change = hub.change(Dish(id: 1, name: "Miso ramen"))
/// do {
///     let renamed = try await client.send(Shop.Rename(id: 1, name: "Miso ramen"))
///     change.confirm(as: renamed)
/// } catch {
///     change.rollBack()
///     throw error
/// }
/// ```
/// While it is pending, subscribers see the change. A response that is received meanwhile isn't published:
/// ``rollBack()`` goes back to it. A confirmed change stays until the response of an exchange that started after the
/// confirmation is received. The response of an earlier exchange may lack the change, whenever it is received, and is
/// not published. So end every change: while one is pending, no response is published.
///
/// Several changes of one model may be pending, and end in any order. Subscribers see the newest remaining one, or the
/// state before all of them; send them to the service in the order in which they began. A model that the app itself
/// publishes overtakes the pending changes: then there is nothing to roll back. A change that is released without an
/// end is confirmed.
public final class HubChange<Model: HubModel>: Sendable {
    private let hub: ModelHub
    private let id: Model.ID
    private let number: Int

    fileprivate init(_ hub: ModelHub, _ id: Model.ID, _ number: Int) {
        self.hub = hub
        self.id = id
        self.number = number
    }

    deinit {
        hub.confirm(number, of: id, as: Model?.none, .local)
    }

    /// Rolls the change back: publishes the state below it, if the change is the current state.
    ///
    /// That is the newest response that was received meanwhile, or the state before, unchanged. If the hub knows
    /// neither, nothing is published, and the hub removes the model. Does nothing if the change was already confirmed
    /// or rolled back. If it was overtaken, only a response that was received since is published.
    public func rollBack() {
        hub.rollBack(number, of: id, Model.self)
    }

    /// Makes the change the state that others are rolled back to; it and the changes before it can't be rolled back any
    /// more.
    ///
    /// Publishes nothing, and does nothing if the change was rolled back. A model that overtook the change is kept.
    public func confirm() {
        hub.confirm(number, of: id, as: Model?.none, .local)
    }

    /// Confirms the change, and replaces it with the service's version of the model.
    ///
    /// The response to the change was received while the change was pending, so it wasn't published. This publishes it,
    /// unless a later change is pending or the change was overtaken. Does nothing if the change was rolled back.
    ///
    /// - Parameters:
    ///   - model: The service's current version of the model. One with another `id` confirms the change as it was
    ///     published.
    ///   - source: The source of the model.
    public func confirm(as model: Model, source: ResponseSource = .network) {
        hub.confirm(number, of: id, as: model.id == id ? model : nil, source)
    }

    /// Confirms the change as the model in a result, if the result contains it.
    fileprivate func confirm(by result: some Any) {
        let batch = HubBatch()
        batch.addPart(result)
        if let model = batch.models(of: Model.self).last(where: { $0.id == id }) {
            confirm(as: model)
        } else {
            confirm()
        }
    }
}

extension ModelHub {
    /// Publishes a change of a model at once, before it is sent to the service, so that it can be rolled back.
    ///
    /// Its source is `ResponseSource.local`.
    ///
    /// - Parameters:
    ///   - model: The changed model.
    ///   - before: The state to roll back to if the hub doesn't know it.
    /// - Returns: The pending change, to confirm it or roll it back.
    public func change<Model: HubModel>(_ model: Model, from before: Model? = nil) -> HubChange<Model> {
        let id = model.id
        return HubChange(self, id, begin(model, id, before: before))
    }

    /// Publishes a change of a model while work sends it to the service; an error of the work rolls it back.
    ///
    /// ```swift
    /// let renamed = Dish(id: 1, name: "Miso ramen")
    /// let dish = try await hub.change(renamed) { () async throws(APIError<ShopError>) in
    ///     try await client.send(Shop.Rename(id: 1, name: renamed.name))
    /// }
    /// ```
    /// If the work returns the model, that is the service's version, and replaces the change: see
    /// ``HubChange/confirm(as:source:)``.
    ///
    /// - Parameters:
    ///   - model: The changed model.
    ///   - before: The state to roll back to if the hub doesn't know it.
    ///   - isolation: The isolation of the work: the caller's.
    ///   - work: Sends the change to the service.
    /// - Returns: The work's return value: the model, a value that contains it, or anything else.
    /// - Throws: The work's error, including a cancellation.
    public func change<Model: HubModel, Value, Failure: Error>(
        _ model: Model,
        from before: Model? = nil,
        isolation: isolated (any Actor)? = #isolation,
        while work: () async throws(Failure) -> Value,
    ) async throws(Failure) -> Value {
        let change = change(model, from: before)
        do {
            let value = try await work()
            change.confirm(by: value)
            return value
        } catch {
            change.rollBack()
            throw error
        }
    }
}
