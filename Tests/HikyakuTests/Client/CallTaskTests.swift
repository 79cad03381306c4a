import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

/// Which task a call works in, and how it is stopped there.
@Suite(.timeLimit(.minutes(10))) struct CallTaskTests {
    private let clock = ManualClock()

    private func client(
        _ transport: some HTTPTransport,
        _ middleware: [any HTTPMiddleware] = [],
        options: ClientOptions = ClientOptions(),
    ) -> APIClient<Public> {
        var options = options
        options.clock = clock
        options.timeout = .seconds(60)
        return APIClient(transport: transport, middleware: middleware, options: options)
    }

    /// Shows that the types' responses are read by default, which the first call of each finds out.
    private func sendOnce() async throws {
        let client = client(ParkedTransport(promises: true) { .json("[]") })
        _ = try await client.send(AnyRequest())
        _ = try await client.authorized(by: .bearer("t"), for: "https://a.example").send(AuthorizedRequest())
    }

    @Test func aCallRunsInTheCallersTaskIfEveryPartPromisesToEnd() async throws {
        try await sendOnce()
        let task = TaskName.current
        let transport = ParkedTransport(promises: true) { .json("[]") }
        _ = try await client(transport).send(AnyRequest())
        _ = try await client(transport, [Passing(promises: true)]).send(AnyRequest())
        let cookies = ClientOptions(cookies: MemoryCookieStore())
        _ = try await client(transport, options: cookies).send(AnyRequest())
        let authorized = client(transport).authorized(by: .bearer("t"), for: "https://a.example")
        _ = try await authorized.send(AuthorizedRequest())
        #expect(transport.tasks == [task, task, task, task])
    }

    @Test func aCallHasItsOwnTaskIfAnyPartPromisesNothing() async throws {
        try await sendOnce()
        let task = TaskName.current
        let honest = ParkedTransport(promises: true) { .json("[]") }
        let other = ParkedTransport(promises: false) { .json("[]") }
        _ = try await client(other).send(AnyRequest())
        _ = try await client(honest, [Passing(promises: false)]).send(AnyRequest())
        let asking = ClientOptions(redirectPolicy: .ask { _ in .follow })
        _ = try await client(honest, options: asking).send(AnyRequest())
        let authorized = client(honest).authorized(by: AskedToken { "t" }, for: "https://a.example")
        _ = try await authorized.send(AuthorizedRequest())
        #expect((other.tasks + honest.tasks).count == 4)
        #expect(!(other.tasks + honest.tasks).contains(task))
    }

    @Test func theProviderOfAnotherServiceDoesNotCostATask() async throws {
        try await sendOnce()
        let transport = ParkedTransport(promises: true) { .json("[]") }
        let client = client(transport).authorized(by: AskedToken { "t" }, for: "https://b.example")
            .authorized(by: .bearer("t"), for: "https://a.example")
        _ = try await client.send(AuthorizedRequest())
        #expect(transport.tasks == [TaskName.current])
    }

    @Test func thePackagesOwnPartsPromiseToEnd() throws {
        let issued = IssuedToken(token: Secret("t"))
        let files = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        let parts: [any CancellationPromise] = [
            BearerToken("t"),
            BasicCredential(user: "u", password: "p"),
            APIKey("k", in: .header("X-Key")),
            EnvironmentVariableToken("TOKEN"),
            StoredToken(in: MemoryTokenStore(issued)),
            StoredToken(in: FileTokenStore(path: files)),
            RefreshingToken(store: MemoryTokenStore(issued)) { (_: IssuedToken) in issued },
            MemoryCookieStore(),
            try FileCookieStore(path: files),
            MockTransport(),
        ]
        for part in parts { #expect(part.endsOnCancellation, "\(type(of: part))") }
    }

    @Test func aResponseThatTheRequestReadsHasItsOwnTask() async throws {
        struct Own: APIRequest {
            typealias Response = Int
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
            func response(from response: BufferedResponse) async throws -> Int { TaskName.current }
        }
        let client = client(ParkedTransport(promises: true) { .json("[]") })
        for _ in 0..<3 { #expect(try await client.send(Own()) != TaskName.current) }
    }

    @Test func theDeadlineEndsACallAndLeavesTheCallersTaskAlone() async throws {
        try await sendOnce()
        let transport = ParkedTransport(promises: true, answer: nil)
        let client = client(transport)
        async let advanced: Void = transport.whenParked { clock.advance(by: .seconds(60)) }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest())
        }
        try await advanced
        #expect(error.reason == .deadline)
        #expect(!Task.isCancelled)
        #expect(CallCancellation.isCancelled == false)
        #expect(transport.cancelledCount == 1)
    }

    @Test func theDeadlineEndsACallWhoseMiddlewareMadeAStreamThatDoesNotEnd() async throws {
        try await sendOnce()
        let gate = Gate()
        let client = client(ParkedTransport(promises: true) { .json("[]") }, [Streaming(gate: gate)])
        async let advanced: Void = {
            await gate.waitUntilSomeoneWaits()
            clock.advance(by: .seconds(60))
        }()
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest())
        }
        await advanced
        gate.open()
        #expect(error.reason == .deadline)
        #expect(!Task.isCancelled)
    }

    @Test func cancelAllEndsACallInTheCallersTask() async throws {
        try await sendOnce()
        let transport = ParkedTransport(promises: true, answer: nil)
        let client = client(transport)
        let count = Lock(0)
        async let cancelled: Void = transport.whenParked { count.withLock { $0 = client.cancelAll() } }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest())
        }
        try await cancelled
        #expect(error.isCancelled)
        #expect(count.withLock(\.self) == 1)
        #expect(client.cancelAll() == 0)
    }

    @Test func aCallInsideOfAnotherEndsWithIt() async throws {
        try await sendOnce()
        let transport = ParkedTransport(promises: true, answer: nil)
        let inner = client(transport)
        let outer = client(transport, [Calling(client: inner)])
        async let advanced: Void = transport.whenParked { clock.advance(by: .seconds(60)) }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await outer.send(AnyRequest())
        }
        try await advanced
        #expect(error.reason == .deadline)
        #expect(transport.cancelledCount == 1)
    }

    /// However a call's task is made: what was cancelled while its response was read brings nothing.
    @Test func aCallIsCancelledUntilItsModelIsRead() async throws {
        struct Cancelling: Decodable, Sendable {
            @TaskLocal static var isOn = false

            init(from decoder: any Decoder) throws {
                if Self.isOn { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        struct Request: APIRequest {
            typealias Response = Cancelling
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
        }
        let client = client(ParkedTransport(promises: true) { .json("{}") })
        for round in 0..<2 {
            let task = Task {
                try await Cancelling.$isOn.withValue(round > 0) { _ = try await client.send(Request()) }
            }
            switch await task.result {
            case .success: #expect(round == 0)
            case .failure(let error): #expect(round == 1 && (error as? APIError<ProblemDetails>)?.isCancelled == true)
            }
        }
    }

    @Test func aCallThatIsStartedInsideOfAnotherGoesOn() async throws {
        try await sendOnce()
        let gate = Gate()
        let inner = APIClient(transport: MockTransport.gated(by: gate))
        let started = Lock<Chained?>(nil)
        try await expectDeadline(within: Starting { started.withLock { $0 = inner.call(AnyRequest()) } })
        gate.open()
        _ = try await #require(started.withLock(\.self)).value
    }

    @Test func aChainThatIsStartedInsideOfACallGoesOnWithItsNextCall() async throws {
        try await sendOnce()
        let gate = Gate()
        let first = APIClient(transport: MockTransport { _ in .json("[]") })
        let second = APIClient(transport: MockTransport.gated(by: gate))
        let started = Lock<Chained?>(nil)
        let starting = Starting {
            let call = first.call(AnyRequest())
            _ = await call.result
            // The first call is over, so that the second begins right here.
            let chained = call.then(on: .immediate) { _ in second.call(AnyRequest()) }
            started.withLock { $0 = chained }
            await gate.waitUntilSomeoneWaits()
        }
        try await expectDeadline(within: starting)
        gate.open()
        _ = try await #require(started.withLock(\.self)).value
    }

    @Test func aChainThatIsStartedInsideOfACallReportsProgressAfterThatIsStopped() async throws {
        try await sendOnce()
        let gate = Gate()
        let inner = APIClient(transport: MockTransport.gated(by: gate))
        let started = Lock<Chained?>(nil)
        let stops = Lock<[Bool]>([])
        let starting = Starting {
            let chained = inner.call(AnyRequest()).progress(on: .immediate) { _ in
                stops.withLock { $0.append(CallCancellation.isCancelled) }
            }
            started.withLock { $0 = chained }
            await gate.waitUntilSomeoneWaits()
        } afterwards: {
            // The outer call is stopped and not over yet.
            gate.open()
            _ = try? await holds { started.withLock({ $0?.outcome }) != nil }
        }
        try await expectDeadline(within: starting)
        _ = try await #require(started.withLock(\.self)).value
        #expect(stops.withLock { !$0.isEmpty && !$0.contains(true) })
    }

    /// Sends a request through a step, and reaches its deadline while the transport waits.
    private func expectDeadline(within step: Starting) async throws {
        let transport = ParkedTransport(promises: true, answer: nil)
        let outer = client(transport, [step])
        async let advanced: Void = transport.whenParked { clock.advance(by: .seconds(60)) }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await outer.send(AnyRequest())
        }
        try await advanced
        #expect(error.reason == .deadline)
    }

    @Test(arguments: [false, true])
    func aNestedCallEndsWithItsOuterCall(readsEvents: Bool) async throws {
        try await sendOnce()
        let gate = Gate()
        let innerTransport = MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
        let waiting = Waiting(client: APIClient(transport: innerTransport), readsEvents: readsEvents)
        let outer = client(ParkedTransport(promises: true) { .json("[]") }, [waiting])
        async let advanced: Void = {
            await gate.waitUntilSomeoneWaits()
            // Until all events that there are have been read: a reader that doesn't wait yet looks by itself.
            for _ in 0..<1000 { await Task.yield() }
            clock.advance(by: .seconds(60))
        }()
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await outer.send(AnyRequest())
        }
        await advanced
        gate.open()
        #expect(error.reason == .deadline)
    }

    @Test func cancelAllCountsNoneThatSucceeds() async throws {
        // The transport answers in the moment in which the call is cancelled.
        for _ in 0..<300 {
            let gate = Gate()
            let client = APIClient(
                transport: MockTransport { _ in
                    await gate.wait()
                    return .json("[]")
                },
                middleware: [Passing(promises: false)],
            )
            let call = client.call(AnyRequest())
            await gate.waitUntilSomeoneWaits()
            async let opened: Void = gate.open()
            let count = client.cancelAll()
            await opened
            #expect(await call.result.isCancelled == (count == 1))
        }
    }

    @Test func aTypeOfSeveralRolesPromisesOnce() async throws {
        struct Both: HTTPMiddleware, TokenProvider {
            var endsOnCancellation: Bool { true }
            func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken("t") }
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse { try await next(request) }
        }
        try await sendOnce()
        let transport = ParkedTransport(promises: true) { .json("[]") }
        let client = client(transport, [Both()]).authorized(by: Both(), for: "https://a.example")
        _ = try await client.send(AuthorizedRequest())
        #expect(transport.tasks == [TaskName.current])
    }
}

