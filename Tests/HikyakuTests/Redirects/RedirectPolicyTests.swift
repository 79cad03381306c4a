import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@Suite struct RedirectPolicyTests {
    private struct Choosing: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
        var redirectPolicy: RedirectPolicy?
    }

    private let transport = RedirectTests.transport([
        "https://a.example/p": (302, "/q?code=hunter2"),
        "https://a.example/q?code=hunter2": (308, "https://b.example/r"),
    ])

    private func outcome(
        _ request: RedirectPolicy?,
        client: RedirectPolicy = .follow,
    ) async throws -> Result<[RedirectHop], APIError<ProblemDetails>> {
        let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: client))
        do throws(APIError<ProblemDetails>) {
            return .success(try await client.bind(Choosing(redirectPolicy: request)).response().redirects)
        } catch {
            return .failure(error)
        }
    }

    @Test func theChainIsKeptInTheResponseAndPrintsWithoutValues() async throws {
        let hops = try await outcome(nil).get()
        #expect(hops.map(\.status) == [302, 308])
        #expect(hops.map(\.from.absoluteString) == ["https://a.example/p", "https://a.example/q?code=hunter2"])
        #expect(hops.map(\.to.absoluteString) == ["https://a.example/q?code=hunter2", "https://b.example/r"])
        #expect(hops.map(\.changesOrigin) == [false, true])
        #expect("\(hops[0])" == "302 Found: GET https://a.example/p → GET https://a.example/q?code=…")
        var dumped = ""
        dump(hops, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test func theRequestsPolicyOverridesTheClients() async throws {
        let error = try await failure { try await outcome(.never).get() }
        #expect((error as? any APIFailure)?.response?.status == 302)
        #expect(try await outcome(.follow, client: .never).get().count == 2)
        let own = try await failure { try await outcome(nil, client: .never).get() }
        #expect((own as? any APIFailure)?.reason == .unacceptableStatus)
    }

    @Test func aPolicyCanDecideEachHop() async throws {
        let hops = Lock<[RedirectHop]>([])
        let policy = RedirectPolicy.ask { hop in
            hops.withLock { $0.append(hop) }
            return hop.changesOrigin ? .stop : .follow
        }
        let error = try await failure { try await outcome(policy).get() } as? any APIFailure
        #expect(error?.response?.status == 308)
        #expect(error?.context.redirects.count == 1)
        #expect(error?.context.url == "https://a.example/q?code=…")
        #expect(
            hops.withLock { $0.map(\.to.absoluteString) } == [
                "https://a.example/q?code=hunter2", "https://b.example/r",
            ]
        )
        #expect(transport.requests.count == 2)
    }

    @Test func aPolicySeesOtherSchemesButNothingIsSentThere() async throws {
        let transport = RedirectTests.transport(["https://a.example/p": (302, "myapp://cb?code=1")])
        let client = APIClient(transport: transport)
        let stopped = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Choosing(redirectPolicy: .ask { $0.to.scheme == "myapp" ? .stop : .follow }))
        }
        #expect(stopped.response?.status == 302)
        let refused = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Choosing(redirectPolicy: .ask { _ in .follow }))
        }
        #expect(refused.reason == .redirectInvalid)
    }

    private struct Refusal: Error {}

    @Test func anErrorOfThePolicyEndsTheCall() async throws {
        let error = try await failure { try await outcome(.ask { _ in throw Refusal() }).get() } as? any APIFailure
        #expect(error?.reason == .other)
        #expect(error?.context.underlyingError is Refusal)
    }

    @Test func errorsHaveTheLastHopAndTheirNumber() async throws {
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 303, headers: [.location: "https://b.example/q"]))
        transport.enqueue(HTTPResponse(status: 500))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(AnyRequest(method: .post))
        }
        #expect(error.context.redirects.count == 1)
        #expect("\(error.context)".hasPrefix("GET https://b.example/q (AnyRequest, attempt 1, after 1 redirect, "))
    }

    private struct Twice: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            _ = try await next(request)
            return try await next(request)
        }
    }

    @Test func hopsAreNotAttemptsAndEachAttemptHasItsOwnChain() async throws {
        let counting = Lock(0)
        struct Count: HTTPMiddleware {
            let count: Lock<Int>
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                let response = try await next(request)
                count.withLock { $0 = context.attempt }
                return response
            }
        }
        let client = APIClient(transport: transport, middleware: [Count(count: counting), Twice()])
        let response = try await client.bind(Choosing()).response()
        #expect(response.redirects.count == 2)
        #expect(transport.requests.count == 6)
        #expect(counting.withLock { $0 } == 2)
    }

    @Test func theLogShowsEachHop() async throws {
        let log = Lock<[String]>([])
        let client = APIClient(transport: transport).logging(.headers) { text in log.withLock { $0.append(text) } }
        _ = try await client.send(Choosing())
        let first = log.withLock { $0.compactMap { $0.split(separator: "\n").first.map(String.init) } }
        #expect(
            first.dropLast() == [
                "#1 > GET https://a.example/p", "#1 < 302 Found", "#1 > GET https://a.example/q?code=…",
                "#1 < 308 Permanent Redirect", "#1 > GET https://b.example/r", "#1 < 200 OK",
            ]
        )
        #expect(first.last?.hasPrefix("#1 GET https://b.example/r → 200 OK") == true)
        #expect(first.last?.hasSuffix(" ms, after 2 redirects") == true)
        #expect(log.withLock { !$0.joined().contains("hunter2") })
    }

    @Test func theDeadlineSpansAllHops() async throws {
        let clock = ManualClock()
        let transport = MockTransport { request in
            clock.advance(by: .seconds(4))
            return HTTPResponse(status: 302, headers: [.location: request.url.path() + "x"])
        }
        let options = ClientOptions(timeout: .seconds(10), clock: clock)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport, options: options).send(AnyRequest())
        }
        #expect(error.reason == .deadline)
        #expect(transport.requests.count <= 4)
    }

    private struct Export: APIRequest {
        typealias Definition = StreamedResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
    }

    /// A body that must not be waited for.
    private final class Endless: BodySource {
        let isCancelled = Lock(false)
        func next() async throws -> Data? {
            try await untilCancelled()
        }
        func cancel() { isCancelled.withLock { $0 = true } }
    }

    private struct StreamingTransport: HTTPTransport {
        let source: Endless

        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
            #expect(options.streamsBody)
            guard request.url.path() == "/p" else {
                #expect(source.isCancelled.withLock { $0 }, "the connection is given back before the next is needed")
                return HTTPResponse(status: .ok, body: "done")
            }
            return HTTPResponse(status: 302, headers: [.location: "/q"], body: HTTPBody(pulling: source))
        }
    }

    @Test func theStreamedBodyOfARedirectIsDroppedUnread() async throws {
        let client = APIClient(
            transport: StreamingTransport(source: Endless()),
            options: ClientOptions(timeout: .seconds(200)),
        )
        let body = try await client.send(Export())
        #expect(try await body.collect() == Data("done".utf8))
    }
}
