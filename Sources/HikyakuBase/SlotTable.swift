/// Values that come and go, each under a number that no other has had: a dictionary without hashing.
///
/// Adding and removing take the same few steps however many there are; what was removed leaves its place to the next.
public struct SlotTable<Value> {
    /// Names one value of a table, and never another after it.
    public struct Key: Hashable, Sendable {
        @usableFromInline let index: Int
        /// Which of the values it is that the place has had.
        @usableFromInline let turn: UInt64

        @inlinable
        init(index: Int, turn: UInt64) {
            (self.index, self.turn) = (index, turn)
        }
    }

    @usableFromInline
    struct Slot {
        @usableFromInline var turn: UInt64
        @usableFromInline var value: Value?

        @inlinable
        init(turn: UInt64, value: Value) {
            (self.turn, self.value) = (turn, value)
        }
    }

    @usableFromInline var slots: [Slot] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var turn: UInt64 = 0

    /// The most places that are kept while nothing is in them.
    @usableFromInline static var keptMax: Int { 64 }

    /// Makes an empty table.
    @inlinable
    public init() {}

    /// How many there are.
    @inlinable public var count: Int { slots.count - free.count }

    /// Adds a value.
    ///
    /// - Returns: What takes it out again.
    @inlinable
    public mutating func insert(_ value: Value) -> Key {
        turn += 1
        guard let index = free.popLast() else {
            slots.append(Slot(turn: turn, value: value))
            return Key(index: slots.count - 1, turn: turn)
        }
        slots[index] = Slot(turn: turn, value: value)
        return Key(index: index, turn: turn)
    }

    /// Takes a value out.
    ///
    /// - Returns: The value; `nil` where it was taken out before.
    @inlinable
    public mutating func remove(_ key: Key) -> Value? {
        guard key.index < slots.count, slots[key.index].turn == key.turn else { return nil }
        guard let value = slots[key.index].value.take() else { return nil }
        free.append(key.index)
        // What a busy hour has needed isn't kept for ever.
        if free.count == slots.count, slots.count > Self.keptMax { (slots, free) = ([], []) }
        return value
    }

    /// The values that there are, those that came first before the others.
    @inlinable public var values: [Value] {
        slots.filter { $0.value != nil }.sorted { $0.turn < $1.turn }.compactMap(\.value)
    }

    /// Calls a closure with each value, in no order.
    @inlinable
    public func forEach(_ body: (Value) -> Void) {
        for slot in slots { slot.value.map(body) }
    }

    /// Takes out the values that a condition holds for.
    ///
    /// - Returns: Those, which came first before the others.
    @inlinable
    public mutating func removeAll(where condition: (Value) -> Bool) -> [Value] {
        var taken: [(turn: UInt64, value: Value)] = []
        for index in slots.indices {
            guard let value = slots[index].value, condition(value) else { continue }
            taken.append((slots[index].turn, value))
            slots[index].value = nil
            free.append(index)
        }
        return taken.sorted { $0.turn < $1.turn }.map(\.value)
    }
}

extension SlotTable: Sendable where Value: Sendable {}
extension SlotTable.Slot: Sendable where Value: Sendable {}
