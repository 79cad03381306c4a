import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct LinkedPage: Decodable, Sendable, ItemPage {
    let entries: [Entry]
    var next: URL?
    var pageItems: [Entry] { entries }
}

private struct Found: PagedRequest {
    typealias Response = EntryPage
    var page: Int?
    var offset: Int64?
    var way: Paging<Found>
    var environment: APIEnvironment { "https://a.example/v1" }
    var path: RequestPath { "/entries" }
    var query: RequestQuery { ["page": page, "offset": offset] }
    var paging: Paging<Found> { way }
}

private struct Linked: PagedRequest {
    typealias Response = LinkedPage
    var environment: APIEnvironment { "https://a.example/v1" }
    var path: RequestPath { "/entries" }
    var paging: Paging<Linked> { .link(in: \.next) }
}

/// Positions that the first request leaves out.
@Suite struct OptionalPagingTests {
    private let transport = MockTransport()

    private func queries<R: PagedRequest>(_ request: R) async throws -> [String?] where R.Access: OpenLevel {
        for try await _ in APIClient(transport: transport).bind(request).pages() {}
        return transport.requests.map { $0.url.query() }
    }

    @Test(arguments: [(1, "page=2"), (0, "page=1")])
    func aNumberStartsAtTheFirst(_ first: Int, _ second: String) async throws {
        transport.enqueue(EntryPage.json([1]))
        transport.enqueue(EntryPage.json([]))
        #expect(try await queries(Found(way: .number(\.page, from: first))) == [nil, second])
    }

    @Test func anOffsetGrowsByTheItems() async throws {
        transport.enqueue(EntryPage.json([1, 2]))
        transport.enqueue(EntryPage.json([3]))
        let paging = Paging<Found>.offset(\.offset) { _, response in response.value.entries.count < 2 }
        #expect(try await queries(Found(way: paging)) == [nil, "offset=2"])
    }

    @Test func aNumberThatIsTooLargeEndsTheList() async throws {
        transport.enqueue(EntryPage.json([1]))
        #expect(try await queries(Found(page: .max, way: .number(\.page))).count == 1)
    }

    @Test func aURLIsFollowed() async throws {
        transport.enqueue(.json(#"{"entries":[{"id":1}],"next":"/v1/entries?after=1"}"#))
        transport.enqueue(.json(#"{"entries":[{"id":2}]}"#))
        #expect(try await queries(Linked()) == [nil, "after=1"])
    }
}