private struct AuthorizedRequest: APIRequest {
    typealias Definition = RawResponse
    typealias Access = Authorized
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/p" }
}

/// Distinguishes one task from another.
private enum TaskName {
    static var current: Int { withUnsafeCurrentTask { $0.hashValue } }
}

private struct Passing: HTTPMiddleware {
    let promises: Bool
    var endsOnCancellation: Bool { promises }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse { try await next(request) }
}

/// Puts a body in the response's place that waits, whether or not it is cancelled.
private struct Streaming: HTTPMiddleware, AsyncSequence {
    let gate: Gate
    var endsOnCancellation: Bool { true }

    struct Iterator: AsyncIteratorProtocol {
        let gate: Gate

        func next() async throws -> Data? {
            await gate.wait()
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(gate: gate) }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse { HTTPResponse(status: .ok, body: HTTPBody(self)) }
}

/// Makes another call before it goes on.
private struct Calling: HTTPMiddleware {
    let client: APIClient<Public>
    var endsOnCancellation: Bool { true }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        _ = try await client.send(AnyRequest(timeout: .seconds(1000)))
        return try await next(request)
    }
}

/// Starts another call and waits for it before it goes on.
private struct Waiting: HTTPMiddleware {
    let client: APIClient<Public>
    let readsEvents: Bool
    var endsOnCancellation: Bool { true }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        if readsEvents {
            for try await _ in client.bind(AnyRequest()).events() {}
        } else {
            _ = try await client.call(AnyRequest()).value
        }
        return try await next(request)
    }
}

