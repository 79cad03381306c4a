/// Makes arrays of as many elements as a document has, without reserving memory for all of them at its word.
///
/// An element of two bytes may be one of a thousand in memory, of which a peer can send millions: so there is memory
/// for a few at first, and then for eight times as many as could be decoded.
enum ArrayFilling {
    /// Fills the memory from the first place that isn't initialized yet, until it is full or nothing is left.
    typealias Fill<Element> = (UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void

    /// What is reserved before the first element, in bytes, if more than that is expected.
    private static let firstBytes = 1 << 16
    private static let firstCount = 16
    private static let growth = 8

    /// Fills an array; elements are written where they stay, since `append` copies what it is given.
    ///
    /// The closure is called once where there are few, and otherwise for one run of elements after another.
    @inline(__always)
    static func array<Element>(upTo count: Int, _ fill: Fill<Element>) throws -> [Element] {
        // Made of no memory, it would be the empty array that all share, into which its count is written nevertheless.
        guard count > 0 else { return [] }
        guard isFew(count, Element.self) else { return try largeArray(upTo: count, fill) }
        return try [Element](unsafeUninitializedCapacity: count) { try fill($0, &$1) }
    }

    /// How many elements memory is reserved for, behind those that are there.
    static func room<Element>(for count: Int, after decoded: Int, _ type: Element.Type) -> Int {
        if isFew(count, type) { return count }
        guard decoded < count / growth else { return count }
        return min(count, max(firstCount, firstBytes / max(1, MemoryLayout<Element>.stride), decoded * growth))
    }

    @inline(__always)
    private static func isFew<Element>(_ count: Int, _ type: Element.Type) -> Bool {
        // An index has room for less than 2^32 elements, so that the product is none that overflows 64 bits; but it may
        // be more than an `Int` of 32 bits holds.
        count <= firstCount
            || Int64(truncatingIfNeeded: count) &* Int64(truncatingIfNeeded: MemoryLayout<Element>.stride) <= firstBytes
    }

    @inline(never)
    private static func largeArray<Element>(upTo count: Int, _ fill: Fill<Element>) throws -> [Element] {
        var room = room(for: count, after: 0, Element.self)
        try HeapRoom.check(room, of: Element.self)
        var elements = UnsafeMutableBufferPointer<Element>.allocate(capacity: room)
        var filled = 0
        defer {
            elements[..<filled].deinitialize()
            elements.deallocate()
        }
        try fill(elements, &filled)
        while filled == room {
            room = Self.room(for: count, after: filled, Element.self)
            if room == count { break }
            try HeapRoom.check(room, of: Element.self)
            let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: room)
            _ = larger.moveInitialize(fromContentsOf: elements[..<filled])
            elements.deallocate()
            elements = larger
            try fill(elements, &filled)
        }
        // The last run is decoded in the array itself, and is most of it.
        let isLeft = filled == elements.count
        try HeapRoom.check(isLeft ? count : filled, of: Element.self)
        return try [Element](unsafeUninitializedCapacity: isLeft ? count : filled) { array, initialized in
            _ = array.moveInitialize(fromContentsOf: elements[..<filled])
            initialized = filled
            filled = 0
            if isLeft { try fill(array, &initialized) }
        }
    }
}
