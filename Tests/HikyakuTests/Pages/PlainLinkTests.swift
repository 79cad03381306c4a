import Hikyaku
import HikyakuTesting
import Testing

/// Links of a service that doesn't know of the proxy which ends TLS before it.
struct PlainLinkTests {
    struct Page: Decodable, Sendable, ItemPage {
        let results: [Int]
        let next: String?
        var pageItems: [Int] { results }
    }

    private struct Items: PagedRequest {
        typealias Response = Page
        var environment: APIEnvironment
        var path: RequestPath { "/items" }
        var paging: Paging<Self> { .link(in: \.next) }
    }

    private func pages(next: String, upgrades: Bool, base: String = "https://a.example") async throws -> [String] {
        let transport = MockTransport()
        transport.enqueue(.response(.json(#"{"results":[1],"next":"\#(next)"}"#)))
        transport.enqueue(.response(.json(#"{"results":[2],"next":null}"#)))
        let environment = APIEnvironment(baseURL: base, upgradingLinks: upgrades)
        for try await _ in APIClient(transport: transport).bind(Items(environment: environment)).pages() {}
        return transport.requests.map(\.url.absoluteString)
    }

    @Test(arguments: [
        ("http://a.example/items?page=2", "https://a.example", "https://a.example/items?page=2"),
        ("http://a.example:80/items?page=2", "https://a.example", "https://a.example/items?page=2"),
        ("http://A.example/items?page=2", "https://a.example:8443", "https://a.example:8443/items?page=2"),
        ("http://a.example:8443/items?page=2", "https://a.example:8443", "https://a.example:8443/items?page=2"),
    ])
    func aLinkKeepsTheSchemeByChoice(_ next: String, _ base: String, _ url: String) async throws {
        #expect(try await pages(next: next, upgrades: true, base: base).last == url)
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await pages(next: next, upgrades: false, base: base)
        }
        #expect(error?.reason == .url)
        #expect(error?.hint?.contains("upgradingLinks: true") == true, "\(error?.hint ?? "")")
    }

    @Test(arguments: ["http://b.example/items?page=2", "http://a.example:81/items?page=2"])
    func anotherHostIsNotUpgraded(_ next: String) async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await pages(next: next, upgrades: true)
        }
        #expect(error?.reason == .url)
    }
}
