import Hikyaku

/// A reader that waits for the next value; resumed with `nil` if it has to read again.
///
/// It is resumed once: each waiter is removed from its subscriber, under the lock, before it is resumed.
@safe struct BroadcastWaiter<Model: Sendable>: Sendable {
    private let continuation: UnsafeContinuation<Model?, Never>

    init(_ continuation: UnsafeContinuation<Model?, Never>) {
        unsafe self.continuation = continuation
    }

    func resume(returning value: Model?) {
        unsafe continuation.resume(returning: value)
    }
}

/// The result of a read.
enum BroadcastRead<Model> {
    case value(Model)
    /// This number of values was lost before the next one.
    case lost(Int)
    case nothing
    case ended
}

/// The buffer of one subscriber.
///
/// `@unchecked`: all its state is used only under the lock of its ``BroadcastCore``, which the compiler can't see.
/// It can go when a lock can guard the state of several objects.
final class BroadcastSubscriber<Model: Sendable>: @unchecked Sendable {
    private let policy: BroadcastPolicy
    private var values = RingBuffer<Model>()
    /// The numbers of the values, if others may be missing between them: with ``BroadcastPolicy/oldest(_:)``.
    private var numbers = RingBuffer<Int>()
    /// How many values were published for it, which is the next one's number.
    private var offeredCount = 0
    /// The number of the next value if none is lost, as far as the reader was informed.
    private var expected = 0
    private(set) var lostCount = 0
    /// The waiting reader; set only while nothing is buffered.
    private var waiter: BroadcastWaiter<Model>?
    /// Further readers of a stream that is iterated several times at once.
    private var moreWaiters: [BroadcastWaiter<Model>] = []
    /// The index in the core; `nil` when no more values will follow.
    var place: Int?

    init(_ policy: BroadcastPolicy) {
        self.policy = policy
    }

    /// Delivers a value or buffers it.
    ///
    /// - Returns: The reader to resume with it.
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

    func take(reportingLosses: Bool) -> BroadcastRead<Model> {
        let next = numbers.first ?? offeredCount - values.count
        if reportingLosses, next > expected {
            defer { expected = next }
            return .lost(next - expected)
        }
        guard let value = values.popFirst() else { return place == nil ? .ended : .nothing }
        _ = numbers.popFirst()
        expected = next + 1
        return .value(value)
    }

    /// Registers a waiting reader, unless there is something to read.
    ///
    /// - Returns: Whether it waits now.
    func wait(_ waiter: BroadcastWaiter<Model>, reportingLosses: Bool) -> Bool {
        let isBehind = reportingLosses && offeredCount > expected
        guard place != nil, values.count == 0, !isBehind else { return false }
        if self.waiter == nil { self.waiter = waiter } else { moreWaiters.append(waiter) }
        return true
    }

    /// Removes the waiting readers, which are then resumed with the end.
    func takeWaiters() -> [BroadcastWaiter<Model>] {
        guard let waiter else { return [] }
        defer { (self.waiter, moreWaiters) = (nil, []) }
        return [waiter] + moreWaiters
    }

    /// Removes the buffered values, which will not be read.
    func takeValues() -> [Model] {
        _ = numbers.drain()
        // Values without a reader don't count as lost.
        expected = offeredCount
        return values.drain()
    }
}

/// A ring buffer that grows by doubling, so that appending and removing the first element cost the same for any number
/// of elements.
///
/// The memory never leaves the buffer, and `count` elements of it from `head` on are initialized.
@safe private struct RingBuffer<Element>: ~Copyable {
    /// The capacity that an empty buffer keeps; a larger one is released.
    private static var capacityKeptMax: Int { 256 }

    private var memory: UnsafeMutablePointer<Element>?
    /// 0 or a power of two.
    private var capacity = 0
    private var head = 0
    private(set) var count = 0

    init() {}

    deinit {
        guard let memory = unsafe memory else { return }
        for offset in 0..<count { unsafe (memory + ((head + offset) & (capacity - 1))).deinitialize(count: 1) }
        unsafe memory.deallocate()
    }

    var first: Element? { count > 0 ? unsafe memory?[head] : nil }

    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        // Memory is allocated now.
        guard let memory = unsafe memory else { return }
        unsafe (memory + ((head + count) & (capacity - 1))).initialize(to: element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0, let memory = unsafe memory else { return nil }
        let element = unsafe (memory + head).move()
        head = (head + 1) & (capacity - 1)
        count -= 1
        if count == 0, capacity > Self.capacityKeptMax { free() }
        return element
    }

    /// Removes all elements, in order.
    mutating func drain() -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        while let element = popFirst() { elements.append(element) }
        free()
        return elements
    }

    private mutating func free() {
        unsafe memory?.deallocate()
        unsafe memory = nil
        (capacity, head) = (0, 0)
    }

    private mutating func grow() {
        let newCapacity = max(4, capacity * 2)
        let newMemory = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        if let memory = unsafe memory {
            let front = min(count, capacity - head)
            unsafe newMemory.moveInitialize(from: memory + head, count: front)
            unsafe (newMemory + front).moveInitialize(from: memory, count: count - front)
            unsafe memory.deallocate()
        }
        unsafe memory = newMemory
        (capacity, head) = (newCapacity, 0)
    }
}
