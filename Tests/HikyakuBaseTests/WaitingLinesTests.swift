import HikyakuBase
import TestSupport
import Testing

@Suite struct WaitingLinesTests {
    @Test func theHighestPriorityIsNextAndEveryFourthIsTheOldest() {
        var lines = WaitingLines<Int>()
        for id in 0..<4 { _ = lines.append(id, priority: 9) }
        for id in 100..<106 { _ = lines.append(id, priority: 25) }
        #expect(lines.count(from: 25) == 6 && lines.count(from: 9) == 10 && lines.count(from: 26) == 0)
        var order: [Int] = []
        while let id = lines.popNext() { order.append(id) }
        #expect(order == [100, 101, 102, 0, 103, 104, 105, 1, 2, 3])
        #expect(lines.isEmpty && lines.count == 0 && lines.popNext() == nil)
    }

    /// Thousands of seven priorities arrive, leave and have their turn, in any order.
    @Test func anyStepsAgreeWithASimpleModel() {
        let seed = testSeed()
        print("seed of the waiting lines: \(seed)")
        var generator = SeededGenerator(seed: seed)
        var lines = WaitingLines<Int>()
        var expected: [(id: Int, priority: UInt8, ticket: WaitingLines<Int>.Ticket)] = []
        var (old, takenCount) = ([WaitingLines<Int>.Ticket](), 0)
        for id in 0..<6_000 {
            // The lines grow in the first half, and are often empty in the second.
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<(id < 3_000 ? 7 : 4):
                let priority = UInt8.random(in: 0..<7, using: &generator)
                expected.append((id, priority, lines.append(id, priority: priority)))
            case 7:
                guard let index = expected.indices.randomElement(using: &generator) else { continue }
                let left = expected.remove(at: index)
                #expect(lines.remove(left.ticket) == left.id)
                old.append(left.ticket)
            default:
                let highest = expected.map(\.priority).max()
                if !expected.isEmpty { takenCount += 1 }
                let index = takenCount % 4 == 0 ? 0 : expected.firstIndex { $0.priority == highest } ?? 0
                let next = expected.isEmpty ? nil : expected.remove(at: index)
                #expect(lines.popNext() == next?.id)
                if let next { old.append(next.ticket) }
            }
            #expect(lines.count == expected.count && lines.isEmpty == expected.isEmpty)
        }
        // No ticket is valid any more, also not for a later one in the same slot.
        #expect(old.allSatisfy { lines.remove($0) == nil } && lines.count == expected.count)
    }

    /// A step takes as long with 100,000 waiters as with ten: otherwise this would take minutes.
    @Test(.timeLimit(.minutes(1))) func manyWaitersTakeLinearTime() {
        var lines = WaitingLines<Int>()
        let tickets = (0..<100_000).map { lines.append($0, priority: UInt8($0 % 5)) }
        for index in stride(from: 99_999, to: 0, by: -2) { _ = lines.remove(tickets[index]) }
        var count = lines.count
        while lines.popNext() != nil { count -= 1 }
        #expect(count == 0)
    }
}
