import Hikyaku

/// When models were last changed, for the models whose changes were confirmed last.
///
/// It is apart from the models' last states, so that no eviction of a state lets an old answer undo a confirmed change.
/// It is bounded all the same: when a confirmation is dropped, its moment holds for all models of the type without a
/// confirmation. An answer to a question from before that moment then counts for none of them. That loses an answer
/// that was on its way while more models than the bound were changed, but never a change, and the next question is
/// heard again.
struct HubConfirmations {
    private let countMax: Int
    private var recency = RecencyList<any HubEntryKind>()

    init(countMax: Int) {
        self.countMax = max(1, countMax)
    }

    /// Notes that a change of a model was confirmed, later than all others.
    ///
    /// - Returns: What was dropped for it, to be released after unlocking.
    mutating func note<Model>(_ moment: Int, of id: Model.ID, on shelf: HubShelf<Model>) -> (any HubEntryKind)? {
        shelf.newest = max(shelf.newest, moment)
        if let known = shelf.confirmations[id] {
            known.moment = moment
            recency.touch(known.place)
            return nil
        }
        let dropped = recency.count >= countMax ? recency.removeOldest() : nil
        dropped?.leaveShelf()
        let confirmation = HubConfirmation(id, moment, on: shelf)
        confirmation.place = recency.insert(confirmation)
        shelf.confirmations[id] = confirmation
        return dropped
    }
}

/// When a change of a model was last confirmed.
final class HubConfirmation<Model: HubModel>: HubEntryKind {
    let id: Model.ID
    fileprivate(set) var moment: Int
    /// Where it is among all by their moments.
    fileprivate var place = 0
    private unowned let shelf: HubShelf<Model>

    fileprivate init(_ id: Model.ID, _ moment: Int, on shelf: HubShelf<Model>) {
        self.id = id
        self.moment = moment
        self.shelf = shelf
    }

    func leaveShelf() {
        shelf.confirmations[id] = nil
        shelf.forgottenConfirmation = max(shelf.forgottenConfirmation, moment)
    }
}
