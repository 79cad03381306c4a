import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallEventsTests {
    private let transport = MockTransport()
    private var client: APIClient<Public> {
        APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
    }

    @Test func aCallIsReadAsWhatHappensInIt() async throws {
        transport.enqueue(.json("[]"))
        var names: [String] = []
        var models: [[Dish]] = []
        for try await event in client.bind(Shop.Dishes()).events() {
            switch event {
            case .wire(let event): names.append(String("\(event.kind)".prefix { $0 != "(" }))
            case .response(let response):
                models.append(response.value)
                #expect(response.status == .ok)
            }
        }
        #expect(names == ["began", "requestSent", "firstByte", "bytesReceived", "ended"])
        #expect(models == [[]])
    }

    @Test func nothingIsSentUntilItIsRead() async throws {
        let events = client.bind(Shop.Dishes()).events()
        var iterator = events.makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        transport.enqueue(.json("[]"))
        transport.enqueue(.json("[]"))
        while try await iterator.next() != nil {}
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 1)
        for try await _ in events {}
        #expect(transport.requests.count == 2)
    }

    @Test func anErrorIsThrownTypedAndOnce() async throws {
        transport.enqueue(.json(#"{"message": "closed"}"#, status: 503))
        var iterator = client.bind(Shop.Dishes()).events().makeAsyncIterator()
        do {
            while try await iterator.next() != nil {}
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.service(as: ShopError.self) == ShopError(message: "closed"))
        }
        #expect(try await iterator.next() == nil)
    }

    @Test func leavingTheLoopEndsTheCall() async throws {
        let ended = Gate()
        let transport = MockTransport { _ in
            defer { ended.open() }
            try await untilCancelled()
        }
        for try await _ in APIClient(transport: transport).bind(Shop.Dishes()).events() {
            try #require(try await holds { !transport.requests.isEmpty })
            break
        }
        await ended.wait()
    }

    @Test func cancellingTheReaderEndsTheCall() async throws {
        transport.enqueue(.never)
        let reader = Task { [client] () -> Bool in
            var iterator = client.bind(Shop.Dishes()).events().makeAsyncIterator()
            do throws(APIError<ShopError>) {
                while try await iterator.next() != nil {}
                return false
            } catch {
                return error.isCancelled
            }
        }
        try #require(try await holds { !transport.requests.isEmpty })
        reader.cancel()
        #expect(await reader.value)
    }

    @Test func countsThatNobodyHasReadGiveWayToNewerOnes() async throws {
        let gate = Gate()
        let bursting = Bursting(pieces: 50_000, isOver: gate)
        var iterator = APIClient(transport: bursting).bind(AnyRequest()).events().makeAsyncIterator()
        _ = try await iterator.next()
        await gate.wait()
        var kinds: [String] = []
        while case .wire(let event)? = try await iterator.next() { kinds.append("\(event.kind)") }
        #expect(kinds == ["bytesReceived(50000, expected: nil)", "ended(nil)"])
    }
}

/// Reports very many pieces before its response.
private struct Bursting: HTTPTransport {
    let pieces: Int
    let isOver: Gate

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        options.observer?.observe(TransportEvent(exchange: 1, kind: .began(request)))
        for count in 1...pieces {
            options.observer?.observe(TransportEvent(exchange: 1, kind: .bytesReceived(count, expected: nil)))
        }
        options.observer?.observe(TransportEvent(exchange: 1, kind: .ended(nil)))
        isOver.open()
        return .json("[]")
    }
}
