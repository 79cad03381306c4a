/// A change that was shown before the service knows of it, and may have to be taken back.
///
/// ```swift
/// let change = hub.change(dish.renamed("Miso ramen"))
/// do {
///     try await client.send(Rename(dish))
///     change.confirm()
/// } catch {
///     change.rollBack()
///     throw error
/// }
/// ```
/// What the service says to whoever asks it later, or anybody else publishes, overtakes it: then there is nothing to take
/// back. What it was asked before the change, or before it was confirmed, tells nothing of the model any more. Several
/// changes of one model may be pending, and end in any order: what is seen is the newest one that is left, or what was there
/// before all of them. A change that goes without a word stays.
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
        hub.confirm(number, of: id, Model.self)
    }

    /// Takes the change back: publishes what was there before once more, as it was, if the change is what is seen.
    ///
    /// Where the hub knew nothing before, nothing is published, and the hub forgets the model. Does nothing when the change
    /// was overtaken, confirmed or taken back.
    public func rollBack() {
        hub.rollBack(number, of: id, Model.self)
    }

    /// Lets the change be what others are rolled back to; it and the changes before it can't be taken back any more.
    ///
    /// Publishes nothing, and does nothing when the change was overtaken or taken back.
    public func confirm() {
        hub.confirm(number, of: id, Model.self)
    }
}

extension ModelHub {
    /// Shows a change of a model at once, before the service was asked, and lets it be taken back.
    ///
    /// It is published as ``ResponseSource/local``.
    ///
    /// - Parameters:
    ///   - model: The model as it is to be.
    ///   - before: What it is rolled back to where the hub has forgotten it, or never knew.
    /// - Returns: What takes it back or confirms it.
    public func change<Model: HubModel>(_ model: Model, from before: Model? = nil) -> HubChange<Model> {
        let id = model.id
        return HubChange(self, id, begin(model, id, before: before))
    }

    /// Shows a change of a model while the service is asked for it: what the work throws takes it back.
    ///
    /// ```swift
    /// let dish = try await hub.change(renamed) { () async throws(APIError<ShopError>) in
    ///     try await client.send(Rename(renamed))
    /// }
    /// ```
    /// - Parameters:
    ///   - model: The model as it is to be.
    ///   - before: What it is rolled back to where the hub has forgotten it, or never knew.
    ///   - isolation: Where the work runs: where this is called.
    ///   - work: Asks the service.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws, a cancellation too.
    public func change<Model: HubModel, Value, Failure: Error>(
        _ model: Model,
        from before: Model? = nil,
        isolation: isolated (any Actor)? = #isolation,
        while work: () async throws(Failure) -> Value,
    ) async throws(Failure) -> Value {
        let change = change(model, from: before)
        do {
            let value = try await work()
            change.confirm()
            return value
        } catch {
            change.rollBack()
            throw error
        }
    }
}
