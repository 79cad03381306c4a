/// The elements of an array while it is read: first in memory of the caller, then in memory of its own, and at the end
/// in an array of exactly their size.
///
/// An array that grows copies what it is given, as long as the compiler doesn't know the type. Ends with ``finish()``
/// or ``destroy()``.
@usableFromInline
struct ReadElements<Element> {
    @usableFromInline var start: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    @usableFromInline var isOwner = false

    /// - Parameter buffer: Holds the first ones, and outlives the value.
    @inlinable
    init(_ buffer: UnsafeMutableBufferPointer<Element>) {
        start = buffer.baseAddress.unsafelyUnwrapped
        capacity = buffer.count
    }

    @inlinable
    func destroy() {
        start.deinitialize(count: count)
        if isOwner { start.deallocate() }
    }

    @inlinable var isFull: Bool {
        @inline(__always) get { count == capacity }
    }

    /// Where the next one belongs.
    @inlinable var next: UnsafeMutablePointer<Element> {
        @inline(__always) get { start + count }
    }

    /// Makes room for twice as many, or for those that are expected, but not for more than eight times as many.
    @inlinable
    @inline(never)
    mutating func grow(for expected: Int) throws {
        let room = Swift.max(8, count * 2, Swift.min(expected, count * 8))
        try HeapRoom.check(room, of: Element.self)
        capacity = room
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: start, count: count)
        if isOwner { start.deallocate() }
        start = larger
        isOwner = true
    }

    @inlinable
    func finish() throws -> [Element] {
        do {
            try HeapRoom.check(count, of: Element.self)
        } catch {
            destroy()
            throw error
        }
        defer {
            if isOwner { start.deallocate() }
        }
        if count <= 16 { return few() }
        return [Element](unsafeUninitializedCapacity: count) { elements, initialized in
            guard let target = elements.baseAddress else { return }
            target.moveInitialize(from: start, count: count)
            initialized = count
        }
    }

    /// Few are put into an array one by one, since the standard library makes one to be filled at more cost.
    @inlinable
    func few() -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for place in 0..<count { elements.append((start + place).move()) }
        return elements
    }
}
