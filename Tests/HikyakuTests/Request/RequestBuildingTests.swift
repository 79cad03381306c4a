import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct RequestBuildingTests {
    private static func failureReason(_ request: some APIRequest) async throws -> FailureReason {
        do {
            _ = try request.httpRequest()
        } catch let failure as any APIFailure {
            #expect(failure.phase == .invalidRequest)
            #expect(failure.context.attempt == 0)
            return failure.reason
        }
        throw NothingThrown()
    }

    @Test func headersOfTheRequestOverrideTheEnvironmentAndTheClient() throws {
        let environment = APIEnvironment(baseURL: "https://a.example", headers: ["Accept": "a/b", "X-App": "1"])
        let request = try AnyRequest(environment: environment, headers: ["x-app": "2"]).httpRequest()
        #expect(request.headers[.accept] == "a/b")
        #expect(request.headers["X-App"] == "2")
        // The step that decodes content codings requests them.
        #expect(!request.headers.contains(.acceptEncoding))
        #expect(request.headers[.userAgent]?.hasPrefix("Hikyaku/") == true)
    }

    /// As far as it can be built, and without the query's values.
    @Test(arguments: [
        (AnyRequest(method: .post, query: ["q": "hunter2"], body: .json(["a": Double.infinity])), "/p?q=…"),
        (AnyRequest(parameters: ["q": "hunter2"], headers: ["a b": "c"]), "/p?q=…"),
        (AnyRequest(query: ["n": Double.infinity]), "/p"), (AnyRequest(path: "/a/../b"), ""),
    ])
    func theErrorOfARequestThatCannotBeBuiltHasItsURL(request: AnyRequest, rest: String) async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try request.httpRequest() }
        #expect(error.phase == .invalidRequest && error.context.url == "https://a.example\(rest)")
        #expect("\(error)".contains("https://a.example\(rest) (AnyRequest, not sent"), "\(error)")
    }

    @Test func whatIsAcceptedFollowsFromTheDefinition() throws {
        #expect(try Shop.Dishes().httpRequest().headers[.accept] == "application/json")
        #expect(try AnyRequest().httpRequest().headers[.accept] == "*/*")
    }

    @Test func aBodyBringsItsTypeUnlessTheRequestHasOne() throws {
        let json = try Shop.AddDish(dish: .sample).httpRequest()
        #expect(json.headers[.contentType] == "application/json")
        #expect(try JSONDecoder().decode(Dish.self, from: #require(json.body?.bytes)) == .sample)

        let own = AnyRequest(method: .post, headers: ["Content-Type": "text/csv"], body: .text("a,b"))
        #expect(try own.httpRequest().headers.values(for: .contentType) == ["text/csv"])
        #expect(try AnyRequest(method: .post, body: .text("ü")).httpRequest().body?.bytes == Data("ü".utf8))
        #expect(try AnyRequest(method: .get).httpRequest().body == nil)
        #expect(try AnyRequest(body: .bytes(Data([1])).allowedWithGet()).httpRequest().body?.bytes == Data([1]))
    }

    @Test func anObjectOfDifferentTypesIsWrittenAsOneOfASingleType() throws {
        let missing: String? = nil
        let body = RequestBody.json([
            "name": "a", "count": 2, "since": Date(timeIntervalSince1970: 0), "url": URL(string: "b:c"), "tags": ["x"],
            "dish": Dish.sample, "note": missing, "nothing": nil,
        ])
        let text = try #require(AnyRequest(method: .post, body: body).httpRequest().body?.bytes)
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {"count":2,"dish":{"id":1,"name":"Ramen"},"name":"a","note":null,"nothing":null,\
                "since":"1970-01-01T00:00:00Z","tags":["x"],"url":"b:c"}
                """
        )
        let same = RequestBody.json(["name": "a", "note": missing])
        let sameText = try #require(AnyRequest(method: .post, body: same).httpRequest().body?.bytes)
        #expect(String(decoding: sameText, as: UTF8.self) == #"{"name":"a","note":null}"#)
    }

    @Test func aListIsRepeatedUnlessAnotherStyleIsGiven() throws {
        let request = AnyRequest(query: ["a": .list(["x", 2]), "b": .list(["x", 2], .commaSeparated)])
        #expect(try request.httpRequest().url.query(percentEncoded: true) == "a=x&a=2&b=x,2")
    }

    @Test func formsAreWrittenAsBrowsersDo() throws {
        let request = try AnyRequest(method: .post, body: .form(["q": "a b+c~", "n": nil, "a*": [1, 2]])).httpRequest()
        #expect(request.body?.bytes == Data("q=a+b%2Bc%7E&a*=1&a*=2".utf8))
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func parametersGoWhereTheMethodWantsThem() throws {
        let parameters: RequestQuery = [
            "page": 1, "all": true, "none": nil, "ids": [1, 2], "user": .object(["id": 1.5]),
        ]
        for method in [HTTPMethod.get, .head, .delete] {
            let request = try AnyRequest(method: method, query: ["a": 0], parameters: parameters).httpRequest()
            #expect(request.url.query(percentEncoded: true) == "a=0&page=1&all=true&ids=1&ids=2&user%5Bid%5D=1.5")
            #expect(request.body == nil)
        }
        for method in [HTTPMethod.post, .put, .patch] {
            let request = try AnyRequest(method: method, query: ["a": 0], parameters: parameters).httpRequest()
            #expect(request.url.query(percentEncoded: true) == "a=0")
            let body = try JSONDecoder().decode(Parameters.self, from: #require(request.body?.bytes))
            #expect(body == Parameters(page: 1, all: true, ids: [1, 2], user: ["id": 1.5]))
        }
    }

    private struct Parameters: Decodable, Equatable {
        let page: Int
        let all: Bool
        let ids: [Int]
        let user: [String: Double]
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func aMethodWithoutABodyIsProbablyForgotten(method: HTTPMethod) async throws {
        let transport = MockTransport()
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(AnyRequest(method: method, body: .json(["a": 1])))
        }
        #expect(error.phase == .invalidRequest && error.reason == .body && transport.requests.isEmpty)
        #expect(error.failureReason == "\(method) has no body")
        #expect(error.hint?.contains("let method: HTTPMethod = .post") == true)
        #expect(error.hint?.contains("allowedWithGet()") == (method == .get))
        let head = AnyRequest(method: .head, body: .text("").allowedWithGet())
        #expect(try await Self.failureReason(head) == .body)
    }

    @Test func aServiceThatReadsABodyWithGetGetsIt() async throws {
        let request = try AnyRequest(body: .json(["a": 1]).allowedWithGet()).httpRequest()
        #expect(request.method == .get && request.headers[.contentType] == "application/json")
        #expect(request.body?.bytes == Data(#"{"a":1}"#.utf8))
        struct Prepared: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
            func prepare(_ request: inout HTTPRequest) throws { request.body = "query" }
        }
        #expect(try Prepared().httpRequest().body?.bytes == Data("query".utf8))
    }

    @Test func parametersAndABodyExcludeEachOther() async throws {
        let both = AnyRequest(method: .post, parameters: ["a": 1], body: .text("b"))
        #expect(try await Self.failureReason(both) == .body)
        let unwritable = AnyRequest(method: .post, parameters: ["price": Double.nan])
        let error = try await failure { () throws(APIError<ProblemDetails>) in try unwritable.httpRequest() }
        #expect(error.reason == .query)
        #expect(error.failureReason?.contains("price") == true)
    }

    @Test(arguments: [
        "", "qiita.com", "ftp://a.example", "https://", "https:///v1", "https://:80", "http://a.example:0",
        "http://a.example:65536", "http://a.example:8x", "https://user:pw@a.example", "https://a.example?x=1",
        "https://a.example#x", "https://a example", "https://a.example/\r\nX: 1", "https://日 本.example", "https://[::1",
        "https://[zz]", "https://.", "https://a..b", "https://a.example/../b", "https://a.example\\@b.example",
        "https://a.example/%",
        "javascript:1",
    ])
    func malformedBaseURLsAreRejected(baseURL: String) async throws {
        let request = AnyRequest(environment: APIEnvironment(baseURL: baseURL))
        #expect(try await Self.failureReason(request) == .baseURL)
    }

    @Test(arguments: [
        ("https://a.example/", "https://a.example/p"), ("https://a.example/v1/", "https://a.example/v1/p"),
        ("HTTP://127.0.0.1:8080", "http://127.0.0.1:8080/p"), ("http://[::1]:8080/x", "http://[::1]:8080/x/p"),
        ("http://localhost", "http://localhost/p"), ("https://a.example/%E6%97%A5", "https://a.example/%E6%97%A5/p"),
    ])
    func baseURLsAndPathsAreJoinedByOneSlash(baseURL: String, url: String) throws {
        let request = try AnyRequest(environment: APIEnvironment(baseURL: baseURL)).httpRequest()
        #expect(request.url.absoluteString == url)
    }

    @Test func invalidHeadersAndMethodsAreRejectedByName() async throws {
        #expect(try await Self.failureReason(AnyRequest(headers: ["X": "a\r\nB: c"])) == .header)
        #expect(try await Self.failureReason(AnyRequest(headers: ["X\n": "a"])) == .header)
        #expect(try await Self.failureReason(AnyRequest(method: "G T")) == .method)
        #expect(try await Self.failureReason(AnyRequest(method: .head, body: .text("a"))) == .body)
    }

    @Test func fieldsThatBelongToTheTransportAreRejected() async throws {
        for headers: HTTPHeaders in [
            ["Transfer-Encoding": "chunked"], ["Content-Length": "5"], ["Expect": "200-ok"], ["Host": ""],
        ] {
            #expect(
                try await Self.failureReason(AnyRequest(method: .post, headers: headers, body: .text("a"))) == .header
            )
        }
        #expect(throws: Never.self) {
            try AnyRequest(method: .post, headers: ["Content-Length": "1"], body: .text("a")).httpRequest()
        }
    }

    private struct Dated: Encodable, Sendable {
        let url = "https://a/b"
        let at: Date
        let a = 1
    }

    private static func body(_ seconds: Double) throws -> Data? {
        let dated = Dated(at: Date(timeIntervalSince1970: seconds))
        return try AnyRequest(method: .post, body: .json(dated)).httpRequest().body?.bytes
    }

    @Test func bodiesInJSONAreTheSameForEqualValues() throws {
        let whole = #"{"a":1,"at":"2023-11-14T22:13:20Z","url":"https://a/b"}"#
        #expect(try Self.body(1_700_000_000) == Data(whole.utf8))
        let fraction = #"{"a":1,"at":"2023-11-14T22:13:20.500Z","url":"https://a/b"}"#
        #expect(try Self.body(1_700_000_000.5) == Data(fraction.utf8))
        #expect(throws: APIError<ProblemDetails>.self) { try Self.body(1e15) }
    }

    @Test func coderOfAnotherFormatBringsItsMediaType() throws {
        struct Listed: APIRequest {
            typealias Response = [Int]
            var environment: APIEnvironment { "https://a.example" }
            var method: HTTPMethod { .post }
            var path: RequestPath { "/" }
            var body: RequestBody? { .json([1]) }
            var decoder: any ResponseDecoder { PropertyListDecoder() }
            var encoder: any RequestEncoder { PropertyListEncoder() }
        }
        let request = try Listed().httpRequest()
        #expect(request.headers[.contentType] == "application/x-plist")
        #expect(request.headers[.accept] == "application/x-plist")
    }

    private struct Unencodable: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw NothingThrown() }
    }

    @Test func aBodyThatCannotBeEncodedKeepsItsCause() async throws {
        let request = AnyRequest(method: .post, body: .json(Unencodable()))
        let error = try await failure { () throws(APIError<ProblemDetails>) in try request.httpRequest() }
        #expect(error.reason == .body)
        #expect(error.context.underlyingError is NothingThrown)
    }

    private struct Prepared: APIRequest {
        typealias Definition = RawResponse
        var url: String?
        var error: any Error = NothingThrown()
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
        func prepare(_ request: inout HTTPRequest) throws {
            guard let url, let changed = URL(string: url) else { throw error }
            request.url = changed
            request.headers["X-Prepared"] = "yes"
        }
    }

    @Test func prepareHasTheLastWordAndIsCheckedToo() async throws {
        let request = try Prepared(url: "https://b.example/q").httpRequest()
        #expect(request.url.absoluteString == "https://b.example/q")
        #expect(request.headers["X-Prepared"] == "yes")
        #expect(try await Self.failureReason(Prepared(url: "file:///etc/passwd")) == .url)
        for url in ["https://a.example/a/../b", "https://a.example/%00", "https://a.example/%2e%2E/b"] {
            #expect(try await Self.failureReason(Prepared(url: url)) == .url, "\(url)")
        }
        #expect(try await Self.failureReason(Prepared()) == .prepare)
        #expect(try await Self.failureReason(Prepared(error: TransportError(.hostNotFound, ""))) == .prepare)
        #expect(try await Self.failureReason(Prepared(error: TransportError(.body, ""))) == .body)
    }

    @Test func aRequestShowsItselfAsACommandWithoutBeingSent() throws {
        let line = try Shop.AddDish(dish: .sample).curlCommand(revealingSecrets: true)
        #expect(line.hasPrefix("curl --globoff --path-as-is 'https://shop.example/v1/dishes' "))
        #expect(line.contains("-H 'Content-Type: application/json'"))
    }
}
