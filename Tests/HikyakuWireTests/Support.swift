#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

/// A server and a transport that end with the test.
struct Wire: ~Copyable {
    let server: MockServer
    let transport: WireTransport

    init(transport: WireTransport = WireTransport(), fallback: MockServer.Handler? = nil) throws {
        self.transport = transport
        server = try MockServer(fallback: fallback)
    }

    deinit {
        server.stop()
    }

    func request(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
    ) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try server.url(path), headers: headers, body: body)
    }

    @discardableResult
    func send(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
        options: TransportOptions = TransportOptions(),
    ) async throws -> HTTPResponse {
        try await transport.send(try request(method, path, headers: headers, body: body), options: options)
    }

    /// What a request throws when the server answers by this script.
    func failure(
        after steps: MockStep...,
        options: TransportOptions = TransportOptions(),
    ) async throws -> TransportError {
        server.enqueue(.raw(steps))
        return try await transportError { try await send(options: options) }
    }
}

extension MockServer {
    func url(_ path: String) throws -> URL {
        try #require(URL(string: baseURL + path))
    }
}

extension WireTransport {
    func get(_ url: URL) async throws -> HTTPResponse {
        try await send(HTTPRequest(url: url), options: TransportOptions())
    }
}

/// Limits how many cases of a suite run at a time: each has servers, transports and connections of its own, and the
/// descriptors of a process are limited.
struct CasesAtOnce: SuiteTrait, TestTrait, TestScoping {
    private struct State {
        var freeCount: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Lock<State>
    let isRecursive = true

    fileprivate init(_ count: Int) {
        state = Lock(State(freeCount: count))
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void,
    ) async throws {
        await withCheckedContinuation { continuation in
            let mayGo = state.withLock { state in
                if state.freeCount == 0 { state.waiting.append(continuation) }
                defer { state.freeCount = max(state.freeCount - 1, 0) }
                return state.freeCount > 0
            }
            if mayGo { continuation.resume() }
        }
        defer {
            let next = state.withLock { state in
                if state.waiting.isEmpty { state.freeCount += 1 }
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            next?.resume()
        }
        try await function()
    }
}

extension Trait where Self == CasesAtOnce {
    static func casesAtOnce(_ count: Int) -> Self { CasesAtOnce(count) }
}

/// What a call threw, which must be an error of the transport.
func transportError(_ call: () async throws -> HTTPResponse) async throws -> TransportError {
    try await #require(throws: TransportError.self) { _ = try await call() }
}

extension WireTransport {
    /// Suspends until a call of this transport to a silent server has reached a timeout of that length.
    ///
    /// The loop handles timeouts in the order of their instants. So each timeout that began before and is shorter has
    /// been handled by then, unless it was paused.
    func waitForTimeout(of time: Duration) async throws {
        let listener = try SilentListener()
        defer { withExtendedLifetime(listener) {} }
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
        let options = TransportOptions(timeouts: TransportTimeouts(firstByte: time))
        let error = try await transportError { try await send(HTTPRequest(url: url), options: options) }
        #expect(error.reason == .firstByteTimeout)
    }
}

extension HTTPResponse {
    func text() async throws -> String {
        String(decoding: try await body.collect(), as: UTF8.self)
    }
}

/// What a call throws, which has to take that time, and half a second more at most.
///
/// On a busy machine everything is late. So the bound grows by the time that plain sleeps lose meanwhile, and one time
/// in five has to be right, while none may be early.
func timely<Failure>(
    after time: Duration,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> Failure,
) async throws -> Failure {
    var attempt = 0
    while true {
        attempt += 1
        let delays = MachineDelays()
        defer { delays.stop() }
        let begin = ContinuousClock.now
        let failure = try await call()
        let elapsed = ContinuousClock.now - begin
        #expect(elapsed > time - .milliseconds(20), "too early", sourceLocation: sourceLocation)
        let bound = time + .milliseconds(500) + delays.total
        guard elapsed >= bound, attempt < 5 else {
            #expect(elapsed < bound, sourceLocation: sourceLocation)
            return failure
        }
    }
}

/// How much time a task loses to the other work of the machine: by how much a series of short sleeps is late.
private final class MachineDelays: Sendable {
    private struct State {
        var total = Duration.zero
        var begin = ContinuousClock.now

        /// How late the present sleep is by now.
        var present: Duration { max(.zero, ContinuousClock.now - begin - MachineDelays.nap) }
    }

    private static let nap = Duration.milliseconds(5)
    private let state = Lock(State())
    private let task = Lock<Task<Void, any Error>?>(nil)

    init() {
        let sleeper = Task { [state] in
            while true {
                // The delay of a plain sleep is what is measured.
                try await spendRealTime(Self.nap)
                state.withLock { state in
                    state.total += state.present
                    state.begin = .now
                }
            }
        }
        task.withLock { $0 = sleeper }
    }

    /// The sum of all delays until now.
    var total: Duration { state.withLock { $0.total + $0.present } }

    func stop() {
        task.withLock { $0?.cancel() }
    }
}

/// Runs an exchange that must not time out, although it takes longer than a timeout that does not apply to it.
///
/// On a machine that stalls for the whole of a short timeout, the timeout is right. So the times are tried in three
/// sizes. With a defect, the exchange times out in each of them.
func withGrowingTimes(_ body: (_ factor: Int) async throws -> Void) async throws {
    for factor in [1, 3] {
        do { return try await body(factor) } catch let error as TransportError {
            guard [.connectTimeout, .firstByteTimeout, .idleTimeout].contains(error.reason) else { throw error }
        }
    }
    try await body(10)
}

/// Runs what blocks on a thread of its own, since those that run tasks are as few as the machine's cores.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// Repeats a call of the system that a signal interrupted, such as the one of a child process that ended.
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
#endif
