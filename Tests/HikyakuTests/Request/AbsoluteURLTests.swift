import Foundation
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// URLs that a service has given: as the path of a request, and as a link that is followed.
@Suite struct AbsoluteURLTests {
    private let transport = MockTransport { _ in .json("[]") }

    private func client(_ options: ClientOptions = ClientOptions()) -> APIClient<Public> {
        APIClient(transport: transport, options: options)
    }

    private func sentURL(_ url: String, _ change: (inout AnyRequest) -> Void = { _ in }) async throws -> String? {
        var request = AnyRequest(path: .url(url))
        change(&request)
        _ = try await client().send(request)
        return transport.requests.last?.url.absoluteString
    }

    @Test(arguments: [
        "https://a.example/x?page=2&q=a%2Cb+c%20d&&=&x", "https://a.example/", "https://a.example/a%2Fb?",
        "https://a.example/@x:y;z=1?u=https://b.example/?x=%26",
    ])
    func theURLIsSentAsItIs(url: String) async throws {
        #expect(try await sentURL(url) == url)
    }

    @Test(arguments: [
        ("HTTPS://A.example:443", "https://a.example/"),
        ("https://a.example?x", "https://a.example/?x"),
        ("https://a.example/ü x?y[z]=|", "https://a.example/%C3%BC%20x?y%5Bz%5D=%7C"),
    ])
    func theSameURLMayBeSpelledDifferently(url: String, sent: String) async throws {
        #expect(try await sentURL(url) == sent)
    }

    @Test func theRequestsOwnItemsComeAfterTheURLs() async throws {
        #expect(try await sentURL("https://a.example/x?a=1") { $0.query = ["b": 2] } == "https://a.example/x?a=1&b=2")
        #expect(try await sentURL("https://a.example/x?") { $0.query = ["b": 2] } == "https://a.example/x?b=2")
        #expect(try await sentURL("https://a.example/x") { $0.parameters = ["b": 2] } == "https://a.example/x?b=2")
    }

