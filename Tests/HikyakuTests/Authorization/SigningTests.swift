import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct SigningTests {
    /// Signs with what it sees.
    private struct PathSigner: RequestSigner {
        func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
            request.headers.setSecret(
                "X-Signature",
                "\(request.method) \(request.url.path()) \(request.headers[.cookie] ?? "-")",
            )
        }
    }

    private struct Keyless: RequestSigner {
        func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
            throw TokenError.missing
        }
    }

    private struct Straying: RequestSigner {
        func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
            request.url = try #require(URL(string: "https://evil.example/"))
        }
    }

    private let transport = MockTransport { _ in HTTPResponse(status: 204) }
    private var signatures: [String?] { transport.requests.map { $0.headers["X-Signature"] } }

    @Test func requestsThatNeedAuthorizationAreSigned() async throws {
        let client = APIClient(transport: transport).authorized(by: PathSigner(), for: .shop)
        try await client.send(Shop.AddDish(dish: .sample))
        transport.enqueue(.json("[]"))
        _ = try await client.send(Shop.Dishes())
        #expect(signatures == ["POST /v1/dishes -", nil])
    }

    @Test func eachHopIsSignedAnewUntilOneLeadsAway() async throws {
        let client = APIClient(transport: transport).authorized(by: PathSigner(), for: .shop)
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "/v2/dishes"]))
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "https://other.example/dishes"]))
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "https://shop.example/v3/dishes"]))
        try await client.send(Shop.AddDish(dish: .sample))
        #expect(signatures == ["POST /v1/dishes -", "POST /v2/dishes -", nil, nil])
    }

    @Test func whatCannotBeSignedIsNotSent() async throws {
        for (signer, reason) in [(Keyless(), .missingToken), (Straying(), .otherOrigin)]
            as [(any RequestSigner, FailureReason)]
        {
            let error = try await failure { () async throws(APIError<ShopError>) in
                try await authorized(by: signer).send(Shop.AddDish(dish: .sample))
            }
            #expect(error.reason == reason)
        }
        #expect(transport.requests.isEmpty)
    }

    private func authorized(by signer: some RequestSigner) -> APIClient<Authorized> {
        APIClient(transport: transport).authorized(by: signer, for: .shop)
    }

    @Test func aRequestElsewhereIsRejectedAsWithAToken() async throws {
        let client = APIClient(transport: transport).authorized(by: PathSigner(), for: "https://other.example")
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .otherOrigin)
    }
}
