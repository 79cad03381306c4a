import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

/// What the article of recipes claims of each.
@Suite(.timeLimit(.minutes(10)))
struct RecipesTests {
    private let transport = MockTransport()
    private let client: APIClient<Public>

    init() {
        client = APIClient(transport: transport)
    }

    private func books(_ ids: Int...) -> HTTPResponse {
        .json("[" + ids.map { #"{"id": \#($0), "title": "T\#($0)"}"# }.joined(separator: ",") + "]")
    }

    // MARK: Lists and screens

    @Test
    func walksToTheEmptyPage() async throws {
        for page in [books(1, 2), books(3), books()] { transport.enqueue(page) }
        #expect(try await titles(client) == ["T1", "T2", "T3"])
        #expect(transport.requests.map { $0.url.query() } == ["page=1", "page=2", "page=3"])
    }

    @MainActor
    @Test
    func theLastRowLoadsTheNextPage() async {
        for page in [books(1, 2), books(3), books()] { transport.enqueue(page) }
        let shelf = Shelf(client: client)
        await shelf.books.load()
        await shelf.didShow(Book(id: 1, title: "T1"))
        #expect(shelf.books.items.map(\.id) == [1, 2])
        await shelf.didShow(Book(id: 2, title: "T2"))
        #expect(shelf.books.items.map(\.id) == [1, 2, 3])
    }

    @MainActor
    @Test
    func aSearchThatIsReplacedSendsNothing() async {
        transport.enqueue(books(7))
        let search = BookSearch(client: client)
        let old = Task { await search.run("s", pause: .seconds(60)) }
        old.cancel()
        await old.value
        #expect(transport.requests.isEmpty)
        await search.run("swift", pause: .zero)
        #expect(search.results.map(\.id) == [7])
    }

    @MainActor
    @Test
    func aScreenThatIsGoneCancelsItsCall() async throws {
        let hasEnded = Lock(false)
        let transport = MockTransport { _ in
            defer { hasEnded.withLock { $0 = true } }
            try await Task.sleep(for: .seconds(3600))
            return HTTPResponse(status: .ok)
        }
        var reader: Reader? = Reader()
        reader?.open(1, APIClient(transport: transport))
        try #require(try await holds { !transport.requests.isEmpty })
        reader = nil
        try #require(try await holds { hasEnded.withLock(\.self) })
    }

    @Test
    func loadsSeveralBooksAtOnce() async throws {
        let transport = MockTransport { request in
            .json(#"{"id": \#(request.url.lastPathComponent), "title": "T"}"#)
        }
        #expect(try await Set(ArticleTests.books([1, 2, 3], APIClient(transport: transport)).keys) == [1, 2, 3])
    }

    @Test
    func repeatsUntilTheJobIsDone() async throws {
        for isDone in [false, false, true] { transport.enqueue(.json(#"{"isDone": \#(isDone)}"#)) }
        try await waitForExport(1, client, every: .zero)
        #expect(transport.requests.count == 3)
    }

    // MARK: Uploads and downloads

    @Test
    func anUploadReportsItsEnd() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(repeating: 7, count: 4_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try MockServer { _ in .json(#"{"id": 1, "title": "T"}"#) }
        let local = APIClient().substituting(APIEnvironment(baseURL: server.baseURL), for: .library)
        let fractions = Lock<[Double]>([])
        _ = try await upload(file.path(), local) { fraction in fractions.withLock { $0.append(fraction) } }
        #expect(fractions.withLock { $0.last } == 1)
        #expect(server.requests.first?.body.count == 4_000_000)
    }

    @Test
    func aFormHasItsParts() async throws {
        transport.enqueue(HTTPResponse(status: .noContent))
        try await client.send(Library.AddCover(bookID: 7, image: Data("JPEG".utf8)))
        let body = try await transport.requests.first?.body?.collect() ?? Data()
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("front") && text.contains("filename=\"cover.jpg\"") && text.contains("JPEG"))
    }

    @Test
    func aDownloadIsAFile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        transport.enqueue(HTTPResponse(status: .ok, body: "0123456789"))
        #expect(try await download(1, to: file.path(), client) == 10)
        #expect(try Data(contentsOf: file) == Data("0123456789".utf8))
    }

    // MARK: Sign-in and tenants

    @Test
    func anExpiredTokenIsRenewedOnce() async throws {
        let transport = MockTransport { request in
            switch request.url.path() {
            case "/v1/tokens": .json(#"{"token": "new", "refreshToken": "r2", "lifetime": 3600}"#)
            case "/v1/count" where request.headers["Authorization"] == "Bearer new": .json("900")
            default: HTTPResponse(status: .unauthorized)
            }
        }
        let old = IssuedToken(token: Secret("old"), refreshToken: Secret("r1"), expiresAt: .distantPast)
        let store = MemoryTokenStore(old)
        let session = signedIn(APIClient(transport: transport), store: store)
        async let first = session.send(Count())
        async let second = session.send(Count())
        #expect(try await [first, second] == [900, 900])
        #expect(transport.requests.count { $0.url.path() == "/v1/tokens" } == 1)
        #expect(await store.load()?.refreshToken?.reveal() == "r2")
    }

    @Test
    func aMissingTokenAndA401NeedALogin() async throws {
        let guest = client.authorized(by: AskedToken { nil }, for: .library)
        let missing = await #expect(throws: APIError<LibraryError>.self) { try await guest.send(Count()) }
        #expect(needsLogin(try #require(missing)))
        transport.enqueue(HTTPResponse(status: .unauthorized))
        let rejected = await #expect(throws: APIError<LibraryError>.self) { try await client.send(Library.Books()) }
        #expect(needsLogin(try #require(rejected)))
        transport.enqueue(HTTPResponse(status: .forbidden))
        let forbidden = await #expect(throws: APIError<LibraryError>.self) { try await client.send(Library.Books()) }
        #expect(!needsLogin(try #require(forbidden)))
    }

    @Test
    func aTenantHasItsHostAndItsCredential() async throws {
        transport.enqueue(.json("[]"))
        transport.enqueue(.json("1"))
        let edo = ArticleTests.client(for: "edo", token: "t0ken", from: client)
        _ = try await edo.send(Library.Books())
        _ = try await edo.send(Count())
        #expect(transport.requests.map(\.url.host) == ["edo.library.example", "edo.library.example"])
        #expect(transport.requests.map { $0.headers["Authorization"] } == [nil, "Bearer t0ken"])
        #expect(transport.requests.map { $0.headers["X-Tenant"] } == ["edo", "edo"])
        let broken = ArticleTests.client(for: "a b/", token: "t0ken", from: client)
        let error = await #expect(throws: APIError<LibraryError>.self) { try await broken.send(Library.Books()) }
        #expect(error?.phase == .invalidRequest && transport.requests.count == 2)
    }

    private struct Count: Library.Request {
        typealias Response = Int
        typealias Access = Authorized
        var path: RequestPath { "/count" }
    }

    @Test
    func aFieldThatChangesIsThatOfTheMoment() async throws {
        let transport = MockTransport { _ in .json("[]") }
        let language = Lock("ja")
        let client = APIClient(
            transport: transport,
            middleware: [Language { language.withLock(\.self) }],
        )
        _ = try await client.send(Library.Books())
        language.withLock { $0 = "en" }
        _ = try await client.send(Library.Books())
        #expect(transport.requests.map { $0.headers["Accept-Language"] } == ["ja", "en"])
    }

    @Test
    func eachServiceHasItsWords() async throws {
        transport.enqueue(.json(#"{"id": 1, "title": "Kokoro"}"#))
        transport.enqueue(.json("900"))
        transport.enqueue(.json(#"{"id": 1, "title": "Kokoro"}"#))
        transport.enqueue(.json(#"{"code": 17}"#, status: .conflict))
        transport.enqueue(.json(#"{"message": "Lost."}"#, status: .notFound))
        let both = client.authorized(by: .bearer("a"), for: .library).authorized(by: .bearer("b"), for: .shop)
        #expect(await offer(1, both) == "Kokoro: 900")
        #expect(await offer(1, both) == "The shop says 17.")
        #expect(await offer(1, both) == "Lost.")
        #expect(transport.requests[1].headers["Authorization"] == "Bearer b")
    }
}

/// The rest of the recipes.
@Suite(.timeLimit(.minutes(10)))
struct FormatRecipesTests {
    private let transport = MockTransport()
    private let client: APIClient<Public>

    init() {
        client = APIClient(transport: transport)
    }

    @Test
    func readsKeysAndDaysOfTheService() throws {
        struct Edition: Decodable { var publishedOn: Date }
        let document = Data(#"{"published_on": "31.12.2026"}"#.utf8)
        let edition = try Coders.decoder.decode(Edition.self, from: document)
        #expect(edition.publishedOn == (try Date("2026-12-31T00:00:00Z", strategy: .iso8601)))
        let error = #expect(throws: DecodingDiagnosis.self) {
            try Coders.decoder.decode(Edition.self, from: Data(#"{"published_on": "soon"}"#.utf8))
        }
        #expect(error?.pointer.description == "/published_on")
    }

    @Test
    func readsTheBookInTheEnvelope() async throws {
        transport.enqueue(.json(#"{"data": {"book": {"id": 1, "title": "Kokoro"}}, "meta": {}}"#))
        #expect(try await client.send(Library.Wrapped(id: 1)) == Book(id: 1, title: "Kokoro"))
    }

    @Test
    func a200WithAnErrorIsAnError() async throws {
        transport.enqueue(.json(#"{"ok": false, "message": "Lent out"}"#))
        let error = await #expect(throws: APIError<LibraryError>.self) { try await client.send(Library.Lend(id: 1)) }
        #expect(error?.localizedDescription == "Lent out")
        transport.enqueue(.json(#"{"ok": true}"#))
        try await client.send(Library.Lend(id: 1))
    }

    @Test
    func sendsAndReadsGraphQL() async throws {
        transport.enqueue(.json(#"{"data": {"book": {"id": 1, "title": "Kokoro"}}}"#))
        #expect(try await client.send(BookQuery(id: 1)).title == "Kokoro")
        let body = try await transport.requests.first?.body?.collect() ?? Data()
        let sent = try HikyakuJSONDecoder().decode(JSONValue.self, from: body)
        #expect(sent["variables"]?["id"] == 1)
        #expect(sent["query"]?.string?.hasPrefix("query(") == true)
        transport.enqueue(.json(#"{"errors": [{"message": "no such book"}], "data": null}"#))
        let error = await #expect(throws: APIError<GraphQLErrors>.self) { try await client.send(BookQuery(id: 1)) }
        #expect(error?.service(as: GraphQLErrors.self)?.errors.first?.message == "no such book")
    }

    @Test
    func saysThatPeopleAreOffline() async throws {
        let offline = client.stubbing(Library.Books.self) { _ in throw TransportError(.networkUnreachable, "planted") }
        let error = await #expect(throws: APIError<LibraryError>.self) { try await offline.send(Library.Books()) }
        #expect(text(for: try #require(error)) == "You are offline.")
        let cancelled = client.stubbing(Library.Books.self) { _ in throw CancellationError() }
        let end = await #expect(throws: APIError<LibraryError>.self) { try await cancelled.send(Library.Books()) }
        #expect(text(for: try #require(end)) == nil)
    }

    @Test
    func logsALineWithoutTheSearch() async throws {
        transport.enqueue(.json("[]"))
        let lines = Lock<[String]>([])
        let talking = logged(client) { line in lines.withLock { $0.append(line) } }
        _ = try await talking.send(Library.Books(search: "private"))
        #expect(lines.withLock(\.count) == 1)
        #expect(lines.withLock { $0.first?.contains("private") } == false)
        #expect(try await line(client).hasPrefix("curl"))
    }
}
