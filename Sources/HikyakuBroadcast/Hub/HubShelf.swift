import Hikyaku

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
    /// The models that were published while changes were pending which have not ended since.
    var overtaken: [Model.ID: HubOvertaken<Model>] = [:]
    /// When models were changed; kept when the entry of a model is evicted.
    var confirmations: [Model.ID: HubConfirmation<Model>] = [:]
    /// The newest moment that was dropped from ``confirmations``.
    ///
    /// A model without a confirmation there may have been changed at this moment or before.
    var forgottenConfirmation = 0
    /// No model of the type has news from after this moment.
    var newest = 0

    var watchedCount: Int { byID.count + (all == nil ? 0 : 1) }

    /// The update that was published last, if it is still known.
    var lastUpdate: Update? { lastID.flatMap { entries[$0]?.update } }

    /// Whether no change of any model is on its way.
    var isSettled: Bool { pending.isEmpty && overtaken.isEmpty }

    /// Whether an answer to a question of that moment may be newer than what is known of the model.
    ///
    /// It is not when the question is older than the newest confirmed change, which the answer may lack, or older than
    /// the question whose answer is known.
    func isNews(_ id: Model.ID, asked: Int) -> Bool {
        let confirmed = confirmations[id]?.moment ?? forgottenConfirmation
        let known = pending[id]?.base?.asked ?? entries[id]?.asked ?? 0
        return asked >= max(confirmed, known, overtaken[id]?.withheld?.asked ?? 0)
    }
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
    /// The moment of the newest answer or confirmation of the model; 0 for none.
    var asked: Int
    private unowned let shelf: HubShelf<Model>

    init(_ id: Model.ID, _ update: HubUpdate<Model>, asked: Int, on shelf: HubShelf<Model>) {
        self.id = id
        self.update = update
        self.asked = asked
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

/// A state of a model, as the hub got it.
struct HubVersion<Model: HubModel> {
    var update: HubUpdate<Model>
    /// The moment of the question that it answers, or of its confirmation; 0 for a state that was published.
    var asked: Int
    /// Tells it from all other versions.
    var number: Int
}

/// The changes of one model that may be rolled back, and what is below them.
struct HubPending<Model: HubModel> {
    struct Change {
        let number: Int
        let version: HubVersion<Model>
    }

    /// What is seen when none of the changes is left; `nil` where nothing is known.
    var base: HubVersion<Model>?
    /// In the order in which they began; the last one is what is seen.
    var changes: [Change] = []

    var seen: HubVersion<Model>? { changes.last?.version ?? base }

    func index(of number: Int) -> Int? { changes.firstIndex { $0.number == number } }
}

/// The changes of one model that the app has overtaken by publishing the model.
///
/// They are neither seen nor rolled back any more. But the service may still take them, so that answers wait.
struct HubOvertaken<Model: HubModel> {
    var numbers: [Int] = []
    /// The newest answer since; shown when all the changes were rejected.
    var withheld: HubVersion<Model>?
}

/// What is to be done after unlocking.
protocol HubOutcome {
    func settle()
}

/// What is to be done after unlocking for the models of one type.
struct HubTypeOutcome<Model: HubModel>: HubOutcome {
    var outcomes: [BroadcastOutcome<HubUpdate<Model>>] = []
    /// What was known until now, kept until the outcome goes: it may run code when it does.
    var replaced: [HubUpdate<Model>?] = []
    var evicted: [any HubEntryKind] = []

    func settle() {
        for outcome in outcomes { outcome.settle() }
    }
}
