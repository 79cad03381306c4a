#if os(Linux)
import TestSupport
import Testing

@testable import HikyakuWire

@Suite struct TimerHeapTests {
    @Test func whatIsDueComesInOrderAndOnce() {
        var heap = TimerHeap<String>()
        for (due, name) in [(30, "c"), (10, "a"), (20, "b"), (40, "d")] { _ = heap.add(name, due: Int64(due)) }
        #expect(heap.nextDue == 10)
        var due: [String] = []
        while let name = heap.popDue(at: 30) { due.append(name) }
        #expect(due == ["a", "b", "c"])
        #expect(heap.nextDue == 40 && heap.count == 4)
    }

    @Test func anElementIsMovedToAnEarlierInstantAlone() {
        var heap = TimerHeap<String>()
        let key = heap.add("a", due: .max)
        heap.lower(key, to: 20)
        heap.lower(key, to: 30)
        #expect(heap.nextDue == 20)
        #expect(heap.popDue(at: 20) == "a")
        #expect(heap.popDue(at: 1000) == nil)
        heap.lower(key, to: 30)
        #expect(heap.popDue(at: 30) == "a")
        heap.remove(key)
        heap.remove(key)
        #expect(heap.count == 0 && heap.nextDue == .max)
    }

    @Test func itAgreesWithASortedList() async {
        let seed = testSeed()
        print("seed of the timers: \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            await Task.yield()
            var heap = TimerHeap<Int>()
            var model: [Int: Int64] = [:]
            var keys: [Int: Int] = [:]
            for number in 0..<300 {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0, 1:
                    let due = Int64.random(in: 0..<100, using: &generator)
                    keys[number] = heap.add(number, due: due)
                    model[number] = due
                case 2:
                    guard let (other, key) = keys.randomEntry(using: &generator) else { continue }
                    let due = Int64.random(in: 0..<100, using: &generator)
                    heap.lower(key, to: due)
                    model[other] = min(model[other] ?? .max, due)
                default:
                    guard let (other, key) = keys.randomEntry(using: &generator) else { continue }
                    heap.remove(key)
                    (keys[other], model[other]) = (nil, nil)
                }
                #expect(heap.nextDue == model.values.min() ?? .max)
                #expect(heap.count == model.count)
            }
            var popped: [Int] = []
            while let number = heap.popDue(at: 50) { popped.append(number) }
            #expect(popped.sorted() == model.filter { $0.value <= 50 }.keys.sorted())
            #expect(popped.compactMap { model[$0] } == popped.compactMap { model[$0] }.sorted())
        }
    }
}
#endif
