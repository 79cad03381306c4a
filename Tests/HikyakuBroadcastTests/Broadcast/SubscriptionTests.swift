import Foundation
import Hikyaku
import HikyakuBase
import HikyakuBroadcast
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SubscriptionTests {
    private let seen = Lock<[Int]>([])

    private func note(_ value: Int) { seen.withLock { $0.append(value) } }

    /// What is published before any task could have begun is not lost.
    @Test func itSubscribesAtOnceAndKeepsTheOrder() async throws {
        let broadcast = Broadcast<Int>()
        let seen = seen
        let subscription = broadcast.subscribe(.unbounded) { value in
            MainActor.assertIsolated()
            seen.withLock { $0.append(value) }
        }
        #expect(broadcast.subscriberCount == 1)
        broadcast.publish(contentsOf: 0..<1000)
        for value in 1000..<2000 { broadcast.publish(value) }
        #expect(try await holds { seen.withLock(\.count) == 2000 })
        #expect(seen.withLock(\.self) == Array(0..<2000) && !subscription.isOver)
        subscription.cancel()
        #expect(subscription.isOver)
        #expect(try await holds { broadcast.subscriberCount == 0 })
    }

    /// After `cancel()` on the main actor, no buffered value is delivered any more.
    @MainActor @Test func nothingFollowsACancellationOnTheMainActor() async throws {
        for round in 0..<20 {
            let broadcast = Broadcast<Int>()
            let seen = Lock<[Int]>([])
            let subscription = broadcast.subscribe(.unbounded) { value in seen.withLock { $0.append(value) } }
            broadcast.publish(contentsOf: 0..<100)
            await yieldRepeatedly(round)
            subscription.cancel()
            let count = seen.withLock(\.count)
            broadcast.publish(7)
            await yieldRepeatedly(20)
            #expect(seen.withLock(\.count) == count)
        }
    }

    /// A closure may end its own subscription: its next value is not delivered.
    @MainActor @Test func aClosureMayCancelItself() async throws {
        let broadcast = Broadcast<Int>()
        let scope = CancellationScope()
        let seen = seen
        broadcast.subscribe(.unbounded) { [weak scope] value in
            seen.withLock { $0.append(value) }
            if value == 2 { scope?.cancel() }
        }.kept(in: scope)
        broadcast.publish(contentsOf: 0..<10)
        #expect(try await holds { broadcast.subscriberCount == 0 })
        #expect(seen.withLock(\.self) == [0, 1, 2])
    }

    @Test func aSubscriptionThatIsReleasedEnds() async throws {
        let broadcast = Broadcast<Int>()
        var subscription: BroadcastSubscription? = broadcast.subscribe { _ in }
        #expect(subscription != nil && broadcast.subscriberCount == 1)
        subscription = nil
        #expect(try await holds { broadcast.subscriberCount == 0 })
    }

    /// The closure, and what it captures, goes with the subscription.
    @Test func theClosureIsReleased() async throws {
        let live = LiveCount()
        let broadcast = Broadcast<Int>()
        do {
            let value = CountedValue(1, live)
            let subscription = broadcast.subscribe(on: .immediate) { _ in _ = value }
            broadcast.publish(1)
            subscription.cancel()
        }
        #expect(try await holds { live.now == 0 })
    }

    @Test func aScopeKeepsItAndDropsItAtItsEnd() async throws {
        var broadcast: Broadcast<Int>? = Broadcast()
        let scope = CancellationScope()
        let seen = seen
        broadcast?.subscribe { value in seen.withLock { $0.append(value) } }.kept(in: scope)
        #expect(scope.count == 1)
        broadcast?.publish(1)
        #expect(try await holds { seen.withLock(\.self) == [1] })
        // The stream ends with the broadcast, after its values.
        broadcast?.publish(2)
        broadcast = nil
        #expect(try await holds { scope.count == 0 })
        #expect(seen.withLock(\.self) == [1, 2])
    }

    @Test func aQueueOfItsOwnGetsOneValueAtATime() async throws {
        let broadcast = Broadcast<Int>()
        let (seen, waiting) = (seen, Lock<[@Sendable () -> Void]>([]))
        let queue = CallbackQueue { work in waiting.withLock { $0.append(work) } }
        let subscription = broadcast.subscribe(.unbounded, on: queue) { value in seen.withLock { $0.append(value) } }
        broadcast.publish(contentsOf: 0..<3)
        for count in 1...2 {
            #expect(try await holds { waiting.withLock(\.count) == 1 })
            waiting.withLock { $0.removeFirst() }()
            #expect(seen.withLock(\.count) == count)
        }
        #expect(try await holds { waiting.withLock(\.count) == 1 })
        // Cancelled on the queue: what waits there does nothing.
        subscription.cancel()
        waiting.withLock { $0.removeFirst() }()
        #expect(seen.withLock(\.self) == [0, 1])
    }

    @Test func aHubsUpdatesHaveTheSameForm() async throws {
        let hub = ModelHub()
        let names = Lock<[String]>([])
        let subscription = hub.updates(of: Song.self, id: 1, .newest(16).beginningWithLatest).subscribe { update in
            names.withLock { $0.append(update.value.name) }
        }
        for name in ["a", "b", "c"] { hub.publish(Song(id: 1, name: name)) }
        #expect(try await holds { names.withLock(\.self) == ["a", "b", "c"] })
        subscription.cancel()
        #expect(try await holds { hub.description == "ModelHub with 0 watched" })
    }

    private struct Song: HubModel {
        let id: Int
        let name: String
    }
}
