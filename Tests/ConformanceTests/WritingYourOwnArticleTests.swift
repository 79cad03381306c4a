import Foundation
import Hikyaku
import HikyakuTesting
import Testing

#if os(Linux)
import HikyakuWire
#endif

struct Dish: APIModel, Codable, Equatable { var id: Int, name: String }

nonisolated protocol ShopRequest: APIRequest {}
nonisolated extension ShopRequest { var environment: APIEnvironment { "https://shop.example" } }

struct Dishes: ShopRequest {
    typealias Response = [Dish]
    var path: RequestPath { "/dishes" }
}

struct Orders: ShopRequest {
    typealias Response = [Int]
    typealias Access = Authorized
    var path: RequestPath { "/orders" }
}

struct FixtureTransport: HTTPTransport {
    let folder: URL

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let file = folder.appending(path: "\(request.method.rawValue)\(request.url.path()).json")
        guard let bytes = try? Data(contentsOf: file) else { return HTTPResponse(status: .notFound) }
        let response = HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: HTTPBody(bytes))
        return options.streamsBody ? response : try await response.collectingBody(within: options)
    }
}

@Test
func answersFromAFile() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder.appending(path: "GET"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(#"[{"id": 1, "name": "Udon"}]"#.utf8).write(to: folder.appending(path: "GET/dishes.json"))

    let client = APIClient(transport: FixtureTransport(folder: folder))
    #expect(try await client.send(Dishes()) == [Dish(id: 1, name: "Udon")])
    let error = await #expect(throws: APIError<ProblemDetails>.self) {
        try await client.authorized(by: .bearer("t0ken"), for: "https://shop.example").send(Orders())
    }
    #expect(error?.response?.status == .notFound)
}

struct Metered<Inner: HTTPTransport>: HTTPTransport {
    let inner: Inner
    let report: @Sendable (_ status: HTTPStatus, _ duration: Duration) -> Void

    var decodesContent: Bool { inner.decodesContent }
    var endsOnCancellation: Bool { inner.endsOnCancellation }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let start = ContinuousClock.now
        let response = try await inner.send(request, options: options)
        report(response.status, .now - start)
        return response
    }

    func shutdown(within grace: Duration) async {
        await inner.shutdown(within: grace)
    }
}

#if os(Linux)
@Test
func conformsAsATransport() async {
    let report = await TransportConformance.run { Metered(inner: WireTransport()) { _, _ in } }
    #expect(report.isConformant, "\(report)")
}
#endif

struct ETagCache: HTTPMiddleware {
    private struct Key: Hashable {
        let url: URL
        let accept: String?
    }

    private actor Kept {
        private var responses: [Key: HTTPResponse] = [:]

        func response(for key: Key) -> HTTPResponse? { responses[key] }

        func keep(_ response: HTTPResponse, for key: Key) {
            // Everything has a limit.
            if responses.count >= 100 { responses.removeAll() }
            responses[key] = response
        }

        func removeAll() { responses.removeAll() }
    }

    private let kept = Kept()

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        // A streamed body can be read only once, and what one user may see is not for the next one.
        guard request.method == .get, !context.streamsBody, !context.requiresAuthorization else {
            return try await next(request)
        }
        let key = Key(url: request.url, accept: request.headers["Accept"])
        let known = await kept.response(for: key)
        var request = request
        request.headers["If-None-Match"] = known?.headers["ETag"]
        let response = try await next(request)
        if response.status == .notModified, let known { return known }
        if response.status == .ok, response.headers["ETag"] != nil { await kept.keep(response, for: key) }
        return response
    }

    /// The client calls it when a user signs out.
    func signedOut(of environment: APIEnvironment) async throws {
        await kept.removeAll()
    }
}

