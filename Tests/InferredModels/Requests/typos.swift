import Hikyaku

nonisolated extension APIEnvironment {
    static let typos: Self = "https://typos.example"
}

struct CreateItem: APIRequest {
    typealias Response = JSONValue

    var x: Int

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .typos }
    var path: RequestPath { "/items" }
    var body: RequestBody? { .form(["x": x]) }
}
