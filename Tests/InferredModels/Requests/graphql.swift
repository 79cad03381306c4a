import Hikyaku

nonisolated extension APIEnvironment {
    static let graph: Self = "https://api.graph.example"
}

/// Authorized by `client.authorized(by: .apiKey(key, in: .authorization(scheme: "token")), for: .graph)`.
struct PostGraphql: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var content: PostGraphqlBody

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .graph }
    var path: RequestPath { "/graphql" }
    var body: RequestBody? { .json(content) }
}

/// Inferred from one object, so that all that it has is required.
struct PostGraphqlBody: APIModel, Codable, Hashable {
    var query: String
    var variables: Variables
}

struct Variables: APIModel, Codable, Hashable {
    var n: Int
}
