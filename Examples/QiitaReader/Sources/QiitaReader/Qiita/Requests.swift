import Hikyaku

nonisolated extension APIEnvironment {
    /// The real service; the client can substitute the embedded one, and the requests stay the same.
    static let qiita: Self = "https://qiita.com/api/v2"
}

/// The catalogue of Qiita's API: one small type for each call.
enum Qiita {
    nonisolated protocol Request: APIRequest where Failure == QiitaError {}
}

nonisolated extension Qiita.Request {
    var environment: APIEnvironment { .qiita }
}

extension Qiita {
    /// A page of the newest items; `search` has the syntax of Qiita's search box: `tag:Swift`, `user:sato`, words.
    struct Items: Request, PagedRequest {
        typealias Response = [Item]
        var page = 1
        var perPage = 20
        var search: String?

        var path: RequestPath { "/items" }
        var query: RequestQuery { ["page": page, "per_page": perPage, "query": search] }
        var paging: Paging<Self> { .link }
    }

    /// The newest items as a stream of events, which the real service doesn't have.
    struct NewItems: Request, EventStreamRequest {
        typealias Event = Item

        var path: RequestPath { "/items/stream" }
        var reconnection: RetryPolicy { RetryPolicy(attemptsMax: 5, delay: .milliseconds(100)) }
    }

    /// One item with its text.
    struct ItemByID: Request {
        typealias Response = Item
        let id: String

        var path: RequestPath { "/items/\(id)" }
    }

    /// The comments on an item.
    struct Comments: Request {
        typealias Response = [Comment]
        let itemID: String

        var path: RequestPath { "/items/\(itemID)/comments" }
    }

    /// Adds an item to the stock of the signed-in user.
    struct Stock: Request {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        let id: String

        var method: HTTPMethod { .put }
        var path: RequestPath { "/items/\(id)/stock" }
    }

    /// Uploads a file, in parts that continue after a failure; only the embedded service has it.
    struct AddFile: Request {
        typealias Definition = EmptyResponse
        /// The path of the file.
        let file: String

        var method: HTTPMethod { .post }
        var path: RequestPath { "/files" }
        var body: RequestBody? { .file(file, type: "text/plain").resumable() }
    }

    /// The user of the token: only an authorized client can send it.
    struct AuthenticatedUser: Request {
        typealias Response = User
        typealias Access = Authorized

        var path: RequestPath { "/authenticated_user" }
    }

    /// Another token for an expired one: it needs no authorization.
    struct RefreshToken: Request {
        typealias Response = TokenPair
        let refreshToken: Secret<String>

        var method: HTTPMethod { .post }
        var path: RequestPath { "/access_tokens" }
        var body: RequestBody? { .json(["refresh_token": refreshToken.reveal()]) }
    }

    /// All items as a file of comma-separated values; only the embedded service has it.
    struct Export: Request, FileRequest {
        let destination: FileDestination

        var path: RequestPath { "/items.csv" }
    }

    /// The newest items with a model that is wrong: not every author has a GitHub account.
    struct MisreadItems: Request {
        typealias Response = [MisreadItem]
        var perPage = 20

        var path: RequestPath { "/items" }
        var query: RequestQuery { ["per_page": perPage] }
    }
}
