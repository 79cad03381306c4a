import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

struct RefreshTests {
    private static let old = IssuedToken(
        token: Secret("a1"),
        refreshToken: Secret("r1"),
        expiresAt: Bench.now,
        scopes: ["read", "write"],
        idToken: Secret("i1"),
    )

    @Test
    func newRefreshTokenIsTaken() async throws {
        let bench = Bench(
            json: #"{"access_token":"a2","refresh_token":"r2","id_token":"i2","scope":"read","expires_in":9}"#
        )
        let token = try await bench.oauth.refresh(Self.old)
        #expect(
            token
                == IssuedToken(
                    token: Secret("a2"),
                    refreshToken: Secret("r2"),
                    expiresAt: Bench.now.addingTimeInterval(9),
                    scopes: ["read"],
                    idToken: Secret("i2"),
                )
        )
        #expect(try bench.forms == [["client_id=reader", "grant_type=refresh_token", "refresh_token=r1"]])
    }

    @Test
    func whatIsLeftOutIsKept() async throws {
        let token = try await Bench(json: #"{"access_token":"a2"}"#).oauth.refresh(Self.old)
        #expect(
            token
                == IssuedToken(
                    token: Secret("a2"),
                    refreshToken: Secret("r1"),
                    scopes: ["read", "write"],
                    idToken: Secret("i1"),
                )
        )
    }

    @Test
    func withoutRefreshTokenNothingIsSent() async throws {
        let bench = Bench()
        let reason = try await problem { try await bench.oauth.refresh(IssuedToken(token: Secret("a"))) }
        #expect(reason == .missingRefreshToken)
        #expect(bench.transport.requests.isEmpty)
    }

    @Test
    func theErrorIsThatOfTheServer() async throws {
        let bench = Bench(json: #"{"error":"invalid_grant"}"#, status: 400)
        #expect(try await code { try await bench.oauth.refresh(Self.old) } == .invalidGrant)
    }
}

struct RevocationTests {
    private static let both = IssuedToken(token: Secret("a1"), refreshToken: Secret("r1"))

    @Test
    func bothTokensAreRevoked() async throws {
        let bench = Bench(json: "", "")
        try await bench.oauth.revoke(Self.both)
        #expect(
            try bench.forms == [
                ["client_id=reader", "token=r1", "token_type_hint=refresh_token"],
                ["client_id=reader", "token=a1", "token_type_hint=access_token"],
            ]
        )
        #expect(
            bench.transport.requests.map(\.url.absoluteString)
                == [String](repeating: "https://auth.example/revoke", count: 2)
        )
    }

    @Test
    func tokenWithoutRefreshTokenIsRevokedAlone() async throws {
        let bench = Bench(json: "")
        try await bench.oauth.revoke(IssuedToken(token: Secret("a1")))
        #expect(bench.transport.requests.count == 1)
    }

    @Test
    func firstFailureIsThrownAndBothAreTried() async throws {
        let bench = Bench(json: #"{"error":"server_error"}"#, #"{"error":"invalid_client"}"#, status: 503)
        #expect(try await code { try await bench.oauth.revoke(Self.both) } == .serverError)
        #expect(bench.transport.requests.count == 2)
    }

    @Test
    func tokensThatEndByThemselvesMayBeLeft() async throws {
        let refusal = HTTPResponse.json(#"{"error":"unsupported_token_type"}"#, status: 400)
        let bench = Bench(answers: [.response(.json("")), .response(refusal), .response(refusal)])
        try await bench.oauth.revoke(Self.both)
        let error = try await code { try await bench.oauth.revoke(IssuedToken(token: Secret("a1"))) }
        #expect(error == .unsupportedTokenType)
    }

    @Test
    func serverWithoutTheEndpointRevokesNothing() async throws {
        let bench = Bench(OAuthServer(tokenEndpoint: "https://auth.example/token"))
        #expect(try await problem { try await bench.oauth.revoke(Self.both) } == .missingEndpoint)
        #expect(bench.transport.requests.isEmpty)
    }
}
