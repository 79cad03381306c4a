import Hikyaku

/// A model that a ``ModelHub`` tells all screens of, wherever it comes from.
///
/// ```swift
/// extension Dish: HubModel {}
/// ```
/// It is known by its type and its `id`: two values with one `id` are two states of one thing, and the later one holds.
public protocol HubModel: HubContent, Identifiable, Sendable where ID: Sendable {}

extension HubModel {
    /// Adds the model itself.
    public func addModels(to batch: HubBatch) {
        batch.add(self)
    }
}

/// What has models in it: an envelope, a page, or a model that has others inside.
///
/// Arrays, sets, optionals, dictionaries by their values, and pages have those of their elements. A type of one's own
/// says what it has:
/// ```swift
/// struct Menu: HubModel {
///     let id: Int, dishes: [Dish]
///     func addModels(to batch: HubBatch) {
///         batch.add(self)
///         dishes.addModels(to: batch)
///     }
/// }
/// ```
/// Of a `StatusResult`, those in the values of its case are found without a word.
public protocol HubContent {
    /// Adds all models, in the order in which they are to be published. For a ``HubModel`` the default adds itself.
    func addModels(to batch: HubBatch)
}

extension Sequence where Element: HubContent {
    /// Adds the models of the elements, in their order.
    public func addModels(to batch: HubBatch) {
        for element in self { element.addModels(to: batch) }
    }
}

extension Array: HubContent where Element: HubContent {
    /// Adds the models of the elements, in their order.
    public func addModels(to batch: HubBatch) {
        // What most responses are, and slower to go through as a sequence.
        var index = 0
        while index < count {
            self[index].addModels(to: batch)
            index += 1
        }
    }
}

extension ArraySlice: HubContent where Element: HubContent {}
extension ContiguousArray: HubContent where Element: HubContent {}
extension Set: HubContent where Element: HubContent {}
extension LossyArray: HubContent where Element: HubContent {}

extension Optional: HubContent where Wrapped: HubContent {
    /// Adds the models of what there is.
    public func addModels(to batch: HubBatch) {
        self?.addModels(to: batch)
    }
}

extension Dictionary: HubContent where Value: HubContent {
    /// Adds the models of the values.
    public func addModels(to batch: HubBatch) {
        values.addModels(to: batch)
    }
}

extension ResponsePage: HubContent where Items: HubContent {
    /// Adds the models of the items, then those of the info, where that has any.
    public func addModels(to batch: HubBatch) {
        items.addModels(to: batch)
        batch.addPart(info)
    }
}
