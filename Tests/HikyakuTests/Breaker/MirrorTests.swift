import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku

extension APIEnvironment {
    fileprivate static let primary: APIEnvironment = "https://primary.example/v1"
    fileprivate static let mirror: APIEnvironment = "https://mirror.example/v2"
    fileprivate static let second: APIEnvironment = "https://second.example/v3"
}

/// A request to the primary environment; its response is the host that sent it.
private struct Ask: APIRequest {
    typealias Definition = TextResponse
    var environment: APIEnvironment { .primary }
    var path: RequestPath { "/p" }
    var method: HTTPMethod = .get
    var body: RequestBody?
    var timeout: Duration?
    var idempotencyKey: IdempotencyKey = .none
    var sharesExchange = false
    var ownValue: String?
    func fallback(for error: APIError<ProblemDetails>) -> String? { ownValue.map { "\($0) after \(error.reason)" } }
}

private struct Mine: APIRequest {
    typealias Definition = TextResponse
    typealias Access = Authorized
    var environment: APIEnvironment { .primary }
    var path: RequestPath { "/mine" }
}

private struct Perhaps: APIRequest {
    typealias Definition = TextResponse
    typealias Access = AuthorizedIfPossible
    var environment: APIEnvironment { .primary }
    var path: RequestPath { "/perhaps" }
}

