import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Walking through a list.
@Suite(.timeLimit(.minutes(10))) struct PageSequenceTests {
    /// Answers with page after page, whose two items have the page's number.
    private static func numbered(last: Int = .max) -> MockTransport {
        MockTransport { request in
            let page = request.url.query().flatMap { Int($0.dropFirst(5)) } ?? 1
            return EntryPage.json(page > last ? [] : [page * 2 - 1, page * 2])
        }
    }

    private func client(_ transport: MockTransport) -> APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    @Test func nothingIsSentBeforeThePageIsRead() async throws {
        let transport = Self.numbered(last: 2)
        let pages = client(transport).bind(Entries(.number(\.page))).pages().prefetching(3)
        var iterator = pages.makeAsyncIterator()
        await yieldRepeatedly(1000)
        #expect(transport.requests.isEmpty)
        let first = try #require(try await iterator.next())
        #expect(first.number == 1 && first.cursor == nil && first.next != nil && "\(first)" == "page 1, 2 items")
        let second = try #require(try await iterator.next())
        #expect(second.number == 2 && second.cursor == first.next && second.response.value.entries.count == 2)
        #expect(try await iterator.next()?.next == nil)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 3)
    }

    @Test func itemsAreThoseOfAllPages() async throws {
        let transport = Self.numbered(last: 3)
        var ids: [Int] = []
        for try await item in client(transport).bind(Entries(.number(\.page))).items() { ids.append(item.id) }
        #expect(ids == [1, 2, 3, 4, 5, 6])
        var few: [Int] = []
        for try await item in client(transport).bind(Entries(.number(\.page))).items().prefix(2) { few.append(item.id) }
        #expect(few == [1, 2] && transport.requests.count == 5)
    }

    @Test func aWalkContinuesFromASavedCursor() async throws {
        let transport = Self.numbered(last: 3)
        let pages = client(transport).bind(Entries(.number(\.page))).pages()
        var iterator = pages.makeAsyncIterator()
        let saved = try JSONEncoder().encode(try #require(try await iterator.next()?.next))
        #expect(String(decoding: saved, as: UTF8.self) == #"{"value":"2"}"#)
        let cursor = try JSONDecoder().decode(PageCursor.self, from: saved)
        var ids: [Int] = []
        for try await item in client(transport).bind(Entries(.number(\.page))).items(from: cursor) {
            ids.append(item.id)
        }
        #expect(ids == [3, 4, 5, 6])
    }

    @Test func anErrorEndsTheWalkAndSaysWhereToContinue() async throws {
        let transport = MockTransport()
        transport.enqueue(EntryPage.json([1]))
        transport.enqueue(HTTPResponse(status: 500))
        let request = Entries(.number(\.page))
        var iterator = client(transport).bind(request).pages().makeAsyncIterator()
        #expect(try await iterator.next()?.items.count == 1)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await iterator.next() }
        #expect(error.phase == .unacceptableStatus)
        #expect(try await iterator.next() == nil)
        transport.enqueue(EntryPage.json([2]))
        let cursor = try #require(error.context.pageCursor)
        var again = client(transport).bind(request).pages(from: cursor).makeAsyncIterator()
        #expect(try await again.next()?.items == [Entry(id: 2)])
        #expect(transport.requests.last?.url.query() == "page=2")
    }

    /// The page that a value names may be one past the last; a link is the service's own.
    @Test(arguments: [404, 410] as [HTTPStatus])
    func aMissingPageNamesWhatThePagingCanSay(_ status: HTTPStatus) async throws {
        for isLink in [false, true] {
            let transport = MockTransport()
            var first = EntryPage.json([1])
            first.headers["Link"] = "</next>; rel=next"
            transport.enqueue(first)
            transport.enqueue(HTTPResponse(status: status))
            let request = isLink ? Entries(.link) : Entries(.number(\.page))
            var iterator = client(transport).bind(request).pages().makeAsyncIterator()
            let error = await #expect(throws: APIError<ProblemDetails>.self) {
                while try await iterator.next() != nil {}
            }
            #expect(error?.response?.status == status)
            #expect((error?.hint?.contains("which page is the last") == true) == !isLink, "\(error?.hint ?? "")")
        }
    }

    @Test func theErrorOfTheFirstPageHasNoCursor() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 500) }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            var iterator = client(transport).bind(Entries(.link)).pages().makeAsyncIterator()
            return try await iterator.next()
        }
        #expect(error.context.pageCursor == nil && error.context.explanation != nil)
    }

    @Test func eachPageIsACallWithItsRetries() async throws {
        let transport = MockTransport()
        for _ in 0..<2 {
            transport.enqueue(HTTPResponse(status: 503))
            transport.enqueue(EntryPage.json([1]))
        }
        transport.enqueue(EntryPage.json([]))
        let options = ClientOptions(retryPolicy: RetryPolicy(attemptsMax: 2, delay: .zero, budget: nil))
        var count = 0
        for try await _ in APIClient(transport: transport, options: options).bind(Entries(.number(\.page))).items() {
            count += 1
        }
        #expect(count == 2 && transport.requests.count == 5)
    }

    @Test func tooManyPagesAreAnError() async throws {
        let transport = Self.numbered()
        var count = 0
        let pages = client(transport).bind(Entries(.number(\.page))).pages().limited(toPages: 3).prefetching(9)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            for try await _ in pages { count += 1 }
        }
        #expect(error.reason == .tooManyPages && error.phase == .limit && !error.isRetryable)
        #expect(count == 3 && transport.requests.count == 3)
        #expect(error.context.pageCursor != nil && error.hint?.contains("pageCursor") == true)
    }

    @Test func cursorsOfAnotherRequestAreRejected() async throws {
        let transport = Self.numbered()
        func reason(_ cursor: String, _ way: Paging<Entries>) async throws -> FailureReason {
            let cursor = try JSONDecoder().decode(PageCursor.self, from: Data(cursor.utf8))
            return try await failure { () async throws(APIError<ProblemDetails>) in
                var iterator = client(transport).bind(Entries(way)).pages(from: cursor).makeAsyncIterator()
                return try await iterator.next()
            }.reason
        }
        #expect(try await reason(#"{"value":"x"}"#, .number(\.page)) == .pageCursor)
        #expect(try await reason(#"{"value":"2"}"#, .link) == .pageCursor)
        #expect(try await reason(#"{"link":"https://a.example/"}"#, .number(\.page)) == .pageCursor)
        #expect(try await reason(#"{"link":"file:///etc/passwd"}"#, .link) == .url)
        #expect(try await reason(#"{"link":"https://me:pw@a.example/"}"#, .link) == .url)
        #expect(transport.requests.isEmpty)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PageCursor.self, from: Data("{}".utf8)) }
        let long = #"{"value":"\#(String(repeating: "x", count: PageCursor.bytesMax + 1))"}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PageCursor.self, from: Data(long.utf8)) }
    }

    @Test func aCursorThatIsTooLongIsAnError() async throws {
        let transport = MockTransport { _ in EntryPage.json([1], next: String(repeating: "x", count: 20_000)) }
        var iterator = client(transport).bind(Entries(.cursor(\.cursor, in: \.next))).pages().makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await iterator.next() }
        #expect(error.reason == .pageCursor && transport.requests.count == 1)
    }

    @Test func cursorsShowNoValues() throws {
        let link = PageCursor(position: .link(ByteText("https://a.example/x?token=hunter2")))
        let value = PageCursor(position: .value(ByteText("hunter2")))
        var dumped = ""
        dump([link, value], to: &dumped)
        #expect("\(link)" == "https://a.example/x?token=…" && "\(value)" == "a value of 7 bytes")
        #expect(!dumped.contains("hunter2"))
    }

    @Test func levelsAreCompared() async throws {
        struct Mine: PagedRequest {
            typealias Response = [Entry]
            typealias Access = Authorized
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/mine" }
            var paging: Paging<Self> { .link }
        }
        let transport = MockTransport { _ in .json(#"[{"id":1}]"#) }
        let client = client(transport).authorized(by: .bearer("hunter2"), for: "https://a.example")
        var count = 0
        for try await _ in client.bind(Mine()).items() { count += 1 }
        for try await _ in client.bind(Mine()).pages() { count += 1 }
        for try await _ in client.mapError({ _ in NothingThrown() }).bind(Mine()).items() { count += 1 }
        #expect(count == 3)
    }

    @Test func aMappedClientThrowsItsOwnErrors() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 500) }
        let mapped = client(transport).mapError { _ in NothingThrown() }
        var iterator = mapped.bind(Entries(.link)).pages().makeAsyncIterator()
        let error: NothingThrown = try await failure { () async throws(NothingThrown) in try await iterator.next() }
        _ = error
        #expect(transport.requests.count == 1)
    }
}
