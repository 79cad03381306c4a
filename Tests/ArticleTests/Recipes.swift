import Foundation
import Hikyaku
import HikyakuBroadcast

nonisolated extension APIEnvironment { static let library: Self = "https://library.example/v1" }

struct LibraryError: ServiceFailure, Decodable, LocalizedError {
    var message: String
    var errorDescription: String? { message }
}

struct Book: APIModel, Codable, Equatable, Identifiable {
    var id: Int
    var title: String
}

enum Library {
    nonisolated protocol Request: APIRequest where Failure == LibraryError {}

    struct Books: Request, PagedRequest {
        typealias Response = [Book]
        var search: String?
        var page = 1
        var path: RequestPath { "/books" }
        var query: RequestQuery { ["q": search, "page": page] }
        var paging: Paging<Self> { .number(\.page) }
    }

    struct BookByID: Request {
        typealias Response = Book
        var id: Int
        var path: RequestPath { "/books/\(id)" }
    }
}

nonisolated extension Library.Request { var environment: APIEnvironment { .library } }

func titles(_ client: APIClient<Public>) async throws -> [String] {
    var titles: [String] = []
    for try await book in client.bind(Library.Books()).items() { titles.append(book.title) }
    return titles
}

@MainActor
final class Shelf {
    let books: ObservedPages<Library.Books>

    init(client: APIClient<Public>) {
        books = ObservedPages(client.bind(Library.Books()))
    }

    /// In SwiftUI: `.task { await shelf.books.load() }`, and this in `onAppear` of a row.
    func didShow(_ book: Book) async {
        if book.id == books.items.last?.id { await books.loadNext() }
    }
}

@MainActor
final class BookSearch {
    private(set) var results: [Book] = []
    private let client: APIClient<Public>

    init(client: APIClient<Public>) {
        self.client = client
    }

    /// In SwiftUI: `.task(id: text) { await search.run(text) }`.
    func run(_ text: String, pause: Duration = .milliseconds(300)) async {
        do {
            try await Task.sleep(for: pause)
            results = try await client.send(Library.Books(search: text))
        } catch {
            // A cancelled task has a successor. Show other errors here.
        }
    }
}

@MainActor
final class Reader {
    private(set) var book: Book?
    private let scope = CancellationScope()

    func open(_ id: Int, _ client: APIClient<Public>) {
        client.call(Library.BookByID(id: id)).success { [weak self] in self?.book = $0 }.kept(in: scope)
    }
}

func books(_ ids: [Int], _ client: APIClient<Public>) async throws -> [Int: Book] {
    try await withThrowingTaskGroup(of: Book.self) { group in
        for id in ids { group.addTask { try await client.send(Library.BookByID(id: id)) } }
        var books: [Int: Book] = [:]
        for try await book in group { books[book.id] = book }
        return books
    }
}

let gentle = APIClient(options: ClientOptions(limits: [.origin: CallLimit(inFlightMax: 4)]))

extension Library {
    struct Export: Request {
        struct State: Decodable, Sendable { var isDone: Bool }
        typealias Response = State
        var id: Int
        var path: RequestPath { "/exports/\(id)" }
    }
}

func waitForExport(_ id: Int, _ client: APIClient<Public>, every pause: Duration) async throws {
    try await CallDeadline.within(.seconds(600)) {
        while try await !client.send(Library.Export(id: id)).isDone { try await Task.sleep(for: pause) }
    }
}

extension Library {
    struct AddScan: Request {
        typealias Response = Book
        var file: String
        var method: HTTPMethod { .post }
        var path: RequestPath { "/scans" }
        var timeout: Duration? { .seconds(3600) }
        var body: RequestBody? { .file(file, type: "application/pdf") }
    }
}

func upload(_ file: String, _ client: APIClient<Public>, show: (Double) -> Void) async throws -> Book {
    let call = client.call(Library.AddScan(file: file))
    for await progress in call.progress {
        // A slow reader gets only the newest progress, which may be that of the response already.
        show(progress.direction == .up ? progress.fractionCompleted ?? 0 : 1)
    }
    return try await call.value
}

