import Hikyaku
import HikyakuMockServer

/// A service in the shape of Qiita's API v2, on a loopback port of this process.
nonisolated struct EmbeddedService: Sendable {
    /// The token that the service takes beside those that it issues itself; it opens nothing else.
    static let token = "embedded-token"
    /// What the service issues a token for, once; a new one comes with each token.
    static let refreshToken = "embedded-refresh"

    /// Pages of more items come in pieces, so that there is something to see of their progress.
    private static let promptItemsMax = 64

    private let server: MockServer
    private let tokens = IssuedTokens()
    private let stocked = StockedItems()
    private let export = ExportedFile()
    private let library: Library
    /// The file that was uploaded last.
    let uploadedFile = UploadedFile()

    /// Starts the service with the given number of articles.
    init(articleCount: Int = 400, seed: UInt64 = 2026) throws {
        library = Library(articleCount: articleCount, seed: seed)
        server = try MockServer { _ in .error(.notFound, "Not found", "not_found") }
        addRoutes()
    }

    /// The environment that replaces `https://qiita.com/api/v2`.
    var environment: APIEnvironment { APIEnvironment(baseURL: server.baseURL + "/api/v2") }

    /// How many requests the service has received so far.
    var requestCount: Int { server.requests.count }

    /// How many tokens it has issued so far.
    var issuedTokenCount: Int { tokens.count }

    func stop() {
        server.stop()
    }

    /// Fails the next two requests: the first with a status, the second in the middle of its response.
    func failTwice() {
        let overloaded = MockAnswer.error(.serviceUnavailable, "Overloaded", "service_unavailable")
        // The pause lets the client read the beginning, so that it does not send the request again by itself.
        let cut = MockAnswer.raw([.write("HTTP/1.1 200 OK\r\n"), .pause(.milliseconds(100)), .reset])
        server.enqueue(overloaded.header(.retryAfter, "1"), cut)
    }

    /// Cuts the connection in the middle of the next export.
    func cutNextExport() { export.cutNext() }

    /// What the requests for the export have requested so far: `bytes=17000-`, or `nil` for the whole file.
    var exportRanges: [String?] { server.requests.filter { $0.path.hasSuffix(".csv") }.map { $0.headers["Range"] } }

    private func addRoutes() {
        addItemRoutes()
        let (articles, export) = (library.articles(matching: ""), export)
        server.route(.get, "/api/v2/items.csv") { request in export.answer(to: request, articles) }
        addUploadRoutes()
        let (library, tokens) = (library, tokens)
        server.route(.get, "/api/v2/authenticated_user") { request in
            guard tokens.open(request) else { return .error(.unauthorized, "Unauthorized", "unauthorized") }
            return .json(library.users[0].accountJSON.text)
        }
        server.route(.post, "/api/v2/access_tokens") { request in
            guard let fields = try? request.json(as: [String: String].self),
                let issued = tokens.issue(for: fields["refresh_token"] ?? "")
            else { return .error(.unauthorized, "Unauthorized", "unauthorized") }
            return .json(JSON.object(issued.map { ($0, .string($1)) }).text)
        }
    }

    private func addUploadRoutes() {
        let file = uploadedFile
        server.route(.post, "/api/v2/files") { _ in file.create() }
        server.route(.head, "/api/v2/files/1") { _ in file.offset() }
        server.route(.patch, "/api/v2/files/1") { file.append($0) }
    }

    private func addItemRoutes() {
        let (library, tokens, stocked) = (library, tokens, stocked)
        server.route(.get, "/api/v2/items") { request in
            guard let page = Page(request) else { return .error(.badRequest, "Bad request", "bad_request") }
            let found = library.articles(matching: request.query["query"] ?? "")
            let shown = found.dropFirst(page.start).prefix(page.size)
            let text = JSON.array(shown.map { $0.json(isStocked: stocked.contains($0.id)) }).text
            return MockAnswer.json(text)
                .inPieces(shown.count > Self.promptItemsMax)
                .header(.link, page.links(for: request, totalCount: found.count))
                .header("Total-Count", String(found.count))
        }
        server.route(.get, "/api/v2/items/stream") { NewItemStream.answer($0, library) }
        server.route(.get, "/api/v2/items/:id") { request in
            guard let article = library.article(id: request.parameters["id"] ?? "") else {
                return .error(.notFound, "Not found", "not_found")
            }
            return .json(article.json(isStocked: stocked.contains(article.id)).text)
        }
        server.route(.get, "/api/v2/items/:id/comments") { request in
            guard let article = library.article(id: request.parameters["id"] ?? "") else {
                return .error(.notFound, "Not found", "not_found")
            }
            return .json(JSON.array(article.comments.map(\.json)).text)
        }
        server.route(.put, "/api/v2/items/:id/stock") { request in
            guard tokens.open(request) else { return .error(.unauthorized, "Unauthorized", "unauthorized") }
            guard let article = library.article(id: request.parameters["id"] ?? "") else {
                return .error(.notFound, "Not found", "not_found")
            }
            stocked.add(article.id)
            return .status(.noContent)
        }
    }
}

nonisolated extension IssuedTokens {
    /// Whether a request has a token that the service accepts.
    fileprivate func open(_ request: MockRequest) -> Bool {
        let token = request.headers[.authorization]?.split(separator: " ").last.map(String.init) ?? ""
        return token == EmbeddedService.token || contains(token)
    }
}

nonisolated extension MockAnswer {
    /// An error in Qiita's form: `{"message":"Not found","type":"not_found"}`.
    fileprivate static func error(_ status: HTTPStatus, _ message: String, _ type: String) -> MockAnswer {
        .json(JSON.object([("message", .string(message)), ("type", .string(type))]).text, status: status)
    }

    /// The same response; on request in pieces that take a second, longer than making six of them takes.
    fileprivate func inPieces(_ isInPieces: Bool) -> MockAnswer {
        isInPieces ? dripping(pieceBytes: 16_384, over: .seconds(1)) : self
    }
}
