import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

/// Event streams over real connections.
@Suite(.timeLimit(.minutes(10))) struct EventStreamTests {
    struct Price: Decodable, Equatable, Sendable { let yen: Int }

    struct Prices: EventStreamRequest {
        typealias Event = Price
        typealias Failure = ShopError
        var environment: APIEnvironment
        var path: RequestPath { "/prices" }
        var reconnection = RetryPolicy(attemptsMax: 5, delay: .zero, budget: nil)
        var idleTimeout: Duration?
        var isIdempotent = true
        var terminator: EventStreamTerminator?
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

    private static func stream(_ text: String, then end: MockStep = .close) -> MockAnswer {
        .raw([.write(head + text), end])
    }

    private static func prices(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { "id: \($0)\ndata: {\"yen\": \($0)}\n\n" }.joined()
    }

    private func request(_ server: MockServer) -> Prices {
        Prices(environment: APIEnvironment(baseURL: server.baseURL))
    }

    private func numbers<Events: AsyncSequence>(of events: Events) async throws -> [Int] where Events.Element == Price {
        var numbers: [Int] = []
        for try await price in events { numbers.append(price.yen) }
        return numbers
    }

    @Test func aRequestSaysWhatItWants() throws {
        let request = try Prices(environment: "https://a.example").httpRequest()
        #expect(request.headers[.accept] == "text/event-stream")
        #expect(request.headers["Cache-Control"] == "no-cache")
        #expect(request.headers["Last-Event-ID"] == nil)
    }

    @Test func oneConnectionIsReadToItsEnd() async throws {
        let server = try MockServer { _ in Self.stream(": hello\n\n" + Self.prices(1...3) + "data: {") }
        defer { server.stop() }
        let stream = try await APIClient().send(request(server))
        #expect(try await numbers(of: stream) == [1, 2, 3])
        #expect(server.requests.count == 1)
    }

    @Test func aConnectionThatIsLostInsideOfAnEventIsResumed() async throws {
        let server = try MockServer { request in
            switch request.headers["Last-Event-ID"] {
            case nil:
                .raw([.write(Self.head + Self.prices(1...2) + "id: 3\ndata: {\"ye"), .pause(.milliseconds(50)), .reset])
            case "2": Self.stream(Self.prices(3...4))
            case "4": .status(.noContent)
            default: .status(.badRequest)
            }
        }
        defer { server.stop() }
        #expect(try await numbers(of: APIClient().bind(request(server)).eventStream()) == [1, 2, 3, 4])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "2", "4"])
    }

    @Test func aStoredIDIsSentFirstAndAnIDThatNoFieldCanCarryNever() async throws {
        let server = try MockServer { request in
            request.headers["Last-Event-ID"] == "41"
                ? Self.stream("id: a\u{7}b\ndata: {\"yen\": 42}\n\n") : .status(.noContent)
        }
        defer { server.stop() }
        var events = APIClient().bind(request(server)).eventStream(after: "41").makeAsyncIterator()
        #expect(try await events.next() == Price(yen: 42))
        #expect(events.lastEventID == "a\u{7}b")
        #expect(try await events.next() == nil)
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == ["41", nil])
    }

    @Test func theIDFollowsARedirectToAnotherOriginIfThePolicyKeepsIt() async throws {
        let other = try MockServer { request in
            request.headers["Last-Event-ID"] == nil ? Self.stream(Self.prices(1...2)) : .status(.noContent)
        }
        let target = other.baseURL + "/prices"
        let server = try MockServer { _ in .status(307).header("Location", target) }
        defer {
            server.stop()
            other.stop()
        }
        let client = APIClient(options: ClientOptions(redirectPolicy: .follow(keeping: ["Last-Event-ID"])))
        #expect(try await numbers(of: client.bind(request(server)).eventStream().prefix(4)) == [1, 2])
        #expect(other.requests.map { $0.headers["Last-Event-ID"] } == [nil, "2"])
    }

    @Test func anIdleConnectionIsReplaced() async throws {
        let server = try MockServer { request in
            request.headers["Last-Event-ID"] == nil
                ? Self.stream(Self.prices(1...1), then: .stall) : .status(.noContent)
        }
        defer { server.stop() }
        var request = request(server)
        request.idleTimeout = .milliseconds(100)
        let kinds = Lock<[FailureReason?]>([])
        let client = APIClient().observing { event in
            if case .reconnecting(let reason, _) = event.kind { kinds.withLock { $0.append(reason) } }
        }
        #expect(try await numbers(of: client.bind(request).eventStream()) == [1])
        #expect(kinds.withLock(\.self) == [.idleTimeout])
        // The connection of the 204 is kept.
        try await server.waitForOpenConnections(1)
    }

    @Test func aTransientStatusIsFollowedByAnotherConnection() async throws {
        let server = try MockServer { _ in Self.stream(Self.prices(7...7)) }
        defer { server.stop() }
        server.enqueue(
            .status(503).header("Retry-After", "0"),
            .status(500),
            Self.stream(Self.prices(1...1)),
            .status(.noContent),
        )
        #expect(try await numbers(of: APIClient().bind(request(server)).eventStream()) == [1])
        #expect(server.requests.count == 4)
    }

    @Test func anotherStatusEndsTheStreamWithTheServicesFailure() async throws {
        let server = try MockServer { _ in .json(#"{"message": "no such shop"}"#, status: 404) }
        defer { server.stop() }
        server.enqueue(Self.stream(Self.prices(1...2)))
        let (events, error) = await outcome(of: APIClient().bind(request(server)).eventStream())
        #expect(events == [Price(yen: 1), Price(yen: 2)])
        guard case .service(let failure, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure == ShopError(message: "no such shop") && server.requests.count == 2)
    }

    @Test(arguments: ["text/html", nil])
    func anotherTypeEndsTheStream(_ type: String?) async throws {
        let server = try MockServer { _ in .bytes(Data("<p>".utf8), type: type) }
        defer { server.stop() }
        let (_, error) = await outcome(of: APIClient().bind(request(server)).eventStream())
        #expect(error?.reason == .notAnEventStream && server.requests.count == 1)
        #expect(error?.phase == .transport)
        let sent = try await failure { () async throws(APIError<ShopError>) in
            try await APIClient().send(request(server))
        }
        #expect(sent.reason == .notAnEventStream)
    }

    @Test func anEventThatCannotBeDecodedEndsTheStream() async throws {
        let server = try MockServer { _ in Self.stream(Self.prices(1...2) + "data: {\"yen\": \"x\"}\n\n", then: .stall)
        }
        defer { server.stop() }
        let (events, error) = await outcome(of: APIClient().bind(request(server)).eventStream())
        #expect(events.count == 2)
        guard case .decoding(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(failure.diagnosis)".contains("yen"))
        #expect(error?.context.explanation != nil)
        try await server.waitForOpenConnections(0)
    }

    @Test func anEventThatIsTooLargeEndsTheStream() async throws {
        struct Small: EventStreamRequest {
            typealias Event = ServerSentEvent
            var environment: APIEnvironment
            var path: RequestPath { "/prices" }
            func makeParser(lastEventID: String) -> EventStreamParser { EventStreamParser(eventBytesMax: 10) }
        }
        let server = try MockServer { _ in Self.stream("data: ok\n\ndata: 12345678901\n\n", then: .stall) }
        defer { server.stop() }
        var events = APIClient().bind(Small(environment: APIEnvironment(baseURL: server.baseURL))).eventStream()
            .makeAsyncIterator()
        #expect(try await events.next()?.data == "ok")
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await events.next() }
        #expect(error?.reason == .eventTooLarge && error?.phase == .limit)
        #expect(try await events.next() == nil)
        try await server.waitForOpenConnections(0)
    }

    @Test func aServiceThatBringsNothingIsGivenUp() async throws {
        let server = try MockServer { _ in Self.stream("") }
        defer { server.stop() }
        let (_, error) = await outcome(of: APIClient().bind(request(server)).eventStream())
        #expect(error?.reason == .truncatedResponse && server.requests.count == 5)
    }

    // MARK: - Terminators, and requests that may not be repeated

    @Test func theTerminatorEndsTheStream() async throws {
        let server = try MockServer { _ in
            Self.stream(Self.prices(1...2) + "data: [DONE]\n\n" + Self.prices(3...3), then: .stall)
        }
        defer { server.stop() }
        var request = request(server)
        request.terminator = .data("[DONE]")
        #expect(try await numbers(of: APIClient().bind(request).eventStream()) == [1, 2])
        #expect(try await numbers(of: try await APIClient().send(request)) == [1, 2])
        try await server.waitForOpenConnections(0)
    }

    /// Neither a terminator nor an idle timeout must be Optional to have an effect.
    private struct Written: EventStreamRequest {
        typealias Event = Price
        var environment: APIEnvironment
        let path: RequestPath = "/prices"
        let terminator = EventStreamTerminator.data("[DONE]")
        let idleTimeout = Duration.milliseconds(100)
    }

    private struct Proxied: RequestProxy, EventStreamRequest {
        typealias Event = Price
        var request: Written
    }

    @Test func whatIsWrittenWithoutOptionalEndsTheStream() async throws {
        let server = try MockServer { _ in
            Self.stream(Self.prices(1...2) + "data: [DONE]\n\n" + Self.prices(3...3), then: .stall)
        }
        defer { server.stop() }
        let client = APIClient()
        let request = Written(environment: APIEnvironment(baseURL: server.baseURL))
        let authorized = try request.authorized(by: AccessToken("t0ken"))
        #expect(try await numbers(of: client.bind(request).eventStream()) == [1, 2])
        #expect(try await numbers(of: client.bind(Proxied(request: request)).eventStream()) == [1, 2])
        #expect(try await numbers(of: client.bind(authorized).eventStream()) == [1, 2])
        #expect(try await numbers(of: try await client.send(request)) == [1, 2])
        #expect(try await numbers(of: try await client.send(Proxied(request: request))) == [1, 2])
        #expect(try await numbers(of: try await client.send(authorized)) == [1, 2])
    }

    @Test(arguments: [false, true]) func anIdleTimeoutWithoutOptionalHolds(isProxied: Bool) async throws {
        let server = try MockServer { request in
            request.headers["Last-Event-ID"] == nil
                ? Self.stream(Self.prices(1...1), then: .stall) : .status(.noContent)
        }
        defer { server.stop() }
        let request = Written(environment: APIEnvironment(baseURL: server.baseURL))
        let client = APIClient()
        let numbers =
            isProxied
            ? try await numbers(of: client.bind(Proxied(request: request)).eventStream())
            : try await numbers(of: client.bind(request).eventStream())
        #expect(numbers == [1] && server.requests.count == 2)
    }

    @Test func noContentEndsAStreamThatHasATerminator() async throws {
        let server = try MockServer { request in
            request.headers["Last-Event-ID"] == nil ? Self.stream(Self.prices(1...2)) : .status(.noContent)
        }
        defer { server.stop() }
        var request = request(server)
        request.terminator = .data("[DONE]")
        let (events, error) = await outcome(of: APIClient().bind(request).eventStream())
        #expect(events.map(\.yen) == [1, 2] && error == nil && server.requests.count == 2)
        server.enqueue(.status(.noContent))
        #expect(try await numbers(of: try await APIClient().send(request)).isEmpty)
    }

    /// Heartbeats that the request skips show that the service works.
    @Test func skippedEventsAreEvents() async throws {
        struct Beats: EventStreamRequest {
            typealias Event = Price
            var environment: APIEnvironment
            var path: RequestPath { "/prices" }
            var reconnection: RetryPolicy { RetryPolicy(attemptsMax: 3, delay: .zero, budget: nil) }
            func event(from event: ServerSentEvent, decoder: any ResponseDecoder) throws -> Price? {
                event.name == "beat" ? nil : try event.decode(by: decoder)
            }
        }
        let server = try MockServer { _ in Self.stream("event: beat\ndata: 1\n\n") }
        defer { server.stop() }
        for _ in 0..<6 { server.enqueue(Self.stream("event: beat\ndata: 1\n\n")) }
        server.enqueue(Self.stream(Self.prices(7...7)), .status(.noContent))
        let events = APIClient().bind(Beats(environment: APIEnvironment(baseURL: server.baseURL))).eventStream()
        #expect(try await numbers(of: events) == [7])
    }

    @Test func aStreamWithoutItsTerminatorIsTruncated() async throws {
        let server = try MockServer { _ in Self.stream(Self.prices(1...2)) }
        defer { server.stop() }
        var request = request(server)
        request.terminator = .event(named: "done")
        request.isIdempotent = false
        let (events, error) = await outcome(of: APIClient().bind(request).eventStream())
        #expect(events.count == 2 && error?.reason == .truncatedResponse && server.requests.count == 1)
        let sent = try await APIClient().send(request).makeAsyncIterator()
        var iterator = sent
        _ = try await (iterator.next(), iterator.next())
        let thrown = await #expect(throws: APIError<ShopError>.self) { try await iterator.next() }
        #expect(thrown?.reason == .truncatedResponse)
        #expect(try await iterator.next() == nil)
    }

    /// Some services leave it out at times.
    @Test func aTerminatorThatIsNotRequiredMayBeMissing() async throws {
        let server = try MockServer { _ in Self.stream(Self.prices(1...2)) }
        defer { server.stop() }
        var request = request(server)
        request.isIdempotent = false
        for terminator in [.event(named: "done", isRequired: false), .data("[DONE]", isRequired: false)]
            as [EventStreamTerminator]
        {
            request.terminator = terminator
            #expect(try await numbers(of: APIClient().send(request)) == [1, 2])
            let (events, _) = await outcome(of: APIClient().bind(request).eventStream())
            #expect(events.count == 2)
        }
    }

    @Test func aRequestThatIsNotIdempotentHasOneConnection() async throws {
        let server = try MockServer { _ in
            .raw([.write(Self.head + Self.prices(1...1)), .pause(.milliseconds(50)), .reset])
        }
        defer { server.stop() }
        var request = request(server)
        request.isIdempotent = false
        let (events, error) = await outcome(of: APIClient().bind(request).eventStream())
        #expect(events.count == 1 && error?.reason == .connectionReset && server.requests.count == 1)
        server.enqueue(Self.stream(Self.prices(1...1)))
        #expect(try await numbers(of: APIClient().bind(request).eventStream()) == [1])
        #expect(server.requests.count == 2)
    }

    // MARK: - Readers

    @Test func aSlowReaderHoldsTheServiceBack() async throws {
        let event = Data("data: {\"yen\": 1, \"x\": \"\(String(repeating: "x", count: 65_000))\"}\n\n".utf8)
        let answer = MockAnswer.raw([
            .write(Data(Self.head.utf8)), .write(Data((0..<400).flatMap { _ in event })), .close,
        ])
        let server = try MockServer { _ in answer }
        defer { server.stop() }
        let received = Lock(0)
        let client = APIClient().observing { event in
            if case .bytesReceived(let count, _) = event.kind { received.withLock { $0 = count } }
        }
        var request = request(server)
        request.isIdempotent = false
        var events = client.bind(request).eventStream().makeAsyncIterator()
        #expect(try await events.next() == Price(yen: 1))
        // The service could send all of its 26 MB meanwhile.
        try await spendRealTime(.milliseconds(300))
        #expect(received.withLock(\.self) < 4_000_000)
        var count = 1
        while try await events.next() != nil { count += 1 }
        #expect(count == 400)
    }

    #if os(Linux)
    /// The service flushes its coding after each event.
    @Test func eventsOfACodedStreamArriveAtOnce() async throws {
        let first = try #require(Data(base64Encoded: "H4sIAAAAAAACA8pMsVIw5EpJLEm0UqhWqkzNUwLya7m4AAAAAP//"))
        let second = try #require(Data(base64Encoded: "ygSKG6GJGwHFAQAAAP//"))
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n"
        let server = try MockServer { _ in
            .raw([.write(Data(head.utf8)), .write(first), .pause(.milliseconds(20)), .write(second), .stall])
        }
        defer { server.stop() }
        var events = APIClient().bind(request(server)).eventStream().makeAsyncIterator()
        #expect(try await events.next() == Price(yen: 1))
        #expect(try await events.next() == Price(yen: 2))
    }
    #endif

    @Test func leavingTheLoopClosesTheConnection() async throws {
        let server = try MockServer { _ in Self.stream(Self.prices(1...3), then: .stall) }
        defer { server.stop() }
        for try await price in APIClient().bind(request(server)).eventStream() where price.yen == 2 { break }
        try await server.waitForOpenConnections(0)
    }

    @Test func cancellingTheTaskClosesTheConnection() async throws {
        let server = try MockServer { _ in Self.stream(Self.prices(1...1), then: .stall) }
        defer { server.stop() }
        let first = Gate()
        let reading = Task {
            var events = APIClient().bind(request(server)).eventStream().makeAsyncIterator()
            _ = try await events.next()
            first.open()
            _ = try await events.next()
        }
        await first.wait()
        reading.cancel()
        let error = await #expect(throws: APIError<ShopError>.self) { try await reading.value }
        #expect(error?.isCancelled == true)
        try await server.waitForOpenConnections(0)
    }

    @Test func aStubIsReadOnce() async throws {
        let client = APIClient().stubbing(Prices.self) { _ in
            EventStream("data: {\"yen\": 5}\n\n") { try $0.decode(by: HikyakuJSONDecoder()) }
        }
        #expect(try await numbers(of: client.bind(Prices(environment: "https://a.example")).eventStream()) == [5])
    }

    @Test func aMappedClientThrowsTheAppsError() async throws {
        struct AppError: Error { let reason: FailureReason }
        let server = try MockServer { _ in .status(404) }
        defer { server.stop() }
        let client = APIClient().mapError { AppError(reason: $0.reason) }
        var events = client.bind(request(server)).eventStream().makeAsyncIterator()
        let error = await #expect(throws: AppError.self) { try await events.next() }
        #expect(error?.reason == .unacceptableStatus)
    }

    private func outcome(
        of events: ReconnectingEventStream<Prices, APIError<ShopError>>
    ) async -> ([Price], APIError<ShopError>?) {
        var iterator = events.makeAsyncIterator()
        var prices: [Price] = []
        do throws(APIError<ShopError>) {
            while let price = try await iterator.next() { prices.append(price) }
            return (prices, nil)
        } catch { return (prices, error) }
    }
}
