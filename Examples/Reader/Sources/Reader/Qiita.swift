import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

nonisolated extension APIEnvironment {
    static let qiita: Self = "https://qiita.com/api/v2"
}

/// What all calls of the service share.
enum Qiita {
    nonisolated protocol Request: APIRequest where Failure == QiitaError {}
}

nonisolated extension Qiita.Request {
    var environment: APIEnvironment { .qiita }
}

/// The service's own error: `{"message": "Not found", "type": "not_found"}`.
struct QiitaError: ServiceFailure, Decodable, LocalizedError {
    let message: String
    let type: String

    var errorDescription: String? { message }
}

struct Item: APIModel, Decodable, Identifiable {
    let id: String
    let title: String
    let likesCount: Int

    enum CodingKeys: String, CodingKey {
        case id, title
        case likesCount = "likes_count"
    }
}

extension Qiita {
    struct Items: Request {
        typealias Response = [Item]
        var tag: String?
        var page = 1
        var path: RequestPath { "/items" }
        var query: RequestQuery { ["page": page, "per_page": 20, "query": tag.map { "tag:\($0)" }] }
    }

    struct Stock: Request {
        typealias Response = Void
        typealias Access = Authorized
        var id: Item.ID
        var method: HTTPMethod { .put }
        var path: RequestPath { "/items/\(id)/stock" }
    }
}