@Suite(.timeLimit(.minutes(10))) struct MirrorTests {
    /// What a host answers; then it answers with its name.
    private enum Answer {
        case status(HTTPStatus)
        case failure(FailureReason)
        case waiting(Duration, HTTPStatus)
        case never
    }

    private let clock: ManualClock
    private let answers: Lock<[String: [Answer]]>
    private let transport: MockTransport

    init() {
        let (clock, answers) = (ManualClock(), Lock<[String: [Answer]]>([:]))
        (self.clock, self.answers) = (clock, answers)
        transport = MockTransport { request in
            let host = request.url.host() ?? ""
            let answer = answers.withLock { answers -> Answer? in
                guard answers[host]?.isEmpty == false else { return nil }
                return answers[host]?.removeFirst()
            }
            switch answer {
            case nil: break
            case .status(let status): return HTTPResponse(status: status, body: "x")
            case .failure(let reason): throw TransportError(reason, "broken")
            case .waiting(let duration, let status):
                clock.advance(by: duration)
                return HTTPResponse(status: status, body: "x")
            case .never: try await untilCancelled()
            }
            return HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: HTTPBody(Data(host.utf8)))
        }
    }

    private func client(
        retries: RetryPolicy = .never,
        breaker: CircuitBreaker? = nil,
        middleware: [any HTTPMiddleware] = [],
    ) -> APIClient<Public> {
        var options = ClientOptions(retryPolicy: retries, circuitBreaker: breaker, clock: clock)
        options.random = { 0 }
        return APIClient(transport: transport, middleware: middleware, options: options)
            .fallingBack(to: .mirror, for: .primary)
    }

    private func set(_ name: String, _ list: Answer...) {
        answers.withLock { $0["\(name).example", default: []] += list }
    }

    /// The first labels of the hosts to which requests were sent.
    private var hosts: [String] {
        transport.requests.map { ($0.url.host() ?? "").split(separator: ".").first.map(String.init) ?? "" }
    }

    private func error(
        of client: APIClient<Public>,
        _ request: Ask = Ask(),
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> APIError<ProblemDetails> {
        let work = { @Sendable () async throws(APIError<ProblemDetails>) in try await client.send(request) }
        return try await failure(of: work, sourceLocation: sourceLocation)
    }

    // MARK: - When a call falls back

    @Test func aSuccessStays() async throws {
        #expect(try await client().send(Ask()) == "primary.example")
        #expect(hosts == ["primary"])
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func transientStatusesFallBack(_ status: Int) async throws {
        set("primary", .status(HTTPStatus(status)))
        let response = try await client().response(for: Ask())
        #expect(response.value == "mirror.example" && response.source == .network && response.status == 200)
        #expect(transport.requests.map { $0.url.path() } == ["/v1/p", "/v2/p"])
    }

    @Test(arguments: [FailureReason.connectionReset, .hostNotFound, .connectTimeout, .idleTimeout])
    func transientFailuresFallBack(_ reason: FailureReason) async throws {
        set("primary", .failure(reason))
        #expect(try await client().send(Ask()) == "mirror.example")
    }

    @Test func otherFailuresStay() async throws {
        for status in [400, 401, 404, 501] as [HTTPStatus] {
            set("primary", .status(status))
            #expect(try await error(of: client()).response?.status == status)
        }
        for reason in [FailureReason.tlsFailed, .bodyTooLarge, .cancelled] {
            set("primary", .failure(reason))
            #expect(try await error(of: client()).reason == reason)
        }
        #expect(Set(hosts) == ["primary"])
    }

    @Test func aPostThatMayHaveBeenProcessedStays() async throws {
        for answer in [Answer.status(503), .failure(.connectionReset), .failure(.firstByteTimeout)] {
            set("primary", answer)
            _ = try await error(of: client(), Ask(method: .post))
        }
        #expect(Set(hosts) == ["primary"])
    }

    @Test func aPostThatWasNotProcessedFallsBack() async throws {
        for answer in [Answer.failure(.connectionRefused), .failure(.hostNotFound), .status(429)] {
            set("primary", answer)
            #expect(try await client().send(Ask(method: .post, body: .text("b"))) == "mirror.example")
        }
        #expect(transport.requests.allSatisfy { $0.body?.bytes == Data("b".utf8) })
    }

    @Test func aKeyIsTheSameInBothEnvironments() async throws {
        set("primary", .status(503))
        #expect(try await client().send(Ask(method: .post, idempotencyKey: .random)) == "mirror.example")
        let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    @Test func aOneShotBodyStays() async throws {
        set("primary", .status(503))
        let body = RequestBody.stream(HTTPBody(AsyncStream<Data> { $0.finish() }))
        let request = Ask(method: .put, body: body)
        #expect(try await error(of: client(), request).response?.status == 503)
        #expect(hosts == ["primary"])
    }

    @Test func aStubStays() async throws {
        let stubbed = client().stubbing(Ask.self) { _ in throw TransportError(.connectionReset, "stubbed") }
        #expect(try await error(of: stubbed).reason == .connectionReset)
        #expect(hosts.isEmpty)
    }

    // MARK: - Beside retries and circuits

    @Test func itComesAfterAllRetriesAndTheMirrorHasItsOwn() async throws {
        set("primary", .status(503), .failure(.connectionReset))
        set("mirror", .status(502))
        let client = client(retries: RetryPolicy(attemptsMax: 2, delay: .zero))
        #expect(try await client.send(Ask()) == "mirror.example")
        #expect(hosts == ["primary", "primary", "mirror", "mirror"])
    }

    @Test func theErrorHasTheAttemptsOfBoth() async throws {
        set("primary", .status(503), .failure(.connectionReset))
        set("mirror", .status(502), .status(500))
        let error = try await error(of: client(retries: RetryPolicy(attemptsMax: 2, delay: .zero)))
        #expect(error.response?.status == 500 && error.context.attempt == 4)
        #expect(error.context.url == "https://mirror.example/v2/p" && error.context.retryEnd == .attemptsMax)
        let earlier = error.context.earlierAttempts
        #expect(earlier.map(\.number) == [1, 2, 3] && earlier.map(\.status) == [503, nil, 502])
        #expect(earlier.map(\.reason) == [.unacceptableStatus, .connectionReset, .unacceptableStatus])
        let primary = APIEnvironment.primary.baseURL
        #expect(earlier.map(\.environment) == [primary, primary, nil])
        #expect(earlier.first?.description.hasPrefix("attempt 1 at \(primary): 503") == true)
    }

    @Test func anOpenCircuitFallsBackAtOnceWithAnyMethod() async throws {
        let client = client(breaker: CircuitBreaker(callsMin: 1))
        set("primary", .failure(.connectionRefused))
        #expect(try await client.send(Ask()) == "mirror.example")
        #expect(try await client.send(Ask(method: .post)) == "mirror.example")
        #expect(hosts == ["primary", "mirror", "mirror"])
    }

    /// Why the mirror could not be used is not why the call failed.
    @Test func ifNothingIsSentToTheMirrorTheFirstErrorStays() async throws {
        let client = client(breaker: CircuitBreaker(callsMin: 1))
        set("primary", .status(503), .status(503))
        set("mirror", .status(500))
        #expect(try await error(of: client).response?.status == 500)
        clock.advance(by: .seconds(30))
        // The circuit of the primary is half-open, that of the mirror opens again.
        set("mirror", .status(500))
        #expect(try await error(of: client).response?.status == 500)
        let error = try await error(of: client)
        #expect(error.reason == .circuitOpen && "\(error)".contains("the circuit of https://primary.example is open"))
        #expect(hosts == ["primary", "mirror", "primary", "mirror"])
        #expect(error.context.attempt == 0 && error.context.earlierAttempts.isEmpty)
    }

    // MARK: - Time

    @Test func theMirrorHasWhatIsLeftOfTheDeadline() async throws {
        set("primary", .waiting(.seconds(3), 503))
        set("mirror", .never)
        let client = client()
        let call = Task { try await client.send(Ask(timeout: .seconds(4))) }
        while transport.requests.count < 2 { await Task.yield() }
        clock.advance(by: .seconds(1))
        let failed = try await failure { () async throws in try await call.value }
        let error = try #require(failed as? APIError<ProblemDetails>)
        #expect(error.reason == .deadline && error.context.elapsed == .seconds(4))
        #expect(error.context.earlierAttempts.map(\.status) == [503])
    }

    @Test func afterTheDeadlineNothingIsSent() async throws {
        set("primary", .waiting(.seconds(5), 503))
        let error = try await error(of: client(), Ask(timeout: .seconds(4)))
        #expect(error.reason == .deadline && hosts == ["primary"])
    }

    @Test(arguments: [true, false]) func aCallInTheMirrorIsCancelledAsAnyOther(byCancelAll: Bool) async throws {
        set("primary", .status(503))
        set("mirror", .never)
        let client = client()
        let call = client.call(Ask(ownValue: "own"))
        while transport.requests.count < 2 { await Task.yield() }
        if byCancelAll { #expect(client.cancelAll(Ask.self) == 1) } else { call.cancel() }
        guard case .failure(let error) = await call.result else {
            Issue.record("it has a value")
            return
        }
        #expect(error.isCancelled)
    }

    // MARK: - Credentials

    @Test func credentialsStayBoundToTheirEnvironments() async throws {
        let both = client().authorized(by: .bearer("p"), for: .primary).authorized(by: .bearer("m"), for: .mirror)
        set("primary", .status(503))
        #expect(try await both.send(Mine()) == "mirror.example")
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer p", "Bearer m"])
    }

    @Test func withoutACredentialForTheMirrorTheFirstErrorStays() async throws {
        let authorized = client().authorized(by: .bearer("p"), for: .primary)
        set("primary", .status(503), .status(503))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await authorized.send(Mine()) }
        #expect(error.response?.status == 503 && hosts == ["primary"])
        // One that is optional isn't needed.
        #expect(try await authorized.send(Perhaps()) == "mirror.example")
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer p", "Bearer p", nil])
    }

    @Test func aMissingTokenForTheMirrorLeavesTheFirstError() async throws {
        let empty = AskedToken { nil as String? }
        let client = client().authorized(by: .bearer("p"), for: .primary).authorized(by: empty, for: .mirror)
        set("primary", .status(503))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Mine()) }
        #expect(error.response?.status == 503 && hosts == ["primary"])
    }

    @Test func aTokenOfTheRequestsOwnStaysAtHome() async throws {
        set("primary", .status(503))
        let request = try Mine().authorized(by: AccessToken("own"))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client().send(request) }
        #expect(error.response?.status == 503 && hosts == ["primary"])
    }

    // MARK: - Several mirrors

    @Test func aMirrorMayHaveAMirror() async throws {
        let client = client().fallingBack(to: .second, for: .mirror)
        set("primary", .status(503))
        set("mirror", .status(502))
        #expect(try await client.send(Ask()) == "second.example")
        #expect(hosts == ["primary", "mirror", "second"])
    }

    @Test func aMirrorThatCannotBeUsedIsPassedOver() async throws {
        let client = client().fallingBack(to: .second, for: .mirror)
            .authorized(by: .bearer("p"), for: .primary).authorized(by: .bearer("s"), for: .second)
        set("primary", .status(503))
        #expect(try await client.send(Mine()) == "second.example")
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer p", "Bearer s"])
    }

    @Test func aPostThatNoEnvironmentHasProcessedGoesOn() async throws {
        let client = client().fallingBack(to: .second, for: .mirror)
        set("primary", .failure(.connectionRefused))
        set("mirror", .failure(.connectionRefused))
        #expect(try await client.send(Ask(method: .post)) == "second.example")
        set("primary", .failure(.connectionRefused))
        set("mirror", .status(503))
        #expect(try await error(of: client, Ask(method: .post)).response?.status == 503)
    }

    @Test func aLoopEnds() async throws {
        let loop = client().fallingBack(to: .primary, for: .mirror)
        set("primary", .status(503))
        set("mirror", .status(502))
        #expect(try await error(of: loop).response?.status == 502)
        #expect(hosts == ["primary", "mirror"])
        let itself = client().fallingBack(to: .primary, for: .primary)
        set("primary", .status(503))
        #expect(try await error(of: itself).response?.status == 503)
        #expect(hosts.count == 3)
    }

    @Test func aChainIsBounded() async throws {
        var client = client()
        var last = APIEnvironment.mirror
        for number in 0..<10 {
            let next = APIEnvironment(baseURL: "https://m\(number).example")
            client = client.fallingBack(to: next, for: last)
            last = next
            set("m\(number)", .status(503))
        }
        set("primary", .status(503))
        set("mirror", .status(503))
        #expect(try await error(of: client).context.earlierAttempts.count == 4)
        #expect(hosts == ["primary", "mirror", "m0", "m1", "m2"])
    }

    @Test func aSubstituteHasOnlyItsOwnMirror() async throws {
        let staging: APIEnvironment = "https://staging.example"
        let substituted = client().substituting(staging, for: .primary)
        set("staging", .status(503), .status(503))
        #expect(try await error(of: substituted).response?.status == 503)
        #expect(try await substituted.fallingBack(to: .second, for: staging).send(Ask()) == "second.example")
        set("primary", .status(503))
        // A mirror is substituted like any environment.
        #expect(try await client().substituting(.second, for: .mirror).send(Ask()) == "second.example")
        #expect(hosts == ["staging", "staging", "second", "primary", "second"])
    }

    // MARK: - For observers

    @Test func observersAndTheLogShowIt() async throws {
        let (events, lines) = (Lock<[String]>([]), Lock<[String]>([]))
        let client = client().observing { event in
            if case .fallingBack(let reason, let target) = event.kind {
                events.withLock { $0.append("\(reason) to \(target ?? "its own value")") }
            }
        }.logging(.line) { line in lines.withLock { $0.append(line) } }
        set("primary", .failure(.connectionReset))
        _ = try await client.send(Ask())
        #expect(events.withLock(\.self) == ["transport.connectionReset to https://mirror.example/v2"])
        let logged = lines.withLock(\.self)
        #expect(logged.count == 3 && logged[0].contains("primary.example") && logged[2].contains("mirror.example"))
        #expect(logged[1].hasSuffix("Ask falls back to https://mirror.example/v2 after transport.connectionReset"))
    }

    @Test func theRequestsOwnValueComesLast() async throws {
        set("primary", .status(503))
        set("mirror", .status(502))
        let response = try await client().response(for: Ask(ownValue: "own"))
        #expect(response.value == "own after unacceptableStatus" && response.source == .fallback)
        #expect(response.status == 502 && hosts == ["primary", "mirror"])
    }

    @Test func middlewareSeesBothEnvironments() async throws {
        struct Noting: HTTPMiddleware {
            let environments: Lock<[APIEnvironment]>
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                environments.withLock { $0.append(context.environment) }
                return try await next(request)
            }
        }
        let environments = Lock<[APIEnvironment]>([])
        set("primary", .status(503))
        _ = try await client(middleware: [Noting(environments: environments)]).send(Ask())
        #expect(environments.withLock(\.self) == [.primary, .mirror])
    }

    @Test func callsThatShareAnExchangeShareItInTheMirrorToo() async throws {
        set("primary", .status(503))
        let client = client()
        async let first = client.send(Ask(sharesExchange: true))
        async let second = client.send(Ask(sharesExchange: true))
        let values = try await [first, second]
        // Both were sent at once, or one after the other.
        #expect(values.contains("mirror.example") && hosts.first == "primary")
    }
}
