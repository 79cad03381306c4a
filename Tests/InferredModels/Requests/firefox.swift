import Hikyaku

nonisolated extension APIEnvironment {
    static let library: Self = "https://www.library.example"
}

struct GetBooks: APIRequest {
    typealias Response = JSONValue

    var q: String?
    var safe: Int?
    var after: CalendarDate?

    var environment: APIEnvironment { .library }
    var path: RequestPath { "/books.json" }
    var query: RequestQuery { ["q": q, "safe": safe, "after": after] }
}
