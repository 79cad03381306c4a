import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// Which fields and bodies go along to another origin.
@Suite struct RedirectFieldTests {
    private static let crossing: [HTTPHeaderName] = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Content-Type", "Content-Encoding",
        "Content-Language", "Expect", "User-Agent", "Range", "If-Range", "If-None-Match", "If-Modified-Since",
        "traceparent", "tracestate",
    ]

    private static let staying: [HTTPHeaderName] = [
        "X-Api-Key", "X-Amz-Security-Token", "Api-Key", "X-CSRF-Token", "Referer", "Origin", "If-Match",
        "Cache-Control",
        "Connection", "Via", "X-Plain", "Date", "Content-Disposition", "Digest", "Forwarded", "Authorization", "Cookie",
        "Proxy-Authorization", "Host", "Server", "Last-Event-ID",
    ]

    private func sent(
        _ headers: HTTPHeaders,
        _ policy: RedirectPolicy = .follow,
        through places: [String] = ["https://b.example/"],
        prepare: (inout AnyRequest) -> Void = { _ in },
    ) async throws -> [HTTPRequest] {
        let transport = MockTransport()
        for place in places { transport.enqueue(HTTPResponse(status: 307, headers: [.location: place])) }
        transport.enqueue(HTTPResponse(status: .ok))
        var request = AnyRequest(method: .post, headers: headers, body: .text("body"))
        prepare(&request)
        _ = try await APIClient(transport: transport, options: ClientOptions(redirectPolicy: policy)).send(request)
        return transport.requests
    }

    @Test func fieldsThatAreKnownToBeHarmlessCrossAndAllOthersStay() async throws {
        var headers = HTTPHeaders()
        for name in Self.crossing + Self.staying {
            headers[name] = name == .host ? "own.example" : name == .expect ? "100-continue" : "v"
        }
        let requests = try await sent(headers, through: ["/inside", "https://b.example/", "https://a.example/back"])
        #expect(requests.count == 4)
        for request in requests.prefix(2) {
            for name in Self.crossing + Self.staying { #expect(request.headers.contains(name), "\(name)") }
        }
        for request in requests.suffix(2) {
            for name in Self.crossing { #expect(request.headers.contains(name), "\(name) crosses") }
            for name in Self.staying { #expect(!request.headers.contains(name), "\(name) stays") }
        }
    }

    @Test func theFieldsOfAnEnvironmentAndOfAMiddlewareStayToo() async throws {
        struct Adding: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.headers["X-Session"] = "hunter2"
                return try await next(request)
            }
        }
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "https://b.example/"]))
        transport.enqueue(HTTPResponse(status: .ok))
        var request = AnyRequest()
        request.environment = APIEnvironment(baseURL: "https://a.example", headers: ["X-Api-Key": "hunter2"])
        _ = try await APIClient(transport: transport, middleware: [Adding()]).send(request)
        #expect(transport.requests.map { $0.headers.count { $0.value == "hunter2" } } == [2, 0])
    }

    @Test func aPolicyKeepsFieldsByNameButNoSecret() async throws {
        let headers = HTTPHeaders.secret("X-Secret", "hunter2").secret("x-plain", "hunter2")
            .replacing(with: ["X-Tenant": "1", .authorization: "hunter2", .cookie: "hunter2", "X-Other": "o"])
        let names: [HTTPHeaderName] = [
            "x-tenant", "X-Secret", "X-Plain", "authorization", "COOKIE", "Proxy-Authorization",
        ]
        for policy in [RedirectPolicy.follow(keeping: names), .ask(keeping: names) { _ in .follow }] {
            let last = try #require(try await sent(headers, policy).last)
            #expect(last.headers["X-Tenant"] == "1")
            #expect(!last.headers.contains("X-Other"))
            #expect(!last.headers.contains { $0.value == "hunter2" })
        }
    }

    /// The id may be anything that the service has made of its user.
    @Test(arguments: [(RedirectPolicy.follow, nil), (.follow(keeping: ["last-event-id"]), "7-hunter2")])
    func anEventStreamContinuesAtAnotherOriginOnlyIfThePolicySaysSo(
        policy: RedirectPolicy,
        id: String?,
    ) async throws {
        struct Events: EventStreamRequest {
            typealias Event = ServerSentEvent
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/events" }
        }
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "https://b.example/"]))
        transport.enqueue(HTTPResponse(status: .noContent))
        let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: policy))
        for try await _ in client.bind(Events()).eventStream(after: "7-hunter2") {}
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == ["7-hunter2", id])
    }

    @Test func aPolicyKeepsBodiesAtTheirOrigin() async throws {
        let policies = [
            RedirectPolicy.follow(sendingBodyToOtherOrigins: false),
            .ask(sendingBodyToOtherOrigins: false) { _ in .follow },
        ]
        for policy in policies {
            let error = try await failure { try await sent([:], policy) }
            #expect((error as? any APIFailure)?.reason == .redirectInvalid)
            #expect((error as? any APIFailure)?.failureReason?.contains("another origin") == true)
            #expect(try await sent([:], policy, through: ["/inside"]).map { $0.body?.count } == [4, 4])
            // Without a body there is nothing to keep.
            let bodiless = try await sent([:], policy) { $0.body = nil }
            #expect(bodiless.count == 2)
        }
        #expect(try await sent([:]).map { $0.body?.count } == [4, 4], "the default")
    }

    private static let placements: [CredentialPlacement] = [
        .bearer, .authorizationValue, .authorization(scheme: "Token"), .header("X-Key"), .header("Accept-Charset"),
        .header("traceparent"), .query("api_key"), .cookie("session"),
    ]

    /// A credential stays at its origin wherever it was put, also where the place's field is one that crosses.
    @Test(arguments: placements)
    func aCredentialCrossesFromNoPlace(placement: CredentialPlacement) async throws {
        let transport = MockTransport { request in
            switch (request.url.host(), request.url.path()) {
            case ("a.example", "/p"):
                // The service sends the query along, as many do.
                HTTPResponse(status: 302, headers: [.location: "https://b.example/q?\(request.url.query() ?? "")"])
            case ("b.example", _):
                HTTPResponse(status: 302, headers: [.location: "https://a.example/back?api_key=hunter2-long"])
            default: HTTPResponse(status: .ok)
            }
        }
        let client = APIClient(transport: transport).authorized(
            by: .apiKey("hunter2-long", in: placement),
            for: "https://a.example",
        )
        _ = try await client.send(AuthorizedAny())
        #expect(transport.requests.count == 3)
        let shown = transport.requests.map { request in
            request.url.absoluteString.contains("hunter2") || request.headers.contains { $0.value.contains("hunter2") }
        }
        #expect(shown == [true, false, false])
    }

    private struct AuthorizedAny: APIRequest {
        typealias Definition = RawResponse
        typealias Access = Authorized
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
    }

    @Test(arguments: [(101, 100), (Int.max, 100), (100, 100), (3, 3), (0, 0), (-5, 0)])
    func aLimitHasACeiling(limit: Int, followed: Int) async throws {
        let transport = MockTransport { request in
            HTTPResponse(status: 302, headers: [.location: request.url.path() + "x"])
        }
        for policy in [RedirectPolicy.follow(limit: limit), .ask(limit: limit) { _ in .follow }] {
            let before = transport.requests.count
            let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: policy))
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(AnyRequest())
            }
            #expect(error.reason == .tooManyRedirects)
            #expect(transport.requests.count - before == followed + 1)
        }
    }
}
