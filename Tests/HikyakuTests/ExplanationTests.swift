import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A request with as many parts as possible.
private struct Pay: Shop.Request {
    typealias Response = Dish
    typealias Access = Authorized
    var method: HTTPMethod { .post }
    var path: RequestPath { "/payments" }
    var headers: HTTPHeaders { ["X-Device": "phone", "Accept-Language": "ja"] }
    var body: RequestBody? { .json(["amount": 100]) }
    var idempotencyKey: IdempotencyKey { .random }
    var requiredScopes: Set<String> { ["read", "pay"] }
    func prepare(_ request: inout HTTPRequest) throws { request.headers["X-Prepared"] = "1" }
}

private struct Mine: APIRequest {
    typealias Definition = RawResponse
    typealias Access = Authorized
    var environment: APIEnvironment = "https://a.example"
    var path: RequestPath = "/mine"
}

private struct Perhaps: APIRequest {
    typealias Definition = RawResponse
    typealias Access = AuthorizedIfPossible
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/perhaps" }
}

private enum Admin: AccessLevel { typealias Includes = Authorized }

private struct Remove: APIRequest {
    typealias Definition = EmptyResponse
    typealias Access = Admin
    var environment: APIEnvironment { "https://a.example" }
    var method: HTTPMethod { .delete }
    var path: RequestPath { "/all" }
}

/// Counts its calls.
private final class Counting: TokenProvider, HTTPMiddleware {
    let count = Lock(0)

    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        count.withLock { $0 += 1 }
        return AccessToken("t")
    }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        count.withLock { $0 += 1 }
        return try await next(request)
    }
}

