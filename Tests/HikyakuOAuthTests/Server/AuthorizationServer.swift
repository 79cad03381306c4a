#if os(Linux)
import Foundation
import Hikyaku
import HikyakuOAuth
import TestSupport

/// An authorization server of Authlib's parts, run on a free port of loopback for as long as this process lives.
///
/// It ends with its standard input: however this process ends, the kernel closes the pipe.
struct AuthorizationServer: Sendable {
    /// The URL by which it calls itself.
    let issuer: String

    /// Where it is the resource server too.
    var environment: APIEnvironment { APIEnvironment(baseURL: issuer) }

    /// Whether `scripts/setup test` was run.
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path()) }

    /// Started once, by the first test that uses it.
    static var shared: AuthorizationServer {
        get async throws { try await started.value }
    }

    private static let started = Task { try await start() }
    /// Held open: its end is the server's.
    private static let leash = Pipe()

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let python = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".venv-oauth/bin/python")

    private static func start() async throws -> AuthorizationServer {
        let log = FileManager.default.temporaryDirectory.appending(path: "oauth-\(UUID().uuidString).log")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        let process = Process()
        process.executableURL = python
        process.arguments = [tests.appending(path: "Server/authorization_server.py").path()]
        process.standardInput = leash
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        try process.run()
        return AuthorizationServer(issuer: try await issuer(saidIn: log))
    }

    /// Reads the log until it says where the server listens.
    private static func issuer(saidIn log: URL) async throws -> String {
        var issuer: String?
        let hasStarted = try await holds {
            let text = try String(contentsOf: log, encoding: .utf8)
            issuer = text.firstMatch(of: #/Listening at: (http://\S+)\n/#).map { String($0.1) }
            return issuer != nil
        }
        guard hasStarted, let issuer else { throw DidNotStart(log: try String(contentsOf: log, encoding: .utf8)) }
        return issuer
    }

    private struct DidNotStart: Error {
        var log: String
    }
}

extension AuthorizationServer {
    static let redirectURI = "http://127.0.0.1:7/back"

    /// The side of an application that is registered there.
    func oauth(
        _ id: String = "public",
        _ authentication: OAuthApplication.Authentication = .none,
        clock: any HTTPClock = SystemClock(),
    ) async throws -> OAuthClient {
        let server = try await OAuthServer.discover(issuer)
        let application = OAuthApplication(id: id, authentication: authentication)
        return OAuthClient(server: server, application: application, clock: clock)
    }

    /// A browser whose user approves, unless the URL names no user.
    static func browse(_ url: URL) async throws -> URL {
        let response: APIResponse<Data>
        do throws(APIError<ProblemDetails>) {
            response = try await APIClient().bind(Page(url: url)).response()
        } catch {
            guard let answer = error.response else { throw error }
            throw Refused(status: answer.status.code, text: answer.text)
        }
        guard let location = response.headers[.location].flatMap(URL.init(string:)) else {
            throw Refused(status: response.status.code, text: nil)
        }
        return location
    }

    /// What the server shows to the person instead of sending them back.
    struct Refused: Error {
        var status: Int
        var text: String?
    }

    private struct Page: APIRequest {
        typealias Definition = RawResponse
        let url: URL
        var environment: APIEnvironment { "http://127.0.0.1" }
        var path: RequestPath { "/" }
        var redirectPolicy: RedirectPolicy? { .never }
        func prepare(_ request: inout HTTPRequest) throws { request.url = url }
        func accepts(_ status: HTTPStatus) -> Bool { status.code == 302 }
    }
}

/// What the token is for.
struct Me: APIRequest {
    struct Response: Decodable, Sendable, Equatable {
        var user: String?
        var scope: String
    }
    typealias Access = Authorized
    var environment: APIEnvironment
    var path: RequestPath { "/me" }
}

/// What a person says on another device.
struct Activation: APIRequest {
    typealias Definition = EmptyResponse
    var environment: APIEnvironment
    var userCode: String
    var answer: String
    var method: HTTPMethod { .post }
    var path: RequestPath { "/activate" }
    var body: RequestBody? { .form(["user_code": userCode, "answer": answer]) }
}
#endif
