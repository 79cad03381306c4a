public import Hikyaku

/// A change that was shown before the service knows of it, and may have to be taken back.
///
/// ```swift
/// let change = hub.change(dish.renamed("Miso ramen"))
/// do {
///     let renamed = try await client.send(Rename(dish))
///     change.confirm(as: renamed)
/// } catch {
///     change.rollBack()
///     throw error
/// }
/// ```
/// While it is pending, the change is what is seen. An answer of the service that comes meanwhile isn't shown: it is
/// what ``rollBack()`` goes back to. A confirmed change stays until an answer to a question from after the confirmation
/// comes. An answer to an earlier question may lack the change, whenever it comes, and is not shown. So end every
/// change: while one is pending, no answer is seen.
///
/// Several changes of one model may be pending, and end in any order. What is seen is the newest one that is left, or
/// what was there before all of them; a service should get them in the order in which they began. What the app itself
/// publishes overtakes the pending changes: then there is nothing to take back. A change that is released without a
/// word is confirmed.
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

    /// Takes the change back: publishes what is below it, if the change is what is seen.
    ///
    /// That is the newest answer of the service that came meanwhile, or what was there before, once more and as it was.
    /// Where the hub knows neither, nothing is published, and the hub forgets the model. Does nothing when the change
    /// was confirmed or taken back. When it was overtaken, only an answer that came since is published.
    public func rollBack() {
        hub.rollBack(number, of: id, Model.self)
    }

    /// Lets the change be what others are rolled back to; it and the changes before it can't be taken back any more.
    ///
    /// Publishes nothing, and does nothing when the change was taken back. What overtook the change stays.
    public func confirm() {
        hub.confirm(number, of: id, as: Model?.none, .local)
    }

    /// Confirms the change, and takes what the service made of it in its place.
    ///
    /// The response to the change came while the change was pending, so that it wasn't shown. This publishes it, unless
    /// another change was made above or the change was overtaken. Does nothing when the change was taken back.
    ///
    /// - Parameters:
    ///   - model: The model as the service has it now. One with another `id` confirms the change as it was shown.
    ///   - source: Where the model comes from.
    public func confirm(as model: Model, source: ResponseSource = .network) {
        hub.confirm(number, of: id, as: model.id == id ? model : nil, source)
    }

    /// Confirms the change as the model that a result has, if it has it.
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
    /// Shows a change of a model at once, before the service was asked, and lets it be taken back.
    ///
    /// It is published as `ResponseSource.local`.
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
    /// Where the work returns the model, that is what the service made of the change, and takes its place: see
    /// ``HubChange/confirm(as:source:)``.
    ///
    /// - Parameters:
    ///   - model: The model as it is to be.
    ///   - before: What it is rolled back to where the hub has forgotten it, or never knew.
    ///   - isolation: Where the work runs: where this is called.
    ///   - work: Asks the service.
    /// - Returns: What the work returns: the model, something that has it inside, or anything else.
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
            change.confirm(by: value)
            return value
        } catch {
            change.rollBack()
            throw error
        }
    }
}
