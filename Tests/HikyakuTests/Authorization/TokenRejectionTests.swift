import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Services that don't say 401 when they reject a token.
struct TokenRejectionTests {
    private struct Orders: APIRequest {
        typealias Definition = TextResponse
        typealias Access = Authorized
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/orders" }
    }

    static let rejections: [HTTPResponse] = [
        HTTPResponse(status: 419), HTTPResponse(status: 403, headers: ["X-Error": "token"]),
        HTTPResponse(status: 200, body: HTTPBody(#"{"error":"token_expired"}"#)),
        HTTPResponse(status: 400, body: HTTPBody(#"{"error":"token_expired"}"#)),
    ]

    @Test(arguments: rejections.indices) func aTokenIsRefreshedAsTheProviderSays(_ index: Int) async throws {
        let transport = MockTransport { request in
            request.headers[.authorization] == "Bearer old"
                ? Self.rejections[index] : HTTPResponse(status: 200, body: HTTPBody("fine"))
        }
        var options = RefreshOptions()
        options.isRejection = { response in
            response.status == 419 || response.headers["X-Error"] == "token"
                || String(decoding: response.body.bytes ?? Data(), as: UTF8.self).contains("token_expired")
        }
        let refreshes = Lock(0)
        let provider = RefreshingToken.issued(
            in: MemoryTokenStore(IssuedToken(token: Secret("old"))),
            options: options,
        ) { _ in
            refreshes.withLock { $0 += 1 }
            return IssuedToken(token: Secret("new"))
        }
        let client = APIClient(transport: transport).authorized(by: provider, for: "https://a.example")
        #expect(try await client.send(Orders()) == "fine")
        #expect(try await client.send(Orders()) == "fine")
        #expect(refreshes.withLock(\.self) == 1)
        // With several credentials, each provider is called.
        let both = APIClient(transport: transport)
            .authorized(by: .all(.apiKey("k", in: .header("X-Key")), provider), for: "https://a.example")
        #expect(try await both.send(Orders()) == "fine")
    }

    /// A 401 that is none is the response.
    @Test func theProviderMaySayLess() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 401) }
        var options = RefreshOptions()
        options.isRejection = { $0.status == 419 }
        let provider = RefreshingToken.issued(
            in: MemoryTokenStore(IssuedToken(token: Secret("old"))),
            options: options,
        ) { _ in
            Issue.record("nothing is refreshed")
            return IssuedToken(token: Secret("new"))
        }
        let client = APIClient(transport: transport).authorized(by: provider, for: "https://a.example")
        await #expect(throws: APIError<ProblemDetails>.self) { try await client.send(Orders()) }
        #expect(transport.requests.count == 1)
    }
}
