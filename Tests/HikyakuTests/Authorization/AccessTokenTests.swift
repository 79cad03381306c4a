import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct AccessTokenTests {
    private struct Scoped<Level: AccessLevel>: APIRequest {
        typealias Definition = EmptyResponse
        typealias Access = Level
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/scoped" }
        var requiredScopes: Set<String> = []
        var requirement: Bool?
        var requiresAuthorization: Bool {
            requirement ?? (Level.self != Public.self && Level.self != AuthorizedIfPossible.self)
        }
    }

    @Test func aUsableTokenIsReadable() throws {
        let ready = try AccessToken("t0ken").ready(for: Scoped<Authorized>())
        #expect(ready.reveal() == "t0ken")
        #expect(!ready.isEmptyHanded)
        #expect(try AccessToken(Secret("t0ken")).ready(for: Scoped<Authorized>()) == ready)
    }

    @Test func anUnusableTokenIsRejectedWhereItIsNeeded() throws {
        let request = Scoped<Authorized>()
        #expect(throws: TokenError.missing) { try AccessToken(nil as String?).ready(for: request) }
        #expect(throws: TokenError.missing) { try AccessToken(headerValue: nil).ready(for: request) }
        #expect(throws: TokenError.empty) { try AccessToken("").ready(for: request) }
        #expect(throws: TokenError.empty) { try AccessToken(" \n").ready(for: request) }
        #expect(TokenError.missing.reason == .missingToken && TokenError.empty.reason == .emptyToken)
    }

    @Test(arguments: [nil, "", "t0ken"])
    func aPublicRequestGetsAnEmptyHandedToken(token: String?) throws {
        let ready = try AccessToken(token).ready(for: Scoped<Public>())
        #expect(ready.isEmptyHanded && ready.reveal() == nil)
        #expect(try AccessToken(token).ready(for: Scoped<Authorized>(requirement: false)).isEmptyHanded)
    }

    @Test func anOptionalTokenIsTakenIfItWillDo() throws {
        let request = Scoped<AuthorizedIfPossible>(requiredScopes: ["read"])
        #expect(try AccessToken("t0ken").ready(for: request).reveal() == "t0ken")
        #expect(try AccessToken("").ready(for: request).isEmptyHanded)
        #expect(try AccessToken(nil as String?).ready(for: request).isEmptyHanded)
        #expect(try AccessToken("t0ken", scopes: ["write"]).ready(for: request).isEmptyHanded)
    }

    @Test func requirementsAreCheckedAtRunTime() throws {
        #expect(throws: TokenError.missing) {
            try AccessToken(nil as String?).ready(for: Scoped<Public>(requirement: true))
        }
        #expect(throws: TokenError.missing) {
            try AccessToken(nil as String?).ready(for: Scoped<AuthorizedIfPossible>(requirement: true))
        }
    }

    @Test func scopesAreLookedAtWhereTheyAreKnown() async throws {
        let request = Scoped<Authorized>(requiredScopes: ["read", "write", "admin"])
        #expect(try AccessToken("t").ready(for: request).scopes == nil)
        #expect(try AccessToken("t", scopes: ["admin", "read", "write", "x"]).ready(for: request).reveal() == "t")
        let error = try await failure { () async throws(TokenError) in
            try AccessToken("t", scopes: ["write"]).ready(for: request)
        }
        #expect(error == .missingScopes(["admin", "read"]))
        #expect(error.description == "unauthorized.missingScopes: the token lacks admin, read")
    }

    @Test func noTextShowsAToken() throws {
        let tokens: [Any] = [
            AccessToken("hunter2"), AccessToken(headerValue: "Bearer hunter2"),
            try AccessToken("hunter2", in: .query("key")).ready(for: Scoped<Authorized>()),
            IssuedToken(token: Secret("hunter2"), refreshToken: Secret("hunter2"), idToken: Secret("hunter2")),
            BearerToken("hunter2"),
            try Scoped<Authorized>().authorized(by: AccessToken("hunter2")),
        ]
        for token in tokens {
            var dumped = ""
            dump(token, to: &dumped)
            for text in ["\(token)", String(reflecting: token), dumped] {
                #expect(!text.contains("hunter2"), "\(text)")
            }
        }
        #expect("\(AccessToken("hunter2"))" == "AccessToken(‹redacted›, Bearer)")
        #expect("\(AccessToken(nil as String?, in: .header("X-Key")))" == "AccessToken(none, X-Key)")
    }
}
