import Foundation
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A body that isn't there is the `nil` of an optional response (RFC 9110, section 15.3.5).
@Suite struct EmptyOptionalTests {
    private struct Track: Decodable, Sendable, Equatable { var title: String }

    private struct Playing<Value: Decodable & Sendable>: APIRequest {
        typealias Response = Value?
        var environment: APIEnvironment { "https://music.example" }
        var path: RequestPath { "/playing" }
    }

    private struct Wrapped: APIRequest {
        typealias Definition = SingleResponse<Track?>
        var environment: APIEnvironment { "https://music.example" }
        var path: RequestPath { "/playing" }
    }

    private enum Item: ResponseKey { static let path = "item" }

    private struct Keyed: APIRequest {
        typealias Definition = KeyedResponse<Item, SingleResponse<Track?>>
        var environment: APIEnvironment { "https://music.example" }
        var path: RequestPath { "/playing" }
    }

    private struct Head: APIRequest {
        typealias Response = Track?
        var environment: APIEnvironment { "https://music.example" }
        var method: HTTPMethod { .head }
        var path: RequestPath { "/playing" }
    }

    private static let empty: [HTTPResponse] = [
        HTTPResponse(status: 204), HTTPResponse(status: 205), HTTPResponse(status: .ok),
        HTTPResponse(status: .ok, headers: ["Content-Type": "application/json", "Content-Length": "0"]),
        HTTPResponse(status: 201, headers: ["Content-Type": "application/json"], body: HTTPBody(" \r\n\t")),
    ]

    @Test(arguments: empty.indices) func anEmptyBodyIsNil(_ index: Int) async throws {
        let client = APIClient(transport: MockTransport { _ in Self.empty[index] })
        #expect(try await client.send(Playing<Track>()) == nil)
        #expect(try await client.send(Playing<[Track]>()) == nil)
        #expect(try await client.send(Playing<String>()) == nil)
        #expect(try await client.send(Wrapped()) == nil)
        #expect(try await client.send(Keyed()) == nil)
        #expect(try await client.send(Head()) == nil)
    }

    @Test func aBodyIsStillRead() async throws {
        let client = APIClient(transport: MockTransport { _ in .json(#" {"title": "Soba"}"#) })
        #expect(try await client.send(Playing<Track>()) == Track(title: "Soba"))
        let none = APIClient(transport: MockTransport { _ in .json("null") })
        #expect(try await none.send(Playing<Track>()) == nil)
        let other = APIClient(transport: MockTransport { _ in .json("[]") })
        await #expect(throws: APIError<ProblemDetails>.self) { try await other.send(Playing<Track>()) }
    }

    @Test func aTypeThatIsNotOptionalSaysWhatCanBeDone() async throws {
        struct Always: APIRequest {
            typealias Response = Track
            var environment: APIEnvironment { "https://music.example" }
            var path: RequestPath { "/playing" }
        }
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: 204) })
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Always()) }
        #expect(error.reason == .emptyBody)
        #expect(error.hint?.hasPrefix("Make the Response optional") == true)
    }
}
