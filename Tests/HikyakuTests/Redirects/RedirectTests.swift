import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct RedirectTests {
    /// Answers each URL by what is listed for it, `redirect` by status and Location, and all others with 200.
    static func transport(_ redirects: [String: (HTTPStatus, String?)]) -> MockTransport {
        MockTransport { request in
            guard let (status, location) = redirects[request.url.absoluteString] else {
                return HTTPResponse(status: .ok)
            }
            let headers: HTTPHeaders = location.map { [.location: $0] } ?? [:]
            return HTTPResponse(status: status, headers: headers, body: "moved")
        }
    }

    private static let methods: [(HTTPStatus, HTTPMethod, HTTPMethod, keepsBody: Bool)] = [
        (301, .get, .get, false), (301, .head, .head, false), (301, .post, .get, false), (301, .put, .put, true),
        (302, .get, .get, false), (302, .head, .head, false), (302, .post, .get, false), (302, .delete, .delete, true),
        (303, .get, .get, false), (303, .head, .head, false), (303, .post, .get, false), (303, .put, .get, false),
        (307, .get, .get, true), (307, .post, .post, true), (307, .patch, .patch, true), (307, .head, .head, false),
        (308, .post, .post, true), (308, .put, .put, true), (308, "PROPFIND", "PROPFIND", true),
    ]

    @Test("RFC 9110, section 15.4", arguments: methods)
    func methodAndBodyFollowTheStatus(
        status: HTTPStatus,
        method: HTTPMethod,
        expected: HTTPMethod,
        keepsBody: Bool,
    ) async throws {
        let transport = Self.transport(["https://a.example/p": (status, "/q")])
        let hasBody = method != .head && method != .get || keepsBody
        var request = AnyRequest(method: method, body: hasBody ? .text("content").allowedWithGet() : nil)
        request.headers = ["Content-Language": "en", "Digest": "d", "X-Kept": "1"]
        _ = try await APIClient(transport: transport).send(request)
        let last = try #require(transport.requests.last)
        #expect(transport.requests.count == 2)
        #expect(last.url.absoluteString == "https://a.example/q")
        #expect(last.method == expected)
        #expect(try await last.body?.collect() == (keepsBody ? Data("content".utf8) : nil))
        #expect(last.headers.contains("X-Kept"))
        if hasBody {
            #expect(last.headers.contains(.contentType) == keepsBody)
            #expect(last.headers.contains("Content-Language") == keepsBody)
            #expect(last.headers.contains("Digest") == keepsBody)
        }
    }

    @Test(arguments: [300, 304, 305, 306, 399, 200] as [HTTPStatus])
    func otherStatusesAreNotFollowed(status: HTTPStatus) async throws {
        let transport = Self.transport(["https://a.example/p": (status, "/q")])
        let result = try? await APIClient(transport: transport).bind(AnyRequest()).response()
        #expect((result == nil) == (status != 200))
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [nil, "", "  "])
    func aRedirectWithoutALocationIsTheResponse(location: String?) async throws {
        let transport = Self.transport(["https://a.example/p": (302, location)])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(AnyRequest())
        }
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.status == 302)
    }

    private static let refused: [(String, FailureReason, String)] = [
        ("ftp://b.example/", .redirectInvalid, "302 Found to a URL with the scheme ftp, which is not http or https"),
        ("javascript:alert(1)", .redirectInvalid, "to a URL with the scheme javascript, which is not http or https"),
        ("file:///etc/passwd", .redirectInvalid, "to a URL with the scheme file, which is not http or https"),
        (
            "https://user:hunter2@b.example/", .redirectInvalid,
            "to a URL that can't be sent: the URL carries credentials",
        ),
        ("https://b.example:99999/", .redirectInvalid, "the URL's port is not in 1...65535"),
        ("https:g", .redirectInvalid, "the URL has no host"),
        ("https://.example/", .redirectInvalid, "the URL's host has an invalid character or an empty label"),
        ("//b..example/", .redirectInvalid, "the URL's host has an invalid character or an empty label"),
        ("https://./", .redirectInvalid, "the URL's host has an invalid character or an empty label"),
        ("/a%00b", .redirectInvalid, "the path contains a NUL"),
        ("https://[b/", .redirectInvalid, "a Location that is not a URL"),
        ("http://a.example/q?key=hunter2", .redirectInsecure, "302 Found to http://a.example/q?key=…"),
    ]

    @Test(arguments: refused)
    func whatCannotBeFollowedEndsTheCall(location: String, reason: FailureReason, message: String) async throws {
        let transport = Self.transport(["https://a.example/p": (302, location)])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(AnyRequest())
        }
        #expect(error.reason == reason)
        #expect(error.failureReason?.contains(message) == true, "\(error)")
        #expect(!"\(error)".contains("hunter2"))
        #expect(transport.requests.count == 1)
    }

    @Test func locationsThatDifferAreNotChosenFrom() async throws {
        let transport = MockTransport()
        var headers: HTTPHeaders = [.location: "/q"]
        headers.append(.location, "/q")
        transport.enqueue(HTTPResponse(status: 302, headers: headers))
        headers.append(.location, "/r")
        transport.enqueue(HTTPResponse(status: 302, headers: headers))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(AnyRequest())
        }
        #expect(error.reason == .redirectInvalid)
        #expect(error.failureReason == "https://a.example/q responded with 302 Found with 2 different Location fields")
    }

    @Test func downgradesAndUpgradesFollowThePolicy() async throws {
        let transport = Self.transport([
            "https://a.example/p": (302, "http://a.example/q"), "http://a.example/q": (302, "https://a.example/r"),
        ])
        let allowing: [RedirectPolicy] = [
            .follow(limit: 2, allowingDowngrade: true), .ask(limit: 2, allowingDowngrade: true) { _ in .follow },
        ]
        for policy in allowing {
            let options = ClientOptions(redirectPolicy: policy)
            let response = try await APIClient(transport: transport, options: options).bind(AnyRequest()).response()
            #expect(response.redirects.map(\.to.absoluteString) == ["http://a.example/q", "https://a.example/r"])
        }
    }

    @Test func aDecisionCannotExceedThePolicy() async throws {
        let transport = Self.transport([
            "https://a.example/p": (302, "/q"), "https://a.example/q": (302, "http://a.example/r"),
        ])
        let refusals: [(RedirectPolicy, FailureReason)] = [
            (.ask { _ in .follow }, .redirectInsecure), (.ask(limit: 1) { _ in .follow }, .redirectInsecure),
            (.ask(limit: 1, allowingDowngrade: true) { _ in .follow }, .tooManyRedirects),
        ]
        for (policy, reason) in refusals {
            let options = ClientOptions(redirectPolicy: policy)
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await APIClient(transport: transport, options: options).send(AnyRequest())
            }
            #expect(error.reason == reason)
        }
        #expect(!transport.requests.contains { $0.url.scheme == "http" })
    }

    @Test func aBodyThatIsGoneIsNotSentAgain() async throws {
        let transport = Self.transport([
            "https://a.example/p": (307, "/q"), "https://a.example/s": (303, "/q"),
        ])
        let client = APIClient(transport: transport)
        func body() -> RequestBody {
            let pieces = AsyncStream { continuation in
                continuation.yield(Data("x".utf8))
                continuation.finish()
            }
            return .stream(HTTPBody(pieces), type: "text/plain")
        }
        let request = AnyRequest(method: .post, body: body())
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(request) }
        #expect(error.reason == .redirectInvalid)
        #expect(
            error.failureReason == "307 Temporary Redirect requires the body again at https://a.example/q, and "
                + "the body is a one-shot stream"
        )
        _ = try await client.send(AnyRequest(method: .post, path: "/s", body: body()))
    }

    @Test(arguments: [0, 1, 10])
    func thereIsALimit(limit: Int) async throws {
        let transport = MockTransport { request in
            HTTPResponse(status: 302, headers: [.location: request.url.path() + "x?token=hunter2"])
        }
        let options = limit == 10 ? ClientOptions() : ClientOptions(redirectPolicy: .follow(limit: limit))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport, options: options).send(AnyRequest())
        }
        #expect(error.reason == .tooManyRedirects)
        #expect(error.phase == .limit)
        #expect(transport.requests.count == limit + 1)
        #expect(error.context.redirects.count == limit)
        #expect(error.context.attempt == 1, "hops are not attempts")
        #expect(!"\(error)".contains("hunter2"))
    }

    @Test func loopsAreNamed() async throws {
        let transport = Self.transport([
            "https://a.example/p": (302, "/q?key=hunter2"),
            "https://a.example/q?key=hunter2": (301, "https://b.example"),
            "https://b.example/": (307, "https://A.example:443/q?key=hunter2"),
        ])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(AnyRequest())
        }
        #expect(error.reason == .redirectLoop)
        #expect(
            error.failureReason
                == "https://a.example/q?key=… → https://b.example/ → https://A.example:443/q?key=…"
        )
        #expect(transport.requests.count == 3)
    }

    @Test func theSameURLByAnotherMethodIsNotALoop() async throws {
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 303, headers: [.location: "/p"]))
        transport.enqueue(HTTPResponse(status: .ok))
        let response = try await APIClient(transport: transport).bind(AnyRequest(method: .post)).response()
        #expect(response.redirects.map(\.nextMethod) == [.get])
    }

    @Test func aLoopThatSetsACookieIsReported() async throws {
        let transport = MockTransport { _ in
            HTTPResponse(status: 302, headers: [.location: "/p", .setCookie: "a=hunter2"])
        }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(AnyRequest())
        }
        #expect(error.reason == .redirectLoop)
        #expect(
            error.failureReason == "https://a.example/p → https://a.example/p; a cookie is set on the way, and the "
                + "client has no cookie store"
        )
        #expect(transport.requests.count == 1)
    }
}
