/// Creates arrays for the elements of a document, without trusting the document's number of elements.
///
/// An element of two bytes in a document may need a thousand bytes in memory, and a peer can send millions. So memory
/// is reserved for a few elements first, and then for eight times as many as were decoded.
enum ArrayFilling {
    /// Initializes elements from the first free one on, until the memory is full or no elements are left.
    typealias Fill<Element> = (UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void

    /// The bytes that are reserved before the first element, if more are expected.
    private static let firstBytes = 1 << 16
    private static let firstCount = 16
    private static let growth = 8

    /// Fills an array; elements are initialized in place, since `append` copies its argument.
    ///
    /// The closure is called once for few elements, and otherwise once for each run of them.
    @inline(__always)
    static func array<Element>(upTo count: Int, _ fill: Fill<Element>) throws -> [Element] {
        // With a capacity of 0 it would be the shared empty array, to which a count must not be written.
        guard count > 0 else { return [] }
        guard isFew(count, Element.self) else { return try largeArray(upTo: count, fill) }
        return try [Element](unsafeUninitializedCapacity: count) { try fill($0, &$1) }
    }

    /// For how many elements memory is reserved after those that were decoded.
    static func room<Element>(for count: Int, after decoded: Int, _ type: Element.Type) -> Int {
        if isFew(count, type) { return count }
        guard decoded < count / growth else { return count }
        return min(count, max(firstCount, firstBytes / max(1, MemoryLayout<Element>.stride), decoded * growth))
    }

    @inline(__always)
    private static func isFew<Element>(_ count: Int, _ type: Element.Type) -> Bool {
        // An index has less than 2^32 elements, so the product does not overflow 64 bits, but it may overflow an `Int`
        // of 32 bits.
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
        // The last run, which is most of the array, is decoded into the array itself.
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
