import Foundation
import Hikyaku
import HikyakuTesting
import Testing

struct Entry: Codable, Sendable, Identifiable, Equatable {
    let id: Int
}

/// A page with everything that a service may write into it.
struct EntryPage: Decodable, Sendable, ItemPage {
    let entries: [Entry]
    var next: String?

    var pageItems: [Entry] { entries }

    static func json(_ ids: some Sequence<Int>, next: String? = nil) -> HTTPResponse {
        let entries = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return .json(#"{"entries":[\#(entries)]\#(next.map { #","next":"\#($0)""# } ?? "")}"#)
    }
}

/// A request whose paging is given by the test.
struct Entries: PagedRequest {
    typealias Response = EntryPage
    var page = 1
    var offset = 0
    var cursor: String?
    var isPrivate = false
    var way: @Sendable () -> Paging<Entries>

    init(_ way: @autoclosure @escaping @Sendable () -> Paging<Entries>, isPrivate: Bool = false) {
        (self.way, self.isPrivate) = (way, isPrivate)
    }

    var environment: APIEnvironment { "https://a.example/v1" }
    var path: RequestPath { "/entries" }
    var query: RequestQuery {
        ["page": page == 1 ? nil : page, "offset": offset == 0 ? nil : offset, "cursor": cursor]
    }
    var paging: Paging<Entries> { way() }
    var requiresAuthorization: Bool { isPrivate }
}

/// The ways to the next page.
@Suite struct PagingTests {
    private let transport = MockTransport()

    private func walk(_ request: Entries) async throws -> (ids: [[Int]], queries: [String?]) {
        var ids: [[Int]] = []
        for try await page in APIClient(transport: transport).bind(request).pages() { ids.append(page.items.map(\.id)) }
        return (ids, transport.requests.map { $0.url.query(percentEncoded: true) })
    }

    @Test func aLinkFieldIsFollowed() async throws {
        var response = EntryPage.json([1, 2])
        response.headers[.link] = "<?token=a%2Cb>; rel=next, <?token=z>; rel=last"
        transport.enqueue(response)
        transport.enqueue(EntryPage.json([3]))
        let (ids, queries) = try await walk(Entries(.link))
        #expect(ids == [[1, 2], [3]] && queries == [nil, "token=a%2Cb"])
    }

    @Test func aLinkInTheBodyIsFollowed() async throws {
        transport.enqueue(EntryPage.json([1], next: "https://a.example/v1/entries?x=1"))
        transport.enqueue(EntryPage.json([2], next: "?x=2"))
        transport.enqueue(EntryPage.json([3], next: ""))
        let (ids, queries) = try await walk(Entries(.link(in: \.next)))
        #expect(ids == [[1], [2], [3]] && queries == [nil, "x=1", "x=2"])
    }

    @Test func aPageNumberGrowsUntilAPageIsEmpty() async throws {
        for ids in [[1, 2], [3], []] { transport.enqueue(EntryPage.json(ids)) }
        let (ids, queries) = try await walk(Entries(.number(\.page)))
        #expect(ids == [[1, 2], [3], []] && queries == [nil, "page=2", "page=3"])
    }

    @Test func theLastPageNumberMayBeKnown() async throws {
        for ids in [[1, 2], [3]] { transport.enqueue(EntryPage.json(ids)) }
        let (ids, _) = try await walk(Entries(.number(\.page) { _, response in response.value.entries.count < 2 }))
        #expect(ids == [[1, 2], [3]])
    }

    @Test func aPageNumberDoesNotOverflow() async throws {
        transport.enqueue(EntryPage.json([1]))
        var request = Entries(.number(\.page))
        request.page = .max
        #expect(try await walk(request).ids == [[1]])
    }

    @Test func anOffsetGrowsByTheItems() async throws {
        for ids in [[1, 2], [3], []] { transport.enqueue(EntryPage.json(ids)) }
        let (ids, queries) = try await walk(Entries(.offset(\.offset)))
        #expect(ids == [[1, 2], [3], []] && queries == [nil, "offset=2", "offset=3"])
    }

    @Test func aCursorIsPassedOn() async throws {
        transport.enqueue(EntryPage.json([1], next: "a/b c"))
        transport.enqueue(EntryPage.json([], next: "d"))
        transport.enqueue(EntryPage.json([2]))
        let (ids, queries) = try await walk(Entries(.cursor(\.cursor, in: \.next)))
        #expect(ids == [[1], [], [2]], "an empty page with a cursor is not the last one")
        #expect(queries == [nil, "cursor=a%2Fb%20c", "cursor=d"])
    }

    @Test func aCursorMayBeAnywhereInTheResponse() async throws {
        var first = EntryPage.json([1, 2])
        first.headers["X-Next"] = "n"
        transport.enqueue(first)
        transport.enqueue(EntryPage.json([3]))
        let (ids, queries) = try await walk(Entries(.cursor(\.cursor) { $0.headers["X-Next"] }))
        #expect(ids == [[1, 2], [3]] && queries == [nil, "cursor=n"])
    }

    @Test func anyPositionMayBeSet() async throws {
        for ids in [[1, 2], [3], []] { transport.enqueue(EntryPage.json(ids)) }
        let way = Paging<Entries>.custom { _, response in
            response.value.entries.last?.id
        } set: { request, id in
            request.cursor = "after-\(id)"
            request.page = 7
        }
        let (ids, queries) = try await walk(Entries(way))
        #expect(ids == [[1, 2], [3], []])
        #expect(queries == [nil, "page=7&cursor=after-2", "page=7&cursor=after-3"])
    }

    @Test func eachPageHasTheTokenOfItsRequest() async throws {
        for ids in [[1], []] { transport.enqueue(EntryPage.json(ids)) }
        let request = try Entries(.number(\.page), isPrivate: true).authorized(by: AccessToken("hunter2"))
        var pages = APIClient(transport: transport).bind(request).pages().makeAsyncIterator()
        while try await pages.next() != nil {}
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer hunter2", "Bearer hunter2"])
        #expect(transport.requests.last?.url.query() == "page=2")
    }

    @Test func aLinkToAnotherOriginGetsNoToken() async throws {
        var response = EntryPage.json([1])
        response.headers[.link] = "<https://b.example/>; rel=next"
        transport.enqueue(response)
        let request = try Entries(.link, isPrivate: true).authorized(by: AccessToken("hunter2"))
        var pages = APIClient(transport: transport).bind(request).pages().makeAsyncIterator()
        #expect(try await pages.next()?.items.count == 1)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await pages.next() }
        #expect(error.reason == .otherOrigin && transport.requests.count == 1)
    }

    @Test func arraysAndResponsePagesAreItemPages() {
        #expect([1, 2].pageItems == [1, 2])
        #expect(ResponsePage(items: [1, 2], info: "x").pageItems == [1, 2])
        #expect((LossyArray<Int>([1, 2])).pageItems == [1, 2])
    }
}
