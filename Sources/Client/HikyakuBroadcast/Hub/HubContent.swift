public import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A model that a ``ModelHub`` publishes to all screens, whatever its source.
///
/// ```swift
/// struct Table: HubModel, Codable {
///     let id: Int
///     var guestCount: Int
/// }
/// ```
/// It is identified by its type and its `id`: two values with the same `id` are two states of one model, and the later
/// one is current.
public protocol HubModel: HubContent, Identifiable, Sendable where ID: Sendable {}

extension HubModel {
    /// Adds the model itself.
    public func addModels(to batch: HubBatch) {
        batch.add(self)
    }
}

/// A value that contains models: an envelope, a page, or a model that contains others.
///
/// Arrays, sets, optionals, the values of dictionaries, and pages contain those of their elements. Your own type adds
/// its models:
/// ```swift
/// struct Menu: HubModel {
///     let id: Int, dishes: [Dish]
///
///     func addModels(to batch: HubBatch) {
///         batch.add(self)
///         dishes.addModels(to: batch)
///     }
/// }
/// ```
/// Models in the associated values of a `StatusResult` are found automatically.
public protocol HubContent: SendableMetatype {
    /// Adds all models, in the order in which they are to be published. For a ``HubModel`` the default adds itself.
    func addModels(to batch: HubBatch)
}

extension Sequence where Element: HubContent {
    /// Adds the models of the elements, in order.
    public func addModels(to batch: HubBatch) {
        for element in self { element.addModels(to: batch) }
    }
}

extension Array: HubContent where Element: HubContent {
    /// Adds the models of the elements, in order.
    public func addModels(to batch: HubBatch) {
        // Most responses are arrays, and iterating over one as a sequence is slower.
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
    /// Adds the models of the wrapped value.
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
    /// Adds the models of the items, then those of the info, if it contains any.
    public func addModels(to batch: HubBatch) {
        items.addModels(to: batch)
        batch.addPart(info)
    }
}

/// The models of one response or content, those of each type in order: ``HubContent`` adds to it.
///
/// ```swift
/// struct Menu: HubContent {
///     let special: Dish, others: [Dish]
///
///     func addModels(to batch: HubBatch) {
///         batch.add(special)
///         others.addModels(to: batch)
///     }
/// }
/// ```
/// The models of a type are published at once, so no other publisher's models come in between.
public final class HubBatch {
    /// In the order in which the types were first added.
    private(set) var groups: [any HubGroup] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The group of the previous model, which is usually that of the next one.
    private var last: (any HubGroup)?

    init() {}

    /// Whether no model was added.
    var isEmpty: Bool { groups.isEmpty }

    /// Adds a model after those of its type.
    public func add<Model: HubModel>(_ model: Model) {
        if let group = last as? HubModels<Model> {
            group.models.append(model)
        } else {
            group(of: Model.self).models.append(model)
        }
    }

    /// The models of a type so far, in order.
    func models<Model: HubModel>(of type: Model.Type) -> [Model] {
        let group = places[ObjectIdentifier(type)].map { groups[$0] }
        return (group as? HubModels<Model>)?.models ?? []
    }

    /// Adds the models in a part of a result, if it contains any.
    func addPart(_ part: Any) {
        if let content = part as? any HubContent {
            content.addModels(to: self)
        } else if let result = part as? any StatusResult {
            addValues(of: result)
        }
    }

    /// Adds the models in the associated values of a case.
    private func addValues(of result: any StatusResult) {
        let mirror = Mirror(reflecting: result)
        guard mirror.displayStyle == .enum, let payload = mirror.children.first?.value else { return }
        // Several associated values are one tuple.
        let values = Mirror(reflecting: payload)
        if values.displayStyle == .tuple {
            for value in values.children { addPart(value.value) }
        } else {
            addPart(payload)
        }
    }

    private func group<Model: HubModel>(of type: Model.Type) -> HubModels<Model> {
        if let place = places[ObjectIdentifier(type)], let group = groups[place] as? HubModels<Model> {
            last = group
            return group
        }
        let group = HubModels<Model>()
        places[ObjectIdentifier(type)] = groups.count
        groups.append(group)
        last = group
        return group
    }
}

/// The models of one type, with the type erased.
protocol HubGroup: AnyObject {
    /// Reads the identities of the models, outside every lock: that runs their code.
    func prepare()
    /// Publishes them, after they are prepared; the work to do after unlocking is returned.
    func publish(to state: inout HubState, _ source: ResponseSource, _ date: Date, moment: Int?) -> () -> Void
}

/// The models of one type in a batch.
private final class HubModels<Model: HubModel>: HubGroup {
    var models: [Model] = []
    private var ids: [Model.ID] = []

    func prepare() {
        ids = []
        ids.reserveCapacity(models.count)
        for model in models { ids.append(model.id) }
    }

    func publish(to state: inout HubState, _ source: ResponseSource, _ date: Date, moment: Int?) -> () -> Void {
        var updates: [HubUpdate<Model>] = []
        updates.reserveCapacity(models.count)
        for model in models { updates.append(HubUpdate(value: model, source: source, date: date)) }
        return state.publish(updates, ids, moment: moment).settle
    }
}
