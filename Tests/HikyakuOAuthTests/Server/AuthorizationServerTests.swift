#if os(Linux)
import Foundation
import Hikyaku
import HikyakuBase
import Testing

@testable import HikyakuOAuth

/// Every grant against a server whose decisions are Authlib's.
@Suite(.enabled(if: AuthorizationServer.isInstalled, "run scripts/setup test"), .timeLimit(.minutes(10)))
struct AuthorizationServerTests {
    private static let secret = "s3cret: +&%é"

    private func user(of token: IssuedToken) async throws -> Me.Response {
        let environment = try await AuthorizationServer.shared.environment
        return try await APIClient().send(Me(environment: environment).authorized(by: token.accessToken))
    }

    private func refusal(of token: IssuedToken) async throws -> Int? {
        let error = try await thrown { try await user(of: token) }
        return (error as? any APIFailure)?.response?.status.code
    }

    private func signedIn(_ oauth: OAuthClient, scopes: Set<String> = ["read", "write"]) async throws -> IssuedToken {
        try await oauth.signIn(
            scopes: scopes,
            redirectURI: AuthorizationServer.redirectURI,
            authenticate: AuthorizationServer.browse,
        )
    }

    @Test(arguments: ["", "/tenant/1"])
    func documentIsFoundWhereAuthlibPutsIt(path: String) async throws {
        let issuer = try await AuthorizationServer.shared.issuer
        let server = try await OAuthServer.discover(issuer + path, by: [.oauth])
        #expect(
            server
                == OAuthServer(
                    issuer: issuer + path,
                    authorizationEndpoint: issuer + "/authorize",
                    tokenEndpoint: issuer + "/token",
                    deviceAuthorizationEndpoint: issuer + "/device",
                    revocationEndpoint: issuer + "/revoke",
                    codeChallengeMethods: ["S256"],
                    namesIssuerInRedirects: true,
                )
        )
    }

    @Test(arguments: ["/openid", "/openid/tenant/1"])
    func openIDsDocumentIsFoundBehindTheOther(path: String) async throws {
        let issuer = try await AuthorizationServer.shared.issuer + path
        #expect(try await OAuthServer.discover(issuer).issuer == issuer)
    }

    @Test
    func anIssuerWithAnotherNameIsRejected() async throws {
        let issuer = try await AuthorizationServer.shared.issuer
        #expect(try await problem { try await OAuthServer.discover(issuer + "/") } == .issuerMismatch)
        let error = try await thrown { try await OAuthServer.discover(issuer + "/nobody") }
        #expect((error as? APIError<OAuthError>)?.response?.status == .notFound)
    }

    @Test(arguments: [
        ("public", OAuthApplication.Authentication.none), ("basic:1", .basic(secret: secret)),
        ("post", .post(secret: secret)),
    ])
    func personSignsIn(id: String, authentication: OAuthApplication.Authentication) async throws {
        let oauth = try await AuthorizationServer.shared.oauth(id, authentication)
        let token = try await signedIn(oauth)
        #expect(token.scopes == ["read", "write"])
        #expect(token.refreshToken != nil)
        let lifetime = try #require(token.expiresAt).timeIntervalSinceNow
        #expect(lifetime > 600 && lifetime <= 864_000)
        #expect(try await user(of: token) == Me.Response(user: "hermes", scope: "read write"))
    }

    @Test
    func wrongVerifierIsRejectedByTheServer() async throws {
        let oauth = try await AuthorizationServer.shared.oauth()
        let mine = try oauth.authorization(redirectURI: AuthorizationServer.redirectURI)
        let redirect = try await AuthorizationServer.browse(mine.url)
        let stolen = OAuthAuthorization(
            url: mine.url,
            redirectURI: mine.redirectURI,
            scopes: [],
            state: mine.state,
            verifier: Secret(RandomSource.system.text()),
        )
        #expect(try await code { try await oauth.token(for: stolen, redirectedTo: redirect) } == .invalidGrant)
        #expect(try await user(of: oauth.token(for: mine, redirectedTo: redirect)).user == "hermes")
        #expect(try await code { try await oauth.token(for: mine, redirectedTo: redirect) } == .invalidGrant)
    }

    @Test
    func redirectOfAnotherSignInIsRejectedHere() async throws {
        let oauth = try await AuthorizationServer.shared.oauth()
        let mine = try oauth.authorization(redirectURI: AuthorizationServer.redirectURI)
        let others = try oauth.authorization(redirectURI: AuthorizationServer.redirectURI)
        let redirect = try await AuthorizationServer.browse(others.url)
        #expect(try await problem { try await oauth.token(for: mine, redirectedTo: redirect) } == .stateMismatch)
    }

    @Test
    func otherServersRedirectIsRejectedHere() async throws {
        var server = try await OAuthServer.discover(AuthorizationServer.shared.issuer)
        server.issuer = "https://another.example"
        let oauth = OAuthClient(server: server, application: OAuthApplication(id: "public"))
        #expect(try await problem { try await signedIn(oauth) } == .issuerMismatch)
    }

    @Test
    func personMaySayNo() async throws {
        let oauth = try await AuthorizationServer.shared.oauth()
        let error = try await thrown {
            try await oauth.signIn(
                redirectURI: AuthorizationServer.redirectURI,
                parameters: ["login_hint": "nobody"],
                authenticate: AuthorizationServer.browse,
            )
        }
        #expect((error as? OAuthError)?.code == .accessDenied)
    }

    @Test
    func anUnknownScopeIsRejected() async throws {
        let oauth = try await AuthorizationServer.shared.oauth("post", .post(secret: Self.secret))
        #expect(try await code { try await oauth.clientCredentials(scopes: ["admin"]) } == .invalidScope)
        #expect(try await code { try await signedIn(oauth, scopes: ["admin"]) } == .invalidScope)
    }

    @Test(arguments: [
        ("basic:1", OAuthApplication.Authentication.basic(secret: secret)), ("post", .post(secret: secret)),
    ])
    func applicationGetsATokenForItself(id: String, authentication: OAuthApplication.Authentication) async throws {
        let oauth = try await AuthorizationServer.shared.oauth(id, authentication)
        let token = try await oauth.clientCredentials(scopes: ["read"])
        #expect(token.scopes == ["read"])
        #expect(token.refreshToken == nil)
        #expect(try await user(of: token) == Me.Response(user: nil, scope: "read"))
    }

    @Test(arguments: [
        ("basic:1", OAuthApplication.Authentication.basic(secret: "wrong")), ("post", .post(secret: "wrong")),
        ("basic:1", .post(secret: secret)), ("post", .basic(secret: secret)), ("nobody", .basic(secret: secret)),
    ])
    func anUnauthenticatedClientIsRejected(
        id: String,
        authentication: OAuthApplication.Authentication,
    ) async throws {
        let oauth = try await AuthorizationServer.shared.oauth(id, authentication)
        #expect(try await code { try await oauth.clientCredentials() } == .invalidClient)
    }

    @Test
    func applicationMayNotUseEveryGrant() async throws {
        let oauth = try await AuthorizationServer.shared.oauth()
        let error = try await code { try await oauth.clientCredentials() }
        #expect([.invalidClient, .unauthorizedClient].contains(error))
    }

    @Test
    func refreshTokenIsGoodForOneRefresh() async throws {
        let oauth = try await AuthorizationServer.shared.oauth()
        let first = try await signedIn(oauth)
        let second = try await oauth.refresh(first)
        #expect(second.token != first.token && second.refreshToken != first.refreshToken)
        #expect(second.scopes == first.scopes)
        #expect(try await refusal(of: first) == 401)
        #expect(try await user(of: second).user == "hermes")
        #expect(try await code { try await oauth.refresh(first) } == .invalidGrant)
        #expect(try await user(of: oauth.refresh(second)).user == "hermes")
    }

    @Test
    func revokedTokensAreOfNoUse() async throws {
        let oauth = try await AuthorizationServer.shared.oauth()
        let token = try await signedIn(oauth)
        try await oauth.revoke(token)
        #expect(try await refusal(of: token) == 401)
        #expect(try await code { try await oauth.refresh(token) } == .invalidGrant)
        // Revoking what is unknown is not an error.
        try await oauth.revoke(token)
        try await oauth.revoke(IssuedToken(token: Secret("unknown")))
    }

    @Test
    func sessionRefreshesOnceAndRevokesAtItsEnd() async throws {
        let server = try await AuthorizationServer.shared
        let oauth = try await server.oauth()
        var token = try await signedIn(oauth)
        token.expiresAt = Date(timeIntervalSince1970: 0)
        let store = MemoryTokenStore()
        let session = OAuthSession(oauth, store: store)
        try await session.signIn(token)
        let client = APIClient().authorized(by: session, for: server.environment)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await client.send(Me(environment: server.environment)).user } }
            for try await user in group { #expect(user == "hermes") }
        }
        // A second refresh would have been rejected: the refresh token is valid for one.
        let refreshed = try #require(try await store.load())
        #expect(refreshed.refreshToken != token.refreshToken)
        try await session.signOut()
        #expect(try await store.load() == nil)
        #expect(try await refusal(of: refreshed) == 401)
        #expect(try await code { try await oauth.refresh(refreshed) } == .invalidGrant)
    }

    @Test
    func revokedTokenIsReplacedInTheMiddle() async throws {
        let server = try await AuthorizationServer.shared
        let oauth = try await server.oauth("post", .post(secret: Self.secret))
        let later = Lock(TimeInterval(0))
        let options = RefreshOptions(now: { Date().addingTimeInterval(later.withLock(\.self)) })
        let session = OAuthSession.clientCredentials(oauth, scopes: ["read"], options: options)
        let client = APIClient().authorized(by: session, for: server.environment)
        #expect(try await client.send(Me(environment: server.environment)).scope == "read")
        let first = try #require(
            try await session.token(for: server.environment).ready(for: Me(environment: server.environment)).reveal()
        )
        try await oauth.revoke(IssuedToken(token: Secret(first)))
        // One that was rejected as soon as it was issued wouldn't be refreshed.
        later.withLock { $0 = 11 }
        #expect(try await client.send(Me(environment: server.environment)).scope == "read")
    }
}
#endif
