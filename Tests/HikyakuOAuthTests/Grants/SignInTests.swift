import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

struct SignInTests {
    /// The verifier of RFC 7636, appendix B, and a state.
    private static func scripted() -> RandomSource {
        let octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let isState = Lock(false)
        return RandomSource { count in
            isState.withLock {
                $0.toggle(); return $0
            } ? Data(repeating: 0, count: count) : Data(octets)
        }
    }

    private static let state = String(repeating: "A", count: 43)

    private func bench(_ server: OAuthServer = Bench.server) -> Bench {
        var bench = Bench(server, answers: [.response(.json(#"{"access_token":"a"}"#))])
        bench.oauth.random = Self.scripted()
        return bench
    }

    @Test
    func signInDoesItAll() async throws {
        let bench = bench()
        let opened = Lock([URL]())
        let token = try await bench.oauth.signIn(
            scopes: ["write", "read"],
            redirectURI: "app:/back?x=1",
            parameters: ["prompt": "login"],
        ) { url in
            opened.withLock { $0.append(url) }
            return try #require(URL(string: "app:/back?x=1&code=c%2B1&state=\(Self.state)"))
        }
        #expect(token.token.reveal() == "a")
        #expect(token.scopes == ["read", "write"])
        #expect(
            opened.withLock(\.self).map(\.absoluteString) == [
                "https://auth.example/authorize?response_type=code&client_id=reader&redirect_uri=app%3A%2Fback%3Fx%3D1"
                    + "&scope=read%20write&state=\(Self.state)"
                    + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
                    + "&prompt=login"
            ]
        )
        #expect(
            try bench.forms == [
                [
                    "client_id=reader", "grant_type=authorization_code", "code=c+1", "redirect_uri=app:/back?x=1",
                    "code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                ]
            ]
        )
    }

    @Test
    func browserAndRedirectMayBeApart() async throws {
        let bench = bench()
        let (redirects, browser) = AsyncStream.makeStream(of: URL.self)
        let token = try await bench.oauth.signIn(
            redirectURI: "http://127.0.0.1:7/back",
            open: { _ in
                browser.yield(try #require(URL(string: "http://127.0.0.1:7/back?code=c&state=\(Self.state)")))
            },
            receive: {
                for await url in redirects { return url }
                throw CancellationError()
            },
        )
        #expect(token.token.reveal() == "a")
    }

    private struct NoBrowser: Error {}

    @Test
    func receivingEndsWhereNoBrowserOpens() async throws {
        let bench = bench()
        let (redirects, _) = AsyncStream.makeStream(of: URL.self)
        let error = try await thrown {
            try await bench.oauth.signIn(redirectURI: "a:/b", open: { _ in throw NoBrowser() }) {
                for await url in redirects { return url }
                throw CancellationError()
            }
        }
        #expect(error is NoBrowser)
        #expect(bench.transport.requests.isEmpty)
    }

    @Test
    func itemsOfTheEndpointAreKept() throws {
        var server = Bench.server
        for (endpoint, url) in [
            ("https://a.example/x?tenant=1", "https://a.example/x?tenant=1&response_type=code"),
            ("https://a.example/x?", "https://a.example/x?response_type=code"),
            ("https://a.example", "https://a.example?response_type=code"),
        ] {
            server.authorizationEndpoint = endpoint
            let authorization = try Bench(server).oauth.authorization(redirectURI: "a:/b")
            #expect(authorization.url.absoluteString.hasPrefix(url))
        }
    }

    @Test(arguments: [
        "https://a.example/t/o%20k?tenant=1&x", "https://a.example", "https://a.example/", "https://a.example/t/",
        "https://a.example:8443/a%2Fb", "http://[::1]:80/t", "https://a.example/t?x=%3F?",
    ])
    func tokenEndpointIsUsedAsWritten(endpoint: String) async throws {
        let bench = bench(OAuthServer(tokenEndpoint: endpoint))
        _ = try await bench.oauth.clientCredentials()
        #expect(bench.transport.requests.map(\.url.absoluteString) == [endpoint.replacing("]:80", with: "]")])
    }

    @Test
    func eachSignInHasItsOwnSecrets() throws {
        let all = try (0..<50).map { _ in try Bench().oauth.authorization(redirectURI: "a:/b") }
        #expect(Set(all.flatMap { [$0.state.reveal(), $0.verifier.reveal()] }).count == 100)
        #expect(all.allSatisfy { !$0.url.absoluteString.contains($0.verifier.reveal()) })
    }

    @Test(arguments: [(nil, true), (["S256"], true), (["plain", "S256"], true), (["plain"], false), ([], false)])
    func serverWithoutPKCEIsRejected(methods: [String]?, isTaken: Bool) throws {
        var server = Bench.server
        server.codeChallengeMethods = methods
        let oauth = Bench(server).oauth
        if isTaken {
            _ = try oauth.authorization(redirectURI: "a:/b")
        } else {
            let error = #expect(throws: OAuthProblem.self) { try oauth.authorization(redirectURI: "a:/b") }
            #expect(error?.reason == .missingPKCE)
        }
    }

    @Test(arguments: ["state", "code_challenge", "redirect_uri", "response_type", "scope", "response_mode"])
    func parametersOfTheGrantCannotBeReplaced(name: String) throws {
        let error = #expect(throws: OAuthProblem.self) {
            try Bench().oauth.authorization(redirectURI: "a:/b", parameters: [name: "x"])
        }
        #expect(error?.reason == .reservedParameter)
    }
}

struct RedirectTests {
    private func problem(
        of query: String,
        server: OAuthServer = Bench.server,
    ) async throws -> OAuthProblem.Reason {
        let bench = Bench(server, answers: [.response(.json(#"{"access_token":"a"}"#))])
        let reason = try await HikyakuOAuthTests.problem { try await token(query, bench) }
        #expect(bench.transport.requests.isEmpty)
        return reason
    }

    @Test func whatARedirectSaysWithoutItsStateIsShownAsUnproven() async throws {
        let bench = Bench()
        let error = try await thrown { try await token("?error=access_denied", bench) }
        let problem = try #require(error as? OAuthProblem)
        #expect(problem.reason == .stateMismatch && problem.message.contains("access_denied, which is unverified"))
    }

    private func token(_ query: String, _ bench: Bench) async throws -> IssuedToken {
        let authorization = try bench.oauth.authorization(redirectURI: "app:/back")
        let query = query.replacing("STATE", with: authorization.state.reveal())
        let redirect = try #require(URL(string: "app:/back\(query)"))
        return try await bench.oauth.token(for: authorization, redirectedTo: redirect)
    }

    @Test(arguments: [
        "?code=c", "?code=c&state=", "?code=c&state=x", "?code=c&state=STATEx", "?code=c&state=STAT",
        "?code=c#state=STATE",
        "", "?error=access_denied&state=x", "?error=access_denied",
    ])
    func otherStateIsRejected(query: String) async throws {
        #expect(try await problem(of: query) == .stateMismatch)
    }

    @Test(arguments: [
        "?state=STATE", "?state=STATE&code=", "?state=STATE&code", "?state=STATE&code=a&code=a",
        "?state=STATE&state=STATE&code=a",
        "?state=STATE&code=%FF", "?state=STATE&code=a&error=x&error=y", "?state=STATE&code=a&iss=x&iss=x",
        "?state=STATE" + String(repeating: "&a=b", count: 100),
        "?state=STATE&code=" + String(repeating: "a", count: 65_536),
    ])
    func malformedRedirectIsRejected(query: String) async throws {
        #expect(try await problem(of: query) == .malformedRedirect)
    }

    @Test
    func redirectOfAnotherServerIsRejected() async throws {
        #expect(try await problem(of: "?code=c&state=STATE&iss=https://evil.example") == .issuerMismatch)
        #expect(try await problem(of: "?code=c&state=STATE&iss=https://auth.example/") == .issuerMismatch)
        #expect(try await problem(of: "?error=x&state=STATE&iss=https://AUTH.example") == .issuerMismatch)
        var server = Bench.server
        server.namesIssuerInRedirects = true
        #expect(try await problem(of: "?code=c&state=STATE", server: server) == .issuerMismatch)
    }

    @Test
    func redirectThatNamesTheServerIsTaken() async throws {
        var server = Bench.server
        server.namesIssuerInRedirects = true
        for (server, iss) in [
            (server, "https%3A%2F%2Fauth.example"),
            (
                OAuthServer(
                    authorizationEndpoint: Bench.server.authorizationEndpoint,
                    tokenEndpoint: Bench.server.tokenEndpoint,
                ), "https://whoever.example",
            ),
        ] {
            let bench = Bench(server, answers: [.response(.json(#"{"access_token":"a"}"#))])
            #expect(try await token("?code=c&state=STATE&iss=\(iss)", bench).token.reveal() == "a")
        }
    }

    @Test
    func aDenialIsTheErrorOfTheServer() async throws {
        let error = try await thrown {
            try await token("?error=access_denied&error_description=not+now%21&error_uri=x&state=STATE", Bench())
        }
        #expect(error as? OAuthError == OAuthError(.accessDenied, details: "not now!", uri: "x"))
    }
}
