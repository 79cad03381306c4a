#if canImport(Combine)
import Combine
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallPublisherTests {
    private let transport = MockTransport()
    private var client: APIClient<Public> { APIClient(transport: transport) }

    @Test func aSubscriptionMakesACallAndGetsItsModel() async throws {
        transport.enqueue(.json(#"[{"id": 1, "name": "Ramen"}]"#))
        let publisher = client.bind(Shop.Dishes()).publisher()
        #expect(transport.requests.isEmpty)
        var models: [[Dish]] = []
        for try await model in publisher.values { models.append(model) }
        #expect(models == [[.sample]])
    }

    @Test func eachSubscriptionMakesACallOfItsOwn() async throws {
        transport.enqueue(.json("[]"))
        transport.enqueue(.json("[]"))
        let publisher = client.bind(Shop.Dishes()).publisher()
        for try await _ in publisher.values {}
        for try await _ in publisher.values {}
        #expect(transport.requests.count == 2)
    }

    @Test func anErrorEndsIt() async throws {
        transport.enqueue(.json(#"{"message": "closed"}"#, status: 503))
        do {
            for try await _ in client.bind(Shop.Dishes()).publisher().values {}
            Issue.record("nothing was thrown")
        } catch {
            #expect((error as? any APIFailure)?.service(as: ShopError.self) == ShopError(message: "closed"))
        }
    }

    @Test func aMappedClientsPublisherEndsWithTheAppsError() async throws {
        transport.enqueue(.json(#"{"message": "closed"}"#, status: 503))
        do {
            let client = client.mapError { AppError(reason: $0.reason) }
            for try await _ in client.bind(Shop.Dishes()).publisher().values {}
            Issue.record("nothing was thrown")
        } catch {
            #expect(error as? AppError == AppError(reason: .service))
        }
    }

    @Test func cancellingTheSubscriptionEndsTheCall() async throws {
        let ended = Gate()
        let transport = MockTransport { _ in
            defer { ended.open() }
            try await untilCancelled()
        }
        let subscription = APIClient(transport: transport).bind(Shop.Dishes()).publisher()
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        try #require(try await holds { !transport.requests.isEmpty })
        subscription.cancel()
        await ended.wait()
    }
}
#endif
