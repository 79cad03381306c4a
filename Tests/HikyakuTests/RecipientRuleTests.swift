import Foundation
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

/// Rules of `Documentation/Conformance.md` that a client keeps by leaving something alone.
@Suite struct RecipientRuleTests {
    private struct Anything: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var method: HTTPMethod = .get
        var path: RequestPath = "/p"
        var headers: HTTPHeaders = [:]
        var body: RequestBody?
    }

    private func error(
        _ status: HTTPStatus,
        _ body: String,
        _ type: String = "application/problem+json",
    ) async throws -> APIError<ProblemDetails> {
        let response = HTTPResponse(status: status, headers: ["Content-Type": type], body: HTTPBody(body))
        let client = APIClient(transport: MockTransport { _ in response }, options: ClientOptions(retryPolicy: .never))
        return try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Anything()) }
    }

    // MARK: RFC 9110 and 9112

    @Test func aLongURLIsSentAsItIs() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok) }
        let path = String(repeating: "/0123456789", count: 2_000)
        _ = try await APIClient(transport: transport).send(Anything(path: RequestPath(stringLiteral: path)))
        #expect(transport.requests.first?.url.path() == path)
    }

    @Test(arguments: ["If-Match", "If-Unmodified-Since", "Max-Forwards"] as [HTTPHeaderName])
    func anAppSetsWhatMayBeSent(_ name: HTTPHeaderName) async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok) }
        for method in [HTTPMethod.get, .options] {
            _ = try await APIClient(transport: transport).send(Anything(method: method, headers: [name: "1"]))
        }
        #expect(transport.requests.map { $0.headers[name] } == ["1", "1"])
    }

    @Test func contentOfOptionsHasItsType() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok) }
        _ = try await APIClient(transport: transport).send(Anything(method: .options, body: .text("a")))
        #expect(transport.requests.first?.headers[.contentType]?.hasPrefix("text/plain") == true)
    }

    @Test func thePackageNamesNothingButItself() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok) }
        _ = try await APIClient(transport: transport).send(Anything())
        let agent = try #require(transport.requests.first?.headers["User-Agent"])
        #expect(agent.wholeMatch(of: /Hikyaku\/[0-9]+(\.[0-9]+)*/) != nil)
    }

    @Test func theNextCallBeginsAtItsOwnURL() async throws {
        let transport = MockTransport { request in
            request.url.path() == "/p"
                ? HTTPResponse(status: 307, headers: [.location: "/q"]) : HTTPResponse(status: .ok)
        }
        let client = APIClient(transport: transport)
        for _ in 0..<2 { _ = try await client.send(Anything()) }
        #expect(transport.requests.map { $0.url.path() } == ["/p", "/q", "/p", "/q"])
    }

    @Test func aHostIsNeededInEachScheme() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 302, headers: [.location: "http:///q"]) }
        let redirects = RedirectPolicy.follow(allowingDowngrade: true)
        let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: redirects))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Anything()) }
        #expect(error.reason == .redirectInvalid)
    }

    @Test func aPauseCountsFromNowWithoutAClockOfTheService() async throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let later = format.string(from: Date(timeIntervalSinceNow: 100))
        for date in ["yesterday", ""] {
            let headers: HTTPHeaders = ["Retry-After": later, "Date": date]
            let response = BufferedResponse(status: .serviceUnavailable, headers: headers)
            let pause = try #require(response.retryAfter)
            #expect(pause > .seconds(80) && pause <= .seconds(101))
        }
    }

    @Test(arguments: [
        (#"BEARER Realm="a", ERROR="invalid_token""#, "token"), (#"Bearer error="x", error="invalid_token""#, "token"),
    ])
    func namesOfParametersHaveNoCase(_ challenge: String, _ word: String) async throws {
        let response = HTTPResponse(status: .unauthorized, headers: ["WWW-Authenticate": challenge])
        let client = APIClient(transport: MockTransport { _ in response })
        let request = Anything(headers: [.authorization: "Bearer x"])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(request) }
        let plain = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: MockTransport { _ in HTTPResponse(status: .unauthorized) }).send(request)
        }
        #expect(error.hint?.contains(word) == true && error.hint != plain.hint, "\(error.hint ?? "")")
    }

    @Test func aTextIsRequestedByAWeightOfOneDigit() async throws {
        struct Words: APIRequest {
            typealias Definition = TextResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
        }
        let transport = MockTransport { _ in HTTPResponse(status: .ok, body: "a") }
        _ = try await APIClient(transport: transport).send(Words())
        let accept = try #require(transport.requests.first?.headers[.accept])
        #expect(accept.contains(/;q=[01](\.[0-9]{1,3})?$/))
    }

    // MARK: RFC 6265bis

    private func cookies(
        after fields: [String],
        from url: String = "https://a.example/",
        to: String? = nil,
    ) throws -> String? {
        var jar = CookieJar()
        let address = try #require(URL(string: url))
        for field in fields { jar.store(field, from: CookieScope(url: address), at: Date()) }
        let target = try #require(URL(string: to ?? url))
        return jar.cookies(for: CookieScope(url: target), at: Date()).map { "\($0.name)=\($0.value)" }.joined(
            separator: "; "
        )
    }

    @Test func namesOfCookiesHaveCase() throws { #expect(try cookies(after: ["a=1", "A=2"]) == "a=1; A=2") }

    @Test func octetsOfCookiesStayEncoded() throws { #expect(try cookies(after: ["a%20=b%41"]) == "a%20=b%41") }

    @Test func secureHasNoValue() throws {
        for field in ["a=1; Secure=no", "a=1; secure=", "a=1; SECURE=false"] {
            #expect(try cookies(after: [field]) == "a=1")
            #expect(try cookies(after: [field], to: "http://a.example/") == "")
        }
    }

    @Test func aCookieOfTheHostLeavesThatOfTheDomainAlone() throws {
        #expect(try cookies(after: ["a=1; Domain=a.example", "a=2"]) == "a=1; a=2")
        #expect(try cookies(after: ["a=1; Domain=a.example", "a=2"], to: "https://b.a.example/") == "a=1")
    }

    @Test func aCookieWithoutANameIsSentAsItsValue() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok, headers: ["Set-Cookie": "alone"]) }
        let client = APIClient(transport: transport, options: ClientOptions(cookies: MemoryCookieStore()))
        for _ in 0..<2 { _ = try await client.send(Anything()) }
        #expect(transport.requests.map { $0.headers[.cookie] } == [nil, "alone"])
    }

    // MARK: RFC 9457

    @Test func aProblemNeedsNoInvitation() async throws {
        let error = try await error(400, #"{"type": "tag:a.example,2026:full", "title": "Full"}"#)
        let problem = try #require(error.service(as: ProblemDetails.self))
        #expect(problem.type == "tag:a.example,2026:full" && problem.title == "Full")
    }

    @Test func theStatusOfTheResponseCounts() async throws {
        let error = try await error(503, #"{"title": "Full", "status": 400}"#)
        #expect(error.response?.status == 503 && error.isRetryable)
        #expect(error.service(as: ProblemDetails.self)?.status == 400)
    }

    @Test func nothingIsFetchedThatAProblemNames() async throws {
        let body = #"{"type": "https://b.example/t", "title": "Full", "instance": "https://b.example/i?a=%41"}"#
        let transport = MockTransport { _ in
            HTTPResponse(status: 400, headers: ["Content-Type": "application/problem+json"], body: HTTPBody(body))
        }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(Anything())
        }
        #expect(error.service(as: ProblemDetails.self)?.instance == "https://b.example/i?a=%41")
        #expect(transport.requests.count == 1)
    }

    /// The service's other bodies may be of any kind.
    @Test func aProblemIsReadAsJSONWhateverTheDecoder() async throws {
        struct Odd: APIRequest {
            typealias Response = [String: String]
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
            var decoder: any ResponseDecoder { Refusing() }
        }
        struct Refusing: ResponseDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
            }
        }
        let body = #"{"type": "t", "title": "Full"}"#
        let response = HTTPResponse(
            status: 400,
            headers: ["Content-Type": "application/problem+json"],
            body: HTTPBody(body),
        )
        let client = APIClient(transport: MockTransport { _ in response })
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Odd()) }
        #expect(error.service(as: ProblemDetails.self)?.title == "Full")
    }

    @Test func anAppReadsExtensionsItKnows() async throws {
        struct Balance: ServiceFailure, Decodable {
            let title: String
            let balance: Int
        }
        struct Pay: APIRequest {
            typealias Definition = RawResponse
            typealias Failure = Balance
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
        }
        let response = HTTPResponse(
            status: 403,
            headers: ["Content-Type": "application/problem+json"],
            body: #"{"type": "t", "title": "Poor", "balance": 30}"#,
        )
        let client = APIClient(transport: MockTransport { _ in response })
        let error = try await failure { () async throws(APIError<Balance>) in try await client.send(Pay()) }
        #expect(error.service(as: Balance.self)?.balance == 30)
    }

    // MARK: RFC 8288

    private func links(_ field: String) -> WebLinks {
        ([.link: field] as HTTPHeaders).links(relativeTo: "https://a.example/v1/")
    }

    @Test func relationsOfOnesOwnAreTexts() throws {
        let link = try #require(links(#"<x>; rel="https://B.example/Rel""#).first)
        #expect(link.hasRelation("https://b.EXAMPLE/rel") && !link.hasRelation("https://b.example/rel/"))
    }

    @Test func valuesWithoutQuotesMayHaveASlash() throws {
        let all = links("<x>; rel=next; type=text/html; hreflang=de, <y>; rel=last")
        #expect(all["next"]?.mediaType == "text/html" && all["next"]?[attribute: "hreflang"] == "de")
        #expect(all["last"] != nil)
    }

    @Test(arguments: ["media", "title", "title*", "type"])
    func theFirstOfSeveralCounts(_ name: String) throws {
        let mark = name == "title*" ? "UTF-8''" : ""
        let link = try #require(links("<x>; rel=next; \(name)=\(mark)one; \(name)=\(mark)two").first)
        #expect(link[attribute: name] == "one")
    }

    @Test func aBaseInTheBodyHasNoEffect() async throws {
        let response = HTTPResponse(
            status: .ok,
            headers: ["Link": "<x>; rel=next", "Content-Type": "text/html"],
            body: "<base href='https://b.example/'>",
        )
        let received = try await APIClient(transport: MockTransport { _ in response }).bind(Anything()).response()
        #expect(received.links["next"]?.url.absoluteString == "https://a.example/x")
    }

    // MARK: Event streams

    @Test func eventsAreUTF8WhateverTheCharset() async throws {
        struct Words: EventStreamRequest {
            typealias Event = ServerSentEvent
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
            var reconnection: RetryPolicy { .never }
        }
        let response = HTTPResponse(
            status: .ok,
            headers: ["Content-Type": "text/event-stream; charset=iso-8859-1"],
            body: HTTPBody("data: grün\n\n"),
        )
        var texts: [String] = []
        let client = APIClient(transport: MockTransport { _ in response })
        for try await event in client.bind(Words()).eventStream() { texts.append(event.data) }
        #expect(texts == ["grün"])
    }
}
