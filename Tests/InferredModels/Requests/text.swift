import Hikyaku

nonisolated extension APIEnvironment {
    static let notes: Self = "https://notes.example"
}

struct CreateNote: APIRequest {
    typealias Response = JSONValue

    var content: String

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .notes }
    var path: RequestPath { "/notes" }
    var body: RequestBody? { .text(content, type: "text/markdown") }
}
