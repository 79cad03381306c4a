import Foundation
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

@testable import struct Hikyaku.APIClient
@testable import HikyakuEngine

extension Shop {
    struct SharedDishes: Request {
        typealias Response = [Dish]
        var page = 1
        var language: String?
        var network = NetworkPreferences()
        var path: RequestPath { "/dishes" }
        var query: RequestQuery { ["page": page] }
        var headers: HTTPHeaders { language.map { ["Accept-Language": $0] } ?? [:] }
        var sharesExchange: Bool { true }

        func prepare(_ request: inout HTTPRequest) { request.networkPreferences = network }
    }

    struct SharedOrders: Request {
        typealias Response = [Dish]
        typealias Access = Authorized
        var path: RequestPath { "/orders" }
        var sharesExchange: Bool { true }
    }

    struct SharedChange: Request {
        typealias Response = [Dish]
        var path: RequestPath { "/dishes" }
        var method: HTTPMethod = .post
        var body: RequestBody? { method == .post ? .json([1]) : nil }
        var sharesExchange: Bool { true }
    }
}

@Suite(.timeLimit(.minutes(10))) struct SharingTests {
    private let gate = Gate()
    private let transport: MockTransport

    init() {
        transport = MockTransport { [gate] request in
            await gate.wait()
            return .json(#"[{"id": 1, "name": "\#(request.url.path())"}]"#)
        }
    }

    private var client: APIClient<Public> { APIClient(transport: transport) }

    /// Starts calls and waits until each is either at the transport or shares what is there.
    private func start<R: APIRequest>(
        _ count: Int,
        _ request: R,
        by client: APIClient<some AccessLevel>,
    ) async throws -> [APICall<R.Response, APIError<R.Failure>>] where R.Access: OpenLevel {
        let calls = (0..<count).map { _ in client.call(request) }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= count })
        try #require(try await holds { !transport.requests.isEmpty })
        return calls
    }

    @Test func equalRequestsInFlightShareOneExchange() async throws {
        let client = client
        let calls = try await start(50, Shop.SharedDishes(), by: client)
        gate.open()
        for call in calls { #expect(try await call.value.first?.name == "/v1/dishes") }
        #expect(transport.requests.count == 1)
        _ = try await client.send(Shop.SharedDishes())
        #expect(transport.requests.count == 2)
        #expect(client.core.parts.exchanges.count == 0)
    }

    @Test func eachCallerCancelsOnItsOwn() async throws {
        let client = client
        let calls = try await start(3, Shop.SharedDishes(), by: client)
        calls[0].cancel()
        #expect(await calls[0].result.isCancelled)
        calls[2].cancel()
        #expect(await calls[2].result.isCancelled)
        #expect(calls[1].outcome == nil)
        gate.open()
        #expect(try await calls[1].value.count == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func theExchangeEndsWhenNobodyWaitsAnyMore() async throws {
        let ended = Gate()
        let transport = MockTransport { _ in
            defer { ended.open() }
            try await untilCancelled()
        }
        let client = APIClient(transport: transport)
        let calls = (0..<3).map { _ in client.call(Shop.SharedDishes()) }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 3 && !transport.requests.isEmpty })
        for call in calls { call.cancel() }
        await ended.wait()
        #expect(client.core.parts.exchanges.count == 0)
        #expect(transport.requests.count == 1)
    }

    @Test func aFailureIsEverybodys() async throws {
        let transport = MockTransport { [gate] _ in
            await gate.wait()
            throw TransportError(.connectionReset, "gone")
        }
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        let calls = (0..<3).map { _ in client.call(Shop.SharedDishes()) }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 3 && !transport.requests.isEmpty })
        gate.open()
        for call in calls {
            guard case .failure(let error) = await call.result else { continue }
            #expect(error.reason == .connectionReset)
            #expect(error.context.attempt == 1)
            #expect(error.context.method == .get)
        }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        [Shop.SharedDishes(page: 1), Shop.SharedDishes(page: 2)],
        [Shop.SharedDishes(language: "ja"), Shop.SharedDishes(language: "en")],
        [Shop.SharedDishes(network: NetworkPreferences(allowsCellular: false)), Shop.SharedDishes()],
        [Shop.SharedDishes(network: NetworkPreferences(allowsExpensive: false)), Shop.SharedDishes()],
        [Shop.SharedDishes(network: NetworkPreferences(allowsConstrained: false)), Shop.SharedDishes()],
    ])
    func requestsThatDifferShareNothing(requests: [Shop.SharedDishes]) async throws {
        let client = client
        let calls = requests.map { client.call($0) }
        try #require(try await holds { transport.requests.count >= 2 })
        gate.open()
        for call in calls { _ = try await call.value }
    }

    @Test(arguments: [HTTPMethod.post, .delete]) func unsafeMethodsShareNothing(method: HTTPMethod) async throws {
        let client = client
        let calls = (0..<2).map { _ in client.call(Shop.SharedChange(method: method)) }
        try #require(try await holds { transport.requests.count >= 2 })
        gate.open()
        for call in calls { _ = try await call.value }
    }

    @Test func requestsThatDoNotSaySoShareNothing() async throws {
        let client = client
        let calls = (0..<2).map { _ in client.call(Shop.Dishes()) }
        try #require(try await holds { transport.requests.count >= 2 })
        gate.open()
        for call in calls { _ = try await call.value }
    }

    @Test func callsOfTwoPeopleShareNothingThoughOneClientSendsThem() async throws {
        let client = APIClient(transport: transport).authorized(by: AskedToken { Person.name }, for: .shop)
        let calls = ["ada", "ada", "bo"].map { name in
            Person.$name.withValue(name) { client.call(Shop.SharedOrders()) }
        }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 3 && transport.requests.count >= 2 })
        gate.open()
        for call in calls { _ = try await call.value }
        let credentials = transport.requests.map { $0.headers[.authorization] ?? "" }
        #expect(credentials.sorted() == ["Bearer ada", "Bearer bo"])
    }

    @Test func callsWithOtherCookiesShareNothing() async throws {
        let store = MemoryCookieStore()
        let transport = MockTransport { [gate] request in
            if request.method == .post {
                return HTTPResponse(status: .noContent, headers: ["Set-Cookie": "sid=bo; Path=/"])
            }
            let cookie = request.headers[.cookie] ?? "none"
            await gate.wait()
            return .json(#"[{"id": 1, "name": "\#(cookie)"}]"#)
        }
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
        let url = try #require(URL(string: "https://shop.example/v1/dishes"))
        store.store(["sid=ada; Path=/"], from: CookieScope(url: url))
        let ada = client.call(Shop.SharedDishes())
        try #require(try await holds { transport.requests.count >= 1 })
        store.store(["sid=bo; Path=/"], from: CookieScope(url: url))
        let bo = client.call(Shop.SharedDishes())
        try #require(try await holds { transport.requests.count >= 2 })
        gate.open()
        #expect(try await ada.value.first?.name == "sid=ada")
        #expect(try await bo.value.first?.name == "sid=bo")
    }

    @Test func aRequestAfterAChangeDoesNotJoinAnEarlierExchange() async throws {
        let transport = MockTransport { [gate] request in
            if request.method == .get { await gate.wait() }
            return .json("[]")
        }
        let client = APIClient(transport: transport)
        let before = client.call(Shop.SharedDishes())
        try #require(try await holds { transport.requests.count >= 1 })
        _ = try await client.send(Shop.SharedChange())
        let after = client.call(Shop.SharedDishes())
        try #require(try await holds { transport.requests.count >= 3 })
        gate.open()
        #expect(try await before.value == [])
        #expect(try await after.value == [])
        #expect(transport.requests.map(\.method) == [.get, .post, .get])
    }

    @Test func afterSigningOutNoCallJoinsAnEarlierExchange() async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
        let before = client.call(Shop.SharedDishes())
        try #require(try await holds { !transport.requests.isEmpty })
        try await client.signOut()
        let after = client.call(Shop.SharedDishes())
        try #require(try await holds { transport.requests.count >= 2 })
        gate.open()
        #expect(try await before.value.count == 1)
        #expect(try await after.value.count == 1)
    }

    @Test func aRedirectedChangeClosesTheExchangesOfWhereItGoes() async throws {
        let transport = MockTransport { [gate] request in
            if request.method == .get { await gate.wait() }
            guard request.method == .post, request.url.host() == "b.example" else { return .json("[]") }
            return HTTPResponse(status: 307, headers: [.location: "https://shop.example/v1/dishes"])
        }
        let policy = RedirectPolicy.follow(sendingBodyToOtherOrigins: true)
        let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: policy))
        let before = try await started(Shop.SharedDishes(), by: client, waiters: 1)
        try #require(try await holds { !transport.requests.isEmpty })
        _ = try await client.send(AnyRequest(environment: "https://b.example", method: .post))
        let after = try await started(Shop.SharedDishes(), by: client, waiters: 2)
        try #require(try await holds { transport.requests.count >= 4 })
        gate.open()
        _ = try await (before.value, after.value)
        #expect(transport.requests.map(\.method) == [.get, .post, .post, .get])
    }

    /// A request's own origin or a redirect's.
    @Test(arguments: [false, true])
    func aChangeClosesTheExchangesThatHaveGoneToItsOrigin(isRedirected: Bool) async throws {
        struct Dishes: APIRequest {
            typealias Response = [Dish]
            var moves: Bool
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/dishes" }
            var sharesExchange: Bool { true }
            func prepare(_ request: inout HTTPRequest) throws {
                if moves { request.url = try #require(URL(string: "https://b.example/dishes")) }
            }
        }
        let transport = MockTransport { [gate] request in
            guard request.url.host() == "b.example" else {
                return HTTPResponse(status: 307, headers: [.location: "https://b.example/dishes"])
            }
            if request.method == .get { await gate.wait() }
            return .json("[]")
        }
        let client = APIClient(transport: transport)
        let count = isRedirected ? 2 : 1
        let before = try await started(Dishes(moves: !isRedirected), by: client, waiters: 1)
        try #require(try await holds { transport.requests.count >= count })
        _ = try await client.send(AnyRequest(environment: "https://b.example", method: .post))
        let after = try await started(Dishes(moves: !isRedirected), by: client, waiters: 2)
        try #require(try await holds { transport.requests.count >= 2 * count + 1 })
        gate.open()
        _ = try await (before.value, after.value)
    }

    /// Holds up a call that was stopped, and lets others pass.
    private struct Lingering: HTTPMiddleware {
        let gate: Gate
        let endsOnCancellation: Bool

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            do { return try await next(request) } catch {
                await gate.wait()
                throw error
            }
        }
    }

    /// Whether that call works in its caller's task, whose end other tasks may inherit, or in one of its own.
    @Test(arguments: [true, false])
    func anExchangeGoesOnWhenTheCallThatBeganItHasReachedItsDeadline(inCallersTask: Bool) async throws {
        _ = try await APIClient(transport: MockTransport { _ in .json("[]") }).send(Shop.SharedDishes())
        let (clock, lingering) = (ManualClock(), Gate())
        let transport = MockTransport { [gate] request in
            if request.url.path() == "/v1/there" { return .json("[]") }
            await gate.wait()
            return HTTPResponse(status: 302, headers: [.location: "/v1/there"])
        }
        let options = ClientOptions(timeout: nil, clock: clock)
        let step = Lingering(gate: lingering, endsOnCancellation: inCallersTask)
        let client = APIClient(transport: transport, middleware: [step], options: options)
        let hurried = await CallDeadline.within(.seconds(1), clock: clock) { client.call(Shop.SharedDishes()) }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 1 })
        let patient = try await started(Shop.SharedDishes(), by: client, waiters: 2)
        try #require(try await holds { !transport.requests.isEmpty })
        clock.advance(by: .seconds(1))
        await lingering.waitUntilSomeoneWaits()
        gate.open()
        #expect(try await patient.value == [])
        lingering.open()
        guard case .failure(let error) = await hurried.result else {
            Issue.record("a call outlived its deadline")
            return
        }
        #expect(error.reason == .deadline)
        #expect(transport.requests.count == 2)
    }

    /// Sends Bo's calls to another place first, and keeps to one of the answers.
    private struct AskingTwice: HTTPMiddleware {
        let keepsFirst: Bool

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            guard Person.name == "bo" else { return try await next(request) }
            var other = request
            other.url.append(path: "moved")
            let first = try await next(other)
            let second = try await next(request)
            return keepsFirst ? first : second
        }
    }

    @Test(arguments: [true, false])
    func whoJoinsAnExchangeKeepsTheAttemptsOfItsOwn(keepsFirst: Bool) async throws {
        let transport = MockTransport { [gate] request in
            let path = request.url.path()
            if path.hasSuffix("/moved") { return HTTPResponse(status: 302, headers: [.location: "/v1/there"]) }
            if path == "/v1/dishes" { await gate.wait() }
            return .json("[]")
        }
        let client = APIClient(transport: transport, middleware: [AskingTwice(keepsFirst: keepsFirst)])
        let ada = try await started(Shop.SharedDishes(), by: client, waiters: 1)
        async let bo = Person.$name.withValue("bo") { try await client.bind(Shop.SharedDishes()).response() }
        let exchanges = client.core.parts.exchanges
        // Bo's first question has an exchange of its own, whose end comes before the second joins Ada's.
        let haveJoined = try await holds {
            transport.requests.count >= 3 && exchanges.count <= 1 && exchanges.waiterCount >= 2
        }
        try #require(haveJoined)
        gate.open()
        #expect(try await bo.redirects.map { $0.to.path() } == (keepsFirst ? ["/v1/there"] : []))
        _ = try await ada.value
        #expect(transport.requests.count == 3)
    }

    @Test func eachCallerHasItsOwnDeadline() async throws {
        let clock = ManualClock()
        var options = ClientOptions()
        options.clock = clock
        options.timeout = nil
        let client = APIClient(transport: transport, options: options)
        let hurried = await CallDeadline.within(.seconds(1), clock: clock) { client.call(Shop.SharedDishes()) }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 1 })
        let patient = client.call(Shop.SharedDishes())
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 2 && !transport.requests.isEmpty })
        clock.advance(by: .seconds(1))
        guard case .failure(let error) = await hurried.result else { return }
        #expect(error.reason == .deadline)
        gate.open()
        #expect(try await patient.value.count == 1)
        #expect(transport.requests.count == 1)
    }

    private enum Person {
        @TaskLocal static var name = "nobody"
    }

    /// Sends all requests of an environment elsewhere.
    private struct Diverting: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            var request = request
            request.url = try #require(URL(string: "https://elsewhere.example/p"))
            return try await next(request)
        }
    }

    @Test(arguments: [(APIEnvironment("https://other.example"), 1), (Shop.Dishes().environment, 2)], [false, true])
    func anUnsafeCallClosesTheExchangesOfItsOwnServiceAlone(
        _ expected: (environment: APIEnvironment, count: Int),
        isDiverted: Bool,
    ) async throws {
        let (environment, count) = expected
        let transport = MockTransport { [gate] request in
            if request.method == .get { await gate.wait() }
            return .json("[]")
        }
        let client = APIClient(transport: transport, middleware: isDiverted ? [Diverting()] : [])
        let first = try await started(Shop.SharedDishes(), by: client, waiters: 1)
        _ = try await client.send(AnyRequest(environment: environment, method: .delete))
        let second = try await started(Shop.SharedDishes(), by: client, waiters: 2)
        gate.open()
        _ = try await (first.value, second.value)
        #expect(transport.requests.count { $0.method == .get } == count)
    }

    private func started<R: APIRequest>(
        _ request: R,
        by client: APIClient<Public>,
        waiters: Int,
    ) async throws -> APICall<R.Response, APIError<R.Failure>> where R.Access: OpenLevel {
        let call = client.call(request)
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= waiters })
        return call
    }
}
