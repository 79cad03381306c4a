/// The requests that wait for a limit: one line for each priority, the oldest first.
///
/// Adding, removing from the middle and taking the next one take time for the number of distinct priorities, whatever
/// the number of waiting requests.
struct WaitingLines<Waiter: Sendable>: Sendable {
    /// Identifies one waiting request, and never a later one in the same slot.
    struct Ticket: Hashable, Sendable {
        fileprivate let index: Int
        /// The number of the request, counted over all lines.
        fileprivate let turn: UInt64
    }

    private struct Slot {
        let turn: UInt64
        let priority: UInt8
        var waiter: Waiter?
        var previous: Int?
        var next: Int?
    }

    private struct Line {
        let priority: UInt8
        var first: Int
        var last: Int
        var count: Int
    }

    private var slots: [Slot] = []
    private var free: [Int] = []
    /// The highest priority first; without empty ones.
    private var lines: [Line] = []
    private var lastTurn: UInt64 = 0

    /// The largest number of slots that are kept when none waits.
    private static var keptMax: Int { 64 }

    var count: Int { slots.count - free.count }
    var isEmpty: Bool { lines.isEmpty }

    /// How many wait with a priority or a higher one.
    func count(from priority: UInt8) -> Int {
        lines.reduce(0) { $1.priority >= priority ? $0 + $1.count : $0 }
    }

    /// Adds a request at the end of its line.
    mutating func append(_ waiter: Waiter, priority: UInt8) -> Ticket {
        lastTurn += 1
        let place = lines.firstIndex { $0.priority <= priority } ?? lines.count
        let isKnown = place < lines.count && lines[place].priority == priority
        let slot = Slot(
            turn: lastTurn,
            priority: priority,
            waiter: waiter,
            previous: isKnown ? lines[place].last : nil,
            next: nil,
        )
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(slot) } else { slots[index] = slot }
        if isKnown {
            slots[lines[place].last].next = index
            lines[place].last = index
            lines[place].count += 1
        } else {
            lines.insert(Line(priority: priority, first: index, last: index, count: 1), at: place)
        }
        return Ticket(index: index, turn: lastTurn)
    }

    /// Removes a request.
    ///
    /// - Returns: The request; `nil` if it doesn't wait any more.
    mutating func remove(_ ticket: Ticket) -> Waiter? {
        guard ticket.index < slots.count, slots[ticket.index].turn == ticket.turn else { return nil }
        return remove(at: ticket.index)
    }

    /// Takes the first request of the highest priority.
    mutating func popFirst() -> Waiter? {
        lines.first.flatMap { remove(at: $0.first) }
    }

    /// Takes the request that has waited longest.
    mutating func popOldest() -> Waiter? {
        lines.min { slots[$0.first].turn < slots[$1.first].turn }.flatMap { remove(at: $0.first) }
    }

    private mutating func remove(at index: Int) -> Waiter? {
        guard let waiter = slots[index].waiter.take() else { return nil }
        let slot = slots[index]
        if let previous = slot.previous { slots[previous].next = slot.next }
        if let next = slot.next { slots[next].previous = slot.previous }
        if let place = lines.firstIndex(where: { $0.priority == slot.priority }) {
            lines[place].count -= 1
            if lines[place].count == 0 {
                lines.remove(at: place)
            } else {
                lines[place].first = slot.previous == nil ? slot.next ?? index : lines[place].first
                lines[place].last = slot.next == nil ? slot.previous ?? index : lines[place].last
            }
        }
        free.append(index)
        if lines.isEmpty, slots.count > Self.keptMax { (slots, free) = ([], []) }
        return waiter
    }
}
