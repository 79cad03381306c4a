import Hikyaku
import HikyakuBroadcast
import Testing

private typealias Event = BroadcastStream<Int>.Event

@Suite struct BroadcastTests {
    @Test func everySubscriberGetsEveryValueInItsOrder() async throws {
        let broadcast = Broadcast<Int>()
        let streams = (0..<3).map { _ in broadcast.subscribe(.unbounded) }
        broadcast.publish(1)
        broadcast.publish(contentsOf: 2...4)
        broadcast.publish(contentsOf: [])
        for stream in streams { #expect(try await take(4, of: stream) == [1, 2, 3, 4]) }
        #expect(streams.map(\.lostCount) == [0, 0, 0])
    }

    @Test func aSubscriberGetsWhatIsPublishedFromSubscribingOn() async throws {
        let broadcast = Broadcast<Int>()
        broadcast.publish(1)
        let stream = broadcast.subscribe()
        broadcast.publish(2)
        #expect(try await take(1, of: stream) == [2])
    }

    struct PolicyCase: Sendable {
        let policy: BroadcastPolicy
        let values: [Int]
        let lostCount: Int
    }

    @Test(arguments: [
        PolicyCase(policy: .newest(2), values: [4, 5], lostCount: 3),
        PolicyCase(policy: .newest(5), values: [1, 2, 3, 4, 5], lostCount: 0),
        PolicyCase(policy: .newest(0), values: [5], lostCount: 4),
        PolicyCase(policy: .newest(-7), values: [5], lostCount: 4),
        PolicyCase(policy: .oldest(2), values: [1, 2], lostCount: 3),
        PolicyCase(policy: .oldest(5), values: [1, 2, 3, 4, 5], lostCount: 0),
        PolicyCase(policy: .oldest(0), values: [1], lostCount: 4),
        PolicyCase(policy: .unbounded, values: [1, 2, 3, 4, 5], lostCount: 0),
        PolicyCase(policy: .latest, values: [5], lostCount: 5),
        PolicyCase(policy: .newest(9).beginningWithLatest, values: [0, 1, 2, 3, 4, 5], lostCount: 0),
        PolicyCase(policy: .oldest(2).beginningWithLatest, values: [0, 1], lostCount: 4),
    ])
    func theOverflowPolicyDeterminesWhatIsBuffered(example: PolicyCase) async {
        var broadcast: Broadcast<Int>? = Broadcast()
        broadcast?.publish(0)
        let stream = broadcast?.subscribe(example.policy)
        for value in 1...5 { broadcast?.publish(value) }
        #expect(stream?.lostCount == example.lostCount)
        broadcast = nil
        var values: [Int] = []
        if let stream { for await value in stream { values.append(value) } }
        #expect(values == example.values)
    }

    @Test func aBatchIsLostAsItsValuesWouldBe() async throws {
        let broadcast = Broadcast<Int>()
        let newest = broadcast.subscribe(.newest(2))
        let oldest = broadcast.subscribe(.oldest(2))
        broadcast.publish(contentsOf: 1...5)
        #expect(try await take(2, of: newest) == [4, 5])
        #expect(try await take(2, of: oldest) == [1, 2])
        #expect([newest.lostCount, oldest.lostCount] == [3, 3])
    }

    @Test func theStandardPolicyKeepsTheNewest1024() async throws {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.subscribe()
        broadcast.publish(contentsOf: 0..<1_030)
        #expect(stream.lostCount == 6)
        #expect(try await take(1, of: stream) == [6])
    }

    @Test func lossesAreReportedAtTheirPositions() async throws {
        var broadcast: Broadcast<Int>? = Broadcast()
        let oldest = try #require(broadcast?.subscribe(.oldest(2)))
        let newest = try #require(broadcast?.subscribe(.newest(2)))
        broadcast?.publish(contentsOf: 0..<4)
        #expect(try await take(1, of: oldest.withLosses) == [.value(0)])
        #expect(try await take(2, of: newest.withLosses) == [.lost(2), .value(2)])
        broadcast?.publish(contentsOf: [4, 5])
        broadcast = nil
        #expect(await rest(of: oldest) == [.value(1), .lost(2), .value(4), .lost(1)])
        #expect(await rest(of: newest) == [.lost(1), .value(4), .value(5)])
    }

    @Test func aLossIsReportedWithoutWaitingForTheNextValue() async throws {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.subscribe(.oldest(1))
        broadcast.publish(contentsOf: [1, 2, 3])
        #expect(try await take(2, of: stream.withLosses) == [.value(1), .lost(2)])
    }

    @Test func valuesAloneHaveNoGaps() async throws {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.subscribe(.newest(1))
        broadcast.publish(contentsOf: [1, 2])
        #expect(try await take(1, of: stream) == [2])
        broadcast.publish(3)
        #expect(try await take(1, of: stream.withLosses) == [.value(3)])
        #expect(stream.lostCount == 1)
    }

    @Test func theLatestValueIsKnown() {
        let broadcast = Broadcast<Int>()
        #expect(broadcast.latest == nil)
        broadcast.publish(contentsOf: [1, 2])
        #expect(broadcast.latest == 2)
        broadcast.publish(contentsOf: [])
        #expect(broadcast.latest == 2)
    }

    @Test func optionalValuesAreValues() async throws {
        let broadcast = Broadcast<Int?>()
        let stream = broadcast.subscribe()
        broadcast.publish(contentsOf: [nil, 1])
        #expect(try await take(2, of: stream) == [nil, 1])
    }

    @Test func whatIsShownHasNoValues() {
        let broadcast = Broadcast<String>()
        let stream = broadcast.subscribe(.newest(1))
        broadcast.publish(contentsOf: ["hunter2", "hunter2"])
        #expect("\(broadcast)" == "Broadcast<String> with 1 subscribers")
        #expect("\(stream)" == "BroadcastStream<String>, 1 lost")
        var dumped = ""
        dump((broadcast, stream), to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}
