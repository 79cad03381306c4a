import Foundation
import Hikyaku
import HikyakuBroadcast
import Testing

@Suite struct ModelHubTests {
    @Test func subscribersOfATypeReceiveAllItsModels() async throws {
        let hub = HubDate.hub()
        let meals = hub.updates(of: Meal.self)
        let cooks = hub.updates(of: Cook.self)
        hub.publish([Meal(id: 1), Meal(id: 2)], source: .middleware)
        hub.publish(Cook(id: "a"))
        hub.publish(Meal(id: 1, name: "Ramen"), source: .network)
        #expect(shown(try await take(3, of: meals)) == ["1 middleware", "2 middleware", "1 network"])
        #expect(
            try await take(1, of: cooks) == [HubUpdate(value: Cook(id: "a"), source: .local, date: HubDate.now)]
        )
    }

    @Test func subscribersOfOneModelReceiveOnlyThatModel() async throws {
        let hub = HubDate.hub()
        let stream = hub.updates(of: Meal.self, id: 2)
        hub.publish([Meal(id: 1), Meal(id: 2, name: "a"), Meal(id: 3), Meal(id: 2, name: "b")])
        #expect(try await take(2, of: stream).map(\.value.name) == ["a", "b"])
    }

    @Test func theModelsOfAContentComeTogether() async throws {
        let hub = HubDate.hub()
        let stream = hub.updates(of: Meal.self, .unbounded)
        await withTaskGroup { group in
            for part in 0..<8 {
                group.addTask {
                    hub.publish((0..<100).map { Meal(id: part * 100 + $0) })
                }
            }
        }
        let ids = try await take(800, of: stream).map(\.value.id)
        for start in stride(from: 0, to: 800, by: 100) {
            #expect(Array(ids[start..<start + 100]) == Array(ids[start]..<ids[start] + 100))
        }
    }

    @Test func lateSubscribersStartWithTheLatestUpdateOnRequest() async throws {
        let hub = HubDate.hub()
        hub.publish([Meal(id: 1), Meal(id: 2, name: "a")])
        hub.publish(Meal(id: 1, name: "b"))
        #expect(try await take(1, of: hub.updates(of: Meal.self, .latest)).map(\.value.name) == ["b"])
        #expect(try await take(1, of: hub.updates(of: Meal.self, id: 2, .latest)).map(\.value.name) == ["a"])
        let stream = hub.updates(of: Meal.self, id: 2)
        hub.publish(Meal(id: 2, name: "c"))
        #expect(try await take(1, of: stream).map(\.value.name) == ["c"])
    }

    @Test func theLastUpdateOfEachModelIsKnown() {
        let hub = HubDate.hub()
        #expect(hub.value(of: Meal.self, id: 1) == nil)
        hub.publish([Meal(id: 1, name: "a"), Meal(id: 2)], source: .network)
        hub.publish(Meal(id: 1, name: "b"), source: .middleware)
        let update = HubUpdate(value: Meal(id: 1, name: "b"), source: .middleware, date: HubDate.now)
        #expect(hub.value(of: Meal.self, id: 1) == update)
        #expect(hub.value(of: Cook.self, id: "1") == nil)
    }

    @Test func whatWasTouchedLongestAgoIsForgottenFirst() {
        let hub = HubDate.hub(valuesMax: 3)
        hub.publish([Meal(id: 1), Meal(id: 2)])
        hub.publish(Cook(id: "a"))
        #expect(hub.value(of: Meal.self, id: 1) != nil)  // touches it
        hub.publish(Meal(id: 3))
        #expect(known(to: hub) == [1, 3])
        #expect(hub.value(of: Cook.self, id: "a") != nil)
        hub.publish(Meal(id: 1))
        hub.publish([Meal(id: 4), Meal(id: 5)])
        #expect(hub.value(of: Cook.self, id: "a") == nil)
        #expect(known(to: hub) == [1, 4, 5])
    }

    @Test(arguments: [0, -1, .min])
    func aHubWithoutStorageStillPublishes(valuesMax: Int) async throws {
        let hub = HubDate.hub(valuesMax: valuesMax)
        let stream = hub.updates(of: Meal.self)
        hub.publish(Meal(id: 1))
        #expect(try await take(1, of: stream).map(\.value.id) == [1])
        #expect(hub.value(of: Meal.self, id: 1) == nil)
    }

    private func known(to hub: ModelHub) -> [Int] {
        (1...5).filter { hub.value(of: Meal.self, id: $0) != nil }
    }

    @Test func streamsEndWithTheirHub() async throws {
        var hub: ModelHub? = HubDate.hub()
        let all = try #require(hub?.updates(of: Meal.self))
        let one = try #require(hub?.updates(of: Meal.self, id: 1))
        hub?.publish(Meal(id: 1))
        hub = nil
        #expect(try await take(9, of: all).count == 1)
        #expect(try await take(9, of: one).count == 1)
    }

    /// A model that is counted while it is alive.
    private struct Counted: HubModel {
        let id: Int
        let value: CountedValue

        init(_ id: Int, _ live: LiveCount) {
            (self.id, value) = (id, CountedValue(id, live))
        }
    }

    @Test func modelsWithoutSubscribersAreNotStored() {
        let live = LiveCount()
        let hub = HubDate.hub(valuesMax: 2)
        for id in 0..<1_000 {
            let stream = hub.updates(of: Counted.self, id: id, .latest)
            let all = hub.updates(of: Counted.self, .latest)
            hub.publish(Counted(id, live))
            // Who watches all begins with the model before, which the new one takes the place of.
            #expect([stream, all].map(\.lostCount) == [0, id == 0 ? 0 : 1])
        }
        #expect(live.now == 2)
        #expect(hub.watchedCount == 0)
    }

    @Test func anEndedSubscriptionDoesNotAffectOthers() async throws {
        let hub = HubDate.hub()
        var streams = (0..<2).map { _ in hub.updates(of: Meal.self, id: 1) }
        streams.removeFirst()
        #expect(hub.watchedCount == 1)
        hub.publish(Meal(id: 1))
        #expect(try await take(1, of: streams[0]).map(\.value.id) == [1])
        streams = []
        #expect(hub.watchedCount == 0)
    }

    @Test func allSubscribersReceiveChangesInTheSameOrder() async throws {
        let hub = HubDate.hub()
        let streams =
            [hub.updates(of: Meal.self, .unbounded)] + (0..<3).map { _ in hub.updates(of: Meal.self, .unbounded) }
        let one = hub.updates(of: Meal.self, id: 1, .unbounded)
        await withTaskGroup { group in
            for publisher in 0..<4 {
                group.addTask {
                    for number in 0..<250 { hub.publish(Meal(id: 1, name: "\(publisher) \(number)")) }
                }
            }
        }
        let names = try await take(1_000, of: one).map(\.value.name)
        for stream in streams { #expect(try await take(1_000, of: stream).map(\.value.name) == names) }
        #expect(hub.value(of: Meal.self, id: 1)?.value.name == names.last)
    }

    @Test func whatIsShownHasNoValues() {
        let hub = HubDate.hub()
        hub.publish(Meal(id: 1, name: "hunter2"))
        var text = "\(hub) \(String(describing: hub.value(of: Meal.self, id: 1)))"
        dump((hub, hub.value(of: Meal.self, id: 1)), to: &text)
        #expect(!text.contains("hunter2"))
        #expect(text.contains("a Meal from local"))
    }
}
