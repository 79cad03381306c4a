import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A service whose requests have a timeout in common.
private protocol TimedRequest: APIRequest {}

extension TimedRequest {
    var environment: APIEnvironment { .shop }
    var timeout: Duration? { .seconds(20) }
}

private struct TimedEvents: TimedRequest, EventStreamRequest {
    typealias Event = ServerSentEvent
    var path: RequestPath { "/events" }
}

/// The pauses between connections, by a clock and random numbers that the test sets.
@Suite(.timeLimit(.minutes(10))) struct EventStreamPauseTests {
    enum ShopEvent: EventStreamEvent, Equatable {
        case ordered(Dish)
        case other(String)

        init?(_ event: ServerSentEvent, decoder: any ResponseDecoder) throws {
            switch event.name {
            case "ordered": self = .ordered(try event.decode(by: decoder))
            case "ping": return nil
            default: self = .other(event.name)
            }
        }
    }

    struct Events: EventStreamRequest {
        typealias Event = ShopEvent
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/events" }
    }

    private static func response(_ text: String) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: [.contentType: "text/event-stream"], body: HTTPBody(text))
    }

    private let transport = MockTransport()
    private let clock = ManualClock()

    private func client(unit: Double) -> APIClient<Public> {
        var options = ClientOptions()
        options.clock = clock
        options.random = { unit }
        // The pauses are the only timers.
        options.timeout = nil
        return APIClient(transport: transport, options: options)
    }

    @Test func eventsAreReadByTheirNames() async throws {
        transport.enqueue(
            Self.response(
                "event: ordered\ndata: {\"id\": 1, \"name\": \"Ramen\"}\n\nevent: ping\ndata\n\nevent: new\ndata\n\n"
            )
        )
        transport.enqueue(HTTPResponse(status: .noContent))
        var events: [ShopEvent] = []
        for try await event in client(unit: 0).bind(Events()).eventStream() { events.append(event) }
        #expect(events == [.ordered(.sample), .other("new")])
    }

    @Test func pausesAreThoseOfTheServiceAndTheBackOff() async throws {
        transport.enqueue(Self.response("retry: 3000\nid: 1\nevent: a\ndata\n\n"))
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "20"]))
        transport.enqueue(.failure(TransportError(.connectionRefused, "x")))
        transport.enqueue(HTTPResponse(status: .noContent))
        let pauses = Lock<[Duration]>([])
        let paused = AsyncStream.makeStream(of: Void.self)
        let client = client(unit: 0.5).observing { event in
            guard case .reconnecting(_, let pause) = event.kind else { return }
            pauses.withLock { $0.append(pause) }
            paused.continuation.yield()
        }
        let reading = Task {
            var count = 0
            for try await _ in client.bind(Events()).eventStream() { count += 1 }
            return count
        }
        var signals = paused.stream.makeAsyncIterator()
        for _ in 0..<3 {
            await signals.next()
            #expect(try await holds { clock.pendingCount == 1 })
            clock.advance(by: pauses.withLock { $0.last ?? .zero })
        }
        #expect(try await reading.value == 1)
        // Of 1, 2 and 4 seconds at most: half of it.
        #expect(pauses.withLock(\.self) == [.seconds(3.5), .seconds(21), .seconds(5)])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1", "1"])
    }

    @Test func aPauseEndsWithItsTask() async throws {
        transport.enqueue(Self.response(""))
        let reading = Task { for try await _ in client(unit: 1).bind(Events()).eventStream() {} }
        #expect(try await holds { clock.pendingCount == 1 })
        reading.cancel()
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await reading.value }
        #expect(error?.isCancelled == true)
    }

    @Test func aDeadlineAroundTheStreamEndsIt() async throws {
        transport.enqueue(.never)
        let reading = Task {
            try await CallDeadline.within(.seconds(5), clock: clock) {
                for try await _ in client(unit: 1).bind(Events()).eventStream() {}
            }
        }
        #expect(try await holds { clock.pendingCount >= 1 && transport.requests.count == 1 })
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await reading.value }
        #expect(error?.reason == .deadline && transport.requests.count == 1)
    }

    /// In the pause that the field `retry` states, and in the one of `Retry-After`.
    @Test(arguments: [
        [response("retry: 999999999\nevent: a\ndata\n\n")],
        [response("event: a\ndata\n\n"), HTTPResponse(status: 503, headers: ["Retry-After": "250"])],
    ])
    func aDeadlineEndsAStreamInItsPause(responses: [HTTPResponse]) async throws {
        for response in responses { transport.enqueue(response) }
        let pauses = Lock(0)
        let client = client(unit: 0).observing { event in
            if case .reconnecting = event.kind { pauses.withLock { $0 += 1 } }
        }
        let reading = Task {
            try await CallDeadline.within(.seconds(200), clock: clock) {
                for try await _ in client.bind(Events()).eventStream() {}
            }
        }
        // The last pause, and the timer of the deadline of all calls.
        #expect(try await holds { pauses.withLock(\.self) == responses.count && clock.pendingCount == 2 })
        clock.advance(by: .seconds(199))
        #expect(clock.pendingCount == 2)
        clock.advance(by: .seconds(1))
        #expect(clock.pendingCount == 0)
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await reading.value }
        #expect(error?.reason == .deadline && transport.requests.count == responses.count)
    }

    @Test func aProxyKeepsTheStream() async throws {
        struct Private: EventStreamRequest {
            typealias Event = ServerSentEvent
            typealias Access = Authorized
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/events" }
            var terminator: EventStreamTerminator? { .data("end") }
            var timeout = Duration.seconds(9)
        }
        transport.enqueue(Self.response("id: 3\ndata: a\n\n"))
        transport.enqueue(Self.response("data: b\n\ndata: end\n\n"))
        let request = try Private().authorized(by: AccessToken("t"))
        #expect(Call(of: request, by: ClientCore.standard).context.deadline != nil)
        var events: [String] = []
        for try await event in client(unit: 0).bind(request).eventStream(after: "2") { events.append(event.data) }
        #expect(events == ["a", "b"])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == ["2", "3"])
        #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer t", "Bearer t"])
    }

    /// The timeout of a service is that of a stream's head, and not of its life.
    @Test func theTimeoutOfAServiceDoesNotEndItsStreams() async throws {
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        transport.enqueue(
            HTTPResponse(status: .ok, headers: [.contentType: "text/event-stream"], body: HTTPBody(pieces))
        )
        let call = Call(of: TimedEvents(), by: ClientCore.standard)
        #expect(call.context.deadline != nil && call.context.call.bodyDeadline == nil)
        var events = try await client(unit: 0).send(TimedEvents()).makeAsyncIterator()
        clock.advance(by: .seconds(600))
        source.yield(Data("data: late\n\n".utf8))
        #expect(try await events.next()?.data == "late")
        source.finish()
        #expect(try await events.next() == nil)
    }

    @Test func aHeadThatIsLateIsTheServicesTimeout() async throws {
        let transport = MockTransport { _ in try await untilCancelled() }
        var options = ClientOptions(clock: clock)
        options.random = { 0 }
        let client = APIClient(transport: transport, options: options)
        let sending = Task { try await client.send(TimedEvents()) }
        #expect(try await holds { transport.requests.count == 1 })
        clock.advance(by: .seconds(20))
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await sending.value }
        #expect(error?.reason == .deadline)
        // Another connection may be faster.
        let reading = Task { for try await _ in client.bind(TimedEvents()).eventStream() {} }
        #expect(try await holds { transport.requests.count == 2 })
        clock.advance(by: .seconds(20))
        #expect(try await holds { transport.requests.count == 3 })
        reading.cancel()
        _ = await reading.result
    }

    @Test func connectionsUseTheBudgetOfTheOrigin() async throws {
        transport.enqueue(Self.response("event: a\ndata\n\n"))
        for _ in 0..<4 { transport.enqueue(.failure(TransportError(.connectionReset, "x"))) }
        transport.enqueue(HTTPResponse(status: .noContent))
        let pauses = Lock<[Duration]>([])
        let client = client(unit: 0).observing { event in
            if case .reconnecting(_, let pause) = event.kind { pauses.withLock { $0.append(pause) } }
        }
        let reading = Task { for try await _ in client.bind(Events()).eventStream() {} }
        while transport.requests.count < 6 {
            #expect(try await holds { clock.pendingCount == 1 || transport.requests.count == 6 })
            clock.advance(by: .seconds(15))
        }
        try await reading.value
        // The first two failures use the reserve.
        #expect(pauses.withLock(\.self) == [.zero, .zero, .zero, .seconds(15), .seconds(15)])
    }
}
