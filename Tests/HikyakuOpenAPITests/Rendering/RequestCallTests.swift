import Foundation
import Hikyaku
import HikyakuMockServer
import Testing

/// Calls of generated requests: pages, bodies, streams, fields, errors.
@Suite struct RequestCallTests {
    private let server: MockServer
    private let client: APIClient<Authorized>

    init() throws {
        server = try MockServer()
        client = Self.client(server, by: .depotKey("k"))
    }

    fileprivate static func client(_ server: MockServer, by provider: some TokenProvider) -> APIClient<Authorized> {
        let local = APIEnvironment(baseURL: server.baseURL)
        return APIClient().substituting(local, for: .depot()).authorized(by: provider, for: local)
    }

    private func crates(_ ids: Int...) -> String {
        "[\(ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]"
    }

    private var targets: [String] { server.requests.map(\.target) }

    // MARK: Pages

    @Test func numberedPagesEndWhenThereAreNoMore() async throws {
        server.enqueue(.json(#"{"has_more":true,"crates":\#(crates(1, 2))}"#))
        server.enqueue(.json(#"{"has_more":false,"crates":\#(crates(3))}"#))
        var ids: [String] = []
        for try await crate in client.bind(ListsAPI.Numbered(perPage: 2)).items() { ids.append(crate.id) }
        #expect(ids == ["1", "2", "3"] && targets == ["/numbered?per_page=2", "/numbered?page=1&per_page=2"])
    }

    @Test func offsetsGrowByTheItems() async throws {
        for body in [crates(1, 2), crates(3), "[]"] { server.enqueue(.json(body)) }
        var ids: [String] = []
        for try await crate in client.bind(ListsAPI.Offset()).items() { ids.append(crate.id) }
        #expect(ids == ["1", "2", "3"] && targets == ["/offset", "/offset?offset=2", "/offset?offset=3"])
    }

    @Test func linksAreFollowed() async throws {
        server.enqueue(.json(crates(1)).header("Link", "<\(server.baseURL)/linked?page=x>; rel=\"next\""))
        server.enqueue(.json(crates(2)))
        var count = 0
        for try await page in client.bind(ListsAPI.Linked(limit: 1)).pages() { count += page.items.count }
        #expect(count == 2 && targets == ["/linked?limit=1", "/linked?page=x"])
    }

    @Test func cursorsComeFromTheResponse() async throws {
        server.enqueue(.json(#"{"crates":\#(crates(1)),"meta":{"next_cursor":"c"}}"#))
        server.enqueue(.json(#"{"crates":null,"meta":{"next_cursor":null}}"#))
        for try await _ in client.bind(ListsAPI.Cursor()).pages() {}
        #expect(targets == ["/cursor", "/cursor?cursor=c"])
    }

    @Test func theLastItemIsTheCursor() async throws {
        server.enqueue(.json(#"{"has_more":true,"data":\#(crates(1, 2))}"#))
        server.enqueue(.json(#"{"has_more":false,"data":\#(crates(3))}"#))
        for try await _ in client.bind(ListsAPI.After()).pages() {}
        #expect(targets == ["/after", "/after?starting_after=2"])
    }

    @Test func aURLInTheBodyIsFollowed() async throws {
        server.enqueue(.json(#"{"items":\#(crates(1)),"next":"/url?from=1"}"#))
        server.enqueue(.json(#"{"items":[],"next":null}"#))
        for try await _ in client.bind(ListsAPI.URLRequest()).pages() {}
        #expect(targets == ["/url", "/url?from=1"])
    }

    @Test func aLinkOfTheDocumentIsFollowed() async throws {
        server.enqueue(.json(crates(1)).header("X-Next", "n"), .json(crates(2)))
        for try await _ in client.bind(ListsAPI.Declared()).pages() {}
        #expect(targets == ["/declared", "/declared?from=n"])
    }

    // MARK: Responses

    @Test func fieldsAreTyped() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let body = #"{"has_more":false,"crates":[]}"#
        let answer = MockAnswer.json(body).header("X-Depot-Count", "7").header("X-Depot-Tiers", "free, gold")
        server.enqueue(answer.header("Last-Modified", date))
        let response = try await client.bind(ListsAPI.Numbered()).response()
        let fields = ListsAPI.Numbered.ResponseHeaders(response.headers)
        #expect(fields.xDepotCount == 7 && fields.xDepotTiers == [.free, Tier(rawValue: "gold")])
        #expect(fields.lastModified == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test func streamsAreRead() async throws {
        server.enqueue(.text("{\"id\":\"a\"}\n{\"id\":\"b\"}\n"))
        var ids: [String] = []
        for try await crate in try await client.send(StreamsAPI.Records()) { ids.append(crate.id) }
        #expect(ids == ["a", "b"] && server.requests[0].headers["Accept"] == "application/x-ndjson")
    }

    @Test func streamsOfValuesAreSent() async throws {
        server.route(.post, "/records") { request in
            #expect(request.headers["Content-Type"] == "application/jsonl")
            #expect(request.bodyText == "{\"id\":\"a\"}\n{\"id\":\"b\"}\n")
            return .text("\u{1E}{\"id\":\"c\"}\n")
        }
        let request = StreamsAPI.AddRecords(content: [Crate(id: "a"), Crate(id: "b")])
        #expect(try await client.send(request).collect() == Data("\u{1E}{\"id\":\"c\"}\n".utf8))
        #expect(server.requests[0].headers["Accept"] == "application/json-seq")
    }

    @Test func anEventStreamMayBeOneOfSeveralResponses() async throws {
        server.enqueue(
            MockAnswer(headers: ["Content-Type": "text/event-stream"], body: Data("data: {\"id\":\"e\"}\n\n".utf8))
        )
        server.enqueue(.status(204))
        guard case .ok(let events) = try await client.send(StreamsAPI.Events()) else {
            Issue.record("no events")
            return
        }
        for try await crate in events { #expect(crate.id == "e") }
        guard case .noContent = try await client.send(StreamsAPI.Events()) else {
            Issue.record("no 204")
            return
        }
    }

    @Test func theFieldsOfAnEventAreNotItsData() async throws {
        let stream = "event: a\ndata: {\"message\":\"m\"}\n\n"
        for _ in 0..<2 {
            server.enqueue(MockAnswer(headers: ["Content-Type": "text/event-stream"], body: Data(stream.utf8)))
        }
        for try await fault in try await client.send(StreamsAPI.Signals()) { #expect(fault.message == "m") }
        for try await event in try await client.send(StreamsAPI.Texts()) {
            #expect(event.name == "a" && event.data == "{\"message\":\"m\"}")
        }
    }

    @Test func aRequestMayHaveEventsInsteadOfItsResponse() async throws {
        server.route(.post, "/chat") { request in
            guard request.headers["Accept"] == "text/event-stream" else { return .json(#"{"id":"whole"}"#) }
            let text = "data: {\"message\":\"a\"}\n\ndata: [DONE]\n\n"
            return MockAnswer(headers: ["Content-Type": "text/event-stream"], body: Data(text.utf8))
        }
        #expect(try await client.send(StreamsAPI.Chat()).id == "whole")
        var messages: [String] = []
        let request = StreamsAPI.Chat(question: ChatBody(stream: true))
        for try await fault in try await client.send(request.events) { messages.append(fault.message) }
        #expect(messages == ["a"] && server.requests.last?.bodyText == #"{"stream":true}"#)
    }

    @Test func aStatusOfItsOwnGoesBeforeTheRange() async throws {
        server.route(.put, "/crates/:id") { request in
            request.bodyText.isEmpty ? .status(202) : .json(#"{"id":"x"}"#, status: 201)
        }
        guard case .created(let crate) = try await client.send(CratesAPI.Replace(id: "1", content: .csv("a"))) else {
            Issue.record("not created")
            return
        }
        #expect(crate.id == "x")
        guard case .success = try await client.send(CratesAPI.Replace(id: "1", content: .csv(""))) else {
            Issue.record("no success")
            return
        }
    }

    @Test(arguments: [
        (404, "application/problem+json", #"{"title":"t","code":1,"message":"m"}"#, "problemDetails"),
        (400, "application/json", #"{"message":"m","code":1}"#, "detailedFault"),
        (400, "application/json", #"{"message":"m"}"#, "fault"),
        (409, "application/json", #"["a"]"#, "stringList"),
    ])
    func theMoreDemandingErrorGoesFirst(_ status: Int, _ type: String, _ body: String, _ expected: String) async throws
    {
        let status = HTTPStatus(integerLiteral: status)
        server.enqueue(MockAnswer(status: status, headers: ["Content-Type": type], body: Data(body.utf8)))
        do {
            _ = try await client.send(CratesAPI.CrateRequest(id: "1"))
            Issue.record("no error")
        } catch .service(let failure, _) {
            #expect("\(failure)".hasPrefix(expected + "("))
        } catch {
            Issue.record("\(error)")
        }
    }

    // MARK: Bodies and methods

    @Test func eachMediaTypeIsACase() async throws {
        server.route(.put, "/crates/:id") { _ in .status(204) }
        let bodies: [CratesAPI.Replace.BodyContent] = [
            .json(Crate(id: "a")), .form(weight: 1.5, labels: ["x", "y"]), .csv("a,b"), .png("bytes"),
            .mergePatch(["id": "b"]),
            .multipart(photo: .bytes("", Data("p".utf8), filename: "p.png"), title: "t", partsContent: 3),
        ]
        for body in bodies { _ = try await client.send(CratesAPI.Replace(id: "1", content: body)) }
        let sent = server.requests
        #expect(
            sent.map { $0.headers["Content-Type"]?.split(separator: ";").first.map(String.init) } == [
                "application/json", "application/x-www-form-urlencoded", "text/csv", "image/png",
                "application/merge-patch+json", "multipart/form-data",
            ]
        )
        #expect(
            sent.prefix(5).map(\.bodyText) == [
                #"{"id":"a"}"#, "weight=1.5&labels=x&labels=y", "a,b", "bytes", #"{"id":"b"}"#,
            ]
        )
        for part in ["name=\"photo\"; filename=\"p.png\"", "name=\"title\"\r\n\r\nt", "name=\"parts\"\r\n\r\n3"] {
            #expect(sent[5].bodyText.contains(part))
        }
    }

    @Test func valuesThatAreTheOnlyOnesNeedNotBeGiven() async throws {
        server.enqueue(.json(#"{"id":"1"}"#))
        _ = try await client.send(CratesAPI.CrateRequest(id: "1"))
        #expect(targets == ["/crates/1?kind=crate&full=true"])
    }

    @Test func methodsAreThoseOfTheDocument() async throws {
        server.enqueue(.status(200), .json(#"{"id":"1"}"#), .status(200))
        try await client.send(CratesAPI.Exists(id: "1"))
        _ = try await client.send(CratesAPI.Search(id: "1", fault: Fault(message: "m")))
        _ = try await client.send(CratesAPI.Trace(id: "1"))
        #expect(server.requests.map(\.method.rawValue) == ["HEAD", "QUERY", "TRACE"])
    }

    @Test func anOperationMayHaveItsOwnServer() {
        #expect(CratesAPI.Move(id: "1").environment == "https://b.depot.example")
        #expect(CratesAPI.Move(id: "1").method.rawValue == "MOVE")
    }

    @Test func theVariablesOfAServerAreItsParameters() {
        #expect(APIEnvironment.depot(region: .usEast, stage: "v2").baseURL == "https://us-east.depot.example/v2")
        #expect(APIEnvironment.depot() == "https://eu.depot.example/v1")
    }

    @Test func payloadsAreInANamespace() {
        #expect(Depot.Webhooks.CrateArrived.self == Crate.self && Depot.Callbacks.Moved.self == Crate.self)
    }
}

/// Where generated providers have their credentials.
@Suite struct GeneratedProviderTests {
    private let server: MockServer

    init() throws {
        server = try MockServer { _ in .json(#"{"id":"1"}"#) }
    }

    private func send(by provider: some TokenProvider) async throws -> MockRequest {
        let client = RequestCallTests.client(server, by: provider)
        _ = try await client.send(CratesAPI.CrateRequest(id: "1"))
        return try #require(server.requests.last)
    }

    @Test func aKeyIsInItsPlace() async throws {
        #expect(try await send(by: .depotKey("k")).headers["X-Depot-Key"] == "k")
        #expect(try await send(by: .depotSession("s")).headers["Cookie"] == "sid=s")
        #expect(try await send(by: .depotSigned("q")).target.hasSuffix("&signature=q"))
        #expect(try await send(by: .depotToken("t")).headers["Authorization"] == "Token t")
    }

    @Test func severalAreSentTogether() async throws {
        let request = try await send(by: .all(.depotKey("k"), .depotSession("s")))
        #expect(request.headers["X-Depot-Key"] == "k" && request.headers["Cookie"] == "sid=s")
    }

    @Test func otherProvidersTakeThePlacement() async throws {
        let request = try await send(by: AskedToken(in: .depotKey) { "issued" })
        #expect(request.headers["X-Depot-Key"] == "issued")
    }

    @Test func endpointsAndScopesAreConstants() {
        #expect(Depot.DepotAuth.tokenURL == "https://id.depot.example/token")
        #expect(Depot.DepotAuth.Scope.cratesRead == "crates:read")
        #expect(Depot.Oidc.configurationURL.hasSuffix("openid-configuration"))
    }
}
