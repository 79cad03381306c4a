import Hikyaku

nonisolated extension APIEnvironment {
    static let files: Self = "https://files.example"
}

/// Authorized by `client.authorized(by: .basic(user: user, password: password), for: .files)`.
struct PutBackupTarGz: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var backupDay: CalendarDate
    var content: HTTPBody

    var method: HTTPMethod { .put }
    var environment: APIEnvironment { .files }
    var path: RequestPath { "/backups/\(backupDay)/backup.tar.gz" }
    var body: RequestBody? { .stream(content, type: "application/octet-stream") }
}
