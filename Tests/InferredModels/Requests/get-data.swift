import Hikyaku

nonisolated extension APIEnvironment {
    static let search: Self = "https://search.example/v1"
}

struct GetSearch: APIRequest {
    typealias Definition = StreamedResponse

    var q: String?
    var limit: Int?
    var exact: Bool?

    var environment: APIEnvironment { .search }
    var path: RequestPath { "/search" }
    var query: RequestQuery { ["q": q, "limit": limit, "exact": exact] }
    var headers: HTTPHeaders { ["Accept": "application/xml"] }
}
