import Hikyaku
import HikyakuBroadcast
import TestSupport
import Testing

/// What a subscriber must see, written down plainly: every value, and whether it was lost.
private struct PlainSubscriber {
    enum Keeping { case newest(Int), oldest(Int), all }

    let keeping: Keeping
    var waiting: [(number: Int, value: Int)] = []
    var offered = 0
    var seen = 0
    var lostCount = 0

    mutating func offer(_ value: Int) {
        waiting.append((offered, value))
        offered += 1
        switch keeping {
        case .all: break
        case .newest(let count) where waiting.count > count:
            waiting.removeFirst()
            lostCount += 1
        case .oldest(let count) where waiting.count > count:
            waiting.removeLast()
            lostCount += 1
        case .newest, .oldest: break
        }
    }

    /// `nil` where a reader would wait.
    mutating func nextEvent() -> BroadcastStream<Int>.Event? {
        let next = waiting.first?.number ?? offered
        if next > seen {
            defer { seen = next }
            return .lost(next - seen)
        }
        guard !waiting.isEmpty else { return nil }
        seen += 1
        return .value(waiting.removeFirst().value)
    }

    mutating func nextValue() -> Int? {
        guard let first = waiting.first else { return nil }
        waiting.removeFirst()
        seen = first.number + 1
        return first.value
    }
}

@Suite struct BroadcastExplorationTests {
    private struct World {
        let broadcast = Broadcast<Int>()
        var subscribers: [(stream: BroadcastStream<Int>, plain: PlainSubscriber)] = []
        var latest: Int?
        var generator: SeededGenerator

        mutating func subscribe() {
            let count = Int.random(in: 1...5, using: &generator)
            let begins = Bool.random(using: &generator)
            let policy: BroadcastPolicy
            var plain: PlainSubscriber
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: (policy, plain) = (.newest(count), PlainSubscriber(keeping: .newest(count)))
            case 1: (policy, plain) = (.oldest(count), PlainSubscriber(keeping: .oldest(count)))
            default: (policy, plain) = (.unbounded, PlainSubscriber(keeping: .all))
            }
            if begins, let latest { plain.offer(latest) }
            subscribers.append((broadcast.subscribe(begins ? policy.beginningWithLatest : policy), plain))
        }

        mutating func publish(_ values: [Int]) {
            if values.count == 1 { broadcast.publish(values[0]) } else { broadcast.publish(contentsOf: values) }
            for index in subscribers.indices {
                for value in values { subscribers[index].plain.offer(value) }
            }
            latest = values.last ?? latest
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func anySequenceOfStepsMatchesTheReferenceModel(seed: UInt64) async {
        var world = World(generator: SeededGenerator(seed: seed))
        for step in 0..<400 {
            let index = world.subscribers.indices.randomElement(using: &world.generator)
            switch (Int.random(in: 0..<10, using: &world.generator), index) {
            case (0, _): world.subscribe()
            case (1, let index?) where world.subscribers.count > 4: world.subscribers.remove(at: index)
            case (2...4, _): world.publish([step])
            case (5, _): world.publish((0..<Int.random(in: 0..<8, using: &world.generator)).map { step * 10 + $0 })
            case (6...7, let index?):
                guard let event = world.subscribers[index].plain.nextEvent() else { continue }
                var events = world.subscribers[index].stream.withLosses.makeAsyncIterator()
                #expect(await events.next() == event, "step \(step), seed \(seed)")
            case (_, let index?):
                guard let value = world.subscribers[index].plain.nextValue() else { continue }
                var values = world.subscribers[index].stream.makeAsyncIterator()
                #expect(await values.next() == value, "step \(step), seed \(seed)")
            default: break
            }
            #expect(world.broadcast.latest == world.latest, "step \(step), seed \(seed)")
            #expect(world.broadcast.subscriberCount == world.subscribers.count, "step \(step), seed \(seed)")
            for subscriber in world.subscribers {
                #expect(subscriber.stream.lostCount == subscriber.plain.lostCount, "step \(step), seed \(seed)")
            }
        }
    }
}
