import Hikyaku

/// Whoever waits for the next value; resumed with `nil` when it has to look again.
typealias BroadcastWaiter<Model> = UnsafeContinuation<Model?, Never>

/// What a subscriber gets when it looks.
enum BroadcastTaken<Model> {
    case value(Model)
    /// So many values were lost before the next one.
    case lost(Int)
    case nothing
    case ended
}

/// What waits for one subscriber.
///
/// `@unchecked`: everything in it is touched only under the lock of the ``BroadcastCore`` that it belongs to, which the
/// compiler can't see.
final class BroadcastSubscriber<Model: Sendable>: @unchecked Sendable {
    private let policy: BroadcastPolicy
    private var values = RingBuffer<Model>()
    /// The numbers of the values, where there may be others missing between them: with ``BroadcastPolicy/oldest(_:)``.
    private var numbers = RingBuffer<Int>()
    /// How many values came for it, which is the next one's number.
    private var offeredCount = 0
    /// The number of the value that comes next if none is lost, as far as the reader was told.
    private var expected = 0
    private(set) var lostCount = 0
    /// Whoever waits, and only while nothing waits for them.
    private var waiter: BroadcastWaiter<Model>?
    /// A stream that several iterate at once may have more.
    private var moreWaiters: [BroadcastWaiter<Model>] = []
    /// Where the core has it; `nil` when nothing will come any more.
    var place: Int?

    init(_ policy: BroadcastPolicy) {
        self.policy = policy
    }

    /// Hands over a value or keeps it.
    ///
    /// - Returns: Who is to be resumed with it.
    @inline(__always)
    func offer(_ value: Model, dropped: inout [Model]) -> BroadcastWaiter<Model>? {
        offeredCount += 1
        if let waiter {
            self.waiter = moreWaiters.isEmpty ? nil : moreWaiters.removeFirst()
            expected = offeredCount
            return waiter
        }
        if values.count >= policy.valuesMax {
            lostCount += 1
            if policy.keepsOldest { return nil }
            if let oldest = values.popFirst() { dropped.append(oldest) }
        }
        if policy.keepsOldest { numbers.append(offeredCount - 1) }
        values.append(value)
        return nil
    }

    func take(tellingLosses: Bool) -> BroadcastTaken<Model> {
        let next = numbers.first ?? offeredCount - values.count
        if tellingLosses, next > expected {
            defer { expected = next }
            return .lost(next - expected)
        }
        guard let value = values.popFirst() else { return place == nil ? .ended : .nothing }
        _ = numbers.popFirst()
        expected = next + 1
        return .value(value)
    }

    /// Lets a reader wait, unless there is something to look at.
    ///
    /// - Returns: Whether it waits now.
    func wait(_ waiter: BroadcastWaiter<Model>, tellingLosses: Bool) -> Bool {
        let isBehind = tellingLosses && offeredCount > expected
        guard place != nil, values.count == 0, !isBehind else { return false }
        if self.waiter == nil { self.waiter = waiter } else { moreWaiters.append(waiter) }
        return true
    }

    /// Takes those who wait, to be told that nothing will come.
    func takeWaiters() -> [BroadcastWaiter<Model>] {
        guard let waiter else { return [] }
        defer { (self.waiter, moreWaiters) = (nil, []) }
        return [waiter] + moreWaiters
    }

    /// Takes what waits, which nobody will read.
    func takeValues() -> [Model] {
        _ = numbers.drain()
        // What nobody reads isn't said to be missing.
        expected = offeredCount
        return values.drain()
    }
}

/// A queue in memory that is used in a circle and grows by doubling, so that adding behind and taking in front cost the
/// same however many elements there are.
private struct RingBuffer<Element>: ~Copyable {
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
