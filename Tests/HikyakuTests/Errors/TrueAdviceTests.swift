import Foundation
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

/// What is advised can be done, and helps.
@Suite(.timeLimit(.minutes(10))) struct TrueAdviceTests {
    private struct Closed: Shop.Request {
        typealias Response = Dish
        typealias Access = Authorized
        var path: RequestPath { "/p" }
    }

    private func error(
        of response: HTTPResponse,
        options: ClientOptions = ClientOptions(retryPolicy: .never),
    ) async throws -> APIError<ShopError> {
        let client = APIClient(transport: MockTransport { _ in response }, options: options)
            .authorized(by: .bearer("t0ken"), for: .shop)
        return try await failure { () async throws(APIError<ShopError>) in try await client.send(Closed()) }
    }

    @Test(arguments: [401, 403] as [HTTPStatus])
    func aCredentialThatARedirectHasCostIsNamed(_ status: HTTPStatus) async throws {
        let transport = MockTransport { request in
            request.url.host == "shop.example"
                ? HTTPResponse(status: 302, headers: [.location: "https://other.example/p"])
                : HTTPResponse(status: status, headers: ["WWW-Authenticate": "Bearer"])
        }
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Closed()) }
        #expect(error.hint?.contains("redirect led to another origin") == true, "\(error)")
        // Nothing was dropped of a request to the same origin.
        let direct = try await self.error(of: HTTPResponse(status: status))
        #expect(direct.hint?.contains("redirect") == false)
    }

    @Test(
        arguments: [
            ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1900000000"],
            ["Retry-After": "60"], ["RateLimit": "limit=10, remaining=0, reset=5"],
        ] as [HTTPHeaders]
    )
    func aLimitIsNotAPermission(_ headers: HTTPHeaders) async throws {
        let error = try await error(of: HTTPResponse(status: .forbidden, headers: headers))
        #expect(error.hint?.contains("because of a limit") == true, "\(error)")
        #expect(error.localizedDescription == "Too many requests were sent (403).")
        #expect(error.recoverySuggestion?.contains("Wait a while") == true)
        let remaining: HTTPHeaders = ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "5"]
        let other = try await self.error(of: HTTPResponse(status: .forbidden, headers: remaining))
        #expect(other.localizedDescription.contains("permission"))
    }

    @Test func aStatusThatAnswersNoConditionIsBroken() async throws {
        let error = try await error(of: HTTPResponse(status: .notModified))
        #expect(error.hint?.contains("has no condition") == true, "\(error)")
    }

    @Test(arguments: [
        (501, "can't do this", "would fail again"), (505, "can't do this", "would fail again"),
        (511, "The network wants a sign-in", "and not the service"), (411, "as it was sent", "its count"),
        (426, "newer way", "Upgrade"), (407, "proxy on the way", "Proxy-Authenticate"),
        (421, "as it should be", "isn't responsible for this host"), (503, "failed", "report it"),
    ])
    func aStatusIsAdvisedByWhatItMeans(_ code: Int, _ text: String, _ hint: String) async throws {
        let error = try await error(of: HTTPResponse(status: HTTPStatus(code)))
        #expect(error.localizedDescription.contains(text) && error.hint?.contains(hint) == true, "\(error)")
    }

    /// Google's uploads say so that a part has arrived.
    @Test func a308WithoutALocationMayBeAnUploads() async throws {
        let error = try await error(of: HTTPResponse(status: 308, headers: ["Range": "bytes=0-99"]))
        #expect(error.hint?.contains("UploadProtocol") == true, "\(error)")
    }

    /// The first attempt may have done it, and the service says that it is still at work.
    @Test(arguments: [true, false]) func aConflictWithAnEarlierAttemptIsNotAReasonToBegin(isLost: Bool) async throws {
        struct Pay: Shop.Request {
            typealias Response = Dish
            var method: HTTPMethod { .post }
            var path: RequestPath { "/p" }
            var idempotencyKey: IdempotencyKey { .random }
        }
        let transport = MockTransport()
        if isLost { transport.enqueue(.failure(TransportError(.connectionClosed, "gone"))) }
        transport.enqueue(.response(HTTPResponse(status: .conflict, headers: ["Retry-After": "1"])))
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: RetryPolicy(delay: .zero)))
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Pay()) }
        #expect(error.hint?.contains("409 in transientStatuses") == true, "\(error)")
        #expect(
            error.recoverySuggestion?.contains("may have been done") == isLost,
            "\(error.recoverySuggestion ?? "")",
        )
    }

    @Test(arguments: [[.location: ""], [:]] as [HTTPHeaders])
    func aRedirectToNowhereIsSaidAsItIs(_ headers: HTTPHeaders) async throws {
        let error = try await error(of: HTTPResponse(status: 302, headers: headers))
        #expect(error.hint?.contains(headers.isEmpty ? "no Location field" : "field is empty") == true, "\(error)")
    }

    @Test func aHostThatTheServiceNamedIsNotTheBaseURLs() async throws {
        let transport = MockTransport()
        transport.enqueue(
            .response(HTTPResponse(status: 302, headers: [.location: "http://backend.invalid:8080/x"]))
        )
        transport.enqueue(.failure(TransportError(.hostNotFound, "unknown")))
        let options = ClientOptions(retryPolicy: .never, redirectPolicy: .follow(allowingDowngrade: true))
        let client = APIClient(transport: transport, options: options)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.hint?.contains("a redirect of the service") == true, "\(error)")
    }

    @Test func aRenewedTokenIsNotTheCause() async throws {
        struct Send: Shop.Request {
            typealias Response = Void
            typealias Access = Authorized
            var method: HTTPMethod { .post }
            var path: RequestPath { "/p" }
            var body: RequestBody?
        }
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        source.yield(Data("a".utf8))
        source.finish()
        let token = RefreshingToken(
            store: MemoryTokenStore(IssuedToken(token: Secret("old"), refreshToken: Secret("r")))
        ) { _ in IssuedToken(token: Secret("new")) }
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: .unauthorized) })
            .authorized(by: token, for: .shop)
        let request = Send(body: .stream(HTTPBody(pieces), type: "text/plain"))
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(request) }
        #expect(error.hint?.contains("The token was renewed") == true, "\(error)")
    }

    @Test func aBodyThatCannotFollowARedirectIsTheRequests() async throws {
        struct Send: Shop.Request {
            typealias Response = Void
            var method: HTTPMethod { .post }
            var path: RequestPath { "/p" }
            var body: RequestBody?
        }
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        source.finish()
        let transport = MockTransport { _ in HTTPResponse(status: 307, headers: [.location: "/q"]) }
        let request = Send(body: .stream(HTTPBody(pieces), type: "text/plain"))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await APIClient(transport: transport).send(request)
        }
        #expect(error.reason == .redirectInvalid && error.hint?.contains("read again") == true, "\(error)")
    }

    /// RateLimit-* and X-RateLimit-* say more than the policy's own pause.
    @Test(
        arguments: [
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], ["RateLimit": "limit=10, remaining=0, reset=30"],
            ["RateLimit": "\"a\";r=0;t=30"], ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000030"],
            ["RateLimit": "limit=10, remaining=0, reset=1800000030"], ["RateLimit": "\"a\";r=0;t=1800000030"],
        ] as [HTTPHeaders]
    )
    func aUsedQuotaIsThePause(_ headers: HTTPHeaders) {
        var headers = headers
        headers["Date"] = "Fri, 15 Jan 2027 08:00:00 GMT"
        for status in [429, 403] as [HTTPStatus] {
            #expect(BufferedResponse(status: status, headers: headers).retryAfter == .seconds(30))
        }
        #expect(BufferedResponse(status: 400, headers: headers).retryAfter == nil)
        headers["Retry-After"] = "5"
        #expect(BufferedResponse(status: 429, headers: headers).retryAfter == .seconds(5))
    }

    @Test(arguments: ["A+/=\n", "-_-_", "A"])
    func base64IsAdvisedByItsForms(_ text: String) async throws {
        struct Picture: Decodable, Sendable { let bytes: Data }
        struct Get: Shop.Request {
            typealias Response = Picture
            var path: RequestPath { "/p" }
        }
        let body = try JSONEncoder().encode(["bytes": text])
        let response = HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: HTTPBody(body))
        let client = APIClient(transport: MockTransport { _ in response })
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Get()) }
        #expect(error.hint?.contains("dataDecodingStrategy") == true, "\(error)")
    }

    // MARK: Bodies

    private struct Visit: Decodable, Sendable {
        let day: Date
    }

    private struct Visits: Shop.Request {
        typealias Response = Visit
        var path: RequestPath { "/visit" }
    }

    @Test(arguments: [
        ("2024-01-02T24:00:00Z", "out of its range"), ("2024-13-02T10:00:00+09:00", "out of its range"),
        ("0000-00-00 00:00:00", "writes zeros"), ("0000-00-00", "writes zeros"), ("", "writes an empty text"),
        ("2024-01-02T10:00:00", "no offset from UTC"), ("2024-01-02 10:00:00.123", "no offset from UTC"),
        ("2024-01-02", "a day without a time"), ("02.01.2024", "to the format of the service"),
    ])
    func aDateIsAdvisedByItsText(_ text: String, _ advice: String) async throws {
        let response = HTTPResponse.json("{\"day\": \"\(text)\"}")
        let client = APIClient(transport: MockTransport { _ in response })
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Visits()) }
        #expect(error.hint?.contains(advice) == true, "\(error)")
    }

    @Test func nullInPlaceOfAModelHasNoProperty() async throws {
        let error = try await error(of: .json("null"))
        #expect(error.reason == .missingValue && error.hint?.contains("body as a whole is null") == true, "\(error)")
    }

    @Test(arguments: [
        "<br />\n<b>Warning</b>: x in /var/www/x.php on line <b>3</b><br />\n{\"id\":1}", "<b>Notice</b>: y\n[]",
    ])
    func aMessageOfPHPIsNotAPortal(_ body: String) async throws {
        let error = try await error(of: .json(body))
        #expect(error.reason == .malformedBody && error.recoverySuggestion?.contains("browser") == false, "\(error)")
        #expect(error.description.contains("a warning of the service's own program"))
    }

    @Test func aFailureBehindAByteOrderMarkIsRead() async throws {
        let error = try await error(of: .json("\u{FEFF}{\"message\":\"bad model\"}", status: .badRequest))
        #expect(error.service(as: ShopError.self)?.message == "bad model", "\(error)")
    }

    // MARK: Streams and pages

    private struct Lines: APIRequest {
        typealias Definition = JSONLinesResponse<Dish>
        typealias Failure = ShopError
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/lines" }
    }

    @Test(arguments: ["{\"message\":\"died\"}", "<html>Sign in</html>", "quota exceeded"])
    func theLineThatCannotBeReadIsKept(_ line: String) async throws {
        let body = HTTPBody("{\"id\":1,\"name\":\"a\"}\n\(line)\n")
        let transport = MockTransport { _ in HTTPResponse(status: .ok, headers: ["X-A": "1"], body: body) }
        var lines = try await APIClient(transport: transport).send(Lines()).makeAsyncIterator()
        #expect(try await lines.next()?.id == 1)
        let error = await #expect(throws: APIError<ShopError>.self) { try await lines.next() }
        #expect(error?.response?.text == line && error?.response?.headers["X-A"] == "1")
        let isFailure = error?.service(as: ShopError.self) != nil
        #expect(
            error?.hint?.contains("which had begun") == (isFailure ? true : nil) || !isFailure,
            "\(error?.hint ?? "")",
        )
    }

    private struct Prices: EventStreamRequest {
        typealias Event = Int
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/prices" }
        var reconnection: RetryPolicy { .never }
    }

    @Test func anEventWithoutDataIsASignOfLife() async throws {
        let body = HTTPBody("data: 1\n\ndata:\n\nevent: ping\ndata:\n\ndata: 2\n\n")
        let transport = MockTransport { _ in
            HTTPResponse(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
        }
        let client = APIClient(transport: transport)
        var found: [Int] = []
        for try await price in client.bind(Prices()).eventStream() { found.append(price) }
        for try await price in try await client.send(Prices()) { found.append(price) }
        #expect(found == [1, 2, 1, 2])
    }

    private struct Walk: PagedRequest, Shop.Request {
        typealias Response = [Dish]
        var path: RequestPath { "/walk" }
        var paging: Paging<Walk> { .link }
    }

    @Test func aListThatGoesInACircleKeepsItsResponse() async throws {
        let link: HTTPHeaders = ["Link": "</v1/walk>; rel=\"next\"", "X-Request-Id": "r1"]
        let transport = MockTransport { _ in .json("[{\"id\":1,\"name\":\"a\"}]", headers: link) }
        let error = await #expect(throws: APIError<ShopError>.self) {
            for try await _ in APIClient(transport: transport).bind(Walk()).pages() {}
        }
        #expect(error?.reason == .pageLoop && error?.response?.headers["X-Request-Id"] == "r1", "\(error as Any)")
    }

    // MARK: Links

    @Test(arguments: [
        ("http://b\u{FC}cher.example/y", "http://xn--bcher-kva.example/y"),
        ("//b\u{FC}cher.example:8080", "https://xn--bcher-kva.example:8080/"),
    ])
    func aHostInOtherLettersIsFollowed(_ location: String, _ url: String) async throws {
        let transport = MockTransport { request in
            request.url.host == "shop.example"
                ? HTTPResponse(status: 302, headers: [.location: location]) : .json("[]")
        }
        let options = ClientOptions(redirectPolicy: .follow(allowingDowngrade: true))
        _ = try await APIClient(transport: transport, options: options).send(Shop.Dishes())
        #expect(transport.requests.last?.url.absoluteString == url)
    }
}
