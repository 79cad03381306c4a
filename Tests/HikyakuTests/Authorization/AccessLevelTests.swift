import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

private enum Admin: AccessLevel { typealias Includes = Authorized }
private enum Owner: AccessLevel { typealias Includes = Admin }
private enum Sibling: AccessLevel { typealias Includes = Authorized }

private struct Close<Level: AccessLevel>: APIRequest {
    typealias Definition = EmptyResponse
    typealias Access = Level
    var environment: APIEnvironment = .shop
    var path: RequestPath { "/close" }
    var requirement: Bool?
    var requiresAuthorization: Bool {
        requirement ?? (Level.self != Public.self && Level.self != AuthorizedIfPossible.self)
    }
}

/// Levels at run time: what the compiler knows of a client is the level of the credential that came last.
@Suite struct AccessLevelTests {
    private let transport = MockTransport { _ in HTTPResponse(status: 204) }
    private var authorizations: [String?] { transport.requests.map { $0.headers[.authorization] } }

    @Test func aCredentialIsSentForItsOwnLevelAndThoseBelow() async throws {
        let client = APIClient(transport: transport)
            .authorized(by: .bearer("shop"), for: .shop)
            .authorized(by: .bearer("admin"), for: "https://admin.example", as: Admin.self)
        try await client.send(Close<Admin>(environment: "https://admin.example"))
        try await client.send(Close<Authorized>(environment: "https://admin.example"))
        try await client.send(Close<Authorized>())
        #expect(authorizations == ["Bearer admin", "Bearer admin", "Bearer shop"])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Close<Admin>())
        }
        #expect(error.reason == .insufficientLevel)
        #expect(error.failureReason?.contains("has the level Authorized, and the request needs Admin") == true)
        #expect(transport.requests.count == 3)
    }

    @Test func aChainHasFourLevels() async throws {
        let owner = APIClient(transport: transport).authorized(by: .bearer("o"), for: .shop, as: Owner.self)
        try await owner.send(Close<Owner>())
        try await owner.send(Close<Admin>())
        try await owner.send(Close<Authorized>())
        try await owner.send(Close<Public>())
        try await owner.send(Close<AuthorizedIfPossible>())
        #expect(authorizations == ["Bearer o", "Bearer o", "Bearer o", nil, "Bearer o"])
    }

    @Test func aCredentialGoesAlongIfPossible() async throws {
        let provider = Lock<String?>("t")
        let client = APIClient(transport: transport)
        let authorized = client.authorized(by: AskedToken { provider.withLock(\.self) }, for: .shop)
        try await client.send(Close<AuthorizedIfPossible>())
        try await authorized.send(Close<AuthorizedIfPossible>())
        try await authorized.send(Close<AuthorizedIfPossible>(environment: "https://other.example"))
        provider.withLock { $0 = nil }
        try await authorized.send(Close<AuthorizedIfPossible>())
        provider.withLock { $0 = "" }
        try await authorized.send(Close<AuthorizedIfPossible>())
        #expect(authorizations == [nil, "Bearer t", nil, nil, nil])
    }

    @Test func aCredentialThatHasEndedIsNoneWhereItIsOptional() async throws {
        let ended = IssuedToken(token: Secret("t"), expiresAt: .distantPast)
        let session = RefreshingToken(store: MemoryTokenStore(ended)) { (old: IssuedToken) in old }
        let client = APIClient(transport: transport).authorized(by: session, for: .shop)
        try await client.send(Close<AuthorizedIfPossible>())
        #expect(authorizations == [nil])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Close<Authorized>())
        }
        #expect(error.reason == .expiredToken)
    }

    @Test func aFailedStoreHasASuggestion() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "token-\(UInt64.random(in: 0...UInt64.max))")
            .path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(), attributes: [.posixPermissions: 0o644]))
        let client = APIClient(transport: transport).authorized(
            by: .stored(in: FileTokenStore(path: path)),
            for: .shop,
        )
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Close<Authorized>())
        }
        #expect(error.reason == .tokenStore)
        #expect(error.failureReason?.contains("chmod 600") == true)
        #expect(error.context.underlyingError is StoreFileError)
    }

    @Test func aRequestMaySayAtRunTimeWhatItNeeds() async throws {
        let client = APIClient(transport: transport)
        let authorized = client.authorized(by: .bearer("t"), for: .shop)
        try await authorized.send(Close<Public>(requirement: true))
        try await authorized.send(Close<Authorized>(requirement: false))
        #expect(authorizations == ["Bearer t", nil])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Close<Public>(requirement: true))
        }
        #expect(error.reason == .missingToken && error.context.attempt == 0)
        #expect(transport.requests.count == 2)
    }
}