@Suite
struct ETagCacheTests {
    @Test
    func doesNotTouchAPost() async throws {
        let post = HTTPRequest(method: .post, url: try #require(URL(string: "https://shop.example/dishes")))
        let next = MiddlewareNext { request in
            HTTPResponse(status: request.headers["If-None-Match"] == nil ? .created : .badRequest)
        }
        let cache = ETagCache()
        for _ in 1...2 {
            let response = try await cache.intercept(post, context: RequestContext(), next: next)
            #expect(response.status == .created)
        }
    }

    @Test
    func returnsWhatHasNotChanged() async throws {
        let transport = MockTransport()
        transport.enqueue(.json(#"[{"id": 1, "name": "Udon"}]"#, headers: ["ETag": #""a""#]))
        transport.enqueue(HTTPResponse(status: .notModified))
        let client = APIClient(transport: transport, middleware: [ETagCache()])
        #expect(try await client.send(Dishes()) == client.send(Dishes()))
        #expect(transport.requests.map { $0.headers["If-None-Match"] } == [nil, #""a""#])
    }
}

struct RotatedToken: TokenProvider {
    let read: @Sendable () async throws -> String?

    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        AccessToken(try await read())
    }
}

@Test
func aRotatedTokenIsSentAfterA401() async throws {
    let transport = MockTransport { request in
        request.headers["Authorization"] == "Bearer new" ? .json("[4711]") : HTTPResponse(status: .unauthorized)
    }
    let tokens = MockTokens(["old", "new"])
    let client = APIClient(transport: transport)
        .authorized(by: RotatedToken { await tokens.next() }, for: "https://shop.example")
    #expect(try await client.send(Orders()) == [4711])
    #expect(transport.requests.count == 2)
}

actor MockTokens {
    private var tokens: [String]

    init(_ tokens: [String]) {
        self.tokens = tokens
    }

    func next() -> String? { tokens.count > 1 ? tokens.removeFirst() : tokens.first }
}

actor VaultTokenStore: TokenStore {
    private struct Document: Codable {
        var token, scheme: String
        var refreshToken, idToken: String?
        var expiresAt: Date?
        var scopes: Set<String>?
    }

    /// Stands for what your vault stores.
    private var vault: Data?

    func save(_ token: IssuedToken) throws {
        vault = try JSONEncoder().encode(
            Document(
                token: token.token.reveal(),
                scheme: token.scheme,
                refreshToken: token.refreshToken?.reveal(),
                idToken: token.idToken?.reveal(),
                expiresAt: token.expiresAt,
                scopes: token.scopes,
            )
        )
    }

    func load() throws -> IssuedToken? {
        guard let vault else { return nil }
        let document = try JSONDecoder().decode(Document.self, from: vault)
        return IssuedToken(
            token: Secret(document.token),
            scheme: document.scheme,
            refreshToken: document.refreshToken.map { Secret($0) },
            expiresAt: document.expiresAt,
            scopes: document.scopes,
            idToken: document.idToken.map { Secret($0) },
        )
    }

    func remove() {
        vault = nil
    }
}

@Test
func conformsAsAStore() async {
    let report = await TokenStoreConformance.run { VaultTokenStore() }
    #expect(report.isConformant, "\(report)")
}

enum CSVResponse: ResponseDefinition {
    struct NoText: Error {}

    static var acceptedMediaTypes: String? { "text/csv" }

    static func read(_ response: BufferedResponse) throws -> [[String]] {
        guard let text = response.text else { throw NoText() }
        return text.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

struct Prices: ShopRequest {
    typealias Definition = CSVResponse
    var path: RequestPath { "/prices.csv" }
}

@Test
func readsLinesOfCSV() async throws {
    let response = BufferedResponse(status: .ok, body: Data("Udon,900\r\nSoba,\r\n".utf8))
    #expect(try CSVResponse.read(response) == [["Udon", "900"], ["Soba", ""]])

    let transport = MockTransport { _ in HTTPResponse(status: .ok, body: "Udon,900\n") }
    #expect(try await APIClient(transport: transport).send(Prices()) == [["Udon", "900"]])
    #expect(transport.requests.first?.headers["Accept"] == "text/csv")
}

enum Total: DecodedPart {
    enum Key: ResponseKey { static let path = "meta.totals" }

    static func decode(from decoder: any Decoder) throws -> Int {
        try decoder.singleValueContainer().decode([Int].self).reduce(0, +)
    }
}

enum Names: ResponseKey { static let path = "names" }

struct Summary: ShopRequest {
    typealias Definition = CombinedResponse<KeyedResponse<Names, Decoded<[String]>>, Total>
    var path: RequestPath { "/summary" }
}

@Test
func addsTheTotals() async throws {
    let transport = MockTransport { _ in .json(#"{"names": ["Udon"], "meta": {"totals": [1, 2]}}"#) }
    let (names, total) = try await APIClient(transport: transport).send(Summary())
    #expect(names == ["Udon"] && total == 3)
}

struct PropertyLists: ResponseDecoder, RequestEncoder {
    var mediaType: String { "application/x-plist" }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        try PropertyListDecoder().decode(type, from: bytes)
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try PropertyListEncoder().encode(value)
    }
}

@Test
func readsPropertyLists() async throws {
    let list = try PropertyLists().encode([Dish(id: 1, name: "Udon")])
    let transport = MockTransport { _ in HTTPResponse(status: .ok, body: HTTPBody(list)) }
    let options = ClientOptions(decoder: PropertyLists(), encoder: PropertyLists())
    let client = APIClient(transport: transport, options: options)
    #expect(try await client.send(Dishes()) == [Dish(id: 1, name: "Udon")])
}
