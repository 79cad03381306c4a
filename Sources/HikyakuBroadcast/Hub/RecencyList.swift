import Hikyaku

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
