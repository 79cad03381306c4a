import Hikyaku
import HikyakuMockServer

/// A service in the shape of Qiita's API v2, on a loopback port of this process.
nonisolated struct EmbeddedService: Sendable {
    /// The token that the service takes beside those that it issues itself; it opens nothing else.
    static let token = "embedded-token"
    /// What the service issues a token for, once; a new one comes with each token.
    static let refreshToken = "embedded-refresh"

    private let server: MockServer
    private let tokens = IssuedTokens()
    private let library: Library

    /// Starts the service with so many articles.
    init(articleCount: Int = 400, seed: UInt64 = 2026) throws {
        library = Library(articleCount: articleCount, seed: seed)
        server = try MockServer { _ in .refusal(.notFound, "Not found", "not_found") }
        addRoutes()
    }

    /// What stands in for `https://qiita.com/api/v2`.
    var environment: APIEnvironment { APIEnvironment(baseURL: server.baseURL + "/api/v2") }

    /// How many requests the service has received so far.
    var requestCount: Int { server.requests.count }

    /// How many tokens it has issued so far.
    var issuedTokenCount: Int { tokens.count }

    func stop() {
        server.stop()
    }

    private func addRoutes() {
        let (library, tokens) = (library, tokens)
        server.route(.get, "/api/v2/items") { request in
            guard let page = Page(request) else { return .refusal(.badRequest, "Bad request", "bad_request") }
            let found = library.articles(matching: request.query["query"] ?? "")
            let shown = found.dropFirst(page.start).prefix(page.size)
            return MockAnswer.json(JSON.array(shown.map(\.json)).text)
                .header(.link, page.links(for: request, totalCount: found.count))
                .header("Total-Count", String(found.count))
        }
        server.route(.get, "/api/v2/items/:id") { request in
            guard let article = library.article(id: request.parameters["id"] ?? "") else {
                return .refusal(.notFound, "Not found", "not_found")
            }
            return .json(article.json.text)
        }
        server.route(.get, "/api/v2/items/:id/comments") { request in
            guard let article = library.article(id: request.parameters["id"] ?? "") else {
                return .refusal(.notFound, "Not found", "not_found")
            }
            return .json(JSON.array(article.comments.map(\.json)).text)
        }
        server.route(.get, "/api/v2/authenticated_user") { request in
            let token = request.headers[.authorization]?.split(separator: " ").last.map(String.init) ?? ""
            guard token == Self.token || tokens.contains(token) else {
                return .refusal(.unauthorized, "Unauthorized", "unauthorized")
            }
            return .json(library.users[0].accountJSON.text)
        }
        server.route(.post, "/api/v2/access_tokens") { request in
            guard let fields = try? request.json(as: [String: String].self),
                let issued = tokens.issue(for: fields["refresh_token"] ?? "")
            else { return .refusal(.unauthorized, "Unauthorized", "unauthorized") }
            return .json(JSON.object(issued.map { ($0, .string($1)) }).text)
        }
    }
}

nonisolated extension MockAnswer {
    /// An error as Qiita answers it: `{"message":"Not found","type":"not_found"}`.
    fileprivate static func refusal(_ status: HTTPStatus, _ message: String, _ type: String) -> MockAnswer {
        .json(JSON.object([("message", .string(message)), ("type", .string(type))]).text, status: status)
    }
}
