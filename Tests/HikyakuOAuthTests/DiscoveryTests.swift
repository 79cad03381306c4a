import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

struct DiscoveryTests {
    private static func document(_ issuer: String, _ members: String = "") -> MockTransport.Answer {
        .response(.json(#"{"issuer":"\#(issuer)","token_endpoint":"https://t.example/token"\#(members)}"#))
    }

    private func discover(
        _ issuer: String,
        by documents: [OAuthServer.WellKnownDocument] = OAuthServer.WellKnownDocument.allCases,
        _ answers: MockTransport.Answer...,
    ) async throws -> (server: OAuthServer, urls: [String]) {
        let transport = MockTransport()
        for answer in answers { transport.enqueue(answer) }
        let server = try await OAuthServer.discover(
            issuer,
            by: documents,
            client: APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)),
        )
        return (server, transport.requests.map(\.url.absoluteString))
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example/.well-known/oauth-authorization-server"),
        ("https://a.example/", "https://a.example/.well-known/oauth-authorization-server"),
        ("https://a.example:8443/t/1", "https://a.example:8443/.well-known/oauth-authorization-server/t/1"),
        ("https://a.example/t/1/", "https://a.example/.well-known/oauth-authorization-server/t/1"),
        ("http://127.0.0.1:99/t", "http://127.0.0.1:99/.well-known/oauth-authorization-server/t"),
    ])
    func theWellKnownPathIsBetweenHostAndPath(issuer: String, url: String) async throws {
        #expect(try await discover(issuer, by: [.oauth], Self.document(issuer)).urls == [url])
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example/.well-known/openid-configuration"),
        ("https://a.example/t/1/", "https://a.example/t/1/.well-known/openid-configuration"),
    ])
    func theOpenIDDocumentIsAfterThePath(issuer: String, url: String) async throws {
        #expect(try await discover(issuer, by: [.openID], Self.document(issuer)).urls == [url])
    }

    @Test
    func everythingThatIsUsedIsRead() async throws {
        let members = #"""
            ,"authorization_endpoint":"https://a.example/a","device_authorization_endpoint":"https://a.example/d",
            "revocation_endpoint":"https://a.example/r","code_challenge_methods_supported":["S256"],
            "authorization_response_iss_parameter_supported":true,"jwks_uri":"https://a.example/j"
            """#
        let server = try await discover("https://a.example", Self.document("https://a.example", members)).server
        #expect(
            server
                == OAuthServer(
                    issuer: "https://a.example",
                    authorizationEndpoint: "https://a.example/a",
                    tokenEndpoint: "https://t.example/token",
                    deviceAuthorizationEndpoint: "https://a.example/d",
                    revocationEndpoint: "https://a.example/r",
                    codeChallengeMethods: ["S256"],
                    namesIssuerInRedirects: true,
                )
        )
    }

    @Test(arguments: [
        HTTPResponse(status: 404), HTTPResponse(status: 200, headers: [.contentType: "text/html"], body: "<html>"),
        HTTPResponse.json(#"{"error":"not_found"}"#, status: 404), .json("{}"),
    ])
    func otherDocumentIsLookedForWhereThereIsNone(answer: HTTPResponse) async throws {
        let (server, urls) = try await discover(
            "https://a.example",
            .response(answer),
            Self.document("https://a.example"),
        )
        #expect(server.tokenEndpoint == "https://t.example/token")
        #expect(urls.count == 2)
        let error = try await thrown { try await discover("https://a.example", .response(answer), .response(answer)) }
        #expect(error is APIError<OAuthError>)
    }

    @Test(arguments: [[503, 404], [404, 503], [429, 404], [503, 500]])
    func serverThatIsDownIsNotTakenForOneWithoutADocument(statuses: [Int]) async throws {
        let answers = statuses.map { MockTransport.Answer.response(HTTPResponse(status: HTTPStatus($0))) }
        let error = try await thrown { try await discover("https://a.example", answers[0], answers[1]) }
        #expect((error as? APIError<OAuthError>)?.response?.status.code == statuses.first { $0 != 404 })
    }

    @Test
    func noRedirectIsFollowed() async throws {
        let away = HTTPResponse(status: 302, headers: [.location: "https://a.example/elsewhere"])
        let (server, urls) = try await discover(
            "https://a.example",
            .response(away),
            Self.document("https://a.example"),
        )
        #expect(server.issuer == "https://a.example")
        #expect(
            urls == [
                "https://a.example/.well-known/oauth-authorization-server",
                "https://a.example/.well-known/openid-configuration",
            ]
        )
    }

    @Test
    func brokenWireEndsTheSearch() async throws {
        let broken = MockTransport.Answer.failure(TransportError(.connectionRefused, ""))
        let error = try await thrown {
            try await discover("https://a.example", broken, Self.document("https://a.example"))
        }
        #expect((error as? APIError<OAuthError>)?.reason == .connectionRefused)
    }

    @Test(arguments: [
        "https://a.example/", "https://A.example", "https://evil.example", "https://a.example:443", "",
        "https://a.example/x",
    ])
    func issuerIsComparedLetterByLetter(named: String) async throws {
        let error = try await thrown { try await discover("https://a.example", Self.document(named)) }
        let problem = try #require(error as? OAuthProblem)
        #expect(problem.reason == .issuerMismatch)
        // There is no redirect yet, and nobody to mistrust.
        #expect(problem.hint?.contains("exactly as its document names it") == true)
        #expect(problem.recoverySuggestion?.contains("link") == false)
    }

    @Test(arguments: ["authorization_endpoint", "device_authorization_endpoint", "revocation_endpoint"])
    func endpointsWithoutTLSAreRejected(name: String) async throws {
        for url in ["http://a.example/x", "http://127.0.0.1/x"] {
            let answer = Self.document("https://a.example", #","\#(name)":"\#(url)""#)
            #expect(try await problem { try await discover("https://a.example", answer) } == .insecureEndpoint)
        }
        let answer = Self.document("http://localhost:1", #","\#(name)":"http://127.0.0.1/x""#)
        #expect(try await discover("http://localhost:1", answer).server.issuer == "http://localhost:1")
    }

    @Test(arguments: [
        ("http://a.example", OAuthProblem.Reason.insecureEndpoint), ("ftp://a.example", .malformedEndpoint),
        ("https://a.example?x", .malformedEndpoint), ("https://a.example#x", .malformedEndpoint),
        ("https://.a.example", .malformedEndpoint), ("https://a..example", .malformedEndpoint),
        ("https://u:p@a.example", .malformedEndpoint), ("a.example", .malformedEndpoint), ("", .malformedEndpoint),
    ])
    func anInvalidIssuerGetsNoRequest(issuer: String, reason: OAuthProblem.Reason) async throws {
        #expect(try await problem { try await discover(issuer, Self.document(issuer)) } == reason)
    }

    @Test
    func nothingToLookForIsAProblem() async throws {
        #expect(try await problem { try await discover("https://a.example", by: []) } == .missingEndpoint)
    }
}

struct EndpointTests {
    @Test(arguments: [
        "http://localhost/x", "http://LOCALHOST:1/x", "http://127.0.0.1/x", "http://127.9.8.7:80/x", "http://[::1]/x",
        "https://a.example/x", "HTTPS://a.example",
    ])
    func safeEndpointIsTaken(url: String) throws {
        _ = try OAuthEndpoint(url, "token endpoint")
    }

    @Test(arguments: [
        "http://a.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example", "http://128.0.0.1",
        "http://[::2]", "http://10.0.0.1", "http://0.0.0.0", "http://127.evil",
    ])
    func endpointWithoutTLSIsRejected(url: String) {
        let error = #expect(throws: OAuthProblem.self) { try OAuthEndpoint(url, "token endpoint") }
        #expect(error?.reason == .insecureEndpoint)
    }

    @Test(arguments: [
        "", "a", "mailto:a@b", "https://", "https://u@a.example", "https://a.example/#x", "javascript:1",
        "https://a.example/" + String(repeating: "x", count: 9000), "https://a b.example",
    ])
    func invalidURLsAreRejected(url: String) {
        let error = #expect(throws: OAuthProblem.self) { try OAuthEndpoint(url, "token endpoint") }
        #expect(error?.reason == .malformedEndpoint)
    }

    @Test
    func missingEndpointIsCalledByItsName() async throws {
        let oauth = Bench(OAuthServer()).oauth
        let error = try await thrown { try await oauth.clientCredentials() }
        #expect("\(error)" == "missingEndpoint: the server has no token endpoint")
        #expect(try await problem { try await oauth.deviceCode() } == .missingEndpoint)
        #expect(try await problem { try oauth.authorization(redirectURI: "a:/b") } == .missingEndpoint)
    }
}

struct FormTextTests {
    @Test(arguments: [("", []), ("a", ["a="]), ("a=b&&c=d=e&", ["a=b", "c=d=e"]), ("%41+%c3%A9=%2B", ["A é=+"])])
    func queryIsReadItemByItem(query: String, items: [String]) {
        #expect(FormText.items(of: query)?.map { "\($0.name)=\($0.value)" } == items)
    }

    @Test(arguments: ["%", "a=%4", "a=%zz", "%FF=1", "a=%C3", String(repeating: "a&", count: 101)])
    func brokenQueryIsNone(query: String) {
        #expect(FormText.items(of: query) == nil)
    }

    @Test
    func everyByteComesBack() {
        let text = String(decoding: (UInt8(0)...127).map(\.self), as: UTF8.self) + "飛脚"
        #expect(
            FormText.items(of: FormText.encoded([(text, text)]))?.first.map { [$0.name, $0.value] } == [text, text]
        )
    }
}
