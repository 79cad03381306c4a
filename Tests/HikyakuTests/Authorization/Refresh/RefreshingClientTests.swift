import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Refreshing tokens behind a client.
@Suite(.timeLimit(.minutes(10)))
struct RefreshingClientTests {
    private typealias Fixture = RefreshFixture

    private struct Menu: Shop.Request {
        typealias Definition = EmptyResponse
        typealias Access = AuthorizedIfPossible
        var path: RequestPath { "/menu" }
    }

    private func client(_ transport: MockTransport, _ provider: some TokenProvider) -> APIClient<Authorized> {
        APIClient(transport: transport).authorized(by: provider, for: .shop)
    }

    /// A service that takes one token alone.
    private func service(taking token: String) -> MockTransport {
        MockTransport { request in
            HTTPResponse(status: request.headers[.authorization] == "Bearer \(token)" ? 204 : 401)
        }
    }

    @Test func aRejectedCallIsSentOnceMoreWithTheNewToken() async throws {
        let fixture = Fixture(Fixture.token("old"))
        fixture.enqueue(Fixture.token("new"))
        let transport = service(taking: "new")
        try await client(transport, fixture.provider).send(Shop.AddDish(dish: .sample))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    @Test func aServiceThatRejectsEveryTokenGetsTwoRequests() async throws {
        let fixture = Fixture(Fixture.token("old"))
        fixture.enqueue(Fixture.token("new"))
        let transport = service(taking: "none")
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client(transport, fixture.provider).send(Shop.AddDish(dish: .sample))
        }
        #expect(error.response?.status == .unauthorized)
        #expect(transport.requests.count == 2)
        #expect(fixture.refreshCount == 1)
    }

