import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// What is advised for a status, by what the service says beside it.
struct StatusAdviceTests {
    private struct Open: APIRequest {
        typealias Response = Dish
        var environment: APIEnvironment = "https://a.example"
        var path: RequestPath = "/p"
        var method: HTTPMethod = .get
        var body: RequestBody?
    }

    private struct Closed: APIRequest {
        typealias Response = Dish
        typealias Access = Authorized
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
    }

    private static func client(
        _ status: HTTPStatus,
        _ headers: HTTPHeaders = [:],
        _ body: String = "",
    ) -> APIClient<Public> {
        let response = HTTPResponse(status: status, headers: headers, body: HTTPBody(body))
        return APIClient(transport: MockTransport { _ in response }, options: ClientOptions(retryPolicy: .never))
    }

    private func error(_ request: Open = Open(), _ client: APIClient<Public>) async throws -> APIError<ProblemDetails> {
        try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(request) }
    }

    @Test(arguments: [
        (304, "Nothing has changed"), (406, "in no form that the app reads"), (412, "changed in the meantime"),
        (414, "too large"), (428, "what this is based on"), (431, "too large"), (451, "legal reasons"),
    ])
    func peopleReadWhatItMeans(_ code: Int, _ text: String) async throws {
        let error = try await error(Open(), Self.client(HTTPStatus(code)))
        #expect(error.localizedDescription.contains(text), "\(error.localizedDescription)")
        #expect(error.hint?.contains("report it") == false, "\(error.hint ?? "")")
    }

    // MARK: Credentials

    private func authorized(
        _ token: some TokenProvider,
        _ status: HTTPStatus,
        _ challenge: String,
    ) async throws -> String {
        let client = Self.client(status, ["WWW-Authenticate": challenge])
            .authorized(by: token, for: "https://a.example")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Closed()) }
        return try #require(error.hint)
    }

    @Test(arguments: [
        (
            #"Bearer realm="a", error="insufficient_scope", scope="orders:write b""#,
            "a scope that the call needs: orders:write b",
        ),
        (#"Basic realm="x,y", bearer error=insufficient_scope"#, "a scope that the call needs (insufficient_scope)"),
        (#"Bearer error="invalid_token", error_description="The token expired""#, "(invalid_token): get another one"),
        (#"Bearer error = "invalid_request""#, "check where and how it is sent"),
        (#"Bearer scope="orders:write""#, "a token with the scope orders:write"),
    ])
    func whatTheServiceSaysOfATokenIsAdvice(_ challenge: String, _ advice: String) async throws {
        for status in [401, 403] as [HTTPStatus] {
            let hint = try await authorized(.bearer("t0ken"), status, challenge)
            #expect(hint.contains(advice), "\(hint)")
            #expect(!hint.contains("expired\""))
        }
    }

    @Test(arguments: [
        (#"Digest realm="a", nonce="b", qop="auth""#, "The service asks for Digest, and the request has Bearer"),
        (#"Basic realm="a""#, "The service asks for Basic, and the request has Bearer"),
        (#"Basic realm="a", Digest nonce="b""#, "one of Basic, Digest"), ("DPoP algs=\"ES256\"", "RequestSigner"),
    ])
    func anotherSchemeIsNamed(_ challenge: String, _ advice: String) async throws {
        let hint = try await authorized(.bearer("t0ken"), 401, challenge)
        #expect(hint.contains(advice), "\(hint)")
    }

    @Test(arguments: [
        "", "Bearer", "Bearer realm=\"a\"", ",,,", "\"", "=", "Bearer =x", String(repeating: "a", count: 9000),
    ])
    func aChallengeThatSaysNothingLeavesTheGeneralAdvice(_ challenge: String) async throws {
        let hint = try await authorized(.bearer("t0ken"), 401, challenge)
        #expect(hint.contains("rejects the credential that was sent"), "\(hint)")
    }

    /// A login that is rejected needs no credential of the client.
    @Test func aRejectedSignInIsAboutItsBody() async throws {
        let request = Open(method: .post, body: .json(["password": "x"]))
        let hint = try #require(try await error(request, Self.client(403)).hint)
        #expect(hint.hasPrefix("The service may reject what the body says"), "\(hint)")
    }

    // MARK: Others

    @Test(arguments: [
        "<center>The plain HTTP request was sent to HTTPS port</center>",
        "Client sent an HTTP request to an HTTPS server.",
        "Reason: You're speaking plain HTTP to an SSL-enabled server port.",
    ])
    func plainHTTPToAPortForTLSSaysSo(_ body: String) async throws {
        let plain = Open(environment: "http://a.example")
        #expect(try await error(plain, Self.client(400, [:], body)).hint?.contains("write https") == true)
        #expect(try await error(Open(), Self.client(400, [:], body)).hint?.contains("write https") == false)
    }

    @Test func aSlashInAValueIsAHint() async throws {
        let slash = try await error(Open(path: "/files/\("a/b")"), Self.client(404))
        #expect(slash.hint?.contains(#"\(segments: value)"#) == true, "\(slash.hint ?? "")")
        #expect(try await error(Open(), Self.client(404)).hint?.contains("segments") == false)
    }

    @Test func aTextOfTheServiceIsNamedAndNotShown() async throws {
        let said = "quantity must be at most 5 for ada@a.example"
        for headers in [["Content-Type": "text/plain"], [:]] as [HTTPHeaders] {
            let error = try await error(Open(), Self.client(400, headers, said))
            #expect(error.hint?.contains("error.response?.text") == true, "\(error.hint ?? "")")
            #expect(!error.description.contains("ada") && error.response?.text == said)
        }
        let page = try await error(Open(), Self.client(400, ["Content-Type": "text/html"], "<p>no</p>"))
        #expect(page.hint?.contains("error.response?.text") == false)
    }
}
