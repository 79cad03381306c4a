import Hikyaku

/// When models were last changed, for the models with the latest confirmed changes.
///
/// It is separate from the models' last states, so evicting a state never lets an old response undo a confirmed change.
/// It is bounded too: when a confirmation is dropped, its moment applies to all models of the type without a
/// confirmation. The response of an exchange that started before that moment is then ignored for all of them. That
/// loses a response that was in flight while more models than the limit were changed, but never a change, and the next
/// exchange is used again.
struct HubConfirmations {
    private var recency: HubRecency

    init(countMax: Int) {
        recency = HubRecency(countMax: max(1, countMax))
    }

    /// Records that a change of a model was confirmed, later than all others.
    ///
    /// - Returns: The confirmation that was dropped for it, to be released after unlocking.
    mutating func note<Model>(_ moment: Int, of id: Model.ID, on shelf: HubShelf<Model>) -> (any HubEntryKind)? {
        shelf.newest = max(shelf.newest, moment)
        if let known = shelf.confirmations[id] {
            known.moment = moment
            recency.touch(known.place)
            return nil
        }
        let dropped = recency.evictIfFull()
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
    /// Its index in the list that is ordered by moments.
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

/// Entries ordered by when they were last touched; each operation has constant cost.
struct HubRecency {
    private struct Node {
        var element: (any HubEntryKind)?
        var newer: Int?
        var older: Int?
    }

    private var nodes: [Node] = []
    private var freePlaces: [Int] = []
    private var newest: Int?
    private var oldest: Int?

    let countMax: Int

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Adds an element as the newest.
    ///
    /// - Returns: Its index, for touching and removing it.
    mutating func insert(_ element: any HubEntryKind) -> Int {
        let place = freePlaces.popLast() ?? nodes.count
        if place == nodes.count { nodes.append(Node()) }
        nodes[place].element = element
        link(place)
        return place
    }

    /// Makes an element the newest.
    mutating func touch(_ place: Int) {
        guard place != newest else { return }
        unlink(place)
        link(place)
    }

    mutating func remove(_ place: Int) {
        unlink(place)
        nodes[place].element = nil
        freePlaces.append(place)
    }

    /// Removes the least recently touched element, here and from its shelf, if there is no room for another.
    mutating func evictIfFull() -> (any HubEntryKind)? {
        guard let oldest, nodes.count - freePlaces.count >= countMax else { return nil }
        let element = nodes[oldest].element
        remove(oldest)
        element?.leaveShelf()
        return element
    }

    private mutating func link(_ place: Int) {
        nodes[place].older = newest
        nodes[place].newer = nil
        if let newest { nodes[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (nodes[place].newer, nodes[place].older)
        if let newer { nodes[newer].older = older } else { newest = older }
        if let older { nodes[older].newer = newer } else { oldest = newer }
    }
}
