import Hikyaku

/// The state of the models of one type; used only under the hub's lock.
final class HubShelf<Model: HubModel>: HubShelfKind {
    typealias Update = HubUpdate<Model>

    var entries: [Model.ID: HubEntry<Model>] = [:]
    /// The ID of the model that was published last.
    var lastID: Model.ID?
    /// Publishes every model of the type, while it has subscribers.
    var all: Broadcast<Update>?
    /// Each publishes one model, while it has subscribers.
    var byID: [Model.ID: Broadcast<Update>] = [:]
    /// The models with pending changes.
    var pending: [Model.ID: HubPending<Model>] = [:]
    /// The models that the app published while changes were pending that have not ended since.
    private var overtaken: [Model.ID: HubOvertaken<Model>] = [:]
    /// When models were changed; kept when the entry of a model is evicted.
    var confirmations: [Model.ID: HubConfirmation<Model>] = [:]
    /// The newest moment that was dropped from ``confirmations``.
    ///
    /// A model without a confirmation there may have been changed at or before this moment.
    var forgottenConfirmation = 0
    /// No model of the type has news from after this moment.
    var newest = 0

    var watchedCount: Int { byID.count + (all == nil ? 0 : 1) }

    /// The update that was published last, if it is still kept.
    var lastUpdate: Update? { lastID.flatMap { entries[$0]?.update } }

    /// Whether no change of any model is in flight.
    var isSettled: Bool { pending.isEmpty && overtaken.isEmpty }

    /// Whether the response of an exchange with that moment may be newer than the known state of the model.
    ///
    /// It isn't if the exchange is older than the newest confirmed change, which the response may lack, or older than
    /// the exchange of the known response.
    func isNews(_ id: Model.ID, moment: Int) -> Bool {
        let confirmed = confirmations[id]?.moment ?? forgottenConfirmation
        let known = pending[id]?.base?.moment ?? entries[id]?.moment ?? 0
        return moment >= max(confirmed, known, overtaken[id]?.withheld?.moment ?? 0)
    }

    /// Whether changes of a model are in flight.
    func hasChanges(of id: Model.ID) -> Bool { pending[id] != nil || overtaken[id] != nil }

    /// Keeps a response for a model with changes in flight.
    ///
    /// It is withheld if the changes are overtaken. Otherwise it becomes the state to roll back to.
    func hold(_ response: HubVersion<Model>, of id: Model.ID, _ outcome: inout HubTypeOutcome<Model>) {
        if let old = overtaken[id] {
            outcome.keep(old.withheld?.update)
            overtaken[id]?.withheld = response
        } else if let old = pending[id] {
            outcome.keep(old.base?.update)
            pending[id]?.base = response
        }
    }

    // MARK: Overtaken changes

    /// Marks a model's pending changes as overtaken, since another state was published.
    func overtake(_ id: Model.ID, _ outcome: inout HubTypeOutcome<Model>) {
        if let pending = pending.removeValue(forKey: id) {
            outcome.keep(pending)
            overtaken[id, default: HubOvertaken()].numbers += pending.changes.map(\.number)
            if let entry = entries[id] { entry.moment = max(entry.moment, pending.base?.moment ?? 0) }
        }
        dropWithheld(of: id, &outcome)
    }

    func isOvertaken(_ number: Int, of id: Model.ID) -> Bool {
        overtaken[id]?.numbers.contains(number) == true
    }

    /// Drops the response that was withheld, since the model's state is newer.
    func dropWithheld(of id: Model.ID, _ outcome: inout HubTypeOutcome<Model>) {
        guard let withheld = overtaken[id]?.withheld else { return }
        outcome.keep(withheld.update)
        overtaken[id]?.withheld = nil
    }

    /// Ends overtaken changes of a model.
    ///
    /// - Returns: The response that was withheld, after the last one has ended.
    func endOvertaken(of id: Model.ID, where isOver: (Int) -> Bool) -> HubVersion<Model>? {
        guard var left = overtaken[id] else { return nil }
        left.numbers.removeAll(where: isOver)
        overtaken[id] = left.numbers.isEmpty ? nil : left
        return left.numbers.isEmpty ? left.withheld : nil
    }
}

/// A shelf with the type of its models erased.
protocol HubShelfKind: AnyObject {
    var watchedCount: Int { get }
}

/// The last update of a model that a hub keeps.
final class HubEntry<Model: HubModel>: HubEntryKind {
    let id: Model.ID
    var update: HubUpdate<Model>
    /// Its index in the list that is ordered by when entries were touched.
    var place = 0
    /// The moment of the model's newest response or confirmation; 0 for none.
    var moment: Int
    private unowned let shelf: HubShelf<Model>

    init(_ id: Model.ID, _ update: HubUpdate<Model>, moment: Int, on shelf: HubShelf<Model>) {
        self.id = id
        self.update = update
        self.moment = moment
        self.shelf = shelf
    }

    func leaveShelf() {
        shelf.entries[id] = nil
    }
}

/// An entry with its type erased.
protocol HubEntryKind: AnyObject {
    func leaveShelf()
}

/// A state of a model, as the hub got it.
struct HubVersion<Model: HubModel> {
    var update: HubUpdate<Model>
    /// The moment of its exchange, or of its confirmation; 0 for a state that the app published.
    var moment: Int
    /// Distinguishes it from all other versions.
    var number: Int
}

/// The pending changes of one model, and the state below them.
struct HubPending<Model: HubModel> {
    /// The state without any of the changes; `nil` if it is unknown.
    var base: HubVersion<Model>?
    /// In the order in which they began; subscribers see the last one.
    var changes: [HubVersion<Model>] = []

    var seen: HubVersion<Model>? { changes.last ?? base }

    func index(of number: Int) -> Int? { changes.firstIndex { $0.number == number } }
}

/// The changes of one model that the app has overtaken by publishing the model.
///
/// Subscribers don't see them, and they can't be rolled back any more. But the service may still accept them, so
/// responses are withheld.
private struct HubOvertaken<Model: HubModel> {
    var numbers: [Int] = []
    /// The newest response since; published if all the changes were rejected.
    var withheld: HubVersion<Model>?
}

/// Work to do after unlocking for the models of one type.
struct HubTypeOutcome<Model: HubModel> {
    private var outcomes: [BroadcastOutcome<HubUpdate<Model>>] = []
    // Kept until the outcome is released, because their deinit may run code.
    private var replaced: [HubUpdate<Model>?] = []
    private var evicted: [any HubEntryKind] = []

    mutating func add(_ outcome: BroadcastOutcome<HubUpdate<Model>>) {
        outcomes.append(outcome)
    }

    /// Keeps a replaced state until the lock is released.
    mutating func keep(_ update: HubUpdate<Model>?) {
        replaced.append(update)
    }

    mutating func keep(_ pending: HubPending<Model>) {
        replaced.append(pending.base?.update)
        replaced.append(contentsOf: pending.changes.map(\.update))
    }

    mutating func keep(_ entry: any HubEntryKind) {
        evicted.append(entry)
    }

    func settle() {
        for outcome in outcomes { outcome.settle() }
    }
}
