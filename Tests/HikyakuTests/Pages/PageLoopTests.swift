import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Loops, and items that come twice.
@Suite(.timeLimit(.minutes(10))) struct PageLoopTests {
    /// A list of `tail` pages that leads into a loop of `loop` pages.
    private static func loop(_ loop: Int, after tail: Int) -> MockTransport {
        MockTransport { request in
            let page = request.url.query().flatMap { Int($0.dropFirst(7)) } ?? 0
            let next = page + 1 < tail + loop ? page + 1 : tail
            return EntryPage.json([page], next: "\(next)")
        }
    }

    private func pagesUntilLoop(_ transport: MockTransport, _ way: Paging<Entries>) async throws -> Int {
        var count = 0
        let pages = APIClient(transport: transport).bind(Entries(way)).pages().limited(toPages: 2000)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            for try await _ in pages { count += 1 }
        }
        #expect(error.reason == .pageLoop && error.context.pageCursor != nil && !error.isRetryable)
        return count
    }

    @Test(arguments: [(1, 1), (2, 1), (1, 5), (7, 300), (128, 1), (127, 400)])
    func aShortLoopEndsTheWalkBeforeAPageComesTwice(loop: Int, tail: Int) async throws {
        let transport = Self.loop(loop, after: tail)
        #expect(try await pagesUntilLoop(transport, .cursor(\.cursor, in: \.next)) == tail + loop)
        #expect(transport.requests.count == tail + loop)
    }

    @Test(arguments: [(129, 1), (200, 3), (300, 150)])
    func aLongLoopEndsTheWalkAfterAtMostTwoMoreRounds(loop: Int, tail: Int) async throws {
        let count = try await pagesUntilLoop(Self.loop(loop, after: tail), .cursor(\.cursor, in: \.next))
        #expect(count >= tail + loop && count <= 2 * max(tail, loop) + 2 * loop)
    }

    @Test func randomLoopsAreFound() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let (loop, tail) = (Int.random(in: 1...200, using: &random), Int.random(in: 1...200, using: &random))
            let count = try await pagesUntilLoop(Self.loop(loop, after: tail), .cursor(\.cursor, in: \.next))
            #expect(count >= tail + loop && count <= 2 * max(tail, loop) + 2 * loop, "\(loop) \(tail), seed \(seed)")
        }
    }

    @Test func aLinkBackToTheFirstPageIsALoop() async throws {
        let transport = MockTransport { request in
            var response = EntryPage.json([1])
            response.headers[.link] = request.url.query() == nil ? "<?p=2>; rel=next" : "<entries>; rel=next"
            return response
        }
        #expect(try await pagesUntilLoop(transport, .link) == 2)
    }

    @Test func aServiceThatIgnoresThePageNumberIsNoticed() async throws {
        let transport = MockTransport { _ in EntryPage.json([1, 2]) }
        #expect(try await pagesUntilLoop(transport, .number(\.page)) == 2)
        #expect(transport.requests.count == 3)
    }

    private func error(_ transport: MockTransport, _ way: Paging<Entries>) async throws -> APIError<ProblemDetails> {
        try await failure { () async throws(APIError<ProblemDetails>) in
            for try await _ in APIClient(transport: transport).bind(Entries(way)).pages() {}
        }
    }

    @Test func aLoopSaysWhichPageRepeatsAndWhatToWrite() async throws {
        let same = try await error(Self.loop(1, after: 1), .cursor(\.cursor, in: \.next))
        #expect(same.failureReason == "page 2 of this walk names itself as the next page")
        #expect("\(same)".hasPrefix("GET https://a.example/v1/entries?cursor=… (Entries, attempt 1, "), "\(same)")
        #expect(same.hint?.contains(#".cursor(\.cursor, in: \.nextCursor)"#) == true)
        let back = try await error(Self.loop(2, after: 1), .cursor(\.cursor, in: \.next))
        #expect(back.failureReason?.hasSuffix("page 3 of this walk names a next page that was read before") == true)
        let link = MockTransport { _ in
            var response = EntryPage.json([1])
            response.headers[.link] = "<entries>; rel=next"
            return response
        }
        let linked = try await error(link, .link)
        #expect(linked.failureReason?.hasSuffix("page 1 of this walk names itself as the next page") == true)
        #expect(linked.hint?.contains(".link(relation:)") == true)
        let ignored = try await error(MockTransport { _ in EntryPage.json([1, 2]) }, .number(\.page))
        #expect(ignored.failureReason == "page 3 of this walk (position 3) has the items of the 2 pages before it")
        #expect("\(ignored)".contains("/entries?page=… (Entries, attempt 1, "), "\(ignored)")
        #expect(ignored.hint?.contains("must be in the request's query") == true)
    }

    @Test func theSameItemsMayComeTwice() async throws {
        let transport = MockTransport()
        for ids in [[1, 2], [1, 2], [3], [3], [4, 5], []] { transport.enqueue(EntryPage.json(ids)) }
        var count = 0
        for try await _ in APIClient(transport: transport).bind(Entries(.number(\.page))).items() { count += 1 }
        #expect(count == 8)
    }

    @Test func itemsWithoutAnIdentityAreNotCompared() async throws {
        struct Numbers: PagedRequest {
            typealias Response = [Int]
            var page = 1
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/numbers" }
            var paging: Paging<Self> { .number(\.page) }
        }
        let transport = MockTransport()
        for _ in 0..<5 { transport.enqueue(.json("[0,0]")) }
        transport.enqueue(.json("[]"))
        var numbers: [Int] = []
        for try await number in APIClient(transport: transport).bind(Numbers()).items() { numbers.append(number) }
        #expect(numbers.count == 10)
        for answer in ["[1,2]", "[2,3]", "[]"] { transport.enqueue(.json(answer)) }
        let distinct = APIClient(transport: transport).bind(Numbers()).items().droppingRepeats(by: \.self)
        var few: [Int] = []
        for try await number in distinct { few.append(number) }
        #expect(few == [1, 2, 3])
    }

    private func shifted() -> PageSequence<Entries, APIError<ProblemDetails>> {
        let transport = MockTransport()
        for ids in [[1, 2, 2], [2, 3], [3, 1, 4], []] { transport.enqueue(EntryPage.json(ids)) }
        return APIClient(transport: transport).bind(Entries(.number(\.page))).pages()
    }

    private func ids(
        _ pages: PageSequence<Entries, APIError<ProblemDetails>>
    ) async throws -> (items: [[Int]], repeated: [[Int]]) {
        var (items, repeated): ([[Int]], [[Int]]) = ([], [])
        for try await page in pages {
            items.append(page.items.map(\.id))
            repeated.append(page.repeatedItems.map(\.id))
        }
        return (items, repeated)
    }

    @Test func repeatedItemsAreKeptDroppedOrReported() async throws {
        let kept = try await ids(shifted())
        #expect(kept.items == [[1, 2, 2], [2, 3], [3, 1, 4], []] && kept.repeated == [[], [], [], []])
        let dropped = try await ids(shifted().droppingRepeats())
        #expect(dropped.items == [[1, 2], [3], [4], []] && dropped.repeated == [[2], [2], [3, 1], []])
        let reported = try await ids(shifted().reportingRepeats())
        #expect(reported.items == kept.items && reported.repeated == dropped.repeated)
    }

    @Test func theOldestItemsAreForgotten() async throws {
        let dropped = try await ids(shifted().droppingRepeats(remembering: 2))
        #expect(dropped.items == [[1, 2], [3], [1, 4], []])
        let none = try await ids(shifted().droppingRepeats(remembering: -5))
        #expect(none.items == [[1, 2], [3], [1, 4], []])
    }
}
