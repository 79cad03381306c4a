import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Whole calls through a client with limits.
@Suite(.timeLimit(.minutes(10))) struct LimitingTests {
    private let clock = ManualClock()

    private struct Numbered: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var number: Int
        var path: RequestPath { "/\(number)" }
        var limitGroup: LimitGroup = .origin
        var timeout: Duration?
    }

    private func client(
        _ limits: [LimitGroup: CallLimit],
        _ transport: MockTransport,
        retryPolicy: RetryPolicy = .never,
    ) -> APIClient<Public> {
        // Without a deadline, the clock has only the timers of the limits.
        let options = ClientOptions(timeout: nil, retryPolicy: retryPolicy, limits: limits, clock: clock)
        return APIClient(transport: transport, options: options)
    }

    /// How many requests are in flight, and how many wait.
    private typealias Counts = (inFlight: Int, waiting: Int)

    /// The state of the limit of the requests' origin.
    private func counts(_ client: APIClient<Public>) -> Counts {
        let origin = HTTPOrigin(scheme: "https", host: "a.example", port: nil)
        return client.core.parts.limiters[.origin(origin)]?.counts ?? (0, 0)
    }

    private func counts(_ client: APIClient<Public>, of group: String) -> Counts {
        client.core.parts.limiters[.group(group)]?.counts ?? (0, 0)
    }

    private func waits(_ count: Int, _ client: APIClient<Public>) async throws {
        #expect(try await holds { counts(client).waiting == count })
    }

    private func numbers(_ transport: MockTransport) -> [Int] {
        transport.requests.compactMap { Int($0.url.lastPathComponent) }
    }

    // MARK: - In flight

    @Test func noMoreAreInFlightThanAllowed() async throws {
        let inFlight = Lock((now: 0, most: 0))
        let transport = MockTransport { _ in
            inFlight.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<10 { await Task.yield() }
            inFlight.withLock { $0.now -= 1 }
            return HTTPResponse(status: 200)
        }
        let client = client([.origin: CallLimit(inFlightMax: 7)], transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { _ = try await client.send(Numbered(number: number)) } }
            try await group.waitForAll()
        }
        #expect(inFlight.withLock(\.most) <= 7 && transport.requests.count == 200)
        #expect(counts(client) == (0, 0) && clock.pendingCount == 0)
    }

    @Test func aHighPriorityGetsTheNextPlace() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let client = client([.origin: CallLimit(inFlightMax: 1)], transport)
        let first = Task { try await client.send(Numbered(number: 0)) }
        await gate.waitUntilSomeoneWaits()
        let others = (1...640).map { number in
            Task(priority: .background) { try await client.send(Numbered(number: number)) }
        }
        try await waits(640, client)
        let urgent = Task(priority: .high) { try await client.send(Numbered(number: 1000)) }
        try await waits(641, client)
        gate.open()
        _ = try await first.value
        _ = try await urgent.value
        #expect(numbers(transport).prefix(2) == [0, 1000])
        for task in others { _ = try await task.value }
        #expect(transport.requests.count == 642 && counts(client) == (0, 0))
    }

    @Test func errorsGiveTheirPlaceBack() async throws {
        let transport = MockTransport()
        let client = client([.origin: CallLimit(inFlightMax: 1), "g": CallLimit(inFlightMax: 1)], transport)
        for _ in 0..<3 {
            transport.enqueue(.failure(TransportError(.connectionReset, "x")))
            _ = try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(Numbered(number: 1, limitGroup: "g"))
            }
        }
        #expect(transport.requests.count == 3 && counts(client) == (0, 0) && counts(client, of: "g") == (0, 0))
    }

    /// Calls are cancelled at every moment around their admission.
    @Test func cancellationsRaceAdmissions() async throws {
        let transport = MockTransport { _ in
            await Task.yield()
            return HTTPResponse(status: 200)
        }
        let limits: [LimitGroup: CallLimit] = [
            .origin: CallLimit(inFlightMax: 3, queueMax: 400), "g": CallLimit(inFlightMax: 2, queueMax: 400),
        ]
        let client = client(limits, transport)
        let seed = testSeed()
        print("seed of the cancellations: \(seed)")
        var random = SeededGenerator(seed: seed)
        var (sentCount, cancelledCount) = (0, 0)
        for round in 0..<40 {
            let tasks = (0..<20).map { number in
                Task { try await client.send(Numbered(number: number, limitGroup: round % 2 == 0 ? .origin : "g")) }
            }
            // Others run at the same time, so each cancellation meets another state.
            for index in tasks.indices.shuffled(using: &random).prefix(12) {
                for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
                tasks[index].cancel()
            }
            for task in tasks {
                switch await task.result {
                case .success: sentCount += 1
                case .failure(let error as APIError<ProblemDetails>):
                    #expect(error.isCancelled)
                    cancelledCount += 1
                case .failure(let error): Issue.record(error)
                }
            }
            #expect(counts(client) == (0, 0) && (round == 0 || counts(client, of: "g") == (0, 0)))
        }
        print("sent: \(sentCount), cancelled: \(cancelledCount)")
        #expect(sentCount + cancelledCount == 800 && sentCount >= 40 * 8)
    }

    @Test func eachAttemptCounts() async throws {
        let transport = MockTransport()
        let limit = CallLimit(rate: .perSecond(1))
        let client = client([.origin: limit], transport, retryPolicy: RetryPolicy(delay: .zero))
        transport.enqueue(HTTPResponse(status: 500))
        transport.enqueue(HTTPResponse(status: 200))
        let call = Task { try await client.send(Numbered(number: 1)) }
        try await waits(1, client)
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(1))
        _ = try await call.value
        #expect(transport.requests.count == 2 && counts(client) == (0, 0))
    }

    // MARK: - How a wait ends

    @Test func aCancelledCallLeavesNothingBehind() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let limit = CallLimit(inFlightMax: 1, rate: .perSecond(1))
        let client = client([.origin: limit, "g": CallLimit(inFlightMax: 1)], transport)
        let first = Task { try await client.send(Numbered(number: 0)) }
        await gate.waitUntilSomeoneWaits()
        let waiting = (1...5).map { number in Task { try await client.send(Numbered(number: number)) } }
        // It has its group's place, and waits for its origin's.
        let grouped = Task { try await client.send(Numbered(number: 6, limitGroup: "g")) }
        try await waits(6, client)
        for task in waiting + [grouped] { task.cancel() }
        for task in waiting + [grouped] {
            let result = await task.result
            #expect((result.failure as? APIError<ProblemDetails>)?.phase == .cancelled)
        }
        // A call that works in its own task ends before that has cleaned up.
        #expect(try await holds { counts(client) == (1, 0) && counts(client, of: "g") == (0, 0) })
        #expect(clock.pendingCount == 0)
        gate.open()
        _ = try await first.value
        #expect(counts(client) == (0, 0) && transport.requests.count == 1)
        // `cancelAll` ends a wait too: the second call of this second waits.
        let late = Task { try await client.send(Numbered(number: 7)) }
        try await waits(1, client)
        #expect(client.cancelAll() == 1)
        let end = await late.result.failure as? APIError<ProblemDetails>
        #expect(end?.phase == .cancelled)
        #expect(try await holds { counts(client) == (0, 0) && clock.pendingCount == 0 })
    }

    @Test func aWaitEndsWithItsDeadline() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let client = client([.origin: CallLimit(inFlightMax: 1)], transport)
        let first = Task { try await client.send(Numbered(number: 0)) }
        await gate.waitUntilSomeoneWaits()
        let second = Task { try await client.send(Numbered(number: 1, timeout: .seconds(5))) }
        try await waits(1, client)
        clock.advance(by: .seconds(5))
        let end = await second.result.failure as? APIError<ProblemDetails>
        #expect(end?.reason == .deadline)
        #expect(try await holds { counts(client) == (1, 0) })
        gate.open()
        _ = try await first.value
    }

    @Test func aCallThatWouldStartAfterItsDeadlineFailsAtOnce() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 200) }
        let client = client([.origin: CallLimit(rate: .perMinute(1))], transport)
        _ = try await client.send(Numbered(number: 0))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Numbered(number: 1, timeout: .seconds(5)))
        }
        #expect(error.reason == .rateLimited && error.phase == .limit && error.isRetryable)
        #expect("\(error)".contains("the limit of https://a.example admits no request for 60 s"))
        #expect(error.retryAfter == .seconds(60))
        #expect(transport.requests.count == 1 && counts(client) == (0, 0))
    }

    @Test func aFullQueueRejects() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let client = client([.origin: CallLimit(inFlightMax: 1, queueMax: 1)], transport)
        let first = Task { try await client.send(Numbered(number: 0)) }
        await gate.waitUntilSomeoneWaits()
        let second = Task { try await client.send(Numbered(number: 1)) }
        try await waits(1, client)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Numbered(number: 2))
        }
        #expect(error.reason == .queueFull && transport.requests.count == 1)
        gate.open()
        _ = try await first.value
        _ = try await second.value
    }

    // MARK: - Quotas

    /// Lets time pass whenever calls wait, until an operation has ended.
    private func passingTime<Value: Sendable>(
        _ client: APIClient<Public>,
        _ work: @escaping @Sendable () async throws -> Value,
    ) async throws -> Value {
        let isOver = Lock(false)
        let task = Task {
            defer { isOver.withLock { $0 = true } }
            return try await work()
        }
        let hasEnded = try await holds {
            if counts(client).waiting > 0 { clock.advance(by: .milliseconds(250)) }
            return isOver.withLock(\.self)
        }
        try #require(hasEnded)
        return try await task.value
    }

    /// A service that allows ten requests in each minute, and says so.
    private func limitedService(
        _ rejections: Lock<Int>,
        says: @escaping @Sendable (Int, Int) -> HTTPHeaders,
    )
        -> MockTransport
    {
        let window = Lock<(start: ContinuousClock.Instant, count: Int)?>(nil)
        return MockTransport { [clock] _ in
            let now = clock.now
            let (count, elapsed) = window.withLock { window in
                var current = window ?? (now, 0)
                if current.start.duration(to: now) >= .seconds(60) { current = (now, 0) }
                current.count += 1
                window = current
                return (current.count, current.start.duration(to: now))
            }
            let isRejected = count > 10
            if isRejected { rejections.withLock { $0 += 1 } }
            let left = Int(((.seconds(60) - elapsed) / .seconds(1)).rounded(.up))
            return HTTPResponse(status: isRejected ? 429 : 200, headers: says(max(0, 10 - count), left))
        }
    }

    @Test(arguments: [0, 1, 2])
    func noRequestIsRejectedThatTheServiceHasAnnounced(_ dialect: Int) async throws {
        let rejections = Lock(0)
        let transport = limitedService(rejections) { remaining, seconds in
            switch dialect {
            case 0: ["RateLimit-Policy": #""m";q=10;w=60"#, "RateLimit": "\"m\";r=\(remaining);t=\(seconds)"]
            case 1:
                [
                    "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "\(remaining)",
                    "X-RateLimit-Reset": "\(seconds)",
                ]
            default: ["RateLimit": "limit=10, remaining=\(remaining), reset=\(seconds)"]
            }
        }
        let client = client([.origin: CallLimit()], transport)
        let start = clock.now
        try await passingTime(client) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<3 {
                    group.addTask {
                        for number in 0..<10 { _ = try await client.send(Numbered(number: worker * 10 + number)) }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(rejections.withLock(\.self) == 0 && transport.requests.count == 30)
        #expect(start.duration(to: clock.now) >= .seconds(120))
    }

    @Test func withoutLearningTheServiceRejects() async throws {
        let rejections = Lock(0)
        let transport = limitedService(rejections) { ["RateLimit": "\"m\";r=\($0);t=\($1)"] }
        let client = client([.origin: CallLimit(learnsQuota: false)], transport)
        for number in 0..<11 { _ = try? await client.send(Numbered(number: number)) }
        #expect(rejections.withLock(\.self) == 1)
    }

    @Test func retryAfterClosesTheLimitOfWhatItConcerns() async throws {
        let transport = MockTransport()
        let client = client([.origin: CallLimit(), "g": CallLimit()], transport)
        transport.enqueue(HTTPResponse(status: 429, headers: ["Retry-After": "10"]))
        _ = try? await client.send(Numbered(number: 0, limitGroup: "g"))
        // 429 concerns the group alone.
        transport.enqueue(HTTPResponse(status: 200))
        _ = try await client.send(Numbered(number: 1))
        let grouped = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Numbered(number: 2, limitGroup: "g", timeout: .seconds(9)))
        }
        #expect(grouped.reason == .rateLimited)
        // With the random part of up to a second.
        clock.advance(by: .seconds(11))
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "10"]))
        _ = try? await client.send(Numbered(number: 3, limitGroup: "g"))
        // 503 concerns all.
        let other = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Numbered(number: 4, timeout: .seconds(9)))
        }
        #expect(other.reason == .rateLimited && numbers(transport) == [0, 1, 3])
    }

    /// A host to which a redirect leads must not be able to stop all calls to the service.
    @Test(arguments: [503, 429]) func aPauseOfAnotherOriginDoesNotConcernTheService(_ status: Int) async throws {
        let transport = MockTransport()
        let client = client([.origin: CallLimit()], transport)
        transport.enqueue(HTTPResponse(status: 302, headers: ["Location": "https://b.example/"]))
        let fields: HTTPHeaders = ["Retry-After": "3600", "RateLimit": "\"m\";r=0;t=3600"]
        transport.enqueue(HTTPResponse(status: HTTPStatus(status), headers: fields))
        _ = try? await client.send(Numbered(number: 0))
        transport.enqueue(HTTPResponse(status: 200))
        _ = try await client.send(Numbered(number: 1, timeout: .seconds(5)))
        #expect(transport.requests.count == 3)
    }

    /// Otherwise each call that the origin's limit rejects would delay the next one of its group.
    @Test func aCallThatTheOriginsLimitRejectsTakesNoTurnOfItsGroup() async throws {
        let transport = MockTransport()
        let client = client([.origin: CallLimit(), "g": CallLimit(rate: .perMinute(1))], transport)
        transport.enqueue(HTTPResponse(status: 503, headers: ["Retry-After": "600"]))
        _ = try? await client.send(Numbered(number: 0))
        for number in 1...3 {
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(Numbered(number: number, limitGroup: "g", timeout: .seconds(5)))
            }
            #expect(error.reason == .rateLimited && "\(error)".contains("a.example"))
        }
        #expect(transport.requests.count == 1)
    }

    // MARK: - Groups, observers, derived clients

    @Test func aGroupHasItsOwnLimitAndItsOrigins() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let client = client([.origin: CallLimit(inFlightMax: 2), "g": CallLimit(inFlightMax: 1)], transport)
        let calls = [LimitGroup("g"), "g", .origin, "without a limit"].enumerated().map { number, group in
            Task { try await client.send(Numbered(number: number, limitGroup: group)) }
        }
        // One of each group is in flight or waits for the origin; the second of `g` waits for its group.
        #expect(try await holds { counts(client, of: "g") == (1, 1) && counts(client) == (2, 1) })
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(transport.requests.count == 4 && counts(client) == (0, 0) && counts(client, of: "g") == (0, 0))
        #expect(client.core.parts.limiters.count == 2)
    }

    @Test func derivedClientsShareTheirLimits() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 200) }
        let client = client([.origin: CallLimit(rate: .perMinute(1))], transport)
        _ = try await client.observing { _ in }.send(Numbered(number: 0))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Numbered(number: 1, timeout: .seconds(5)))
        }
        #expect(error.reason == .rateLimited)
    }

    @Test func observersHearOfWaitsAndQuotas() async throws {
        let texts = Lock<[String]>([])
        let transport = MockTransport { _ in
            HTTPResponse(status: 200, headers: ["RateLimit": #""a";r=5;t=30"#])
        }
        let client = client([.origin: CallLimit(rate: .perSecond(1))], transport)
        let observed = client.observing { event in
            let text: String? =
                switch event.kind {
                case .waitingForLimit(let name): "\(name) waits"
                case .admittedByLimit(let name, let duration): "\(name) admits after \(duration)"
                case .quotaLearned(let name, let remaining, let limit, let resetsIn):
                    "\(name): \(remaining) of \(limit.map { "\($0)" } ?? "?") for \(resetsIn)"
                default: nil
                }
            if let text { texts.withLock { $0.append(text) } }
        }
        _ = try await passingTime(client) {
            _ = try await observed.send(Numbered(number: 0))
            return try await observed.send(Numbered(number: 1))
        }
        let learned = "https://a.example: 5 of ? for 30.0 seconds"
        #expect(
            texts.withLock(\.self) == [
                learned, "https://a.example waits", "https://a.example admits after 1.0 seconds", learned,
            ]
        )
    }

    @Test func aClientWithoutLimitsKeepsNoState() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 200, headers: ["RateLimit": #""a";r=0;t=30"#]) }
        let client = client([:], transport)
        for number in 0..<3 { _ = try await client.send(Numbered(number: number, limitGroup: "g")) }
        #expect(client.core.parts.limiters.count == 0)
    }

    @Test func theNumberOfLimitsIsBounded() {
        let limiters = CallLimiters()
        for number in 0..<2_500 {
            let limiter = limiters.limiter(for: .group("\(number)"), CallLimit(), at: clock.now)
            #expect(limiters.limiter(for: .group("\(number)"), CallLimit(), at: clock.now) === limiter)
        }
        #expect(limiters.count <= 1_000)
    }
}
