import Hikyaku
import HikyakuBroadcast
import Testing

@Suite struct BroadcastLifetimeTests {
    @Test func aStreamThatIsGoneIsForgottenAtOnce() {
        let broadcast = Broadcast<Int>()
        var streams = (0..<3).map { _ in broadcast.subscribe() }
        #expect(broadcast.subscriberCount == 3)
        streams.remove(at: 1)
        #expect(broadcast.subscriberCount == 2)
        streams = []
        #expect(broadcast.subscriberCount == 0)
    }

    @Test func anIteratorKeepsTheSubscription() async {
        let broadcast = Broadcast<Int>()
        var iterator: BroadcastStream<Int>.Iterator? = broadcast.subscribe().makeAsyncIterator()
        #expect(broadcast.subscriberCount == 1)
        broadcast.publish(1)
        #expect(await iterator?.next() == 1)
        iterator = nil
        #expect(broadcast.subscriberCount == 0)
    }

    @Test func othersGetTheirValuesWhenOneIsGone() async throws {
        let broadcast = Broadcast<Int>()
        var streams = (0..<4).map { _ in broadcast.subscribe() }
        broadcast.publish(1)
        streams.remove(at: 0)
        broadcast.publish(2)
        streams.remove(at: 1)
        broadcast.publish(3)
        for stream in streams { #expect(try await take(3, of: stream) == [1, 2, 3]) }
    }

    @Test func whatWaitsGoesWithItsStream() {
        let live = LiveCount()
        let broadcast = Broadcast<CountedValue>()
        var stream: BroadcastStream<CountedValue>? = broadcast.subscribe(.unbounded)
        broadcast.publish(contentsOf: (0..<100).map { CountedValue($0, live) })
        #expect(live.now == 100 && stream?.lostCount == 0)
        stream = nil
        // The latest one is known to the broadcast.
        #expect(live.now == 1)
    }

    @Test func aCancelledTaskEndsItsSubscription() async {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.subscribe()
        let task = Task {
            var values: [Int] = []
            for await value in stream { values.append(value) }
            return values
        }
        broadcast.publish(1)
        task.cancel()
        // Whether the value was seen depends on who is first; the end is sure.
        #expect([[], [1]].contains(await task.value))
        #expect(broadcast.subscriberCount == 0)
        broadcast.publish(2)
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == nil)
    }

    @Test(.timeLimit(.minutes(10)))
    func tasksThatWaitEndWhenTheyAreCancelled() async {
        let broadcast = Broadcast<Int>()
        let tasks = (0..<50).map { number in
            let stream = broadcast.subscribe()
            return Task {
                if number.isMultiple(of: 2) {
                    for await _ in stream.withLosses {}
                } else {
                    for await _ in stream {}
                }
            }
        }
        // As a rule all of them wait by then; those that don't find that they are cancelled.
        for _ in 0..<200 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        #expect(broadcast.subscriberCount == 0)
    }

    @Test func aTaskThatWasCancelledBeforeGetsNothing() async {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.subscribe()
        broadcast.publish(1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await next(of: stream)
        }
        #expect(await task.value == nil)
        #expect(broadcast.subscriberCount == 0)
    }

    @Test func aBroadcastThatIsGoneEndsItsStreamsAfterWhatWaits() async throws {
        var broadcast: Broadcast<Int>? = Broadcast()
        let stream = try #require(broadcast?.subscribe())
        let waiting = try #require(broadcast?.subscribe())
        let task = Task { await next(of: waiting) }
        broadcast?.publish(1)
        #expect(await task.value == 1)
        let last = Task { await next(of: waiting) }
        broadcast = nil
        #expect(await last.value == nil)
        #expect(try await take(9, of: stream) == [1])
    }

    @Test func iteratorsOfOneStreamShareItsValues() async {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.subscribe(.unbounded)
        let tasks = (0..<3).map { _ in
            Task {
                var values: [Int] = []
                for await value in stream {
                    guard value >= 0 else { break }
                    values.append(value)
                }
                return values
            }
        }
        for value in 0..<1_000 {
            broadcast.publish(value)
            if value.isMultiple(of: 7) { await Task.yield() }
        }
        broadcast.publish(contentsOf: [-1, -1, -1])
        var all: [Int] = []
        for task in tasks {
            let values = await task.value
            #expect(values == values.sorted())
            all += values
        }
        #expect(all.sorted() == Array(0..<1_000))
    }

    /// A value that uses its broadcast when it goes.
    private final class Reentrant: Sendable {
        let broadcast: Broadcast<Reentrant>

        init(_ broadcast: Broadcast<Reentrant>) { self.broadcast = broadcast }
        deinit { #expect(broadcast.subscriberCount >= 0) }
    }

    @Test(.timeLimit(.minutes(10)))
    func valuesGoOutsideOfTheLock() async {
        let broadcast = Broadcast<Reentrant>()
        var streams = [broadcast.subscribe(.newest(1)), broadcast.subscribe(.oldest(1))]
        for _ in 0..<3 { broadcast.publish(Reentrant(broadcast)) }
        #expect(streams.map(\.lostCount) == [2, 2])
        streams = []
        // The broadcast keeps its latest value, which keeps it.
        #expect(broadcast.latest != nil)
    }
}
