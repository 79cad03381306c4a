import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import struct Hikyaku.APIClient
@testable import HikyakuEngine

/// A call inside of another one has at most the time that is left to that one; work for several calls has its own.
@Suite(.timeLimit(.minutes(10))) struct NestedDeadlineTests {
    private let clock = ManualClock()

    /// Where a call is made inside of another one.
    enum Place: CaseIterable, Sendable {
        case middleware, provider, signer, redirect, reading
    }

    private func client(
        _ transport: some HTTPTransport,
        _ middleware: [any HTTPMiddleware] = [],
        timeout: Duration? = .seconds(5),
        _ change: (inout ClientOptions) -> Void = { _ in },
    ) -> APIClient<Public> {
        var options = ClientOptions(timeout: timeout, clock: clock)
        change(&options)
        return APIClient(transport: transport, middleware: middleware, options: options)
    }

    /// Makes a call that runs some work in a place of its way.
    private func call(
        with work: @escaping @Sendable () async throws -> Void,
        in place: Place,
        promises: Bool,
    ) async throws {
        let around = Around(promises: promises, work: work)
        let origin: APIEnvironment = "https://a.example"
        let transport = MockTransport { _ in .json("1") }
        switch place {
        case .middleware: _ = try await client(transport, [around]).send(AnyRequest())
        case .provider: _ = try await client(transport).authorized(by: around, for: origin).send(AuthorizedRequest())
        case .signer:
            let signer = WorkingSigner(endsOnCancellation: promises, work: work)
            _ = try await client(transport).authorized(by: signer, for: origin).send(AuthorizedRequest())
        case .redirect:
            transport.enqueue(HTTPResponse(status: 302, headers: [.location: "/q"]))
            let policy = RedirectPolicy.ask { _ in
                try await work()
                return .follow
            }
            _ = try await client(transport) { $0.redirectPolicy = policy }.send(AnyRequest())
        case .reading: _ = try await client(transport).send(Reading(work: work))
        }
    }

    /// The deadline of a call that is made now, and what it reads of it.
    private func deadline(
        ofCallWith timeout: Duration?,
        in place: Place,
        promises: Bool,
    ) async throws -> ContinuousClock.Instant? {
        let seen = Lock<[ContinuousClock.Instant?]>([])
        let inner = client(MockTransport { _ in .json("1") }, [Watching(seen: seen)], timeout: timeout)
        try await call(with: { _ = try await inner.send(AnyRequest()) }, in: place, promises: promises)
        let deadlines = seen.withLock(\.self)
        #expect(deadlines.count == 1)
        return try #require(deadlines.first)
    }

    @Test(arguments: Place.allCases, [true, false])
    func aCallInsideOfAnotherInheritsItsDeadline(in place: Place, promises: Bool) async throws {
        // Then the types are known to be read by default, so that the calls may work in their callers' tasks.
        try await call(with: {}, in: place, promises: promises)
        let start = clock.now
        let end = start.advanced(by: .seconds(5))
        #expect(try await deadline(ofCallWith: nil, in: place, promises: promises) == end)
        #expect(try await deadline(ofCallWith: .seconds(1000), in: place, promises: promises) == end)
        let own = try await deadline(ofCallWith: .seconds(1), in: place, promises: promises)
        #expect(own == start.advanced(by: .seconds(1)))
    }

    @Test(arguments: [true, false]) func theDeadlineOfAScopeCountsToo(promises: Bool) async throws {
        let start = clock.now
        let early = try await CallDeadline.within(.seconds(2), clock: clock) {
            try await deadline(ofCallWith: nil, in: .middleware, promises: promises)
        }
        #expect(early == start.advanced(by: .seconds(2)))
        let late = try await CallDeadline.within(.seconds(20), clock: clock) {
            try await deadline(ofCallWith: nil, in: .middleware, promises: promises)
        }
        #expect(late == start.advanced(by: .seconds(5)))
    }

    @Test(arguments: [true, false]) func aStepCanReadHowMuchTimeIsLeft(promises: Bool) async throws {
        let seen = Lock<ContinuousClock.Instant?>(nil)
        let end = clock.now.advanced(by: .seconds(5))
        try await call(
            with: { seen.withLock { $0 = CallDeadline.current } },
            in: .middleware,
            promises: promises,
        )
        #expect(seen.withLock(\.self) == end && CallDeadline.current == nil)
    }

    @Test func bothCallsEndAtTheDeadline() async throws {
        try await call(with: {}, in: .middleware, promises: true)
        let silent = MockTransport { _ in try await untilCancelled() }
        let inner = client(silent, timeout: nil)
        let innerError = Lock<APIError<ProblemDetails>?>(nil)
        let around = Around(promises: true) {
            do throws(APIError<ProblemDetails>) {
                _ = try await inner.send(AnyRequest())
            } catch {
                innerError.withLock { $0 = error }
                throw error
            }
        }
        let outer = client(MockTransport { _ in .json("1") }, [around])
        async let advanced: Void = {
            try #require(try await holds { !silent.requests.isEmpty })
            clock.advance(by: .seconds(5))
        }()
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await outer.send(AnyRequest())
        }
        try await advanced
        #expect(error.reason == .deadline)
        #expect(error.failureReason == "the call took longer than 5 s: 5 s in middleware and other steps")
        let nested = innerError.withLock { $0 }
        #expect(nested?.failureReason == "the call took longer than 5 s: 5 s in attempt 1")
    }

    @Test(arguments: [true, false]) func retriesInsideArePlannedWithTheTimeThatIsLeft(promises: Bool) async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 503, headers: ["Retry-After": "10"]) }
        let inner = client(transport, timeout: nil) { $0.retryPolicy = .standard }
        let end = Lock<RetryEnd?>(nil)
        try await call(
            with: {
                do throws(APIError<ProblemDetails>) {
                    _ = try await inner.send(AnyRequest())
                } catch {
                    end.withLock { $0 = error.context.retryEnd }
                }
            },
            in: .provider,
            promises: promises,
        )
        #expect(end.withLock(\.self) == .retryAfter && transport.requests.count == 1)
    }

    @Test(arguments: [true, false]) func aCallThatIsStartedThereContinuesWithItsOwnTime(promises: Bool) async throws {
        let seen = Lock<[ContinuousClock.Instant?]>([])
        let inner = client(MockTransport { _ in .json("1") }, [Watching(seen: seen)], timeout: .seconds(60))
        let start = clock.now
        try await CallDeadline.within(.seconds(20), clock: clock) {
            try await call(with: { _ = try await inner.call(AnyRequest()).value }, in: .middleware, promises: promises)
        }
        try await call(with: { _ = try await inner.call(AnyRequest()).value }, in: .middleware, promises: promises)
        #expect(seen.withLock(\.self) == [start.advanced(by: .seconds(20)), start.advanced(by: .seconds(60))])
    }

    // MARK: - Work for several calls

    @Test(arguments: [true, false]) func aSharedExchangeHasNoDeadlineOfACall(isShared: Bool) async throws {
        struct Listing: APIRequest {
            typealias Definition = RawResponse
            let sharesExchange: Bool
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
        }
        let seen = Lock<[ContinuousClock.Instant?]>([])
        let transport = MockTransport { _ in
            seen.withLock { $0.append(CallDeadline.current) }
            return .json("1")
        }
        let end = clock.now.advanced(by: .seconds(5))
        let client = client(transport)
        for _ in 0..<2 { _ = try await client.send(Listing(sharesExchange: isShared)) }
        try await CallDeadline.within(.seconds(20), clock: clock) {
            _ = try await client.send(Listing(sharesExchange: isShared))
        }
        #expect(seen.withLock(\.self) == (isShared ? [nil, nil, nil] : [end, end, end]))
    }

    /// One call waits for the exchange of another, and its error says what happened there meanwhile.
    @Test(arguments: [true, false]) func aCallThatJoinsAnExchangeSaysWhatItWaitedFor(promises: Bool) async throws {
        _ = try await client(MockTransport { _ in .json("[]") }).send(Shop.SharedDishes())
        let gate = Gate()
        let transport = MockTransport { [clock] request in
            if request.url.path() == "/v1/there" { try await untilCancelled() }
            await gate.wait()
            clock.advance(by: .seconds(1))
            return HTTPResponse(status: 302, headers: [.location: "/v1/there"])
        }
        let client = client(transport, promises ? [] : [Around(promises: false) {}], timeout: .seconds(1000))
        let first = client.call(Shop.SharedDishes())
        try #require(try await holds { !transport.requests.isEmpty })
        let second = await CallDeadline.within(.seconds(10), clock: clock) { client.call(Shop.SharedDishes()) }
        try #require(try await holds { client.core.parts.exchanges.waiterCount >= 2 })
        gate.open()
        try #require(try await holds { transport.requests.count >= 2 })
        clock.advance(by: .seconds(9))
        guard case .failure(let error) = await second.result else {
            Issue.record("a call outlived its deadline")
            return
        }
        #expect(error.context.spending?.longest == .redirects)
        #expect(error.context.spending?[.redirects] == .seconds(9))
        #expect(error.context.spending?.parts.map(\.duration).reduce(.zero, +) == .seconds(10))
        first.cancel()
        _ = await first.result
    }

    @Test func aRefreshHasNoDeadlineOfACall() async throws {
        let seen = Lock<[ContinuousClock.Instant?]>([])
        let inner = client(MockTransport { _ in .json("1") }, [Watching(seen: seen)], timeout: nil)
        let session = RefreshingToken.issued(in: MemoryTokenStore()) { _ in
            seen.withLock { $0.append(CallDeadline.current) }
            _ = try await inner.send(AnyRequest())
            return IssuedToken(token: Secret("t"))
        }
        let outer = client(MockTransport { _ in .json("1") }).authorized(by: session, for: "https://a.example")
        try await CallDeadline.within(.seconds(2), clock: clock) { _ = try await outer.send(AuthorizedRequest()) }
        #expect(seen.withLock(\.self) == [nil, nil])
    }

    // MARK: - No attempt after the deadline

    /// The timers are late, as on a machine that has slept.
    @Test(arguments: [true, false]) func nothingIsSentAfterALongTokenRequest(promises: Bool) async throws {
        let (clock, late) = (clock, LateTimers(clock: clock))
        let transport = MockTransport { _ in .json("1") }
        let provider = Around(promises: promises) { clock.advance(by: .seconds(5)) }
        let client = client(transport) { $0.clock = late }.authorized(by: provider, for: "https://a.example")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AuthorizedRequest())
        }
        #expect(error.reason == .deadline && transport.requests.isEmpty)
        #expect(error.context.spending?.longest == .authorization)
    }

    @Test(arguments: [true, false]) func nothingIsSentAgainAfterALongRefresh(promises: Bool) async throws {
        let (clock, late) = (clock, LateTimers(clock: clock))
        let transport = MockTransport { _ in HTTPResponse(status: 401) }
        let count = Lock(0)
        let provider = Around(promises: promises, tokens: count) {
            if count.withLock(\.self) == 1 { clock.advance(by: .seconds(5)) }
        }
        let client = client(transport) { $0.clock = late }.authorized(by: provider, for: "https://a.example")
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AuthorizedRequest())
        }
        #expect(error.reason == .deadline && transport.requests.count == 1)
    }

    @Test func noRedirectIsFollowedAfterTheDeadline() async throws {
        let (clock, late) = (clock, LateTimers(clock: clock))
        let transport = MockTransport { _ in
            clock.advance(by: .seconds(5))
            return HTTPResponse(status: 302, headers: [.location: "/q"])
        }
        let client = client(transport) { $0.clock = late }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest())
        }
        #expect(error.reason == .deadline && transport.requests.count == 1)
        #expect(error.context.spending?.longest == .attempt)
    }
}