private typealias Chained = APICall<AnyRequest.Response, APIError<ProblemDetails>>

/// Does something before it goes on, and something else when what follows has failed.
private struct Starting: HTTPMiddleware {
    let start: @Sendable () async -> Void
    let afterwards: @Sendable () async -> Void
    var endsOnCancellation: Bool { true }

    init(_ start: @escaping @Sendable () async -> Void, afterwards: @escaping @Sendable () async -> Void = {}) {
        self.start = start
        self.afterwards = afterwards
    }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        await start()
        do {
            return try await next(request)
        } catch {
            await afterwards()
            throw error
        }
    }
}

extension MockTransport {
    /// Answers with no items once a gate is open.
    fileprivate static func gated(by gate: Gate) -> MockTransport {
        MockTransport { _ in
            await gate.wait()
            return .json("[]")
        }
    }
}

/// Answers at once, or waits until its call is cancelled.
private final class ParkedTransport: HTTPTransport {
    private struct State: Sendable {
        var tasks: [Int] = []
        var waiter: CheckedContinuation<Void, Never>?
        var isCancelled = false
        var cancelledCount = 0
    }

    let endsOnCancellation: Bool
    private let answer: (@Sendable () -> HTTPResponse)?
    private let state = Lock(State())

    init(promises: Bool, answer: (@Sendable () -> HTTPResponse)?) {
        endsOnCancellation = promises
        self.answer = answer
    }

    var tasks: [Int] { state.withLock(\.tasks) }
    var cancelledCount: Int { state.withLock(\.cancelledCount) }

    /// Does something when a request waits.
    func whenParked(_ action: () -> Void) async throws {
        try #require(try await holds { state.withLock({ $0.waiter != nil }) })
        action()
    }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let task = TaskName.current
        state.withLock { $0.tasks.append(task) }
        if let answer { return answer() }
        await CallCancellation.withHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isCancelled { state.waiter = continuation }
                    return state.isCancelled
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = self.state.withLock { state in
                defer { (state.isCancelled, state.waiter) = (true, nil) }
                if !state.isCancelled { state.cancelledCount += 1 }
                return state.waiter
            }
            waiter?.resume()
        }
        throw CancellationError()
    }
}