    private struct Refresh: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://auth.example" }
        var method: HTTPMethod { .post }
        var path: RequestPath { "/token" }
        var isIdempotent: Bool { true }
    }

    /// The error of a call whose token has expired, after a refresh with one response.
    private func error(after response: HTTPResponse) async throws -> APIError<ShopError> {
        var options = ClientOptions()
        options.retryPolicy = .never
        let server = APIClient(transport: MockTransport { _ in response }, options: options)
        let fixture = Fixture()
        fixture.enqueue { _ in
            _ = try await server.send(Refresh())
            return Fixture.token("new")
        }
        return try await failure { () async throws(APIError<ShopError>) in
            try await client(MockTransport(), fixture.provider).send(Shop.AddDish(dish: .sample))
        }
    }

    @Test(arguments: [400, 401]) func aRejectedRefreshIsAnExpiredToken(_ status: Int) async throws {
        let error = try await error(after: .json(#"{"title":"no"}"#, status: HTTPStatus(status)))
        #expect(error.phase == .unauthorized && error.reason == .expiredToken && !error.isRetryable)
        let underlying = try #require(error.context.underlyingError as? APIError<ProblemDetails>)
        #expect(underlying.response?.status == HTTPStatus(status))
    }

    /// Nothing of the call was sent, so its own method doesn't matter.
    @Test func aTransientFailureOfARefreshKeepsWhatItSays() async throws {
        let error = try await error(after: HTTPResponse(status: 503, headers: ["Retry-After": "7"]))
        #expect(error.reason == .unacceptableStatus && error.isRetryable && error.retryAfter == .seconds(7))
        #expect(error.response == nil && error.context.attempt == 0)
    }

    @Test func anotherFailureOfARefreshIsNotRetryable() async throws {
        let error = try await error(after: HTTPResponse(status: 403))
        #expect(error.reason == .rejectedClient && !error.isRetryable && error.retryAfter == nil)
    }

    /// Before, each call cost a refresh.
    @Test func aServiceThatRejectsEveryTokenCostsOneRefreshInTenSeconds() async throws {
        let fixture = Fixture(Fixture.token("0"))
        for number in 1...4 { fixture.enqueue(Fixture.token("\(number)")) }
        let transport = service(taking: "none")
        let client = client(transport, fixture.provider)
        let table: [(second: Int, refreshCount: Int)] = [
            (0, 1), (1, 1), (9, 1), (10, 2), (11, 2), (19, 2), (20, 3), (29, 3), (40, 4),
        ]
        for (second, refreshCount) in table {
            while fixture.seconds < second { fixture.clock.advance(by: .seconds(1)) }
            for _ in 0..<5 {
                let error = try await failure { () async throws(APIError<ShopError>) in
                    try await client.send(Shop.AddDish(dish: .sample))
                }
                #expect(error.response?.status == .unauthorized)
            }
            #expect(fixture.refreshCount == refreshCount, "after \(second) s")
        }
        // Each call went out, and those that brought a refresh about once more.
        #expect(transport.requests.count == 9 * 5 + 4)
    }

    @Test func aTokenThatIsRejectedLaterIsRefreshedAtOnce() async throws {
        let fixture = Fixture(Fixture.token("0"))
        for number in 1...3 { fixture.enqueue(Fixture.token("\(number)")) }
        #expect(try await fixture.token(replacing: "0") == "1")
        fixture.clock.advance(by: .seconds(10) + .milliseconds(1))
        #expect(try await fixture.token(replacing: "1") == "2")
        #expect(try await fixture.token(replacing: "2") == nil, "rejected as soon as it was issued")
        #expect(try await fixture.token() == "2", "calls go on with it")
        #expect(try await fixture.token(replacing: "1") == "2", "an older one has another")
        fixture.clock.advance(by: .seconds(11))
        #expect(try await fixture.token(replacing: "2") == "3")
        #expect(fixture.refreshCount == 3)
    }

    @Test func fiftyRejectedCallsCauseOneRefresh() async throws {
        let fixture = Fixture(Fixture.token("old"))
        fixture.enqueueAtGate(Fixture.token("new"))
        let (answers, count) = (Gate(), Lock(0))
        let transport = MockTransport { request in
            let isLast = count.withLock { count in
                count += 1
                return count == 50
            }
            if isLast { answers.open() }
            await answers.wait()
            return HTTPResponse(status: request.headers[.authorization] == "Bearer new" ? 204 : 401)
        }
        let client = client(transport, fixture.provider)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { try await client.send(Shop.AddDish(dish: .sample)) } }
            try await fixture.waitForCallers(50)
            fixture.gate.open()
            try await group.waitForAll()
        }
        #expect(fixture.refreshCount == 1)
        #expect(transport.requests.count == 100)
    }

    @Test func theRefreshIsNeverAuthorizedByItsOwnToken() async throws {
        let transport = service(taking: "new")
        let authorized = Lock<APIClient<Authorized>?>(nil)
        let fixture = Fixture()
        fixture.enqueue { _ in
            try await authorized.withLock { $0 }?.send(Shop.AddDish(dish: .sample))
            return Fixture.token("new")
        }
        let client = client(transport, fixture.provider)
        authorized.withLock { $0 = client }
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .refreshNeedsItself)
        #expect(error.phase == .unauthorized)
        #expect(transport.requests.isEmpty)
        authorized.withLock { $0 = nil }
    }

    @Test func aRefreshThatNeedsItselfByWayOfAnotherIsFound() async throws {
        let second = Lock<RefreshingToken?>(nil)
        let expired = WatchedStore(Fixture.token("old", endsIn: -1))
        let options = RefreshOptions(now: { Fixture.start })
        let first = RefreshingToken(store: expired, options: options) { _ in
            _ = try await second.withLock { $0 }?.token(for: .shop)
            return Fixture.token("new")
        }
        let other = RefreshingToken(store: expired, options: options) { _ in
            _ = try await first.token(for: .shop)
            return Fixture.token("new")
        }
        second.withLock { $0 = other }
        await #expect(throws: TokenError.refreshNeedsItself) { try await first.token(for: .shop) }
        second.withLock { $0 = nil }
    }

    @Test func aRefreshMayBeAuthorizedByAnotherProvider() async throws {
        let device = Fixture(Fixture.token("device", endsIn: -1))
        device.enqueue(Fixture.token("device too"))
        let session = Fixture()
        session.enqueue { _ in
            Fixture.token(try await device.token().map { "for \($0)" } ?? "none")
        }
        #expect(try await session.token() == "for device too")
    }

    @Test func theCallersDeadlineIsNotTheRefreshs() async throws {
        let fixture = Fixture()
        let deadline = Lock<ContinuousClock.Instant?>(.now)
        fixture.enqueue { _ in
            deadline.withLock { $0 = CallDeadline.current }
            return Fixture.token("new")
        }
        let token = try await CallDeadline.within(.seconds(1000)) { try await fixture.token() }
        #expect(token == "new")
        #expect(deadline.withLock { $0 } == nil)
    }

    @Test func signedOutClientsSendWithoutATokenIfPossible() async throws {
        let fixture = Fixture(nil)
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        let client = client(transport, fixture.provider)
        try await client.send(Menu())
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .missingToken)
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil])
        #expect(fixture.store.log == ["load", "load"], "another process may have signed in since")
    }

    @Test func callsThatWaitWhenTheUserSignsOutEndWithoutBeingSent() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        let transport = service(taking: "new")
        let client = client(transport, fixture.provider)
        let call = Task { () -> APIError<ShopError>? in
            do throws(APIError<ShopError>) {
                try await client.send(Shop.AddDish(dish: .sample))
                return nil
            } catch { return error }
        }
        try await fixture.waitForRefreshes(1)
        try await fixture.provider.signOut()
        #expect(await call.value?.reason == .missingToken)
        #expect(transport.requests.isEmpty)
        fixture.gate.open()
    }

    @Test func aRefreshThatTheAuthorizationServerRejectsEndsTheCallsWithItsError() async throws {
        let server = MockTransport()
        server.enqueue(.json(#"{"message":"invalid_grant"}"#, status: 400))
        let plain = APIClient(transport: server)
        let fixture = Fixture()
        fixture.enqueue { _ in
            let dish = try await plain.send(Shop.DishByID(id: "token"))
            return IssuedToken(token: Secret(dish.name))
        }
        let transport = service(taking: "new")
        let client = client(transport, fixture.provider)
        for _ in 0..<2 {
            let error = try await failure { () async throws(APIError<ShopError>) in
                try await client.send(Shop.AddDish(dish: .sample))
            }
            let inner = error.context.underlyingError as? APIError<ShopError>
            #expect(inner?.service(as: ShopError.self) == ShopError(message: "invalid_grant"))
        }
        #expect(server.requests.count == 1)
        #expect(transport.requests.isEmpty)
    }

    @Test func noTextShowsAToken() async throws {
        let fixture = Fixture(Fixture.token("hunter2"))
        _ = try await fixture.token()
        var dumped = ""
        dump(fixture.provider, to: &dumped)
        dump(fixture.provider.state.withLock { $0.machine }, to: &dumped)
        dumped +=
            "\(fixture.provider) \(String(reflecting: fixture.provider)) \(fixture.provider.state.withLock { $0 })"
        #expect(!dumped.contains("hunter2"))
        #expect("\(fixture.provider)" == "RefreshingToken with a store of type WatchedStore")
    }
}
