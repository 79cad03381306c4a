import Foundation
import Hikyaku
import HikyakuBroadcast
import TestSupport
import Testing

/// What a reader has seen: every value in its place, or a loss that says how many are missing there.
private struct Reading: Sendable {
    var valueCount = 0
    var lostCount = 0
    /// The first value that differs from the expected one.
    var misplaced: Int?

    /// Reads to the end.
    static func all(of stream: BroadcastStream<CountedValue>, restingEvery pause: Int) async -> Reading {
        var reading = Reading()
        for await event in stream.withLosses {
            switch event {
            case .lost(let count): reading.lostCount += count
            case .value(let value):
                if value.number != reading.place, reading.misplaced == nil { reading.misplaced = value.number }
                reading.valueCount += 1
                if reading.valueCount.isMultiple(of: pause) { await Task.yield() }
            }
        }
        return reading
    }

    var place: Int { valueCount + lostCount }
}

@Suite struct BroadcastLoadTests {
    /// How many values are published, each to a hundred subscribers.
    private static let valueCount = Effort.isFull ? 1_000_000 : 10_000

    @Test func aHundredSubscribersHaveEveryValueOrKnowOfItsLoss() async {
        let policies: [BroadcastPolicy] = [.newest(8), .oldest(8), .latest, .newest(64), .unbounded]
        let live = LiveCount()
        var broadcast: Broadcast<CountedValue>? = Broadcast()
        let streams = (0..<100).compactMap { broadcast?.subscribe(policies[$0 % policies.count]) }
        // Every fourth one reads nothing until the end.
        let readings = streams.enumerated().filter { !$0.offset.isMultiple(of: 4) }.map { number, stream in
            Task { (number, await Reading.all(of: stream, restingEvery: 1 + number % 3)) }
        }
        for start in stride(from: 0, to: Self.valueCount, by: 10) {
            broadcast?.publish(contentsOf: (start..<start + 8).map { CountedValue($0, live) })
            for number in start + 8..<start + 10 { broadcast?.publish(CountedValue(number, live)) }
            await Task.yield()
        }
        broadcast = nil
        for reading in readings {
            let (number, reading) = await reading.value
            Self.check(reading, number, streams[number])
        }
        for (number, stream) in streams.enumerated() where number.isMultiple(of: 4) {
            Self.check(await Reading.all(of: stream, restingEvery: .max), number, stream)
        }
        #expect(live.now == 0)
    }

    private static func check(_ reading: Reading, _ number: Int, _ stream: BroadcastStream<CountedValue>) {
        #expect(reading.misplaced == nil, "subscriber \(number)")
        #expect(reading.place == valueCount, "subscriber \(number)")
        #expect(reading.lostCount == stream.lostCount, "subscriber \(number)")
        if number % 5 == 4 { #expect(reading.lostCount == 0, "subscriber \(number)") }
    }

    @Test func memoryIsBoundedForSlowSubscribers() async {
        let policies: [BroadcastPolicy] = [.newest(8), .oldest(8), .latest, .newest(64)]
        let live = LiveCount()
        var broadcast: Broadcast<CountedValue>? = Broadcast()
        let streams = (0..<100).compactMap { broadcast?.subscribe(policies[$0 % policies.count]) }
        let tasks = streams.dropFirst(50).map { stream in
            Task { await Reading.all(of: stream, restingEvery: 1) }
        }
        for number in 0..<Self.valueCount {
            broadcast?.publish(CountedValue(number, live))
            if number.isMultiple(of: 50) { await Task.yield() }
        }
        broadcast = nil
        for task in tasks { _ = await task.value }
        // What waits, and for each reader one on its way and one in its hands; the latest, and the one being published.
        #expect(live.most <= 25 * (8 + 8 + 1 + 64) + 2 * 50 + 2)
        #expect(live.most >= 64)
    }

    @Test func severalPublishersHaveOneOrderForAll() async {
        var broadcast: Broadcast<Int>? = Broadcast()
        let streams = (0..<20).compactMap { _ in broadcast?.subscribe(.unbounded) }
        let readers = streams.map { stream in
            Task {
                var values: [Int] = []
                for await value in stream { values.append(value) }
                return values
            }
        }
        await withTaskGroup { [broadcast] group in
            for publisher in 0..<4 {
                group.addTask {
                    for number in 0..<500 { broadcast?.publish(publisher * 500 + number) }
                }
            }
        }
        broadcast = nil
        let first = await readers[0].value
        #expect(first.count == 2_000)
        for reader in readers { #expect(await reader.value == first) }
        for publisher in 0..<4 {
            let own = first.filter { $0 / 500 == publisher }
            #expect(own == Array(publisher * 500..<(publisher + 1) * 500))
        }
    }

    @Test func subscribersComeAndGoWhileValuesArePublished() async {
        let broadcast = Broadcast<Int>()
        let publisher = Task {
            var number = 0
            while !Task.isCancelled {
                broadcast.publish(number)
                number += 1
                await Task.yield()
            }
        }
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let stream = broadcast.subscribe(number.isMultiple(of: 2) ? .unbounded : .newest(2))
                    let reader = Task { await Self.isOrdered(stream, upTo: number % 7) }
                    if number.isMultiple(of: 3) { reader.cancel() }
                    #expect(await reader.value, "subscriber \(number)")
                }
            }
        }
        publisher.cancel()
        await publisher.value
        #expect(broadcast.subscriberCount == 0)
    }

    private static func isOrdered(_ stream: BroadcastStream<Int>, upTo countMax: Int) async -> Bool {
        var last = -1
        var count = 0
        for await value in stream {
            guard value > last else { return false }
            last = value
            count += 1
            if count > countMax { break }
        }
        return true
    }
}
