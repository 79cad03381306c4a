import Foundation
import Hikyaku

nonisolated extension APIEnvironment {
    static let reports: Self = "https://reports.example/rest/v2.1"
}

/// Authorized by `client.authorized(by: .apiKey(key, in: .query("token")), for: .reports)`.
struct GetRow: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var reportID: String
    var rowDay: CalendarDate
    var from: Date?
    var ids: [Int]?
    var ratio: Double?
    var empty: String?
    var flag: String?
    var version: String?
    var xTenant: String?

    var environment: APIEnvironment { .reports }
    var path: RequestPath { "/reports/\(reportID)/rows/\(rowDay)" }
    var query: RequestQuery {
        ["from": from, "ids": ids, "ratio": ratio, "empty": empty, "flag": flag, "version": version]
    }
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = [:]
        headers["X-Tenant"] = xTenant
        return headers
    }
}
