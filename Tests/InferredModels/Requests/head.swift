import Hikyaku

nonisolated extension APIEnvironment {
    static let cdn: Self = "https://cdn.example"
}

struct HeadReportPDF: APIRequest {
    typealias Response = Void

    var method: HTTPMethod { .head }
    var environment: APIEnvironment { .cdn }
    var path: RequestPath { "/files/report.pdf" }
}
