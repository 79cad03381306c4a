/// Values that are added and removed often, each with an identifier of its own: a dictionary without hashing.
///
/// Adding and removing take constant time. The slot of a removed value is reused for the next one.
public struct SlotTable<Value> {
    /// Identifies one value of a table, and never a later one in the same slot.
    public struct Key: Hashable, Sendable {
        @usableFromInline let index: Int
        /// The number of the insertion, counted over the whole table.
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

    /// The largest number of slots that an empty table keeps.
    @usableFromInline static var keptMax: Int { 64 }

    /// Makes an empty table.
    @inlinable
    public init() {}

    /// The number of values.
    @inlinable public var count: Int { slots.count - free.count }

    /// Adds a value.
    ///
    /// - Returns: The identifier by which it is removed.
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

    /// Removes a value.
    ///
    /// - Returns: The value; `nil` if it was removed before.
    @inlinable
    public mutating func remove(_ key: Key) -> Value? {
        guard key.index < slots.count, slots[key.index].turn == key.turn else { return nil }
        guard let value = slots[key.index].value.take() else { return nil }
        free.append(key.index)
        // Slots that many values have needed for a short time are not kept.
        if free.count == slots.count, slots.count > Self.keptMax { (slots, free) = ([], []) }
        return value
    }

    /// The values, in the order in which they were added.
    @inlinable public var values: [Value] {
        slots.filter { $0.value != nil }.sorted { $0.turn < $1.turn }.compactMap(\.value)
    }

    /// Calls a closure with each value, in an unspecified order.
    @inlinable
    public func forEach(_ body: (Value) -> Void) {
        for slot in slots { slot.value.map(body) }
    }

    /// Removes the values that meet a condition.
    ///
    /// - Returns: The removed values, in the order in which they were added.
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
