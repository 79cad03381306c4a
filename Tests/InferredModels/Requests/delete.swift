import Hikyaku

nonisolated extension APIEnvironment {
    static let teams: Self = "https://teams.example/v3"
}

/// Authorized by `client.authorized(by: .apiKey(key, in: .header("PRIVATE-TOKEN")), for: .teams)`.
struct DeleteMember: APIRequest {
    typealias Response = Void
    typealias Access = Authorized

    var teamID: String
    var memberID: Int

    var method: HTTPMethod { .delete }
    var environment: APIEnvironment { .teams }
    var path: RequestPath { "/teams/\(teamID)/members/\(memberID)" }
    var timeout: Duration? { .seconds(10) }
}
