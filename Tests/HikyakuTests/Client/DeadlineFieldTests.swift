import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DeadlineFieldTests {
    private static let field: HTTPHeaderName = "X-Time-Left"

    private let clock = ManualClock(date: Date(timeIntervalSince1970: 1_700_000_000))

    private func client(
        _ transport: MockTransport,
        _ format: DeadlineField.Format = .milliseconds,
        timeout: Duration? = .milliseconds(4200),
        retryPolicy: RetryPolicy = .never,
    ) -> APIClient<Public> {
        let field = DeadlineField(Self.field, format)
        let options = ClientOptions(timeout: timeout, retryPolicy: retryPolicy, deadlineField: field, clock: clock)
        return APIClient(transport: transport, options: options)
    }

    private func values(sentBy transport: MockTransport) -> [String?] {
        transport.requests.map { $0.headers[Self.field] }
    }

    /// The value that is sent with a call of so much time.
    private func value(_ format: DeadlineField.Format, _ timeout: Duration?) async throws -> String? {
        let transport = MockTransport { _ in .json("1") }
        _ = try await client(transport, format, timeout: timeout).send(AnyRequest())
        return try #require(values(sentBy: transport).first)
    }

    @Test func noFieldIsSentByDefault() async throws {
        let transport = MockTransport { _ in .json("1") }
        _ = try await APIClient(transport: transport).send(AnyRequest())
        let names = transport.requests.flatMap { $0.headers.map(\.name.rawName) }
        #expect(!names.contains { $0.lowercased().contains("time") })
    }

    @Test(arguments: [
        (Duration.milliseconds(4200), "4200", "5", "4200000u", "1700000004200"),
        (.nanoseconds(1), "1", "1", "1n", "1700000000000"),
        (.seconds(300), "300000", "300", "300000m", "1700000300000"),
    ])
    func theFormats(
        _ timeout: Duration,
        milliseconds: String,
        seconds: String,
        grpc: String,
        unix: String,
    ) async throws {
        #expect(try await value(.milliseconds, timeout) == milliseconds)
        #expect(try await value(.seconds, timeout) == seconds)
        #expect(try await value(.grpcTimeout, timeout) == grpc)
        #expect(try await value(.unixMilliseconds, timeout) == unix)
    }

    /// The smallest unit that needs at most eight digits, rounded up.
    @Test(arguments: [
        (Duration.nanoseconds(99_999_999), "99999999n"), (.nanoseconds(100_000_000), "100000u"),
        (.nanoseconds(100_000_001), "100001u"), (.microseconds(99_999_999), "99999999u"),
        (.microseconds(100_000_000), "100000m"), (.milliseconds(99_999_999), "99999999m"),
        (.seconds(100_000), "100000S"), (.seconds(99_999_999), "99999999S"), (.seconds(100_000_000), "1666667M"),
        (.seconds(99 * 365 * 86_400 as Int64), "52034400M"),
    ])
    func theUnitsOfGRPC(_ timeout: Duration, _ value: String) async throws {
        #expect(try await self.value(.grpcTimeout, timeout) == value)
    }

    @Test func aCallWithoutADeadlineSendsNone() async throws {
        #expect(try await value(.milliseconds, nil) == nil)
        #expect(try await value(.milliseconds, .seconds(Int64.max)) == nil)
    }

    @Test func theScopesDeadlineCounts() async throws {
        let sent = try await CallDeadline.within(.seconds(1), clock: clock) {
            try await value(.milliseconds, nil)
        }
        #expect(sent == "1000")
    }

    @Test func eachAttemptHasTheTimeThatIsLeftThen() async throws {
        let transport = MockTransport { [clock] _ in
            clock.advance(by: .seconds(1))
            return HTTPResponse(status: 503)
        }
        let client = client(transport, retryPolicy: RetryPolicy(delay: .zero))
        _ = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest()) }
        #expect(values(sentBy: transport) == ["4200", "3200", "2200"])
    }

    @Test func eachHopHasTheTimeThatIsLeftThenUntilOneLeadsAway() async throws {
        let transport = MockTransport { [clock] request in
            clock.advance(by: .seconds(1))
            let places = [
                "https://a.example/p": "/q", "https://a.example/q": "https://b.example/r",
                "https://b.example/r": "https://a.example/s",
            ]
            guard let next = places[request.url.absoluteString] else { return .json("1") }
            return HTTPResponse(status: 307, headers: [.location: next])
        }
        _ = try await client(transport, timeout: .seconds(10)).send(AnyRequest())
        #expect(values(sentBy: transport) == ["10000", "9000", nil, nil])
    }

    @Test func theRequestsOwnFieldIsKept() async throws {
        let transport = MockTransport { _ in .json("1") }
        _ = try await client(transport).send(AnyRequest(headers: ["x-time-left": "7"]))
        #expect(values(sentBy: transport) == ["7"])
    }

    @Test func anotherOriginGetsNone() async throws {
        struct Elsewhere: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.url = try #require(URL(string: "https://b.example/p"))
                return try await next(request)
            }
        }
        let transport = MockTransport { _ in .json("1") }
        let field = DeadlineField(Self.field, .milliseconds)
        let client = APIClient(
            transport: transport,
            middleware: [Elsewhere()],
            options: ClientOptions(deadlineField: field),
        )
        _ = try await client.send(AnyRequest())
        #expect(values(sentBy: transport) == [nil])
    }

    @Test func aSharedExchangeSendsNoneSinceOtherCallsMayHaveMoreTime() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
        let client = client(transport, timeout: .seconds(300))
        async let first = client.send(Shop.SharedDishes())
        await gate.waitUntilSomeoneWaits()
        clock.advance(by: .seconds(1))
        async let second = client.send(Shop.SharedDishes())
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        _ = try await (first, second)
        #expect(values(sentBy: transport).allSatisfy { $0 == nil })
    }

    @Test func aSignatureCoversIt() async throws {
        struct Signer: RequestSigner {
            func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
                request.headers["X-Signed"] = request.headers[DeadlineFieldTests.field]
            }
        }
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        try await client(transport).authorized(by: Signer(), for: .shop).send(Shop.AddDish(dish: .sample))
        #expect(transport.requests.map { $0.headers["X-Signed"] } == ["4200"])
        #expect(values(sentBy: transport) == ["4200"])
    }

    @Test func aFormatOfOnesOwn() async throws {
        let format = DeadlineField.Format { left, deadline in
            "\(Int(left / .milliseconds(1))) of \(Int(deadline.timeIntervalSince1970))"
        }
        #expect(try await value(format, .milliseconds(4200)) == "4200 of 1700000004")
        #expect(try await value(DeadlineField.Format { _, _ in nil }, .seconds(1)) == nil)
    }

    @Test func aValueThatCannotBeSentEndsTheCall() async throws {
        let transport = MockTransport { _ in .json("1") }
        let client = client(transport, DeadlineField.Format { _, _ in "1\r\nX-Evil: 1" })
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest())
        }
        #expect(error.reason == .header && transport.requests.isEmpty)
        #expect(!"\(error)".contains("Evil"))
    }

    @Test func theNameOfGRPC() async throws {
        let transport = MockTransport { _ in .json("1") }
        let options = ClientOptions(timeout: .seconds(2), deadlineField: .grpcTimeout, clock: clock)
        _ = try await APIClient(transport: transport, options: options).send(AnyRequest())
        #expect(transport.requests.first?.headers["grpc-timeout"] == "2000000u")
    }
}
