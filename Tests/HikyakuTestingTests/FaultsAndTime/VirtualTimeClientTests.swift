import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Clients in virtual time: their deadlines, pauses and own tasks.
@Suite(.timeLimit(.minutes(10))) struct VirtualTimeClientTests {
    private struct Get: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
        var timeout: Duration?
        var sharesExchange: Bool { isShared }
        var isShared = false
    }

    private struct GetOwn: APIRequest {
        typealias Definition = RawResponse
        typealias Access = Authorized
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/own" }
    }

    /// Waits before each request, without a promise to end on cancellation.
    private struct Slow: HTTPMiddleware {
        let clock: VirtualClock

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            try await clock.sleep(for: .seconds(10))
            return try await next(request)
        }
    }

    private static func failure(of work: () async throws -> Void) async -> (any APIFailure)? {
        do { try await work() } catch { return error as? any APIFailure }
        return nil
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [Duration.seconds(30), .seconds(7200)]) func deadlinesAreExact(_ timeout: Duration) async throws {
        try await VirtualTime.run { time in
            let transport = MockTransport(clock: time.clock)
            transport.enqueue(.never)
            let timeouts = TransportTimeouts(firstByte: .seconds(86_400))
            let options = time.options(ClientOptions(timeout: timeout, timeouts: timeouts))
            let client = APIClient(transport: transport, options: options)
            let failure = await Self.failure { _ = try await client.send(Get()) }
            #expect(failure?.reason == .deadline)
            #expect(time.elapsed == timeout && time.outsideEventCount == 0)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aSleepingStepCounts() async throws {
        try await VirtualTime.run { time in
            let transport = MockTransport(clock: time.clock)
            transport.enqueue(.response(HTTPResponse(status: .ok)).delayed(by: .seconds(5)))
            let client = APIClient(
                transport: transport,
                middleware: [Slow(clock: time.clock)],
                options: time.options(),
            )
            _ = try await client.send(Get())
            #expect(time.elapsed == .seconds(15))
            let failure = await Self.failure { _ = try await client.send(Get(timeout: .seconds(4))) }
            #expect(failure?.reason == .deadline)
            #expect(time.elapsed == .seconds(19) && time.outsideEventCount == 0)
        }
    }

    /// The time that a call with two retries takes.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func retryingTime(seed: UInt64) async throws -> Duration {
        try await VirtualTime.run(seed: seed) { time in
            let transport = FaultTransport(MockTransport(clock: time.clock) { _ in .json("{}") }, in: time)
            transport.enqueue(.failure(.connectTimeout, reachesService: false))
            transport.enqueue(.status(503, retryAfter: .seconds(20)))
            let options = time.options(ClientOptions(retryPolicy: .standard))
            let response = try await APIClient(transport: transport, options: options).bind(Get()).response()
            #expect(response.status == .ok && transport.records.count == 3)
            #expect(transport.records.map(\.reachedService) == [false, false, true])
            return time.elapsed
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theJitterIsThatOfTheSeed() async throws {
        var times: Set<Duration> = []
        for seed in 0..<8 as Range<UInt64> {
            let time = try await retryingTime(seed: seed)
            #expect(try await retryingTime(seed: seed) == time)
            // Ten seconds to connect, twenty of `Retry-After`, and pauses of at most 0.2 and 0.4 seconds.
            #expect(time >= .seconds(30) && time <= .seconds(30) + .milliseconds(600))
            times.insert(time)
        }
        #expect(times.count == 8)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theTasksOfAClientAreInVirtualTime() async throws {
        try await VirtualTime.run { time in
            let transport = MockTransport(clock: time.clock) { _ in
                try await time.sleep(for: .seconds(1))
                return .json("{}")
            }
            let client = APIClient(transport: transport, options: time.options())
            // A shared exchange, a call that is read as events, and a chain.
            async let first = client.send(Get(isShared: true))
            async let second = client.send(Get(isShared: true))
            #expect(try await [first, second] == [Data("{}".utf8), Data("{}".utf8)])
            #expect(transport.requests.count == 1 && time.elapsed == .seconds(1))
            for try await event in client.bind(Get()).events() {
                if case .response(let response) = event { #expect(response.value == Data("{}".utf8)) }
            }
            let call = client.call(Get()).then(on: .immediate) { _ in client.call(Get()) }
            _ = try await call.value
            #expect(time.elapsed == .seconds(4) && time.outsideEventCount == 0)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aTokenIsRefreshedInVirtualTime() async throws {
        try await VirtualTime.run { time in
            let refreshes = Lock(0)
            let refreshOptions = RefreshOptions(clock: time.clock)
            let token = RefreshingToken.issued(in: MemoryTokenStore(), options: refreshOptions) { _ in
                try await time.sleep(for: .seconds(2))
                let number = refreshes.withLock { count in
                    count += 1
                    return count
                }
                return IssuedToken(token: Secret("t\(number)"), expiresAt: time.date.addingTimeInterval(3600))
            }
            let transport = MockTransport(clock: time.clock) { _ in .json("{}") }
            let client = APIClient(transport: transport, options: time.options())
                .authorized(by: token, for: "https://a.example")
            for _ in 0..<3 {
                async let first = client.send(GetOwn())
                async let second = client.send(GetOwn())
                _ = try await (first, second)
                try await time.sleep(for: .seconds(1000))
            }
            #expect(refreshes.withLock(\.self) == 1)
            try await time.sleep(for: .seconds(3600))
            _ = try await client.send(GetOwn())
            #expect(refreshes.withLock(\.self) == 2)
            #expect(time.elapsed == .seconds(6604) && time.outsideEventCount == 0)
        }
    }
}
