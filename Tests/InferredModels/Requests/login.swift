import Hikyaku

nonisolated extension APIEnvironment {
    static let login: Self = "https://login.example"
}

struct PostToken: APIRequest {
    typealias Response = JSONValue

    var grantType: String
    var clientID: String
    var clientSecret: Secret<String>
    var scope: String

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .login }
    var path: RequestPath { "/oauth/token" }
    var body: RequestBody? {
        .form(["grant_type": grantType, "client_id": clientID, "client_secret": clientSecret.reveal(), "scope": scope])
    }
}