extension Library {
    struct AddCover: Request {
        typealias Response = Void
        var bookID: Int
        var image: Data
        var method: HTTPMethod { .post }
        var path: RequestPath { "/books/\(bookID)/cover" }
        var body: RequestBody? {
            .multipart([.text("kind", "front"), .bytes("cover", image, filename: "cover.jpg", type: "image/jpeg")])
        }
    }
}

extension Library {
    struct Scan: Request, FileRequest {
        var id: Int
        var path: RequestPath { "/scans/\(id)" }
        var destination: FileDestination
        var timeout: Duration? { .seconds(3600) }
    }
}

func download(_ id: Int, to path: String, _ client: APIClient<Public>) async throws -> Int {
    try await client.send(Library.Scan(id: id, destination: .resumable(at: path))).count
}

extension Library {
    struct Renew: Request {
        struct Tokens: Decodable, Sendable { var token: String, refreshToken: String, lifetime: Double }
        typealias Response = Tokens
        var refreshToken: Secret<String>
        var method: HTTPMethod { .post }
        var path: RequestPath { "/tokens" }
        var body: RequestBody? { .json(["refreshToken": refreshToken.reveal()]) }
    }
}

func signedIn(_ client: APIClient<Public>, store: any TokenStore) -> APIClient<Authorized> {
    let options = RefreshOptions(proactiveRefresh: .seconds(300))
    let session = RefreshingToken(store: store, options: options) { old in
        guard let refreshToken = old.refreshToken else { throw TokenError.missing }
        let new = try await client.send(Library.Renew(refreshToken: refreshToken))
        return IssuedToken(
            token: Secret(new.token),
            refreshToken: Secret(new.refreshToken),
            expiresAt: Date(timeIntervalSinceNow: new.lifetime),
        )
    }
    return client.authorized(by: session, for: .library)
}

func needsLogin(_ error: any Error) -> Bool {
    guard let failure = error as? any APIFailure else { return false }
    return failure.phase == .unauthorized || failure.response?.status == .unauthorized
}

let keyed = APIClient().authorized(by: .apiKey("k3y", in: .query("api_key")), for: .library)

func client(
    for tenant: String,
    token: String,
    from client: APIClient<Public>,
) -> APIClient<Authorized> {
    let own = APIEnvironment(baseURL: "https://\(tenant).library.example/v1", headers: ["X-Tenant": tenant])
    return client.substituting(own, for: .library).authorized(by: .bearer(token), for: own)
}

let fixed = APIEnvironment(baseURL: "https://library.example/v1", headers: ["X-App": "Reader"])

struct Language: HTTPMiddleware {
    let current: @Sendable () -> String

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        var request = request
        request.headers["Accept-Language"] = current()
        return try await next(request)
    }
}

let localized = APIClient(middleware: [Language { Locale.current.identifier(.bcp47) }])

nonisolated extension APIEnvironment { static let shop: Self = "https://shop.example" }

struct ShopError: ServiceFailure, Decodable { var code: Int }

enum Shop {
    nonisolated protocol Request: APIRequest where Failure == ShopError {}

    struct Price: Request {
        typealias Response = Int
        typealias Access = Authorized
        var bookID: Int
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/prices/\(bookID)" }
    }
}

func offer(_ id: Int, _ client: APIClient<Authorized>) async -> String {
    do {
        let book = try await client.send(Library.BookByID(id: id))
        return "\(book.title): \(try await client.send(Shop.Price(bookID: id)))"
    } catch let failure as any APIFailure {
        if let error = failure.service(as: ShopError.self) { return "The shop says \(error.code)." }
        return failure.localizedDescription
    } catch {
        return "\(error)"
    }
}

enum Coders {
    static let decoder: HikyakuJSONDecoder = {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601OrUTC.or(.format("dd.MM.yyyy"))
        return decoder
    }()
}

