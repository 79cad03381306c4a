import Foundation
import Hikyaku

nonisolated extension APIEnvironment {
    static let github: Self = "https://api.github.com"
}

/// Authorized by `client.authorized(by: .bearer(token), for: .github)`.
struct GetIssues: APIRequest {
    typealias Response = [Issue]
    typealias Access = Authorized

    var state: String?
    var perPage: Int?
    var page: Int?
    var labels: [String]?

    var environment: APIEnvironment { .github }
    var path: RequestPath { "/repos/octocat/hello-world/issues" }
    var query: RequestQuery { ["state": state, "per_page": perPage, "page": page, "labels": labels] }
    var headers: HTTPHeaders { ["X-GitHub-Api-Version": "2022-11-28", "Accept": "application/vnd.github+json"] }
}

/// Inferred from 2 objects; what is missing or null in one of them is Optional.
struct Issue: APIModel, Codable, Hashable, Identifiable {
    var id: Int
    var number: Int
    var title: String
    var state: String
    var comments: Int
    var closedAt: Date?
    var createdAt: Date
    var assignees: [Assignee]
    var reactions: Reactions

    private enum CodingKeys: String, CodingKey {
        case id, number, title, state, comments
        case closedAt = "closed_at"
        case createdAt = "created_at"
        case assignees, reactions
    }
}

struct Assignee: APIModel, Codable, Hashable, Identifiable {
    var login: String
    var id: Int
}

struct Reactions: APIModel, Codable, Hashable {
    var plus1: Int
    var minus1: Int
    var totalCount: Int

    private enum CodingKeys: String, CodingKey {
        case plus1 = "+1"
        case minus1 = "-1"
        case totalCount = "total_count"
    }
}
