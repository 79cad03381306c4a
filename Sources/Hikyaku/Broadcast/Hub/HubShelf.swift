/// What a hub knows of the models of one type; touched only under the hub's lock.
final class HubShelf<Model: HubModel>: HubShelfKind {
    typealias Update = HubUpdate<Model>

    var entries: [Model.ID: HubEntry<Model>] = [:]
    /// Whose model was published last.
    var lastID: Model.ID?
    /// Tells of every model of the type, while somebody wants to hear it.
    var all: Broadcast<Update>?
    /// Tell of one model each, while somebody wants to hear it.
    var byID: [Model.ID: Broadcast<Update>] = [:]
    /// The models that have changes which may be rolled back.
    var pending: [Model.ID: HubPending<Model>] = [:]
    /// Whether a model of the type was ever changed here.
    var hasChanged = false

    var watchedCount: Int { byID.count + (all == nil ? 0 : 1) }

    /// The update that was published last, if it is still known.
    var lastUpdate: Update? { lastID.flatMap { entries[$0]?.update } }
}

/// A shelf whose models' type is forgotten.
protocol HubShelfKind: AnyObject {
    var watchedCount: Int { get }
}

/// The last update of a model that a hub keeps.
final class HubEntry<Model: HubModel>: HubEntryKind {
    let id: Model.ID
    var update: HubUpdate<Model>
    /// Where it is among all by the time that they were touched.
    var place = 0
    /// The last change of the model that may have reached the service; 0 for none.
    var changed = 0
    private unowned let shelf: HubShelf<Model>

    init(_ id: Model.ID, _ update: HubUpdate<Model>, on shelf: HubShelf<Model>) {
        self.id = id
        self.update = update
        self.shelf = shelf
    }

    func leaveShelf() {
        shelf.entries[id] = nil
    }
}

/// An entry whose type is forgotten.
protocol HubEntryKind: AnyObject {
    func leaveShelf()
}

/// The changes of one model that may be rolled back, above what was there before.
struct HubPending<Model: HubModel> {
    /// What is seen when none of the changes is left; `nil` where nothing was known.
    var base: HubUpdate<Model>?
    /// The last one is what is seen.
    var changes: [(number: Int, update: HubUpdate<Model>)] = []

    var seen: HubUpdate<Model>? { changes.last?.update ?? base }
}

/// What is to be done after unlocking.
protocol HubOutcome {
    func settle()
}

/// What is to be done after unlocking for the models of one type.
struct HubTypeOutcome<Model: HubModel>: HubOutcome {
    var outcomes: [BroadcastOutcome<HubUpdate<Model>>] = []
    /// What was seen until now, kept until the outcome goes: it may run code when it does.
    var replaced: [HubUpdate<Model>?] = []
    var evicted: [any HubEntryKind] = []

    func settle() {
        for outcome in outcomes { outcome.settle() }
    }
}
