#if os(Linux)
/// Elements that are due at some instant, the earliest first.
///
/// Adding, moving and removing take a logarithmic number of steps. An element that was due stays until it is removed,
/// and is not due again before it is moved.
struct TimerHeap<Element> {
    /// Identifies one element until it is removed.
    typealias Key = Int

    private struct Entry {
        var due: Int64
        var key: Key
    }

    /// No child is earlier than its parent.
    private var entries: [Entry] = []
    /// Where in `entries` each key is.
    private var positions: [Int] = []
    private var elements: [Element?] = []
    private var freeKeys: [Key] = []

    /// When the earliest is due; `Int64.max` where none ever is.
    var nextDue: Int64 { entries.first?.due ?? .max }

    var count: Int { entries.count }

    mutating func add(_ element: Element, due: Int64) -> Key {
        let key: Key
        if let free = freeKeys.popLast() {
            key = free
            elements[key] = element
        } else {
            key = elements.count
            elements.append(element)
            positions.append(0)
        }
        positions[key] = entries.count
        entries.append(Entry(due: due, key: key))
        rise(from: entries.count - 1)
        return key
    }

    mutating func remove(_ key: Key) {
        guard elements.indices.contains(key), elements[key] != nil else { return }
        elements[key] = nil
        freeKeys.append(key)
        let position = positions[key]
        let last = entries.removeLast()
        guard position < entries.count else { return }
        entries[position] = last
        positions[last.key] = position
        rise(from: position)
        sink(from: position)
    }

    /// Moves an element to an earlier instant; a later one changes nothing.
    @inline(__always)
    mutating func lower(_ key: Key, to due: Int64) {
        let position = positions[key]
        guard due < entries[position].due else { return }
        entries[position].due = due
        rise(from: position)
    }

    /// The next element that is due, which is never due again until it is moved.
    mutating func popDue(at now: Int64) -> Element? {
        guard let first = entries.first, first.due <= now else { return nil }
        entries[0].due = .max
        sink(from: 0)
        return elements[first.key]
    }

    private mutating func rise(from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard entries[position].due < entries[parent].due else { return }
            swap(position, parent)
            position = parent
        }
    }

    private mutating func sink(from start: Int) {
        var position = start
        while true {
            let left = 2 * position + 1
            guard left < entries.count else { return }
            let right = left + 1
            let child = right < entries.count && entries[right].due < entries[left].due ? right : left
            guard entries[child].due < entries[position].due else { return }
            swap(position, child)
            position = child
        }
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        entries.swapAt(first, second)
        positions[entries[first].key] = first
        positions[entries[second].key] = second
    }
}
#endif
