import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10))) struct BreakerTests {
    private let transport = MockTransport()
    private let clock = ManualClock()

    private func client(
        _ policy: CircuitBreaker? = CircuitBreaker(callsMin: 2, probesMax: 1),
        retries: RetryPolicy = .never,
        transport: MockTransport? = nil,
    ) -> APIClient<Public> {
        var options = ClientOptions(retryPolicy: retries, circuitBreaker: policy, clock: clock)
        options.random = { 0 }
        return APIClient(transport: transport ?? self.transport, options: options)
    }

    private func enqueue(_ statuses: HTTPStatus...) {
        for status in statuses { transport.enqueue(HTTPResponse(status: status, body: "x")) }
    }

    private func error(
        of client: APIClient<Public>,
        _ request: AnyRequest = AnyRequest(),
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> APIError<ProblemDetails> {
        let work = { @Sendable () async throws(APIError<ProblemDetails>) in try await client.send(request) }
        return try await failure(of: work, sourceLocation: sourceLocation)
    }

    /// Opens the circuit of a client whose policy needs two calls.
    private func open(_ client: APIClient<Public>) async throws {
        enqueue(503, 503)
        for _ in 0..<2 { _ = try await error(of: client) }
        #expect(client.circuitState(of: AnyRequest())?.state == .open)
    }

    private struct Search: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/search" }
        var limitGroup: LimitGroup { "search" }
    }

    // MARK: - Opening

    @Test func theDefaultClientHasNone() async throws {
        #expect(ClientOptions().circuitBreaker == nil)
        let client = client(nil)
        for _ in 0..<30 { enqueue(503) }
        for _ in 0..<30 { #expect(try await error(of: client).response?.status == 503) }
        #expect(client.circuitState(of: AnyRequest()) == nil && transport.requests.count == 30)
    }

    @Test func itOpensAboveTheRateAndThenNothingIsSent() async throws {
        let client = client(CircuitBreaker(callsMin: 4))
        enqueue(200, 503, 500, 502, 200)
        _ = try await client.send(AnyRequest())
        for _ in 0..<3 { #expect(try await error(of: client).reason == .unacceptableStatus) }
        let rejected = try await error(of: client)
        #expect(rejected.reason == .circuitOpen && rejected.phase == .limit)
        #expect(rejected.context.attempt == 0 && transport.requests.count == 4)
        #expect(rejected.retryAfter == .seconds(30) && rejected.isRetryable)
        #expect("\(rejected)".contains("the circuit of https://a.example is open"))
        #expect("\(rejected)".contains("the next probe is allowed in 30000.0 ms"))
        clock.advance(by: .seconds(12))
        #expect(try await error(of: client).retryAfter == .seconds(18))
        // Another origin has another circuit.
        #expect(try await client.send(AnyRequest(environment: "https://b.example")) == Data("x".utf8))
    }

    @Test(arguments: [
        (FailureReason.connectionReset, true), (.connectionRefused, true), (.hostNotFound, true), (.idleTimeout, true),
        (.firstByteTimeout, true), (.networkUnreachable, false), (.malformedResponse, false), (.queueFull, false),
        (.certificateExpired, false), (.shutDown, false), (.transportFailed, false), (.cancelled, false),
    ])
    func onlyTransientFailuresOfExchangesCount(_ reason: FailureReason, _ counts: Bool) async throws {
        let client = client(CircuitBreaker(callsMin: 100))
        transport.enqueue(.failure(TransportError(reason, "broken")))
        #expect(try await error(of: client).reason == reason)
        let state = client.circuitState(of: AnyRequest())
        #expect(state?.callsCount == (counts ? 1 : 0) && state?.failureRate == (counts ? 1 : 0))
    }

    @Test(
        arguments: [
            (200, 0), (204, 0), (304, 0), (400, 0), (401, 0), (404, 0), (408, 0), (429, 0), (501, 0), (505, 0),
            (506, 0), (507, 0), (508, 0), (510, 0), (511, 0), (600, 0), (999, 0),
            (500, 1), (502, 1), (503, 1), (504, 1), (520, 1), (529, 1), (599, 1),
        ] as [(Int, Double)]
    )
    func onlyBreakdownsOfTheServiceCount(_ status: Int, _ rate: Double) async throws {
        let client = client(CircuitBreaker(callsMin: 100))
        enqueue(HTTPStatus(status))
        _ = try? await client.send(AnyRequest())
        #expect(client.circuitState(of: AnyRequest())?.callsCount == 1)
        #expect(client.circuitState(of: AnyRequest())?.failureRate == rate)
    }

    @Test func aStatusThatTheRequestAcceptsIsNotAFailure() async throws {
        struct Health: APIRequest {
            typealias Definition = RawResponse
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/health" }
            func accepts(_ status: HTTPStatus) -> Bool { status == 503 }
        }
        let client = client()
        enqueue(503, 503, 503)
        for _ in 0..<3 { _ = try await client.send(Health()) }
        #expect(client.circuitState(of: Health())?.failureRate == 0)
    }

    @Test func anErrorOfAStepSaysNothing() async throws {
        struct Broken: Error {}
        let client = client(CircuitBreaker(callsMin: 1))
        transport.enqueue(.failure(Broken()))
        #expect(try await error(of: client).reason == .other)
        #expect(client.circuitState(of: AnyRequest())?.callsCount == 0)
    }

    // MARK: - What shares a circuit

    @Test func derivedClientsShareIt() async throws {
        let client = client()
        let others = [client.observing { _ in }, client.substituting("https://c.example", for: "https://b.example")]
        try await open(client)
        for other in others { #expect(try await error(of: other).reason == .circuitOpen) }
        #expect(transport.requests.count == 2)
    }

    @Test func aGroupHasItsOwn() async throws {
        let client = client()
        enqueue(503, 503)
        for _ in 0..<2 { _ = try? await client.send(Search()) }
        #expect(client.circuitState(of: Search())?.state == .open)
        #expect(client.circuitState(of: Search())?.circuit == "https://a.example, search")
        #expect(client.circuitState(of: AnyRequest()) == nil)
        enqueue(200)
        #expect(try await client.send(AnyRequest()) == Data("x".utf8))
        #expect(client.circuitState(of: AnyRequest())?.callsCount == 1)
    }

    @Test func thousandsOfOriginsAreForgotten() throws {
        let circuits = CircuitBreakers()
        let now = ContinuousClock.now
        for number in 0..<3000 {
            let origin = HTTPOrigin(scheme: "https", host: "h\(number).example", port: nil)
            let key = CircuitBreakers.Key(origin: origin, group: nil)
            let policy = CircuitBreaker(callsMin: 1)
            let token = try circuits.token(for: key, policy, at: now) { _ in }
            // The open ones are kept longest.
            let outcome: CircuitMachine.Outcome = number < 10 ? .failure : .success
            let change = circuits.end(token, outcome, of: key, after: .zero, at: now, unit: 0)
            #expect(circuits.count <= 1000 && (change?.state == .open) == (number < 10))
        }
        for number in 0..<10 {
            let origin = HTTPOrigin(scheme: "https", host: "h\(number).example", port: nil)
            #expect(circuits.state(of: CircuitBreakers.Key(origin: origin, group: nil), at: now)?.state == .open)
        }
    }

    // MARK: - Half-open

    @Test func ofManyCallsOnlyTheProbesAreSent() async throws {
        let gate = Gate()
        let probed = MockTransport { _ in
            await gate.wait()
            return HTTPResponse(status: 200, body: "x")
        }
        for _ in 0..<2 { probed.enqueue(HTTPResponse(status: 503)) }
        let client = client(CircuitBreaker(callsMin: 2, probesMax: 3), transport: probed)
        for _ in 0..<2 { _ = try await error(of: client) }
        clock.advance(by: .seconds(30))
        let rejectedCount = Lock(0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    do throws(APIError<ProblemDetails>) {
                        _ = try await client.send(AnyRequest())
                        return true
                    } catch {
                        #expect(error.reason == .circuitOpen)
                        rejectedCount.withLock { $0 += 1 }
                        return false
                    }
                }
            }
            #expect(try await holds { rejectedCount.withLock(\.self) == 13 && probed.requests.count == 5 })
            #expect(client.circuitState(of: AnyRequest())?.state == .halfOpen)
            gate.open()
            let successesCount = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            #expect(successesCount == 3)
        }
        #expect(client.circuitState(of: AnyRequest())?.state == .closed)
        #expect(try await client.send(AnyRequest()) == Data("x".utf8))
        #expect(probed.requests.count == 6)
    }

    @Test func aFailedProbeOpensItForAsLongAgain() async throws {
        let client = client()
        try await open(client)
        clock.advance(by: .seconds(30))
        enqueue(503)
        #expect(try await error(of: client).response?.status == 503)
        #expect(try await error(of: client).retryAfter == .seconds(30))
        clock.advance(by: .seconds(30))
        enqueue(404, 200)
        // The service works, whatever it says of this request.
        #expect(try await error(of: client).response?.status == 404)
        #expect(try await client.send(AnyRequest()) == Data("x".utf8))
    }

    @Test(arguments: [true, false]) func aCancelledProbeIsReplaced(byCancelAll: Bool) async throws {
        let client = client()
        try await open(client)
        clock.advance(by: .seconds(30))
        transport.enqueue(.never)
        let probe = Task { try await client.send(AnyRequest()) }
        try #require(try await holds { transport.requests.count >= 3 })
        #expect(try await error(of: client).reason == .circuitOpen)
        if byCancelAll { #expect(client.cancelAll() == 1) } else { probe.cancel() }
        _ = await probe.result
        enqueue(200)
        // A call in a task of its own ends before its steps have ended.
        #expect(try await holds { (try? await client.send(AnyRequest())) != nil })
        #expect(client.circuitState(of: AnyRequest())?.state == .closed)
        #expect(transport.requests.count == 4)
    }

    // MARK: - Slow calls

    @Test func slowCallsOpenIt() async throws {
        let clock = clock
        let slow = MockTransport { _ in
            clock.advance(by: .seconds(2))
            return HTTPResponse(status: 200, body: "x")
        }
        let policy = CircuitBreaker(slowCallDuration: .seconds(2), callsMin: 2)
        let client = client(policy, transport: slow)
        _ = try await client.send(AnyRequest())
        _ = try await client.send(AnyRequest())
        #expect(try await error(of: client).reason == .circuitOpen)
        #expect(client.circuitState(of: AnyRequest())?.slowRate == 1)
        #expect(client.circuitState(of: AnyRequest())?.failureRate == 0)
    }

    /// Two calls take 1.5 seconds each, and the second one waits for the first.
    @Test func waitingForTheClientsLimitsIsNotSlow() async throws {
        let (clock, gate) = (clock, Gate())
        let transport = MockTransport { _ in
            await gate.wait()
            clock.advance(by: .seconds(1.5))
            return HTTPResponse(status: 200, body: "x")
        }
        let options = ClientOptions(
            timeout: nil,
            retryPolicy: .never,
            circuitBreaker: CircuitBreaker(slowCallDuration: .seconds(2), callsMin: 1),
            limits: [.origin: CallLimit(inFlightMax: 1)],
            clock: clock,
        )
        let client = APIClient(transport: transport, options: options)
        let calls = (Task { try await client.send(AnyRequest()) }, Task { try await client.send(AnyRequest()) })
        let limiters = client.core.parts.limiters
        let origin = try #require(HTTPOrigin(AnyRequest().httpRequest().url))
        #expect(try await holds { limiters[.origin(origin)]?.counts.waiting == 1 })
        gate.open()
        _ = try await (calls.0.value, calls.1.value)
        #expect(client.circuitState(of: AnyRequest())?.callsCount == 2)
        #expect(client.circuitState(of: AnyRequest())?.slowRate == 0)
    }

    /// A deadline of the caller is not a failure of the service, but it shows that the service was slow.
    @Test(arguments: [(3, true), (1, false)])
    func aDeadlineCountsIfItWasSlow(_ seconds: Int, _ isSlow: Bool) async throws {
        let client = client(CircuitBreaker(slowCallDuration: .seconds(2), callsMin: 1))
        transport.enqueue(.never)
        let call = Task { try await client.send(AnyRequest(timeout: .seconds(seconds))) }
        try #require(try await holds { !transport.requests.isEmpty })
        clock.advance(by: .seconds(seconds))
        await #expect(throws: APIError<ProblemDetails>.self) { try await call.value }
        if isSlow {
            #expect(try await holds { client.circuitState(of: AnyRequest())?.state == .open })
        } else {
            // The next attempt ends after the first one.
            enqueue(200)
            _ = try await client.send(AnyRequest())
            #expect(client.circuitState(of: AnyRequest())?.state == .closed)
        }
    }

    @Test func aCancelledCallSaysNothing() async throws {
        let client = client(CircuitBreaker(slowCallDuration: .zero, callsMin: 1))
        transport.enqueue(.never)
        let call = Task { try await client.send(AnyRequest()) }
        try #require(try await holds { !transport.requests.isEmpty })
        call.cancel()
        _ = await call.result
        #expect(client.circuitState(of: AnyRequest())?.callsCount == 0)
    }

    // MARK: - Beside retries, and for observers

    /// The error is the service's, and not that of an attempt that could not be sent.
    @Test func eachAttemptCountsAndNoneFollowsThatWouldBeRejected() async throws {
        let client = client(retries: RetryPolicy(attemptsMax: 5, delay: .zero))
        enqueue(503, 502, 200)
        let error = try await error(of: client)
        #expect(error.response?.status == 502 && transport.requests.count == 2)
        #expect(error.context.earlierAttempts.map(\.status) == [503])
        #expect(error.context.attempt == 2 && error.context.retryEnd == .circuitOpen)
        #expect(try await self.error(of: client).reason == .circuitOpen)
    }

    @Test(arguments: [200, 503]) func whatAnotherOriginAnswersAfterARedirectDoesNotCount(_ status: Int) async throws {
        let client = client(CircuitBreaker(callsMin: 1, probesMax: 1))
        for _ in 0..<3 {
            transport.enqueue(HTTPResponse(status: 302, headers: ["Location": "https://b.example/slow"]))
            enqueue(HTTPStatus(status))
            _ = try? await client.send(AnyRequest())
        }
        let state = try #require(client.circuitState(of: AnyRequest()))
        #expect(state.state == .closed && state.callsCount == 3 && state.failureRate == 0)
    }

    @Test func observersHearOfEachChange() async throws {
        let changes = Lock<[CircuitChange]>([])
        let exchanges = Lock<Set<UInt64>>([])
        let client = client().observing { event in
            guard case .circuit(let change) = event.kind else { return }
            changes.withLock { $0.append(change) }
            exchanges.withLock { _ = $0.insert(event.exchange) }
        }
        try await open(client)
        clock.advance(by: .seconds(30))
        enqueue(200)
        _ = try await client.send(AnyRequest())
        let circuit = "https://a.example"
        let expected = [
            CircuitChange(circuit: circuit, state: .open, callsCount: 2, failureRate: 1, probesAfter: .seconds(30)),
            CircuitChange(circuit: circuit, state: .halfOpen),
            CircuitChange(circuit: circuit, state: .closed, callsCount: 1),
        ]
        #expect(changes.withLock(\.self) == expected)
        #expect(!exchanges.withLock(\.self).contains(0))
    }

    @Test func manyThreadsUseOneCircuit() async throws {
        let circuits = CircuitBreakers()
        let key = CircuitBreakers.Key(origin: HTTPOrigin(scheme: "https", host: "a.example", port: nil), group: nil)
        let policy = CircuitBreaker(callsMin: .max)
        let now = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        let token = try circuits.token(for: key, policy, at: now) { _ in }
                        let outcome: CircuitMachine.Outcome = number < 2 ? .failure : .success
                        _ = circuits.end(token, outcome, of: key, after: .zero, at: now, unit: 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        let counts = circuits.state(of: key, at: now)?.counts
        #expect(counts == CircuitCounts(calls: 8000, failures: 2000, slow: 0))
    }
}

extension APIClient {
    /// The state of the circuit that the attempts of a request use; `nil` without a breaker, and before the first
    /// attempt.
    fileprivate func circuitState<R: APIRequest>(of request: R) -> CircuitChange? {
        let key = CircuitBreakers.Key(of: core.call(CallPlan(of: request, by: core)))
        return core.parts.circuits.state(of: key, at: core.parts.options.clock.now).map { CircuitChange($0, of: key) }
    }
}
