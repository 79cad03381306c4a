import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import Testing

nonisolated extension APIEnvironment { static let shop: Self = "https://shop.example/v1" }

struct ShopError: ServiceFailure, Decodable, LocalizedError {
    var message: String
    var errorDescription: String? { message }
}

struct Dish: APIModel, Codable, Equatable, Identifiable {
    var id: Int
    var name: String
}

enum Shop {
    nonisolated protocol Request: APIRequest where Failure == ShopError {}

    struct Dishes: Request {
        typealias Response = [Dish]
        var page = 1
        var path: RequestPath { "/dishes" }
        var query: RequestQuery { ["page": page] }
    }

    struct AddDish: Request {
        typealias Response = Dish
        typealias Access = Authorized
        var dish: Dish
        var method: HTTPMethod { .post }
        var path: RequestPath { "/dishes" }
        var body: RequestBody? { .json(dish) }
        var idempotencyKey: IdempotencyKey { .random }
    }

    struct Specials: Request {
        typealias Response = [Dish]
        typealias Access = AuthorizedIfPossible
        var path: RequestPath { "/specials" }
    }
}

nonisolated extension Shop.Request { var environment: APIEnvironment { .shop } }

@MainActor
final class MenuModel {
    private(set) var names: [String] = []
    private(set) var problem: String?
    private let client: APIClient<Public>

    init(client: APIClient<Public>) {
        self.client = client
    }

    func load() async {
        do {
            names = try await client.send(Shop.Dishes()).map(\.name)
        } catch {
            if !error.isCancelled { problem = error.localizedDescription }
        }
    }
}

@MainActor
@Suite
struct MenuModelTests {
    @Test
    func showsTheDishes() async {
        let client = APIClient().stubbing(Shop.Dishes.self) { _ in [Dish(id: 1, name: "Udon")] }
        let model = MenuModel(client: client)
        await model.load()
        #expect(model.names == ["Udon"])
    }

    @Test
    func showsTheServicesWords() async {
        let client = APIClient().stubbing(Shop.Dishes.self) { _ in throw ShopError(message: "We are closed.") }
        let model = MenuModel(client: client)
        await model.load()
        #expect(model.problem == "We are closed.")
    }

    @Test
    func showsThatTheNetworkIsGone() async {
        let client = APIClient().stubbing(Shop.Dishes.self) { _ in
            throw TransportError(.networkUnreachable, "planted")
        }
        let model = MenuModel(client: client)
        await model.load()
        #expect(model.problem != nil && model.names.isEmpty)
    }
}

/// One answer for each request of the shop.
struct ShopFake: Sendable {
    var dishes: @Sendable (Shop.Dishes) async throws -> [Dish]
    var addDish: @Sendable (Shop.AddDish) async throws -> Dish
    var specials: @Sendable (Shop.Specials) async throws -> [Dish]

    func client<Level: AccessLevel>(_ client: APIClient<Level>) -> APIClient<Level> {
        client
            .stubbing(Shop.Dishes.self, answer: dishes)
            .stubbing(Shop.AddDish.self, answer: addDish)
            .stubbing(Shop.Specials.self, answer: specials)
            .stubbingOnly
    }
}

@Suite
struct ShopFakeTests {
    @Test
    func answersEveryRequest() async throws {
        let udon = Dish(id: 1, name: "Udon")
        let fake = ShopFake(
            dishes: { _ in [udon] },
            addDish: { $0.dish },
            specials: { _ in throw ShopError(message: "Closed") },
        )
        let client = fake.client(APIClient().authorized(by: .bearer("t0ken"), for: .shop))
        #expect(try await client.send(Shop.AddDish(dish: udon)) == udon)
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Specials()) }
        #expect(error?.localizedDescription == "Closed")
    }
}

@Suite
struct RequestTests {
    let transport = MockTransport()
    let client: APIClient<Public>

