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

/// Elements in the order in which they were last touched; each step costs the same however many there are.
struct RecencyList<Element> {
    private struct Node {
        var element: Element?
        var newer: Int?
        var older: Int?
    }

    private var nodes: [Node] = []
    private var freePlaces: [Int] = []
    private var newest: Int?
    private var oldest: Int?

    var count: Int { nodes.count - freePlaces.count }

    /// Adds an element as the newest.
    ///
    /// - Returns: Its place, by which it is touched and removed.
    mutating func insert(_ element: Element) -> Int {
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            nodes[place] = Node(element: element)
        } else {
            place = nodes.count
            nodes.append(Node(element: element))
        }
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

    /// Removes the element that was touched longest ago.
    mutating func removeOldest() -> Element? {
        guard let place = oldest else { return nil }
        let element = nodes[place].element
        remove(place)
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
