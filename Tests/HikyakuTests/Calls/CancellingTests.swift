import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

@testable import struct Hikyaku.APIClient
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10))) struct CancellingTests {
    private let transport = MockTransport { _ in try await untilCancelled() }

    private var client: APIClient<Public> { APIClient(transport: transport) }

    private func waitUntilSent(_ count: Int) async throws {
        try #require(try await holds { transport.requests.count >= count })
    }

    @Test func callsAreCancelledByTypeAndCondition() async throws {
        let client = client
        let pages = (1...6).map { client.call(Shop.Dishes(page: $0)) }
        let other = client.call(Shop.DishByID(id: "1"))
        try await waitUntilSent(7)
        #expect(client.cancelAll(Shop.Dishes.self) { $0.page > 3 } == 3)
        for call in pages[3...] { #expect(await call.result.isCancelled) }
        for call in pages[..<3] { #expect(call.outcome == nil) }
        #expect(other.outcome == nil)
        #expect(client.cancelAll(Shop.Dishes.self) == 3)
        #expect(client.cancelAll(Shop.Dishes.self) == 0)
        #expect(client.cancelAll() == 1)
        #expect(await other.result.isCancelled)
        // A call is settled before its task has come to its end.
        try #require(try await holds { client.core.parts.calls.count == 0 })
    }

    @Test func allWaysToCallAreCancelled() async throws {
        let client = client
        async let sent = failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        async let response = failure { () async throws(APIError<ShopError>) in
            try await client.bind(Shop.Dishes()).response()
        }
        let completed = Gate()
        client.bind(Shop.Dishes()).send(on: .immediate) { if $0.isCancelled { completed.open() } }
        let events = Task { () -> Bool in
            do {
                for try await _ in client.bind(Shop.Dishes()).events() {}
                return false
            } catch {
                return (error as? any APIFailure)?.isCancelled == true
            }
        }
        try await waitUntilSent(4)
        #expect(client.cancelAll(Shop.Dishes.self) == 4)
        #expect(try await sent.isCancelled)
        #expect(try await response.isCancelled)
        #expect(await events.value)
        await completed.wait()
    }

    @Test func clientsThatComeFromOneAreCancelledTogether() async throws {
        let client = client
        let authorized = client.authorized(by: .bearer("t"), for: .shop).logging(.line) { _ in }
        let call = authorized.call(Shop.AddDish(dish: .sample))
        try await waitUntilSent(1)
        #expect(client.cancelAll(Shop.AddDish.self) == 1)
        #expect(await call.result.isCancelled)
        #expect(APIClient(transport: transport).cancelAll() == 0)
    }

    @Test func aRequestInProxiesCounts() async throws {
        let client = client
        let token = try AccessToken<NotReady>("t").ready(for: Shop.AddDish(dish: .sample))
        let call = client.call(AuthorizedRequestProxy(request: Shop.AddDish(dish: .sample), token: token))
        try await waitUntilSent(1)
        #expect(client.cancelAll(Shop.AddDish.self) { $0.dish.id == 2 } == 0)
        #expect(client.cancelAll(Shop.AddDish.self) { $0.dish.id == 1 } == 1)
        #expect(await call.result.isCancelled)
    }

    @Test func whatIsOverIsForgotten() async throws {
        let transport = MockTransport { _ in .json("[]") }
        let client = APIClient(transport: transport)
        _ = try await client.send(Shop.Dishes())
        _ = try await client.call(Shop.Dishes()).value
        _ = try? await client.send(Shop.DishByID(id: "1"))
        #expect(client.core.parts.calls.count == 0)
        #expect(client.cancelAll() == 0)
    }

    @Test func aStubThatTakesItsTimeIsCancelled() async throws {
        let client = client.stubbing(Shop.Dishes.self) { _ in try await untilCancelled() }
        let call = client.call(Shop.Dishes())
        try #require(try await holds { client.cancelAll(Shop.Dishes.self) != 0 })
        #expect(await call.result.isCancelled)
    }
}
