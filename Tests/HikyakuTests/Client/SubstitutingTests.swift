import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Pointing an authorized client at another server.
@Suite struct SubstitutingTests {
    private let transport = MockTransport { _ in HTTPResponse(status: 204) }
    private let server = APIEnvironment(baseURL: "http://127.0.0.1:8080")
    private let request = Shop.AddDish(dish: .sample)

    private struct Named: TokenProvider {
        let environments = Lock<[String]>([])
        let signOuts = Lock(0)
        func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
            environments.withLock { $0.append(environment.baseURL) }
            return AccessToken("t0ken")
        }
        func signOut() async throws { signOuts.withLock { $0 += 1 } }
    }

    private func authorizations(_ client: APIClient<Authorized>) async throws -> [String?] {
        try await client.send(request)
        return transport.requests.map { "\($0.url.host() ?? "") \($0.headers[.authorization] ?? "none")" }
    }

    @Test func aCredentialGoesAlongInOneStep() async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
            .substituting(server, for: .shop, sendingCredentials: true)
        #expect(try await authorizations(client) == ["127.0.0.1 Bearer t0ken"])
    }

    @Test func theOrderDoesNotMatter() async throws {
        let client = APIClient(transport: transport).substituting(server, for: .shop, sendingCredentials: true)
            .authorized(by: .bearer("t0ken"), for: .shop)
        #expect(try await authorizations(client) == ["127.0.0.1 Bearer t0ken"])
    }

    /// An environment that is written in another way must not send a test's requests to production.
    @Test func theHostsCaseAndTheDefaultPortDoNotMatter() async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
            .substituting(server, for: "https://SHOP.example:443/v1", sendingCredentials: true)
        #expect(try await authorizations(client) == ["127.0.0.1 Bearer t0ken"])
    }

    @Test func byDefaultNoCredentialGoesAlong() async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
            .substituting(server, for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(request) }
        #expect(error.reason == .otherOrigin && error.hint?.contains("sendingCredentials") == true)
        #expect(transport.requests.isEmpty)
        let off = client.substituting(server, for: .shop, sendingCredentials: true).substituting(
            "https://b.example",
            for: .shop,
        )
        let other = try await failure { () async throws(APIError<ShopError>) in try await off.send(request) }
        #expect(other.reason == .otherOrigin)
    }

    @Test func plainTextToAnotherMachineStaysForbidden() async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
            .substituting("http://staging.example", for: .shop, sendingCredentials: true)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(request) }
        #expect(error.reason == .insecureOrigin)
    }

    /// Its store may be keyed by the environment.
    @Test func theProviderIsCalledForItsOwnEnvironmentAndSignedOutOnce() async throws {
        let provider = Named()
        let client = APIClient(transport: transport).authorized(by: provider, for: .shop)
            .substituting(server, for: .shop, sendingCredentials: true)
        try await client.send(request)
        #expect(provider.environments.withLock(\.self) == ["https://shop.example/v1"])
        try await client.signOut()
        #expect(provider.signOuts.withLock { $0 == 1 })
        try await client.signOut(of: .shop)
        #expect(provider.signOuts.withLock { $0 == 2 })
    }

    private struct Bank: APIRequest {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var environment: APIEnvironment { "https://bank.example" }
        var path: RequestPath { "/p" }
    }

    @Test func twoServicesOnOneServerHaveTheirOwnCredentials() async throws {
        let both = APIClient(transport: transport).authorized(by: .bearer("sh0p"), for: .shop)
            .authorized(by: .bearer("b4nk"), for: "https://bank.example")
            .substituting(server, for: .shop, sendingCredentials: true)
            .substituting(server, for: "https://bank.example", sendingCredentials: true)
        try await both.send(request)
        try await both.send(Bank())
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer sh0p", "Bearer b4nk"])
        let one = both.substituting(server, for: "https://bank.example")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await one.send(Bank()) }
        #expect(error.reason == .otherOrigin && transport.requests.count == 2)
    }

    @Test func anExplicitCredentialOfTheSubstituteHasPriority() async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
            .authorized(by: .bearer("expl1cit"), for: server)
            .substituting(server, for: .shop, sendingCredentials: true)
        #expect(try await authorizations(client) == ["127.0.0.1 Bearer expl1cit"])
    }

    @Test func signingOutReachesTheCurrentProvider() async throws {
        let (old, new) = (Named(), Named())
        for _ in 0..<20 {
            let client = APIClient(transport: transport).authorized(by: old, for: .shop)
                .substituting(server, for: .shop, sendingCredentials: true)
                .substituting("http://127.0.0.1:9090", for: .shop, sendingCredentials: true)
                .authorized(by: new, for: .shop)
            try await client.signOut()
        }
        #expect(new.signOuts.withLock { $0 } == 20 && old.signOuts.withLock { $0 } == 0)
    }

    /// A mistyped base URL would send the test's requests, with the real token, to production.
    @Test func aRequestThatTheSubstitutionMissesIsNotSent() async throws {
        let authorized = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
        let client = authorized.substituting(server, for: "https://shop.example", sendingCredentials: true)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(request) }
        #expect(error.reason == .substitution && transport.requests.isEmpty)
        #expect(
            error.description.contains("https://shop.example/v1 has no substitute, but https://shop.example has one")
        )
        let found = try await failure { () async throws(APIError<ShopError>) in _ = try await client.explain(request) }
        #expect(found.reason == .substitution)
        // A typo in the host is found if a credential is to go along, and a malformed base URL always.
        for typo: APIEnvironment in ["https://shop.exmaple/v1", "http://shop.example/v1", "shop.example/v1"] {
            let missed = authorized.substituting(server, for: typo, sendingCredentials: true)
            let error = try await failure { () async throws(APIError<ShopError>) in try await missed.send(request) }
            #expect(error.reason == .substitution && transport.requests.isEmpty, "\(typo)")
        }
        let open = APIClient(transport: transport).substituting(server, for: "shop.example/v1")
        let malformed = try await failure { () async throws(APIError<ShopError>) in try await open.send(Shop.Dishes()) }
        #expect(malformed.reason == .substitution && transport.requests.isEmpty)
        // What a stub answers is not sent, and an environment that is substituted by itself is meant.
        let stubbed = client.stubbing(Shop.AddDish.self) { _ in }
        try await stubbed.send(request)
        #expect(try await stubbed.curlCommand(for: request).contains("https://shop.example/v1/dishes"))
        #expect(transport.requests.isEmpty)
        #expect(try await authorizations(client.substituting(.shop, for: .shop)) == ["shop.example Bearer t0ken"])
    }

    @Test func anotherOriginGetsNothing() async throws {
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: .shop)
            .substituting(server, for: .shop, sendingCredentials: true)
        struct Elsewhere: APIRequest {
            typealias Definition = EmptyResponse
            typealias Access = Authorized
            var environment: APIEnvironment { "https://other.example" }
            var path: RequestPath { "/p" }
        }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Elsewhere())
        }
        #expect(error.reason == .otherOrigin && transport.requests.isEmpty)
    }
}
