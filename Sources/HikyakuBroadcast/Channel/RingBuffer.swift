import Hikyaku

/// A queue in memory that is used in a circle and grows by doubling, so that adding behind and taking in front cost the
/// same however many elements there are.
struct RingBuffer<Element>: ~Copyable {
    /// Room that is kept when the queue has run empty; what had more gives it back.
    private static var capacityKeptMax: Int { 256 }

    private var memory: UnsafeMutablePointer<Element>?
    /// 0 or a power of two.
    private var capacity = 0
    private var head = 0
    private(set) var count = 0

    init() {}

    deinit {
        guard let memory else { return }
        for offset in 0..<count { (memory + ((head + offset) & (capacity - 1))).deinitialize(count: 1) }
        memory.deallocate()
    }

    var first: Element? { count > 0 ? memory?[head] : nil }

    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        // There is memory now.
        guard let memory else { return }
        (memory + ((head + count) & (capacity - 1))).initialize(to: element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0, let memory else { return nil }
        let element = (memory + head).move()
        head = (head + 1) & (capacity - 1)
        count -= 1
        if count == 0, capacity > Self.capacityKeptMax { free() }
        return element
    }

    /// Takes all, in their order.
    mutating func drain() -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        while let element = popFirst() { elements.append(element) }
        free()
        return elements
    }

    private mutating func free() {
        memory?.deallocate()
        memory = nil
        (capacity, head) = (0, 0)
    }

    private mutating func grow() {
        let newCapacity = max(4, capacity * 2)
        let newMemory = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        if let memory {
            let front = min(count, capacity - head)
            newMemory.moveInitialize(from: memory + head, count: front)
            (newMemory + front).moveInitialize(from: memory, count: count - front)
            memory.deallocate()
        }
        (memory, capacity, head) = (newMemory, newCapacity, 0)
    }
}
