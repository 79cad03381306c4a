/// Those that wait for the same thing: the one with the highest priority is next, and among equals the oldest.
///
/// Every fourth that is taken is the oldest of all, so that none waits forever. Adding, removing from the middle and
/// taking the next one take time for the number of distinct priorities, whatever the number of those that wait.
public struct WaitingLines<Waiter> {
    /// Identifies one waiter, and never a later one in the same slot.
    public struct Ticket: Hashable, Sendable {
        @usableFromInline let index: Int
        /// The number of the waiter, counted over all lines.
        @usableFromInline let turn: UInt64

        @inlinable
        init(index: Int, turn: UInt64) {
            (self.index, self.turn) = (index, turn)
        }
    }

    /// One waiter, and the slots of those before and after it in its line; -1 for none.
    @usableFromInline
    struct Slot {
        @usableFromInline var waiter: Waiter?
        @usableFromInline var turn: UInt64
        @usableFromInline var previous: Int
        @usableFromInline var next = -1
        @usableFromInline var priority: UInt8

        @inlinable
        init(waiter: Waiter, turn: UInt64, previous: Int, priority: UInt8) {
            (self.waiter, self.turn, self.previous, self.priority) = (waiter, turn, previous, priority)
        }
    }

    /// Those with the same priority, by the slots of the first and the last of them.
    @usableFromInline
    struct Line: Sendable {
        @usableFromInline let priority: UInt8
        @usableFromInline var first: Int
        @usableFromInline var last: Int
        @usableFromInline var count = 1

        @inlinable
        init(priority: UInt8, only index: Int) {
            (self.priority, first, last) = (priority, index, index)
        }
    }

    @usableFromInline var slots: [Slot] = []
    @usableFromInline var free: [Int] = []
    /// The highest priority first; without empty ones.
    @usableFromInline var lines: [Line] = []
    @usableFromInline var lastTurn: UInt64 = 0
    /// How many were taken in their turn.
    @usableFromInline var takenCount: UInt64 = 0

    /// The largest number of slots that are kept when none waits.
    @usableFromInline static var keptMax: Int { 64 }

    /// Makes lines in which none waits.
    @inlinable
    public init() {}

    /// How many wait.
    @inlinable public var count: Int { slots.count - free.count }
    /// Whether none waits.
    @inlinable public var isEmpty: Bool { lines.isEmpty }

    /// The one that is next by its priority; `nil` if none waits.
    public var next: Waiter? { lines.first.flatMap { slots[$0.first].waiter } }

    /// How many wait with a priority or a higher one.
    @inlinable
    public func count(from priority: UInt8) -> Int {
        lines.reduce(0) { $1.priority >= priority ? $0 + $1.count : $0 }
    }

    /// Adds a waiter at the end of its line.
    @inlinable
    public mutating func append(_ waiter: Waiter, priority: UInt8) -> Ticket {
        lastTurn += 1
        let place = lines.firstIndex { $0.priority <= priority } ?? lines.count
        let isKnown = place < lines.count && lines[place].priority == priority
        let previous = isKnown ? lines[place].last : -1
        let slot = Slot(waiter: waiter, turn: lastTurn, previous: previous, priority: priority)
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(slot) } else { slots[index] = slot }
        if isKnown {
            slots[previous].next = index
            lines[place].last = index
            lines[place].count += 1
        } else {
            lines.insert(Line(priority: priority, only: index), at: place)
        }
        return Ticket(index: index, turn: lastTurn)
    }

    /// Removes a waiter.
    ///
    /// - Returns: The waiter; `nil` if it doesn't wait any more.
    @inlinable
    public mutating func remove(_ ticket: Ticket) -> Waiter? {
        guard ticket.index < slots.count, slots[ticket.index].turn == ticket.turn else { return nil }
        return remove(at: ticket.index)
    }

    /// Takes the next waiter.
    ///
    /// - Returns: The waiter; `nil` if none waits.
    @inlinable
    public mutating func popNext() -> Waiter? {
        guard let highest = lines.first else { return nil }
        takenCount &+= 1
        guard takenCount % 4 == 0 else { return remove(at: highest.first) }
        let oldest = lines.dropFirst().reduce(highest.first) { oldest, line in
            slots[line.first].turn < slots[oldest].turn ? line.first : oldest
        }
        return remove(at: oldest)
    }

    @inlinable
    mutating func remove(at index: Int) -> Waiter? {
        guard let waiter = slots[index].waiter.take() else { return nil }
        let (previous, next, priority) = (slots[index].previous, slots[index].next, slots[index].priority)
        if previous >= 0 { slots[previous].next = next }
        if next >= 0 { slots[next].previous = previous }
        if let place = lines.firstIndex(where: { $0.priority == priority }) {
            lines[place].count -= 1
            if previous < 0 { lines[place].first = next }
            if next < 0 { lines[place].last = previous }
            if lines[place].count == 0 { lines.remove(at: place) }
        }
        free.append(index)
        // Slots that many waiters have needed for a short time are not kept.
        if lines.isEmpty, slots.count > Self.keptMax { (slots, free) = ([], []) }
        return waiter
    }
}

extension WaitingLines: Sendable where Waiter: Sendable {}
extension WaitingLines.Slot: Sendable where Waiter: Sendable {}
