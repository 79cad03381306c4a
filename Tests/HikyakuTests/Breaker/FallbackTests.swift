import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

/// The reasons for which the fallback of a request was called.
private final class FallbackLog: Sendable {
    private let state = Lock<[FailureReason]>([])

    var reasons: [FailureReason] { state.withLock(\.self) }

    func add(_ reason: FailureReason) { state.withLock { $0.append(reason) } }
}

/// A request with a value for every error but one.
private struct Menu: Shop.Request {
    typealias Response = [Dish]
    var log = FallbackLog()
    var path: RequestPath = "/menu"
    var timeout: Duration?

    func fallback(for error: APIError<ShopError>) -> [Dish]? {
        log.add(error.reason)
        return error.response?.status == 404 ? nil : [.sample]
    }
}

@Suite(.timeLimit(.minutes(10))) struct FallbackTests {
    private let transport = MockTransport()
    private let clock = ManualClock()
    private let log = FallbackLog()

    private func client(
        _ retries: RetryPolicy = .never,
        middleware: [any HTTPMiddleware] = [],
    ) -> APIClient<Public> {
        let options = ClientOptions(retryPolicy: retries, clock: clock)
        return APIClient(transport: transport, middleware: middleware, options: options)
    }

    private var menu: Menu { Menu(log: log) }

    // MARK: - All ways to make a call

    enum Way: CaseIterable {
        case send, response, call, chain, boundSend, boundResponse, completion, completionOnQueue, events
        case mappedSend, mappedResponse, mappedCall, mappedCompletion, mappedEvents

        fileprivate func dishes(by client: APIClient<Public>, _ menu: Menu) async throws -> [Dish] {
            let bound = client.bind(menu)
            let mapped = client.mapError { AppError(reason: $0.reason) }.bind(menu)
            switch self {
            case .send: return try await client.send(menu)
            case .response: return try await client.bind(menu).response().value
            case .call: return try await client.call(menu).value
            case .chain: return try await client.call(menu).then { _ in client.call(menu) }.value
            case .boundSend: return try await bound.send()
            case .boundResponse: return try await bound.response().value
            case .completion:
                return try await withCheckedContinuation { continuation in
                    bound.send { continuation.resume(returning: $0) }
                }.get()
            case .completionOnQueue:
                return try await withCheckedContinuation { continuation in
                    bound.send(on: .immediate) { continuation.resume(returning: $0) }
                }.get()
            case .events: return try await Self.dishes(in: bound.events())
            case .mappedSend: return try await mapped.send()
            case .mappedResponse: return try await mapped.response().value
            case .mappedCall: return try await mapped.call().value
            case .mappedCompletion:
                return try await withCheckedContinuation { continuation in
                    mapped.send(on: .immediate) { continuation.resume(returning: $0) }
                }.get()
            case .mappedEvents: return try await Self.dishes(in: mapped.events())
            }
        }

        private static func dishes<Problem>(in events: CallEvents<[Dish], Problem>) async throws -> [Dish] {
            var dishes: [Dish] = []
            var iterator = events.makeAsyncIterator()
            while let event = try await iterator.next() {
                if case .response(let response) = event { dishes = response.value }
            }
            return dishes
        }
    }

    @Test(arguments: Way.allCases) func everyWayGivesTheFallback(way: Way) async throws {
        let (log, transport) = (FallbackLog(), MockTransport { _ in HTTPResponse(status: 503, body: "x") })
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        #expect(try await way.dishes(by: client, Menu(log: log)) == [.sample])
        let count = way == .chain ? 2 : 1
        #expect(log.reasons == Array(repeating: .unacceptableStatus, count: count))
        #expect(transport.requests.count == count)
    }

    @Test(arguments: Way.allCases) func everyWayFailsWithoutAFallback(way: Way) async throws {
        let (log, transport) = (FallbackLog(), MockTransport { _ in HTTPResponse(status: 404, body: "x") })
        let client = APIClient(transport: transport)
        await #expect(throws: (any Error).self) { try await way.dishes(by: client, Menu(log: log)) }
        #expect(log.reasons == [.unacceptableStatus])
    }

    @Test(arguments: Way.allCases) func aSuccessUsesNone(way: Way) async throws {
        let transport = MockTransport { _ in .json("[]") }
        let log = FallbackLog()
        #expect(try await way.dishes(by: APIClient(transport: transport), Menu(log: log)).isEmpty)
        #expect(log.reasons.isEmpty)
    }

    // MARK: - What the caller gets

    @Test func theResponseSaysThatItIsAFallback() async throws {
        transport.enqueue(HTTPResponse(status: 503, headers: ["X-Why": "full"], body: "x"))
        let response = try await client().bind(menu).response()
        #expect(response.source == .fallback && response.value == [.sample])
        #expect(response.status == 503 && response.headers["X-Why"] == "full")
        transport.enqueue(.failure(TransportError(.connectionReset, "broken")))
        let other = try await client().bind(menu).response()
        #expect(other.source == .fallback && other.status == 504 && other.headers.isEmpty)
    }

    @Test func everyReasonButACancellationUsesTheFallback() async throws {
        transport.enqueue(.json("{}"))
        #expect(try await client().send(menu) == [.sample])
        transport.enqueue(.failure(TransportError(.tlsFailed, "broken")))
        #expect(try await client().send(menu) == [.sample])
        #expect(try await client().send(Menu(log: log, path: "/../menu")) == [.sample])
        #expect(log.reasons.count == 3 && log.reasons.suffix(2) == [.tlsFailed, .path])
        transport.enqueue(.failure(CancellationError()))
        let error = try await failure { () async throws(APIError<ShopError>) in try await client().send(menu) }
        #expect(error.isCancelled && log.reasons.count == 3)
    }

    @Test func aStubThatFailsUsesTheFallback() async throws {
        let stubbed = client().stubbing(Menu.self) { _ in throw ShopError(message: "no") }
        let response = try await stubbed.bind(menu).response()
        #expect(response.source == .fallback && log.reasons == [.service])
    }

    @Test func itComesAfterAllRetries() async throws {
        for _ in 0..<3 { transport.enqueue(HTTPResponse(status: 503, body: "x")) }
        #expect(try await client(RetryPolicy(delay: .zero)).send(menu) == [.sample])
        #expect(log.reasons.count == 1 && transport.requests.count == 3)
    }

    @Test func observersAndTheLogShowIt() async throws {
        let (events, lines) = (Lock<[String]>([]), Lock<[String]>([]))
        let client = client().observing { event in
            if case .fallingBack(let reason) = event.kind { events.withLock { $0.append("\(reason)") } }
        }.logging(.line) { line in lines.withLock { $0.append(line) } }
        transport.enqueue(HTTPResponse(status: 503, body: "x"))
        _ = try await client.send(menu)
        #expect(events.withLock(\.self) == ["unacceptableStatus"])
        #expect(lines.withLock(\.self).count == 2)
        #expect(
            lines.withLock(\.self).last?.hasSuffix("Menu falls back to its own value after unacceptableStatus") == true
        )
        transport.enqueue(.json("[]"))
        _ = try await client.send(menu)
        #expect(events.withLock(\.self).count == 1 && lines.withLock(\.self).count == 3)
    }

    // MARK: - Early ends

    /// Ignores the end of its call.
    private struct Stubborn: HTTPMiddleware {
        let gate: Gate

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            await gate.wait()
            return try await next(request)
        }
    }

    @Test(arguments: [true, false]) func theDeadlineUsesTheFallback(isCall: Bool) async throws {
        let client = client()
        transport.enqueue(.never)
        let menu = Menu(log: log, timeout: .seconds(5))
        let call = Task { isCall ? try await client.call(menu).value : try await client.send(menu) }
        try #require(try await holds { !transport.requests.isEmpty })
        clock.advance(by: .seconds(5))
        #expect(try await call.value == [.sample])
        #expect(log.reasons == [.deadline])
    }

    /// The caller gets the fallback although the call's own task still runs, and there is only one.
    @Test(arguments: [true, false]) func aStepThatIgnoresTheDeadlineDelaysNoFallback(isCall: Bool) async throws {
        let gate = Gate()
        let client = client(middleware: [Stubborn(gate: gate)])
        let menu = Menu(log: log, timeout: .seconds(5))
        let call = Task { isCall ? try await client.call(menu).value : try await client.send(menu) }
        await gate.waitUntilSomeoneWaits()
        clock.advance(by: .seconds(5))
        #expect(try await call.value == [.sample])
        gate.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(log.reasons == [.deadline])
    }

    @Test func aCancelledCallHasNone() async throws {
        let client = client()
        transport.enqueue(.never)
        let call = client.call(menu)
        try #require(try await holds { !transport.requests.isEmpty })
        call.cancel()
        guard case .failure(let error) = await call.result else {
            Issue.record("it has a value")
            return
        }
        #expect(error.isCancelled && log.reasons.isEmpty)
    }

    // MARK: - Proxies

    private struct Plain<Base: APIRequest>: RequestProxy {
        var request: Base
    }

    private struct Counted<Base: APIRequest>: RequestProxy {
        typealias Response = Int
        typealias Definition = ByteCount
        var request: Base
    }

    private enum ByteCount: ResponseDefinition {
        static func read(_ response: BufferedResponse) -> Int { response.body.count }
    }

    @Test func aProxyHasThatOfTheRequestInside() async throws {
        transport.enqueue(HTTPResponse(status: 503, body: "x"))
        #expect(try await client().send(Plain(request: Plain(request: menu))) == [.sample])
        transport.enqueue(HTTPResponse(status: 503, body: "x"))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client().send(Counted(request: menu))
        }
        #expect(error.response?.status == 503 && log.reasons.count == 1)
    }
}