let converting = APIClient(options: ClientOptions(decoder: Coders.decoder))

enum BookInData: ResponseKey { static let path = "data.book" }

extension Library {
    struct Wrapped: Request {
        typealias Definition = KeyedResponse<BookInData, SingleResponse<Book>>
        var id: Int
        var path: RequestPath { "/v2/books/\(id)" }
    }
}

struct Verdict: APIModel, Decodable { var ok: Bool, message: String? }

extension Library {
    struct Lend: Request {
        typealias Response = Void
        var id: Int
        var method: HTTPMethod { .post }
        var path: RequestPath { "/books/\(id)/loans" }

        func failure(in response: BufferedResponse) -> LibraryError? {
            guard let verdict = try? response.decode(Verdict.self), !verdict.ok else { return nil }
            return LibraryError(message: verdict.message ?? "unknown")
        }
    }
}

struct GraphQLErrors: ServiceFailure, Decodable {
    struct Entry: Decodable, Sendable { var message: String }
    var errors: [Entry]
}

nonisolated protocol GraphQLRequest: APIRequest where Failure == GraphQLErrors {
    var document: String { get }
    var variables: RequestQuery { get }
}

nonisolated extension GraphQLRequest {
    var environment: APIEnvironment { "https://library.example" }
    var path: RequestPath { "/graphql" }
    var method: HTTPMethod { .post }
    var parameters: RequestQuery { ["query": document, "variables": .object(variables)] }
    func failure(in response: BufferedResponse) -> GraphQLErrors? { GraphQLErrors(response: response) }
}

struct BookQuery: GraphQLRequest {
    typealias Definition = KeyedResponse<BookInData, SingleResponse<Book>>
    var id: Int
    var document: String { "query($id: Int!) { book(id: $id) { id title } }" }
    var variables: RequestQuery { ["id": id] }
    var isIdempotent: Bool { true }
}

let patient = APIClient(
    options: ClientOptions(retryPolicy: RetryPolicy(attemptsMax: 5, budget: RetryBudget(reserve: 4)))
)
let impatient = APIClient(options: ClientOptions(retryPolicy: .never))

extension Library {
    struct Reserve: Request {
        typealias Response = Void
        var id: Int
        var method: HTTPMethod { .post }
        var path: RequestPath { "/books/\(id)/reservations" }
        var idempotencyKey: IdempotencyKey { .random }
    }
}

let polite = APIClient(
    options: ClientOptions(limits: [.origin: CallLimit(inFlightMax: 4, rate: .perMinute(60, burst: 5))])
)

func text(for error: any Error) -> String? {
    guard let failure = error as? any APIFailure else { return "\(error)" }
    if failure.isCancelled { return nil }
    if failure.isOffline { return "You are offline." }
    return [failure.localizedDescription, failure.recoverySuggestion].compactMap(\.self).joined(separator: " ")
}

func logged<Level>(
    _ client: APIClient<Level>,
    to log: @escaping @Sendable (String) -> Void,
) -> APIClient<Level> {
    client.logging(.line, to: log)
}

#if os(Linux)
import HikyakuWire

func pinned() -> APIClient<Public> {
    var options = WireOptions()
    options.tls.pins = ["library.example": ["sha256/5RUVmzRcRKMnDvYGbPyf2KVqQ1hMJxbDPzYDZxJ0Pzs="]]
    return APIClient(transport: WireTransport(options: options))
}
#else
import HikyakuURLSession

func pinned() throws -> APIClient<Public> {
    var trust = TLSOptions()
    trust.pins = ["library.example": ["sha256/5RUVmzRcRKMnDvYGbPyf2KVqQ1hMJxbDPzYDZxJ0Pzs="]]
    return APIClient(transport: try URLSessionTransport(tls: trust))
}
#endif

func line(_ client: APIClient<Public>) async throws -> String {
    try await client.curlCommand(for: Library.Books(search: "swift"))
}
