import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// A key in the query, and services that redirect with the query as it came.
@Suite struct QueryCredentialTests {
    private struct Guarded: APIRequest {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/guarded" }
        var query: RequestQuery { ["page": 2] }
    }

    private let transport = MockTransport { _ in HTTPResponse(status: 204) }

    private func urls(
        _ locations: [String],
        key: String = "hunter2-key",
        item: String = "key",
    ) async throws -> [String] {
        for location in locations { transport.enqueue(HTTPResponse(status: 307, headers: [.location: location])) }
        let client = APIClient(transport: transport).authorized(by: .apiKey(key, in: .query(item)), for: .shop)
        try await client.send(Guarded())
        return transport.requests.map(\.url.absoluteString)
    }

    @Test(arguments: [
        "https://evil.example/v1/guarded?page=2&key=hunter2-key",
        "https://evil.example/v1/guarded?key=hunter2-key&page=2",
        "https://evil.example/v1/guarded?page=2&k%65y=hunter2%2Dkey",
        "https://evil.example/v1/guarded?page=2&other=x%68unter2-key",
        "https://evil.example/v1/guarded?page=2&key=anything",
    ])
    func theKeyIsTakenOutOfARedirectElsewhere(location: String) async throws {
        #expect(
            try await urls([location]) == [
                "https://shop.example/v1/guarded?page=2&key=hunter2-key", "https://evil.example/v1/guarded?page=2",
            ]
        )
    }

    @Test func aShortKeyIsFoundByItsItem() async throws {
        let urls = try await urls(["https://evil.example/?key=k&page=k", "https://evil.example/?KEY=k"], key: "k")
        #expect(urls.dropFirst() == ["https://evil.example/?page=k", "https://evil.example/?KEY=k"])
    }

    private static func encoded(_ text: String, times: Int = 1) -> String {
        (0..<times).reduce(text) { text, _ in
            text.utf8.map { byte in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
    }

    /// As of a sign-in page, which receives the URL to return to.
    @Test(arguments: ["hunter2-key", "aHVudGVyMg+/Zg==", "hunter2 key%2B", "k", "é+ü"], 1...4)
    func aURLInsideTheQueryIsLookedInto(key: String, times: Int) async throws {
        let home = "https://shop.example/v1/guarded?page=2&key=\(Self.encoded(key))"
        let location = "https://login.example/?next=\(Self.encoded(home, times: times))&x=1"
        #expect(try await urls([location], key: key).last == "https://login.example/?x=1")
    }

    @Test(arguments: [
        "aHVudGVyMg+/Zg%3D%3D", "aHVudGVyMg%20/Zg%3d%3D", "aHVudGVyMg%252B%2FZg==", "x%26t%3DaHVudGVyMg+%252FZg==x",
    ])
    func aKeyIsFoundHoweverItsPlusIsWritten(text: String) async throws {
        let urls = try await urls(["https://login.example/?t=\(text)&x=1"], key: "aHVudGVyMg+/Zg==")
        #expect(urls.last == "https://login.example/?x=1")
    }

    @Test(arguments: [
        "https://login.example/https%3A%2F%2Fshop.example%2F%3Fkey%3Dk",
        "https://login.example/a;key=k/b%2526key%253Dk",
    ])
    func aPathWithTheItemInAURLIsNotFollowed(location: String) async throws {
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await urls([location], key: "k") }
        #expect(error.reason == .otherOrigin)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: ["https://evil.example/key=k?monkey=k&a=key", "https://evil.example/?next=%2Fmonkey%3Dk"])
    func whatOnlyLooksLikeTheItemStays(location: String) async throws {
        #expect(try await urls([location], key: "k").last == location)
    }

    /// Its own key in the query, below the credential of a client or of another proxy.
    private struct Needing<Base: APIRequest>: RequestProxy {
        typealias Access = Authorized
        var request: Base
    }

    @Test func severalCredentialsOfARequestAllStayBehind() async throws {
        let keeping = HTTPResponse(
            status: 307,
            headers: [.location: "https://evil.example/?page=2&api_key=hunter2-key&t=hunter2-bearer"],
        )
        let own = try Guarded().authorized(by: AccessToken("hunter2-key", in: .query("api_key")))
        transport.enqueue(keeping)
        let client = APIClient(transport: transport)
        try await client.authorized(by: .bearer("hunter2-bearer"), for: .shop).send(Needing(request: own))
        transport.enqueue(keeping)
        try await client.send(own.authorized(by: try AccessToken("hunter2-bearer").ready(for: Guarded())))
        let sent = transport.requests
        #expect(
            sent.map(\.url.absoluteString).filter { $0.hasPrefix("https://evil") }
                == Array(repeating: "https://evil.example/?page=2", count: 2)
        )
        #expect(
            sent.filter { $0.url.host() == "shop.example" }.allSatisfy {
                $0.headers[.authorization] == "Bearer hunter2-bearer"
                    && $0.url.query()?.contains("api_key=hunter2-key") == true
            }
        )
    }

    @Test func observersOfARedirectDoNotReceiveTheKey() async throws {
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "/moved?key=hunter2-key&x=1"]))
        transport.enqueue(HTTPResponse(status: 307, headers: [.location: "https://evil.example/?key=hunter2-key&x=2"]))
        let hops = Lock<[RedirectHop]>([])
        let policy = RedirectPolicy.ask { hop in
            hops.withLock { $0.append(hop) }
            return .follow
        }
        let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: policy))
            .authorized(by: .apiKey("hunter2-key", in: .query("key")), for: .shop)
        let response = try await client.bind(Guarded()).response()
        #expect(
            response.redirects.map(\.from.absoluteString) == [
                "https://shop.example/v1/guarded?page=2", "https://shop.example/moved?x=1",
            ]
        )
        #expect(
            response.redirects.map(\.to.absoluteString) == [
                "https://shop.example/moved?x=1", "https://evil.example/?x=2",
            ]
        )
        #expect(hops.withLock(\.self) == response.redirects)
        #expect(transport.requests[1].url.absoluteString == "https://shop.example/moved?key=hunter2-key&x=1")
    }

    @Test func comingBackWithoutTheKeyIsNotALoop() async throws {
        let urls = try await urls(["https://other.example/", "https://shop.example/v1/guarded?page=2"])
        #expect(urls.count == 3)
    }

    @Test func theKeyStaysAtHomeAndDoesNotComeBack() async throws {
        let urls = try await urls([
            "https://shop.example/moved?key=hunter2-key", "https://evil.example/?key=hunter2-key",
            "https://shop.example/back?key=hunter2-key&x=1",
        ])
        #expect(
            urls.dropFirst() == [
                "https://shop.example/moved?key=hunter2-key", "https://evil.example/", "https://shop.example/back?x=1",
            ]
        )
    }

    @Test(arguments: ["https://evil.example/hunter2-key", "https://evil.example/a%2Fhunter2%2dkey?x=1"])
    func aPathWithTheKeyIsNotFollowed(location: String) async throws {
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await urls([location]) }
        #expect(error.reason == .otherOrigin)
        #expect(error.failureReason?.contains("hunter2") == false)
        #expect(transport.requests.count == 1)
    }

    @Test func aTokenOfAFieldIsTakenOutToo() async throws {
        transport.enqueue(
            HTTPResponse(status: 302, headers: [.location: "https://evil.example/?access_token=hunter2-key&x=1"])
        )
        try await APIClient(transport: transport).authorized(by: .bearer("hunter2-key"), for: .shop).send(Guarded())
        #expect(transport.requests.last?.url.absoluteString == "https://evil.example/?x=1")
    }
}
