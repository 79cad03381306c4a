import Hikyaku
import HikyakuBroadcast
import HikyakuTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CallBranchTests {
    private let transport = MockTransport()
    private var client: APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    @Test func theModelIsPublishedBeforeTheChainGoesOn() async throws {
        transport.enqueue(.json(#"{"id": 1, "name": "Ramen"}"#))
        let dishes = Broadcast<Dish>()
        var subscriber = dishes.subscribe(.unbounded).makeAsyncIterator()
        let latest = try await client.call(Shop.DishByID(id: "1")).branch(to: dishes)
            .then(on: .immediate) { _ in dishes.latest }.value
        #expect(latest == .sample)
        #expect(await subscriber.next() == .sample)
    }

    @Test func eachOfAnArrayIsPublishedByItself() async throws {
        transport.enqueue(.json(#"[{"id": 1, "name": "Ramen"}, {"id": 2, "name": "Udon"}]"#))
        let dishes = Broadcast<Dish>()
        var subscriber = dishes.subscribe(.unbounded).makeAsyncIterator()
        #expect(try await client.call(Shop.Dishes()).branch(to: dishes, each: { $0 }).value.count == 2)
        #expect(await subscriber.next()?.id == 1)
        #expect(await subscriber.next()?.id == 2)
    }

    @Test func aFailurePublishesNothingAndEndsNothing() async throws {
        transport.enqueue(.failure(TransportError(.connectionReset, "")))
        transport.enqueue(.json(#"{"id": 1, "name": "Ramen"}"#))
        let dishes = Broadcast<Dish>()
        var subscriber = dishes.subscribe(.unbounded).makeAsyncIterator()
        _ = await client.call(Shop.DishByID(id: "1")).branch(to: dishes).result
        #expect(dishes.latest == nil)
        client.call(Shop.DishByID(id: "1")).branch(to: dishes)
        #expect(await subscriber.next() == .sample)
    }
}
