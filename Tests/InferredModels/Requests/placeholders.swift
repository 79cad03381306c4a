import Hikyaku

nonisolated extension APIEnvironment {
    static let trackers: Self = "https://api.trackers.example"
}

/// Authorized by `client.authorized(by: .bearer(token), for: .trackers)`.
struct UpdateComment: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var owner: String
    var repo: String
    var commentID: String
    var content: UpdateCommentBody

    var method: HTTPMethod { .patch }
    var environment: APIEnvironment { .trackers }
    var path: RequestPath { "/repos/\(owner)/\(repo)/comments/\(commentID)" }
    var body: RequestBody? { .json(content) }
}

/// Inferred from one object, so that all that it has is required.
struct UpdateCommentBody: APIModel, Codable, Hashable {
    var body: String
}