private struct AuthorizedRequest: APIRequest {
    typealias Definition = RawResponse
    typealias Access = Authorized
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/p" }
}

private struct Reading: APIRequest {
    typealias Response = Int
    let work: @Sendable () async throws -> Void
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }

    func response(from response: BufferedResponse) async throws -> Int {
        try await work()
        return 1
    }
}

/// Works before it goes on, or before it returns a token.
private struct Around: HTTPMiddleware, TokenProvider {
    let promises: Bool
    var tokens = Lock(0)
    let work: @Sendable () async throws -> Void
    var endsOnCancellation: Bool { promises }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        try await work()
        return try await next(request)
    }

    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        try await work()
        return AccessToken("\(tokens.withLock { $0 += 1; return $0 })")
    }
}

private struct WorkingSigner: RequestSigner {
    let endsOnCancellation: Bool
    let work: @Sendable () async throws -> Void

    func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws { try await work() }
}

/// Notes the deadlines of calls.
private struct Watching: HTTPMiddleware {
    let seen: Lock<[ContinuousClock.Instant?]>
    var endsOnCancellation: Bool { true }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        seen.withLock { $0.append(context.deadline) }
        return try await next(request)
    }
}

/// A clock whose timers never fire.
private struct LateTimers: HTTPClock {
    let clock: ManualClock
    var now: ContinuousClock.Instant { clock.now }

    func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer { HTTPClockTimer {} }
}