/// What a client says about a request before it is sent.
@Suite(.timeLimit(.minutes(10))) struct ExplanationTests {
    private let transport = MockTransport { _ in HTTPResponse(status: 200, body: "x") }
    private let clock = ManualClock()

    private func client(_ change: (inout ClientOptions) -> Void = { _ in }) -> APIClient<Public> {
        var options = ClientOptions(clock: clock)
        options.random = { 0 }
        change(&options)
        return APIClient(transport: transport, options: options)
    }

    private func source(of name: HTTPHeaderName, in explanation: CallExplanation) -> CallExplanation.Source? {
        explanation.fields.first { $0.name == name }?.source
    }

    // MARK: - The tree

    @Test func aPlainRequest() async throws {
        let explanation = try await client().explain(Shop.Dishes(page: 7))
        let codings = try #require(explanation.fields.first { $0.name == .acceptEncoding }?.value)
        let tree = """
            GET https://shop.example/v1/dishes?page=… (Shop.Dishes)
            ├─ fields
            │  ├─ Accept: application/json (the client)
            │  ├─ User-Agent: Hikyaku/0.1 (the client)
            │  ├─ X-Shop: ‹redacted› (the environment)
            │  └─ Accept-Encoding: \(codings) (the client)
            ├─ access: Public, without a credential
            ├─ retries: up to 3 attempts, since GET is idempotent; the budget has 2 left
            ├─ deadline: 300 s, set by the client
            ├─ redirects: at most 10, none from https to http
            └─ transport: MockTransport
            """
        #expect("\(explanation)" == tree)
        #expect(explanation.times == nil && transport.requests.isEmpty)
    }

    /// A credential in a cookie comes last, and is the only row of that name.
    @Test func aCredentialInACookieIsOneField() async throws {
        let store = MemoryCookieStore()
        let url = try #require(URL(string: "https://a.example/mine"))
        store.store(["seen=1"], from: CookieScope(url: url))
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store, clock: clock))
            .authorized(by: .apiKey("hunter2", in: .cookie("sid")), for: "https://a.example")
        let cookies = try await client.explain(Mine()).fields.filter { $0.name == .cookie }
        #expect(cookies.map(\.source) == [.credential])
    }

    @Test func aRequestWithAllParts() async throws {
        let store = MemoryCookieStore()
        let url = try #require(URL(string: "https://shop.example/v1/payments"))
        store.store(["sid=hunter2"], from: CookieScope(url: url))
        var options = ClientOptions(timeout: .seconds(20), clock: clock)
        options.circuitBreaker = .standard
        options.limits = [.origin: CallLimit(inFlightMax: 4, rate: .perSecond(10))]
        options.cookies = store
        let client = APIClient(transport: transport, middleware: [Counting()], options: options)
            .authorized(by: .bearer("hunter2"), for: .shop)
        let explanation = try await client.explain(Pay())
        let codings = try #require(explanation.fields.first { $0.name == .acceptEncoding }?.value)
        let tree = """
            POST https://shop.example/v1/payments (Pay)
            ├─ fields
            │  ├─ Accept: application/json (the client)
            │  ├─ User-Agent: Hikyaku/0.1 (the client)
            │  ├─ X-Shop: ‹redacted› (the environment)
            │  ├─ X-Device: ‹redacted› (the request)
            │  ├─ Accept-Language: ja (the request)
            │  ├─ Idempotency-Key: ‹redacted› (the idempotency key)
            │  ├─ Content-Type: application/json (the body)
            │  ├─ X-Prepared: ‹redacted› (a step)
            │  ├─ Accept-Encoding: \(codings) (the client)
            │  ├─ Cookie: ‹redacted› (the cookie store)
            │  └─ Authorization: ‹redacted› (the credential)
            ├─ body: application/json, 14 bytes
            ├─ access: Authorized, with BearerToken (Bearer) for https://shop.example, scopes pay read
            ├─ limits
            │  └─ https://shop.example: 0 of 4 in flight, 0 waiting, at most 10 in 1 s
            ├─ circuit: closed; 0 attempts, 0 % failed, 0 % slow
            ├─ retries: up to 3 attempts, since it has an idempotency key; the budget has 2 left
            ├─ deadline: 20 s, set by the client
            ├─ redirects: at most 10, none from https to http
            ├─ middleware: Counting
            └─ transport: MockTransport
            """
        #expect("\(explanation)" == tree)
        var dumped = ""
        dump(explanation, to: &dumped)
        #expect(!(dumped + "\(explanation)" + String(reflecting: explanation)).contains("hunter2"))
        #expect(transport.requests.isEmpty)
    }

    @Test func aStubAnswersInsteadOfATransport() async throws {
        let stubbed = client().stubbing(Shop.Dishes.self) { _ in [] }
        let explanation = try await stubbed.explain(Shop.Dishes())
        #expect(explanation.transport == nil)
        #expect("\(explanation)".hasSuffix("└─ transport: none, since a stub of the client answers"))
        #expect(try await stubbed.bind(Shop.Dishes()).response().explanation == nil, "nothing was sent")
    }

    @Test func aTextOfTheAppForgesNoLine() async throws {
        struct Search: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/search" }
            var limitGroup: LimitGroup { "a\nb" }
        }
        let tree = "\(try await client { $0.limits = ["a\nb": CallLimit()] }.explain(Search()))"
        #expect(tree.contains("└─ a\u{FFFD}b: 0 in flight"))
    }

    @Test func anInvalidRequestIsNotExplained() async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().explain(AnyRequest(headers: ["X": "a\nb"]))
        }
        #expect(error.phase == .invalidRequest && error.context.explanation == nil)
    }

    // MARK: - Who set a field

    @Test func theRequestComesBeforeItsEnvironmentAndTheClient() async throws {
        struct Own: Shop.Request {
            typealias Response = Dish
            var path: RequestPath { "/" }
            var headers: HTTPHeaders { ["X-Shop": "own", "User-Agent": "own"] }
        }
        let explanation = try await client().explain(Own())
        #expect(source(of: "X-Shop", in: explanation) == .request)
        #expect(source(of: .userAgent, in: explanation) == .request)
        #expect(source(of: .accept, in: explanation) == .client)
    }

    @Test func itsOwnDecoderCountsAsTheRequest() async throws {
        struct List: APIRequest {
            typealias Response = [Int]
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
            var decoder: any ResponseDecoder { PropertyListDecoder() }
        }
        let explanation = try await client().explain(List())
        #expect(source(of: .accept, in: explanation) == .request)
    }

    @Test func itsOwnTokenIsACredential() async throws {
        let request = try Mine().authorized(by: AccessToken("hunter2"))
        let explanation = try await client().explain(request)
        #expect(source(of: .authorization, in: explanation) == .credential)
        #expect(explanation.access.origin == "https://a.example" && explanation.access.problem == nil)
        #expect(explanation.requestType == "Mine")
    }

    @Test func aFieldThatNoLayerHasIsThatOfAStep() {
        let layers = FieldLayers(
            request: ["X-Own": "1"],
            environment: ["X-Shop": "main"],
            client: ["Accept": "application/json"],
            credentials: [],
            hasKey: false,
            hasBody: false,
            hasOwnDecoder: false,
            keepsCookies: false,
            decodesContent: false,
        )
        let cases: [(HTTPHeaders, CallExplanation.Source)] = [
            (["X-Own": "another value"], .request), (["X-Shop": "main"], .environment), (["X-Shop": "other"], .step),
            (["accept": "application/json"], .client), (["Accept": "text/html"], .step),
            (["Cookie": "a=b"], .step), (["Content-Type": "text/html"], .step), (["Accept-Encoding": "gzip"], .step),
            (["Idempotency-Key": "1"], .step), (["Authorization": "Bearer t"], .step), (["X-Other": ""], .step),
        ]
        for (headers, source) in cases { #expect(layers.source(of: headers[0]) == source, "\(headers[0].name)") }
    }

    // MARK: - Access

    @Test func whatIsMissingForARequest() async throws {
        let client = client()
        let none = try await client.explain(Mine()).access
        #expect(none.problem == "the client has no credential" && none.isRequired && none.credential == nil)
        #expect("\(try await client.explain(Mine()))".contains("access: Authorized; can't be sent: the client has no"))

        let other = try await client.authorized(by: .bearer("t"), for: "https://b.example").explain(Mine()).access
        #expect(other.problem?.contains("authorized for https://b.example, not for https://a.example/mine") == true)

        let low = try await client.authorized(by: .bearer("t"), for: "https://a.example").explain(Remove()).access
        #expect(low.problem?.contains("has the level Authorized, and the request needs Admin") == true)

        let plain = Mine(environment: "http://c.example")
        let insecure = try await client.authorized(by: .bearer("t"), for: plain.environment).explain(plain).access
        #expect(insecure.problem?.contains("would be sent over plain http") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func anOptionalCredential() async throws {
        let client = client()
        let without = try await client.explain(Perhaps()).access
        #expect(!without.isRequired && without.problem == nil && without.credential == nil)
        let key = APIKey("hunter2", in: .query("api_key"))
        let with = try await client.authorized(by: key, for: "https://a.example").explain(Perhaps())
        #expect(with.access.credential == "APIKey" && with.access.placement == "query item api_key")
        #expect(with.url == "https://a.example/perhaps")
    }

    @Test func placements() async throws {
        func field(_ provider: some TokenProvider) async throws -> HTTPHeaderName? {
            let client = client().authorized(by: provider, for: "https://a.example")
            return try await client.explain(Mine()).fields.first { $0.source == .credential }?.name
        }
        #expect(try await field(.basic(user: "u", password: "p")) == .authorization)
        #expect(try await field(APIKey("k", in: .header("X-Api-Key"))) == "X-Api-Key")
        #expect(try await field(APIKey("k", in: .cookie("sid"))) == .cookie)
        #expect(try await field(AskedToken(in: .header("X-Token")) { "t" }) == "X-Token")
        #expect(try await field(Counting()) == nil, "only the provider knows")
    }

    // MARK: - Retries, deadline, redirects

    @Test func whetherARequestIsSentAgain() async throws {
        let post = try await client().explain(AnyRequest(method: .post, body: .text("x"))).retries
        #expect(!post.mayRepeat && post.why == "POST is not idempotent")
        let off = try await client { $0.retryPolicy = .never }.explain(AnyRequest())
        #expect(off.retries.attemptsMax == 1 && "\(off)".contains("retries: off"))
        let free = try await client { $0.retryPolicy.budget = nil }.explain(AnyRequest())
        #expect(free.retries.budgetLeft == nil)
        let pieces = AsyncStream<Data> { $0.finish() }
        let once = try await client().explain(AnyRequest(method: .put, body: .stream(HTTPBody(pieces), type: "a/b")))
        #expect(!once.retries.mayRepeat && once.retries.why == "the body can't be sent again")
        #expect("\(once)".contains("body: a/b, unknown length, can be read only once"))
    }

    @Test func theBudgetThatIsLeft() async throws {
        let client = client { $0.retryPolicy = RetryPolicy(delay: .zero) }
        transport.enqueue(HTTPResponse(status: 503))
        _ = try await client.send(AnyRequest())
        #expect(try await client.explain(AnyRequest()).retries.budgetLeft == 1)
        #expect(try await client.explain(AnyRequest()).retries.budgetLeft == 1, "explaining takes none")
        #expect(try await client.explain(Shop.Dishes()).retries.budgetLeft == 2)
        clock.advance(by: .seconds(600))
        #expect(try await client.explain(AnyRequest()).retries.budgetLeft == 2)
    }

    @Test func whoSetsTheDeadline() async throws {
        let client = client { $0.timeout = .seconds(9) }
        let byClient = try await client.explain(AnyRequest()).deadline
        #expect(byClient == CallExplanation.Deadline(duration: .seconds(9), source: .client))
        let byRequest = try await client.explain(AnyRequest(timeout: .seconds(2))).deadline
        #expect(byRequest == CallExplanation.Deadline(duration: .seconds(2), source: .request))
        let byScope = try await CallDeadline.within(.seconds(1), clock: clock) {
            try await client.explain(AnyRequest(timeout: .seconds(2))).deadline
        }
        #expect(byScope == CallExplanation.Deadline(duration: .seconds(1), source: .scope))
        #expect(try await self.client { $0.timeout = nil }.explain(AnyRequest()).deadline == nil)
    }

    @Test func theCallAroundItSetsTheDeadline() async throws {
        struct Asking: HTTPMiddleware {
            let client: APIClient<Public>
            let found: Lock<CallExplanation.Deadline?>

            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                let deadline = try await client.explain(AnyRequest()).deadline
                found.withLock { $0 = deadline }
                return try await next(request)
            }
        }
        let found = Lock<CallExplanation.Deadline?>(nil)
        let options = ClientOptions(clock: clock)
        let step = Asking(client: client(), found: found)
        let outer = APIClient(transport: transport, middleware: [step], options: options)
        _ = try await outer.send(AnyRequest(timeout: .seconds(3)))
        #expect(found.withLock(\.self) == .init(duration: .seconds(3), source: .outerCall))
    }

    @Test func redirectPolicies() async throws {
        let never = try await client { $0.redirectPolicy = .never }.explain(AnyRequest())
        #expect(never.redirects.limit == 0 && "\(never)".contains("redirects: not followed"))
        let asking = try await client { $0.redirectPolicy = .ask(limit: 3, allowingDowngrade: true) { _ in .follow } }
            .explain(AnyRequest())
        #expect("\(asking)".contains("redirects: at most 3, also from https to http, if the app agrees"))
    }

    // MARK: - State

    @Test func explainingChangesNothing() async throws {
        let lines = Lock<[String]>([])
        let counting = Counting()
        var options = ClientOptions(clock: clock)
        options.circuitBreaker = .standard
        options.limits = [.origin: CallLimit(inFlightMax: 1)]
        let client = APIClient(transport: transport, middleware: [counting], options: options)
            .authorized(by: counting, for: "https://a.example")
            .logging(.bodies) { line in lines.withLock { $0.append(line) } }
            .observing { _ in lines.withLock { $0.append("event") } }
        let first = "\(try await client.explain(Mine()))"
        #expect("\(try await client.bind(Mine()).explain())" == first)
        #expect(counting.count.withLock(\.self) == 0 && lines.withLock(\.isEmpty) && transport.requests.isEmpty)
        let parts = client.core.parts
        #expect(parts.retryBudgets.count == 0 && parts.circuits.count == 0 && parts.limiters.count == 0)
        #expect(parts.calls.count == 0 && clock.pendingCount == 0)
    }

    @Test func limitsShowWhoIsInFlightAndWhoWaits() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let options = ClientOptions(timeout: nil, limits: [.origin: CallLimit(inFlightMax: 1)], clock: clock)
        let client = APIClient(transport: transport, options: options)
        let calls = (0..<3).map { _ in Task { try await client.send(AnyRequest()) } }
        await gate.waitUntilSomeoneWaits()
        try #require(try await holds { try await client.explain(AnyRequest()).limits.first?.waitingCount == 2 })
        let limit = try #require(try await client.explain(AnyRequest()).limits.first)
        #expect(limit.name == "https://a.example" && limit.inFlightCount == 1 && limit.inFlightMax == 1)
        #expect(limit.delay == .zero && limit.quotas.isEmpty)
        gate.open()
        for call in calls { _ = try await call.value }
        let after = try #require(try await client.explain(AnyRequest()).limits.first)
        #expect(after.inFlightCount == 0 && after.waitingCount == 0)
    }

    @Test func limitsShowWhatTheServiceHasSaid() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 200, headers: ["RateLimit": #""day";r=0;t=30"#]) }
        let options = ClientOptions(limits: [.origin: CallLimit()], clock: clock)
        let client = APIClient(transport: transport, options: options)
        _ = try await client.send(AnyRequest())
        clock.advance(by: .seconds(10))
        let explanation = try await client.explain(AnyRequest())
        let limit = try #require(explanation.limits.first)
        #expect(limit.delay == .seconds(20) && limit.quotas.map(\.remaining) == [0])
        #expect(
            "\(explanation)".contains(
                """
                ├─ limits
                │  └─ https://a.example: 0 in flight, 0 waiting, the next attempt in 20 s
                │     └─ learned quota day: 0 of 1 left, for 20 s
                """
            )
        )
    }

    @Test func aGroupComesBeforeItsOrigin() async throws {
        struct Search: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/search" }
            var limitGroup: LimitGroup { "search" }
        }
        let client = client { $0.limits = ["search": CallLimit(inFlightMax: 1), .origin: CallLimit(inFlightMax: 9)] }
        #expect(try await client.explain(Search()).limits.map(\.name) == ["search", "https://a.example"])
        #expect(try await client.explain(AnyRequest()).limits.map(\.name) == ["https://a.example"])
    }

    @Test func anOpenCircuit() async throws {
        let client = client {
            $0.retryPolicy = .never
            $0.circuitBreaker = CircuitBreaker(callsMin: 2)
        }
        for _ in 0..<2 {
            transport.enqueue(HTTPResponse(status: 503))
            _ = try? await client.send(AnyRequest())
        }
        clock.advance(by: .seconds(10))
        let explanation = try await client.explain(AnyRequest())
        #expect(explanation.circuit?.state == .open && explanation.circuit?.probesAfter == .seconds(20))
        let line = "├─ circuit: open, with a probe in 20 s; 2 attempts, 100 % failed, 0 % slow\n"
        #expect("\(explanation)".contains(line))
        clock.advance(by: .seconds(30))
        #expect(try await client.explain(AnyRequest()).circuit?.state == .open, "explaining sends no probe")
    }
}
