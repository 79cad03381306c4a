import Foundation
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

/// Pages that are requested before they are read.
@Suite(.timeLimit(.minutes(10))) struct PrefetchTests {
    private func transport(last: Int = .max) -> MockTransport {
        MockTransport { request in
            let page = request.url.query().flatMap { Int($0.dropFirst(5)) } ?? 1
            return EntryPage.json(page > last ? [] : [page])
        }
    }

    @Test(arguments: [0, 1, 2, 5, 1000])
    func thePagesAreTheSame(count: Int) async throws {
        let transport = transport(last: 30)
        var ids: [Int] = []
        let items = APIClient(transport: transport).bind(Entries(.number(\.page))).items().prefetching(count)
        for try await item in items { ids.append(item.id) }
        #expect(ids == Array(1...30) && transport.requests.count == 31)
    }

    @Test func noMorePagesThanTheLimitAreAhead() async throws {
        let transport = transport()
        let pages = APIClient(transport: transport).bind(Entries(.number(\.page))).pages().prefetching(2)
        var iterator = pages.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(try await holds { transport.requests.count == 3 })
        await yieldRepeatedly(1000)
        #expect(transport.requests.count == 3)
        _ = try await iterator.next()
        #expect(try await holds { transport.requests.count == 4 })
        await yieldRepeatedly(1000)
        #expect(transport.requests.count == 4)
    }

    @Test func thereAreAtMostSixteenAhead() async throws {
        let transport = transport()
        var iterator = APIClient(transport: transport).bind(Entries(.number(\.page))).pages().prefetching(.max)
            .makeAsyncIterator()
        _ = try await iterator.next()
        #expect(try await holds { transport.requests.count == 17 })
        await yieldRepeatedly(1000)
        #expect(transport.requests.count == 17)
    }

    @Test func releasingTheIteratorEndsThem() async throws {
        let ended = Gate()
        let transport = MockTransport { request in
            guard request.url.query() != nil else { return EntryPage.json([1]) }
            do { try await untilCancelled() } catch {
                ended.open()
                throw error
            }
            return EntryPage.json([])
        }
        func readOne() async throws {
            var iterator = APIClient(transport: transport).bind(Entries(.number(\.page))).pages().prefetching(1)
                .makeAsyncIterator()
            #expect(try await iterator.next()?.items == [Entry(id: 1)])
            #expect(try await holds { transport.requests.count == 2 })
        }
        try await readOne()
        await ended.wait()
    }

    @Test func cancellingTheReaderEndsThem() async throws {
        let transport = MockTransport { request in
            guard request.url.query() != nil else { return EntryPage.json([1]) }
            try await untilCancelled()
            return EntryPage.json([])
        }
        let pages = APIClient(transport: transport).bind(Entries(.number(\.page))).pages().prefetching(3)
        let reader = Task {
            try await failure { () async throws(APIError<ProblemDetails>) in for try await _ in pages {} }
        }
        #expect(try await holds { transport.requests.count == 2 })
        reader.cancel()
        #expect(try await reader.value.isCancelled)
        #expect(transport.requests.count == 2)
    }

    @Test func anErrorComesInItsTurn() async throws {
        let transport = MockTransport()
        transport.enqueue(EntryPage.json([1]))
        transport.enqueue(EntryPage.json([2]))
        transport.enqueue(HTTPResponse(status: 500))
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        var iterator = client.bind(Entries(.number(\.page))).pages().prefetching(4).makeAsyncIterator()
        _ = try await iterator.next()
        #expect(try await holds { transport.requests.count == 3 })
        #expect(try await iterator.next()?.items == [Entry(id: 2)])
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await iterator.next() }
        #expect(error.phase == .unacceptableStatus && error.context.pageCursor != nil)
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 3)
    }
}
