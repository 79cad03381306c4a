import Hikyaku
import HikyakuBroadcast
import HikyakuTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ObservedPagesTests {
    private struct Meals: PagedRequest {
        typealias Definition = PageResponse<ArrayResponse<Meal>, Count>
        var page = 1
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/meals" }
        var query: RequestQuery { ["page": page] }
        var paging: Paging<Self> { .number(\.page) { request, page in request.page * 2 >= page.value.info.total } }
    }

    private let answers = HeldAnswers()
    private let transport: MockTransport
    private let pages: ObservedPages<Meals>

    init() {
        transport = answers.transport
        pages = ObservedPages(
            APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)).bind(Meals())
        )
    }

    private static func page(_ ids: Int..., total: Int = 5) -> String {
        #"{"meals": [\#(ids.map { #"{"id": \#($0), "name": ""}"# }.joined(separator: ","))], "total": \#(total)}"#
    }

    private var queries: [String] { transport.requests.compactMap { $0.url.query() } }
    private var ids: [Int] { pages.items.map(\.id) }

    /// Does something that sends the request of that number, and answers it.
    private func answering(
        _ count: Int,
        _ body: String,
        status: HTTPStatus = .ok,
        _ work: @escaping () async -> Void,
    ) async {
        let task = Task { await work() }
        await answers.received(count)
        answers.answer(body, status: status)
        await task.value
    }

    @Test func pagesComeOneAfterTheOther() async {
        #expect(pages.hasMore && pages.items.isEmpty && !pages.isLoading)
        await answering(1, Self.page(1, 2)) { await pages.loadNext() }
        #expect(ids == [1, 2] && pages.hasMore)
        await answering(2, Self.page(3, 4)) { await pages.loadNext() }
        await answering(3, Self.page(5)) { await pages.loadNext() }
        #expect(ids == [1, 2, 3, 4, 5] && !pages.hasMore && !pages.isLoading)
        await pages.loadNext()
        await pages.load()
        #expect(queries == ["page=1", "page=2", "page=3"])
    }

    @Test func aPageIsLoadedOnce() async {
        let loads = (0..<3).map { _ in Task { await pages.loadNext() } } + [Task { await pages.load() }]
        await answers.received(1)
        #expect(pages.isLoading)
        answers.answer(Self.page(1, 2))
        for load in loads { await load.value }
        #expect(queries == ["page=1"])
        await pages.load()
        #expect(queries == ["page=1"])
    }

    @Test func aRefreshTakesThePlaceOfAllItems() async {
        await answering(1, Self.page(1, 2)) { await pages.load() }
        await answering(2, Self.page(3, 4)) { await pages.loadNext() }
        let refresh = Task { await pages.refresh() }
        await answers.received(3)
        #expect(ids == [1, 2, 3, 4] && pages.isLoading)
        answers.answer(Self.page(6, 7))
        await refresh.value
        #expect(ids == [6, 7])
        await answering(4, Self.page(8)) { await pages.loadNext() }
        #expect(ids == [6, 7, 8])
        #expect(queries == ["page=1", "page=2", "page=1", "page=2"])
    }

    @Test func aPageThatComesAfterARefreshIsDropped() async {
        await answering(1, Self.page(1, 2)) { await pages.load() }
        let next = Task { await pages.loadNext() }
        await answers.received(2)
        let refresh = Task { await pages.refresh() }
        await answers.received(3)
        answers.answer(Self.page(3, 4))
        await next.value
        #expect(ids == [1, 2] && pages.isLoading, "the refresh is under way")
        answers.answer(Self.page(6, 7))
        await refresh.value
        #expect(ids == [6, 7] && !pages.isLoading && pages.error == nil)
    }

    @Test func twoRefreshesAreOne() async {
        let refreshes = (0..<2).map { _ in Task { await pages.refresh() } } + [Task { await pages.loadNext() }]
        await answers.received(1)
        answers.answer(Self.page(1, 2))
        for refresh in refreshes { await refresh.value }
        #expect(queries == ["page=1"] && ids == [1, 2])
    }

    @Test func aSearchShowsNoPageOfAnEarlierText() async {
        var start = 1
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        let pages = ObservedPages { client.bind(Meals(page: start)) }
        let first = Task { await pages.refresh() }
        await answers.received(1)
        start = 2
        first.cancel()
        let second = Task { await pages.refresh() }
        await answers.received(2)
        #expect(!pages.isLoaded)
        answers.answer(Self.page(1))
        answers.answer(Self.page(3))
        for task in [first, second] { await task.value }
        #expect(pages.items.map(\.id) == [3] && pages.isLoaded && queries == ["page=1", "page=2"])
    }

    @Test func aPageThatFailsCanBeLoadedAgain() async {
        await answering(1, "", status: 500) { await pages.load() }
        #expect(pages.error?.phase == .unacceptableStatus && pages.hasMore)
        await answering(2, Self.page(1, 2)) { await pages.load() }
        #expect(pages.error == nil && ids == [1, 2])
        await answering(3, "", status: 500) { await pages.loadNext() }
        #expect(pages.error != nil && ids == [1, 2] && pages.hasMore)
        await answering(4, Self.page(3, 4)) { await pages.loadNext() }
        #expect(pages.error == nil && ids == [1, 2, 3, 4])
        #expect(queries == ["page=1", "page=1", "page=2", "page=2"])
    }

    @Test func aRefreshThatFailsLeavesTheItems() async {
        await answering(1, Self.page(1, 2)) { await pages.load() }
        await answering(2, "", status: 500) { await pages.refresh() }
        #expect(pages.error != nil && ids == [1, 2] && pages.hasMore)
        await answering(3, Self.page(3, 4)) { await pages.loadNext() }
        #expect(ids == [1, 2, 3, 4])
        #expect(queries == ["page=1", "page=1", "page=2"])
    }

    @Test func aCancellationIsNotAnError() async {
        await answering(1, Self.page(1, 2)) { await pages.load() }
        let next = Task { await pages.loadNext() }
        await answers.received(2)
        pages.cancel()
        await next.value
        #expect(!pages.isLoading && pages.error == nil && ids == [1, 2] && pages.hasMore)
        answers.answer(Self.page(9))
        await answering(3, Self.page(3, 4)) { await pages.loadNext() }
        #expect(ids == [1, 2, 3, 4])
    }

    @Test func arraysAreLoadedUntilOneIsEmpty() async {
        let client = APIClient(transport: transport)
        let dishes = ObservedPages(client.bind(Shop.Dishes()))
        await answering(1, #"[{"id": 1, "name": "Ramen"}]"#) { await dishes.loadNext() }
        await answering(2, "[]") { await dishes.loadNext() }
        #expect(dishes.items == [.sample] && !dishes.hasMore)
        await answering(3, "[]") { await dishes.refresh() }
        #expect(dishes.items.isEmpty && !dishes.hasMore)
    }

    @Test func itemsThatComeTwiceAreDropped() async {
        await answering(1, Self.page(1, 2)) { await pages.load() }
        await answering(2, Self.page(2, 3)) { await pages.loadNext() }
        await answering(3, Self.page(3, 1)) { await pages.loadNext() }
        #expect(ids == [1, 2, 3] && !pages.hasMore)
        await answering(4, Self.page(2, 3)) { await pages.refresh() }
        #expect(ids == [2, 3])
    }

    @Test func aLoopIsAnErrorAndKeepsTheItems() async {
        await answering(1, Self.page(1, 2, total: 99)) { await pages.load() }
        for number in 2...3 { await answering(number, Self.page(1, 2, total: 99)) { await pages.loadNext() } }
        #expect(pages.error?.reason == .pageLoop && ids == [1, 2] && pages.hasMore)
        await answering(4, Self.page(3, total: 1)) { await pages.loadNext() }
        #expect(pages.error == nil && ids == [1, 2, 3] && !pages.hasMore)
        #expect(queries == ["page=1", "page=2", "page=3", "page=3"])
    }

    @Test func changesAreObserved() async {
        let changes = (items: Changes(), hasMore: Changes())
        changes.items.track { _ = pages.items }
        changes.hasMore.track { _ = pages.hasMore }
        await answering(1, Self.page(1, total: 1)) { await pages.load() }
        #expect([changes.items.count, changes.hasMore.count] == [1, 1])
    }
}
