import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@Suite struct EnvironmentTests {
    private static let mock = APIEnvironment.stubbed(headers: ["X-Mock": "1"]) { request in
        switch request.url.path() {
        case "/dishes": .json(#"[{"id": 1, "name": "Ramen"}]"#, headers: ["X-Seen": request.headers["X-Mock"] ?? ""])
        case "/old": HTTPResponse(status: 302, headers: ["Location": "https://elsewhere.example/dishes"])
        case "/broken": throw TransportError(.connectionReset, "as the script says")
        default: .json(#"{"message": "no such thing"}"#, status: .notFound)
        }
    }

    /// Nothing may reach it.
    private let network = MockTransport()

    private struct At: APIRequest {
        typealias Definition = RawResponse
        typealias Failure = ShopError
        var environment: APIEnvironment
        var path: RequestPath
    }

    private var client: APIClient<Public> { APIClient(transport: network) }

    @Test func anEnvironmentAnswersForItself() async throws {
        let response = try await client.bind(At(environment: Self.mock, path: "/dishes")).response()
        #expect(response.headers["X-Seen"] == "1")
        #expect(network.requests.isEmpty)
    }

    @Test func oneValuePutsAProgramOffTheNetwork() async throws {
        let client = client.substituting(Self.mock, for: .shop)
        #expect(try await client.send(Shop.Dishes()) == [.sample])
        #expect(network.requests.isEmpty)
    }

    @Test func statusesAndErrorsAreThoseOfAService() async throws {
        let notFound = try await failure { [client] () async throws(APIError<ShopError>) in
            try await client.send(At(environment: Self.mock, path: "/none"))
        }
        #expect(notFound.service(as: ShopError.self) == ShopError(message: "no such thing"))
        let broken = try await failure { [client] () async throws(APIError<ShopError>) in
            try await client.send(At(environment: Self.mock, path: "/broken"))
        }
        #expect(broken.reason == .connectionReset)
    }

    /// The URL itself is not shown: it may contain a secret.
    @Test(arguments: [
        ("shop.example/v1", "does not begin with http:// or https://: write the scheme, too"),
        ("localhost:8080", "does not begin with http:// or https://: write the scheme, too"),
        ("https:/shop.example", "lacks one or both slashes after https: write https://"),
        ("HTTP:shop.example", "lacks one or both slashes after http: write http://"),
        ("https", "does not begin with http:// or https://: write the scheme, too"),
        ("ftp://shop.example", "does not begin with http:// or https://"), ("https:///v1", "has no host"),
        (
            "https://shop.example?key=hunter2",
            "contains a query: leave it out, and put its items into the query of the requests",
        ),
        ("https://shop.example/#hunter2", "contains a fragment, which is never sent: leave it out"),
        (#"https://shop.example\v1"#, "contains a backslash: separate the parts of the path with slashes"),
        ("https://.example", "has a malformed host"), ("https://shop..example", "has a malformed host"),
        ("https://.:443", "has a malformed host"), ("https://[shop]", "has a malformed host"),
        ("https://a:hunter2@shop.example", "contains credentials: authorize the client instead"),
    ])
    func aMalformedBaseURLSaysWhatIsWrong(text: String, words: String) async throws {
        let error = try await failure { [client] () async throws(APIError<ShopError>) in
            try await client.send(At(environment: APIEnvironment(baseURL: text), path: "/dishes"))
        }
        #expect(error.reason == .baseURL && error.failureReason == "base URL \(words)")
        #expect(error.hint == "Write the environment's base URL as https://host/path.")
        #expect(!"\(error)".contains("hunter2"))
    }

    @Test func aRedirectStaysOffTheNetworkToo() async throws {
        let response = try await client.bind(At(environment: Self.mock, path: "/old")).response()
        #expect(response.redirects.count == 1)
        #expect(network.requests.isEmpty)
    }

    @Test func theSameBaseURLKeepsItsCredential() async throws {
        let seen = Lock<[String?]>([])
        let stubbed = APIEnvironment.shop.stubbed { request in
            seen.withLock { $0.append(request.headers[.authorization]) }
            #expect(request.headers["X-Shop"] == "main")
            return HTTPResponse(status: .noContent)
        }
        #expect(stubbed.baseURL == APIEnvironment.shop.baseURL)
        let client = client.substituting(stubbed, for: .shop).authorized(by: .bearer("t0ken"), for: .shop)
        try await client.send(Shop.AddDish(dish: .sample))
        #expect(seen.withLock(\.self) == ["Bearer t0ken"])
    }

    @Test func theBodyHasItsLimit() async throws {
        let large = APIEnvironment.stubbed { _ in HTTPResponse(status: .ok, body: HTTPBody(Data(count: 1_000))) }
        let client = APIClient(options: ClientOptions(bodyBytesMax: 999))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(At(environment: large, path: "/"))
        }
        #expect(error.reason == .bodyTooLarge)
    }

    @Test func anEnvironmentMayBringAnyTransport() async throws {
        let own = MockTransport { _ in .json("[]") }
        let environment = APIEnvironment(baseURL: "https://own.example", transport: own)
        _ = try await client.send(At(environment: environment, path: "/a"))
        #expect(own.requests.map(\.url.absoluteString) == ["https://own.example/a"])
        #expect(network.requests.isEmpty)
    }

    @Test func environmentsOfTwoTransportsAreNotEqual() {
        let (first, second) = (APIEnvironment.stubbed { _ in .json("1") }, APIEnvironment.stubbed { _ in .json("1") })
        #expect(first != second)
        #expect(first == first)
        #expect(Set([first, second, first]).count == 2)
        #expect(first != APIEnvironment(baseURL: first.baseURL))
    }
}
