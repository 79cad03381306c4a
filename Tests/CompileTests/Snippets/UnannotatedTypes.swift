// A type that names a Sendable protocol of ours in its own declaration is not isolated, whatever the module's default.
import Foundation
import Hikyaku
import HikyakuBroadcast

struct Article: APIModel, Codable, Hashable, Identifiable {
    let id: String
    var tags: [Tag]
    var kind: Kind?

    struct Tag: Codable, Hashable { var name: String }
    enum Kind: String, Codable { case news, opinion }

    enum CodingKeys: String, CodingKey {
        case id, tags
        case kind = "type"
    }
}

struct NewArticle: APIModel, Encodable { var title: String }

struct Price: JSONModel {
    var amount: Int

    init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        amount = try reader.member("amount")
        try reader.endObject()
    }

    func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("amount", amount)
        try writer.endObject()
    }
}

struct Color: OpenValue { var rawValue: String }
enum Size: String, ClosedValue { case small, large }
struct Menu: APIModel, Decodable, ItemPage { var pageItems: [String] }
struct Dish: KeyedModel, Sendable { var id: Int }
struct Course: HubModel, Decodable { var id: Int }

struct Counts: HeaderReadable {
    var total: Int?
    init(headers: HTTPHeaders) { total = headers.read("Total") }
}

struct QiitaError: ServiceFailure, Decodable, LocalizedError {
    let message: String
    var errorDescription: String? { message }
}

nonisolated protocol QiitaRequest: APIRequest where Failure == QiitaError {}
nonisolated extension QiitaRequest { var environment: APIEnvironment { .qiita } }
nonisolated extension APIEnvironment { static let qiita: Self = "https://qiita.com/api/v2" }

enum DataKey: ResponseKey { static let path = "data" }
enum Team: RequestContextKey { static let defaultValue = 0 }

enum Qiita {
    struct Articles: QiitaRequest, PagedRequest {
        typealias Response = [Article]
        var page = 1
        var size: Size?
        var color: Color?
        var path: RequestPath { "/items" }
        var query: RequestQuery { ["page": page, "size": size, "color": color] }
        var paging: Paging<Self> { .number(\.page) }
    }

    struct Publish: QiitaRequest {
        typealias Definition = KeyedResponse<DataKey, Decoded<Article>>
        var article: NewArticle
        var method: HTTPMethod { .post }
        var path: RequestPath { "/items" }
        var body: RequestBody? { .json(article) }
    }

    struct Pages: QiitaRequest, PagedRequest {
        typealias Response = Menu
        var path: RequestPath { "/menu" }
        var paging: Paging<Self> { .link }
    }

    struct Counted: QiitaRequest {
        typealias Definition = HeaderPageResponse<ArrayResponse<Dish>, Counts>
        var path: RequestPath { "/dishes" }
    }

    enum Outcome: StatusResult {
        case price(Price), gone
        static let shapes: [StatusShape<Outcome>] = [
            .on(200, SingleResponse<Price>.self) { .price($0) },
            .on(410, EmptyResponse.self) { .gone },
        ]
    }
}

extension Qiita {
    struct Events: QiitaRequest, EventStreamRequest {
        enum Event: EventStreamEvent {
            case article(Article), other
            init?(_ event: ServerSentEvent, decoder: any ResponseDecoder) throws {
                self = event.name == "article" ? .article(try event.decode(by: decoder)) : .other
            }
        }
        var path: RequestPath { "/events" }
    }
}

struct DeviceHeader: HTTPMiddleware {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        try await next(request)
    }
}

struct SessionToken: TokenProvider {
    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken("t0ken") }
}

func show(_ client: APIClient<Public>) async throws {
    for article in try await client.send(Qiita.Articles()) { print(article.tags, article.kind as Any) }
    print(try await client.send(Qiita.Publish(article: NewArticle(title: "飛脚"))).id)
    for try await dish in client.bind(Qiita.Pages()).items() { print(dish) }
}

nonisolated func readElsewhere(_ client: APIClient<Public>) async throws -> [Article.Tag] {
    try await Task.detached { try await client.send(Qiita.Articles()).flatMap(\.tags) }.value
}

struct Checked: QiitaRequest {
    typealias Definition = StatusResponse<Qiita.Outcome>
    var path: RequestPath { "/price" }
}