    @Test(arguments: [
        ("/x", "is relative"), ("x", "is relative"), ("//b.example/x", "is relative"), ("", "is relative"),
        ("ftp://a.example/x", "scheme"), ("file:///etc/passwd", "scheme"), ("https:///x", "no host"),
        ("https:x", "no host"), ("https://me:pw@a.example/x", "credentials"),
        ("https://me@a.example/x", "credentials"),
        ("https://a.example/x#part", "fragment"), ("https://a.example:99999/", "port"), ("https://a b/x", "host"),
        ("https://a.example/../x", "segment"), ("https://a.example/%2e%2E/x", "segment"),
        ("https://a.example/%zz", "%"), ("https://a.example/x\r\nX: y", "control"),
        ("http://a.example/x", "plain http"), ("https://.example/x", "malformed host"),
        ("https://a..example/x", "malformed host"), ("https://./x", "malformed host"),
    ])
    func whatIsNotAURLOfAServiceIsRejected(url: String, problem: String) async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(AnyRequest(path: .url(url)))
        }
        #expect(error.reason == .url && error.failureReason?.contains(problem) == true, "\(error)")
        #expect(transport.requests.isEmpty && !"\(error)".contains("pw@"))
    }

    @Test func aURLOfAReplacedEnvironmentIsReplacedToo() async throws {
        struct Items: Shop.Request {
            typealias Definition = RawResponse
            var url: String
            var path: RequestPath { .url(url) }
        }
        let staging = client().substituting("http://127.0.0.1:8080/shop/v9", for: .shop)
        for (url, sent) in [
            ("https://shop.example/v1/x?y=1", "http://127.0.0.1:8080/shop/v9/x?y=1"),
            ("https://shop.example/v1", "http://127.0.0.1:8080/shop/v9"),
            ("https://shop.example/v1?y", "http://127.0.0.1:8080/shop/v9?y"),
            ("https://shop.example/v10/x", "http://127.0.0.1:8080/v10/x"),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
        ] {
            _ = try await staging.send(Items(url: url))
            #expect(transport.requests.last?.url.absoluteString == sent)
            #expect(transport.requests.last?.headers.contains("X-Shop") == false)
        }
    }

    @Test func onlyHarmlessFieldsGoToAnotherOrigin() async throws {
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
        struct Image: Shop.Request {
            typealias Definition = RawResponse
            var url: String
            var path: RequestPath { .url(url) }
            var headers: HTTPHeaders { ["X-Own": "1", "Accept-Language": "ja", "Cookie": "a=b"] }
            var idempotencyKey: IdempotencyKey { IdempotencyKey("key") }
            func prepare(_ request: inout HTTPRequest) { request.headers["X-Prepared"] = "1" }
        }
        let client = APIClient(transport: transport, middleware: [Adding()])
        _ = try await client.send(Image(url: "https://shop.example/image"))
        _ = try await client.send(Image(url: "https://images.example/image"))
        let (own, other) = (transport.requests[0].headers, transport.requests[1].headers)
        for name in ["X-Shop", "X-Own", "X-Prepared", "X-Session", "Cookie", "Idempotency-Key"] as [HTTPHeaderName] {
            #expect(own.contains(name) && !other.contains(name), "\(name)")
        }
        for name in [.accept, .acceptLanguage, .userAgent] as [HTTPHeaderName] {
            #expect(other.contains(name), "\(name)")
        }
        let keeping = APIClient(
            transport: transport,
            options: ClientOptions(redirectPolicy: .follow(keeping: ["X-Own", "Cookie"])),
        )
        _ = try await keeping.send(Image(url: "https://images.example/image"))
        #expect(transport.requests[2].headers["X-Own"] == "1" && !transport.requests[2].headers.contains(.cookie))
    }

    @Test func aBodyGoesToAnotherOriginUnlessThePolicyForbidsIt() async throws {
        let request = AnyRequest(method: .put, path: .url("https://b.example/upload?sig=1"), body: .text("x"))
        _ = try await client().send(request)
        #expect(transport.requests[0].headers[.contentType] != nil && transport.requests[0].body?.bytes?.count == 1)
        let options = ClientOptions(redirectPolicy: .follow(sendingBodyToOtherOrigins: false))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client(options).send(request)
        }
        #expect(error.reason == .url && transport.requests.count == 1)
    }

    private struct Private<Level: AccessLevel>: APIRequest {
        typealias Definition = RawResponse
        typealias Access = Level
        var url: String
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { .url(url) }
    }

    @Test func aCredentialGoesOnlyToItsOrigin() async throws {
        let client = client().authorized(by: .bearer("hunter2"), for: "https://a.example")
        _ = try await client.send(Private<Authorized>(url: "https://a.example/x"))
        #expect(transport.requests[0].headers[.authorization] == "Bearer hunter2")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Private<Authorized>(url: "https://b.example/x"))
        }
        #expect(error.reason == .otherOrigin && error.phase == .unauthorized && transport.requests.count == 1)
        _ = try await client.send(Private<AuthorizedIfPossible>(url: "https://b.example/x"))
        _ = try await client.send(Private<Public>(url: "https://b.example/x"))
        #expect(transport.requests.dropFirst().allSatisfy { !$0.headers.contains(.authorization) })
        #expect(transport.requests.count == 3)
    }

    @Test func aTokenOfTheRequestItselfGoesOnlyToItsOrigin() async throws {
        let request = try Private<Authorized>(url: "https://a.example/y").authorized(by: AccessToken("hunter2"))
        let own = try #require(URL(string: "https://a.example/x"))
        let other = try #require(URL(string: "https://b.example/x"))
        _ = try await client().send(request.at(own))
        #expect(transport.requests[0].url == own && transport.requests[0].headers[.authorization] == "Bearer hunter2")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(request.at(other))
        }
        #expect(error.reason == .otherOrigin && transport.requests.count == 1)
        await #expect(throws: APIError<ProblemDetails>.self) {
            try await client().send(
                Private<Authorized>(url: "https://b.example/x").authorized(by: AccessToken("hunter2"))
            )
        }
        #expect(transport.requests.count == 1)
    }

    @Test func aFollowedLinkReplacesPathAndQuery() async throws {
        transport.enqueue(
            HTTPResponse(status: .ok, headers: [.link: "</v1/dishes?page=2&x=%2C>; rel=next"], body: "[]")
        )
        let first = try await client().bind(Shop.Dishes()).response()
        let link = try #require(first.links["next"])
        #expect(first.url?.absoluteString == "https://shop.example/v1/dishes?page=1")
        #expect(try await client().send(Shop.Dishes().at(link)) == [])
        #expect(transport.requests[1].url.absoluteString == "https://shop.example/v1/dishes?page=2&x=%2C")
        #expect(transport.requests[1].headers["X-Shop"] == "main")
        struct Search: Shop.Request {
            typealias Response = [Dish]
            var method: HTTPMethod = .post
            var path: RequestPath { "/search" }
            var parameters: RequestQuery { ["word": "ramen"] }
        }
        _ = try await client().send(Search().at(link))
        #expect(transport.requests[2].body != nil)
        _ = try await client().send(Search(method: .get).at(link))
        #expect(transport.requests[3].url == transport.requests[1].url)
    }

    @Test func linksAreRelativeToTheLastRequest() async throws {
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "https://b.example/moved/here"]))
        transport.enqueue(HTTPResponse(status: .notFound, headers: [.link: "<there>; rel=help"]))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client().send(Shop.Dishes())
        }
        #expect(error.response?.links["help"]?.url.absoluteString == "https://b.example/moved/there")
        #expect(error.response?.url?.absoluteString == "https://b.example/moved/here")
    }

    @Test func aCredentialInTheQueryIsInNoURLOfAResponse() async throws {
        let client = client().authorized(by: .apiKey("hunter2hunter2", in: .query("key")), for: .shop)
        transport.enqueue(
            HTTPResponse(
                status: .ok,
                headers: [.link: "<>; rel=self, <?key=hunter2hunter2&page=2>; rel=next"],
                body: "[]",
            )
        )
        struct Dishes: Shop.Request {
            typealias Response = [Dish]
            typealias Access = Authorized
            var path: RequestPath { "/dishes" }
        }
        let response = try await client.bind(Dishes()).response()
        #expect(transport.requests[0].url.query() == "key=hunter2hunter2")
        #expect(response.links["self"]?.url.absoluteString == "https://shop.example/v1/dishes")
        // A service may repeat it: then it is sent once.
        _ = try await client.send(Dishes().at(try #require(response.links["next"])))
        #expect(transport.requests[1].url.query() == "key=hunter2hunter2&page=2")
    }

    @Test func theSecretsOfThePathStayHidden() async throws {
        struct Hook: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/hooks/\(secret: "hunter2")" }
        }
        let url = try #require(URL(string: "https://a.example/hooks/hunter2/next?x=hunter2"))
        let request = Hook().at(url)
        #expect("\(request.path)" == "https://a.example/hooks/…/next?x=…")
        #expect(try "\(request.httpRequest())" == "GET https://a.example/hooks/…/next?x=…")
        #expect("\(RequestPath.url("https://me:hunter2@a.example/"))" == "an invalid path")
    }
}
