import Hikyaku

nonisolated extension APIEnvironment {
    static let graph: Self = "https://api.graph.example"
}

/// Authorized by `client.authorized(by: .apiKey(key, in: .authorization(scheme: "token")), for: .graph)`.
nonisolated struct PostGraphql: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var content: PostGraphqlBody

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .graph }
    var path: RequestPath { "/graphql" }
    var body: RequestBody? { .json(content) }
}

/// Inferred from one object, so that all that it has is required.
nonisolated struct PostGraphqlBody: Codable, Hashable, Sendable {
    var query: String
    var variables: Variables
}

nonisolated struct Variables: Codable, Hashable, Sendable {
    var n: Int
}