    init() {
        client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    @Test
    func namesThePage() async throws {
        transport.enqueue(.json("[]"))
        _ = try await client.send(Shop.Dishes(page: 3))
        let sent = try #require(transport.requests.first)
        #expect(sent.method == .get)
        #expect(sent.url.absoluteString == "https://shop.example/v1/dishes?page=3")
    }

    @Test
    func sendsTheDishWithTheToken() async throws {
        transport.enqueue(.json(#"{"id": 7, "name": "Udon"}"#, status: .created))
        let staff = client.authorized(by: .bearer("t0ken"), for: .shop)
        let added = try await staff.send(Shop.AddDish(dish: Dish(id: 0, name: "Udon")))
        #expect(added.id == 7)

        let sent = try #require(transport.requests.first)
        #expect(sent.headers["Authorization"] == "Bearer t0ken")
        #expect(sent.headers["Idempotency-Key"] != nil)
        let body = try await sent.body?.collect() ?? Data()
        #expect(try JSONDecoder().decode(Dish.self, from: body) == Dish(id: 0, name: "Udon"))
    }
}

@Test
func anEmptyIDIsNeverSent() throws {
    #expect(try Shop.Dishes(page: 2).httpRequest().url.query() == "page=2")
}

@Suite
struct FailureTests {
    let transport = MockTransport()
    let client: APIClient<Public>

    init() {
        client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    @Test
    func readsTheServicesError() async throws {
        transport.enqueue(.json(#"{"message": "No such page"}"#, status: .notFound))
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
        #expect(error?.service(as: ShopError.self)?.message == "No such page")
        #expect(error?.response?.status == .notFound && error?.isRetryable == false)
    }

    @Test
    func namesWhatIsWrongInTheBody() async throws {
        transport.enqueue(.json(#"[{"id": 1, "name": "Udon"}, {"id": 2}]"#))
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
        #expect(error?.diagnosis?.pointer.description == "/1")
    }

    @Test
    func aResetIsWorthAnotherTry() async throws {
        transport.enqueue(.failure(TransportError(.connectionReset, "planted")))
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
        #expect(error?.reason == .connectionReset && error?.isRetryable == true)
    }

    @Test
    func aMissingTokenIsFoundBeforeAnythingIsSent() async throws {
        let guest = client.authorized(by: AskedToken { nil }, for: .shop)
        let add = Shop.AddDish(dish: Dish(id: 0, name: "Soba"))
        let error = await #expect(throws: APIError<ShopError>.self) { try await guest.send(add) }
        #expect(error?.reason == .missingToken && transport.requests.isEmpty)
    }
}

@Suite
struct ServerTests {
    let server: MockServer
    let client: APIClient<Public>

    init() throws {
        server = try MockServer()
        let local = APIEnvironment(baseURL: server.baseURL)
        client = APIClient(options: ClientOptions(retryPolicy: .never)).substituting(local, for: .shop)
    }

    @Test
    func readsTheRouteOfThePage() async throws {
        server.route(.get, "/dishes") { request in
            .json(#"[{"id": \#(request.query["page"] ?? "0"), "name": "Udon"}]"#)
        }
        #expect(try await client.send(Shop.Dishes(page: 4)).map(\.id) == [4])
        #expect(server.requests.map(\.target) == ["/dishes?page=4"])
    }

    @Test
    func halfABodyIsAnError() async throws {
        server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n[{\"id\""), .close]))
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
        #expect(error?.reason == .truncatedResponse)
    }

    @Test
    func acceptsABodyThatComesSlowly() async throws {
        server.enqueue(MockAnswer.json("[]").dripping(over: .milliseconds(50)))
        #expect(try await client.send(Shop.Dishes()).isEmpty)
    }
}

@Suite
struct RetryTests {
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func waitsAsLongAsTheServiceSays() async throws {
        try await VirtualTime.run { time in
            let transport = MockTransport(clock: time.clock)
            transport.enqueue(HTTPResponse(status: .serviceUnavailable, headers: ["Retry-After": "30"]))
            transport.enqueue(.json("[]"))
            let client = APIClient(transport: transport, options: time.options())
            _ = try await client.send(Shop.Dishes())
            #expect(transport.requests.count == 2)
            #expect(time.elapsed >= .seconds(30))
        }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func givesUpAfterTenSeconds() async throws {
        try await VirtualTime.run { time in
            let transport = MockTransport(clock: time.clock)
            transport.enqueue(.never)
            let client = APIClient(transport: transport, options: time.options(ClientOptions(timeout: .seconds(10))))
            let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.Dishes()) }
            #expect(error?.reason == .deadline && time.elapsed == .seconds(10))
        }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func aRepeatedPostHasTheSameKey() async throws {
        try await VirtualTime.run { time in
            let transport = MockTransport(clock: time.clock)
            transport.enqueue(.failure(TransportError(.connectionReset, "planted")))
            transport.enqueue(.json(#"{"id": 7, "name": "Udon"}"#))
            let client = APIClient(transport: transport, options: time.options())
                .authorized(by: .bearer("t0ken"), for: .shop)
            _ = try await client.send(Shop.AddDish(dish: Dish(id: 0, name: "Udon")))
            let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
            #expect(keys.count == 2 && Set(keys).count == 1)
        }
    }
}

@Test
func timesOutByAManualClock() async throws {
    let clock = ManualClock()
    let transport = MockTransport(clock: clock)
    transport.enqueue(.never)
    let options = ClientOptions(timeout: .seconds(10), retryPolicy: .never, clock: clock)
    let call = APIClient(transport: transport, options: options).call(Shop.Dishes())
    while transport.requests.isEmpty { await Task.yield() }
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: APIError<ShopError>.self) { try await call.value }
    #expect(error?.reason == .deadline)
}

@Suite
struct FaultTests {
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func aDishIsAddedOnce() async throws {
        let summary = try await FaultTrial.run(seeds: 0..<500) { trial in
            let transport = trial.transport { _ in .json(#"{"id": 7, "name": "Udon"}"#, status: .created) }
            let client = APIClient(transport: transport, options: trial.options())
                .authorized(by: .bearer("t0ken"), for: .shop)
            do throws(APIError<ShopError>) {
                _ = try await client.send(Shop.AddDish(dish: Dish(id: 0, name: "Udon")))
            } catch {
                #expect(error.phase != .invalidRequest, "\(trial)")
            }
            let keys = transport.records.map { $0.request.headers["Idempotency-Key"] }
            #expect(Set(keys).count == 1, "\(trial)")
        }
        #expect(summary.faultCount > 100)
    }
}

struct Account: Sendable {
    let tokens = MemoryTokenStore()
    let client: APIClient<Authorized>

    init(client: APIClient<Public>) {
        self.client = client.authorized(by: .stored(in: tokens), for: .shop)
    }
}

@Test
func signsInLater() async throws {
    let transport = MockTransport { _ in .json("[]") }
    let account = Account(client: APIClient(transport: transport))
    _ = try await account.client.send(Shop.Specials())
    #expect(transport.requests.last?.headers["Authorization"] == nil)

    await account.tokens.save(IssuedToken(token: Secret("t0ken")))
    _ = try await account.client.send(Shop.Specials())
    #expect(transport.requests.last?.headers["Authorization"] == "Bearer t0ken")

    try await account.client.signOut(of: .shop)
    #expect(await account.tokens.load() == nil)
}

enum Session: Sendable {
    case signedOut(APIClient<Public>)
    case signedIn(APIClient<Authorized>)

    /// For requests that need no credential, in both states.
    func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response where R.Access: OpenLevel {
        switch self {
        case .signedOut(let client): try await client.send(request)
        case .signedIn(let client): try await client.send(request)
        }
    }

    /// The client for requests that need a credential; `nil` before the login.
    var staff: APIClient<Authorized>? {
        if case .signedIn(let client) = self { client } else { nil }
    }
}

@Test
func aSessionSendsOpenRequestsInBothStates() async throws {
    let transport = MockTransport { _ in .json("[]") }
    let client = APIClient(transport: transport)
    var session = Session.signedOut(client)
    _ = try await session.send(Shop.Dishes())
    #expect(session.staff == nil)
    session = .signedIn(client.authorized(by: .bearer("t0ken"), for: .shop))
    _ = try await session.send(Shop.Dishes())
    #expect(session.staff != nil)
}

nonisolated protocol Menu: Sendable {
    func dishes(page: Int) async throws(APIError<ShopError>) -> [Dish]
}

struct RemoteMenu: Menu {
    let client: APIClient<Authorized>

    func dishes(page: Int) async throws(APIError<ShopError>) -> [Dish] {
        try await client.send(Shop.Dishes(page: page))
    }

    /// For code of the app that has requests of its own; the caller's compiler checks their access.
    func send<R: Shop.Request>(_ request: BoundRequest<R>) async throws(APIError<ShopError>) -> R.Response {
        try await request.send()
    }
}

struct PrintedMenu: Menu {
    func dishes(page: Int) async throws(APIError<ShopError>) -> [Dish] { [Dish(id: page, name: "Udon")] }
}

@Test
func aMenuCanBePrinted() async throws {
    let remote: any Menu = RemoteMenu(
        client: APIClient(transport: MockTransport { _ in .json(#"[{"id": 2, "name": "Udon"}]"#) })
            .authorized(by: .bearer("t0ken"), for: .shop)
    )
    for menu in [remote, PrintedMenu()] {
        #expect(try await menu.dishes(page: 2) == [Dish(id: 2, name: "Udon")])
    }
}

@Suite
struct AuthorizedServerTests {
    let server: MockServer
    let app = APIClient().authorized(by: .bearer("t0ken"), for: .shop)

    init() throws {
        server = try MockServer { request in
            guard request.headers["Authorization"] == "Bearer t0ken" else { return .status(.unauthorized) }
            return .json(#"{"id": 7, "name": "Udon"}"#, status: .created)
        }
    }

    @Test
    func sendsTheTokenToTheTestServer() async throws {
        let local = APIEnvironment(baseURL: server.baseURL)
        let staff = app.substituting(local, for: .shop, sendingCredentials: true)
        #expect(try await staff.send(Shop.AddDish(dish: Dish(id: 0, name: "Udon"))).id == 7)
    }

    @Test
    func sendsNoTokenToASubstituteOtherwise() async throws {
        let staff = app.substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        let add = Shop.AddDish(dish: Dish(id: 0, name: "Udon"))
        let error = await #expect(throws: APIError<ShopError>.self) { try await staff.send(add) }
        #expect(error?.reason == .otherOrigin && server.requests.isEmpty)
    }
}
