public import Hikyaku
import HikyakuBase
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What every `HTTPTransport` must do, as a list of checks against a real server on loopback.
///
/// ```swift
/// @Test func conforms() async {
///     let report = await TransportConformance.run { MyTransport() }
///     #expect(report.isConformant, "\(report)")
/// }
/// ```
/// Each check starts a `MockServer` and makes a new transport, which it shuts down at the end. All checks take about
/// ten seconds. A check that a transport can't pass gets an exemption by its name, with the reason. A transport that
/// detects a fault without knowing its reason passes `framing.shortBody`, and is exempt from
/// `framing.shortBody.reason`.
public enum TransportConformance {
    /// All checks, grouped by subject.
    public static let checks: [ConformanceCheck<any HTTPTransport>] =
        requests + invalidRequests + responses + bodilessResponses + neutrality + framing + bounds + connections
        + cancellation + shutdown + downloads + uploads + brokenUploads + timeouts + events

    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - exemptions: The checks that the transport is known to fail; one that passes is a problem in the report.
    ///   - timeLimit: The time limit for one check.
    ///   - make: Makes the transport; called once for each check.
    /// - Returns: The result of each check.
    public static func run(
        exempting exemptions: [ConformanceExemption] = [],
        timeLimit: Duration = .seconds(60),
        _ make: @escaping @Sendable () throws -> any HTTPTransport,
    ) async -> ConformanceReport {
        await ConformanceRunner(checks, exempting: exemptions, timeLimit: timeLimit).run(make)
    }

    /// How long what is to happen at once may take: a busy machine takes seconds for it.
    @TaskLocal package static var promptLimit = Duration.seconds(10)

    typealias Check = ConformanceCheck<any HTTPTransport>

    /// A check with a server and a transport, which end with it.
    ///
    /// Without a scripted answer, the server answers "ok".
    static func check(
        _ name: String,
        _ why: String,
        _ options: MockServerOptions = MockServerOptions(),
        _ body: @escaping @Sendable (ConformanceWire) async throws -> Void,
    ) -> Check {
        Check(name, why: why) { make in
            let server = try MockServer(options: options) { _ in .text("ok") }
            let wire = ConformanceWire(server: server, transport: try make())
            defer { wire.server.stop() }
            try await withTaskCancellationHandler {
                try await body(wire)
                await wire.transport.shutdown(within: .zero)
            } onCancel: {
                // A check that hangs usually waits for the server.
                wire.server.stop()
            }
        }
    }
}

extension TransportConformance {
    /// A check that is run with a body that the transport collects, and again with a streamed one.
    static func checkTwice(
        _ name: String,
        _ why: String,
        _ body: @escaping @Sendable (_ wire: ConformanceWire, _ streams: Bool) async throws -> Void,
    ) -> Check {
        check(name, why) { wire in
            for streams in [false, true] { try await body(wire, streams) }
        }
    }

    static let streaming = TransportOptions(streamsBody: true)
    /// A response whose body lacks its second half.
    static let halfBody = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
}

extension MockServerOptions {
    /// A server that reads one connection at a time.
    static let oneConnection = MockServerOptions(connectionsMax: 1)
}

/// The server and the transport of one check.
struct ConformanceWire: Sendable {
    let server: MockServer
    let transport: any HTTPTransport

    func request(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
    ) throws -> HTTPRequest {
        guard let url = URL(string: server.baseURL + path) else {
            throw UnmetExpectation(expectation: "a URL", found: path)
        }
        return HTTPRequest(method: method, url: url, headers: headers, body: body)
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

    /// The body of the response, streamed or collected by the transport.
    func text(_ method: HTTPMethod = .get, _ path: String = "/", streams: Bool = false) async throws -> String {
        let response = try await send(method, path, options: TransportOptions(streamsBody: streams))
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    /// Expects the work to throw soon for a reason, and its connection to be closed.
    func expectEnd<Value: Sendable>(
        _ reason: FailureReason,
        streamed: Bool = false,
        of work: () async throws -> Value,
    ) async throws {
        try await expectFailure([reason], streamed: streamed) { try await expectPrompt("the end", work) }
        try await server.waitForOpenConnections(0)
    }

    /// Cancels a task and expects it to end soon, and its connection to be closed.
    func expectCancellation<Value: Sendable>(of call: Task<Value, any Error>) async throws {
        call.cancel()
        try await HikyakuTesting.expectCancellation {
            try await expectPrompt("the end") { try await call.value }
        }
        try await server.waitForOpenConnections(0)
    }

    /// The only request that the server received.
    func received() throws -> MockRequest {
        let requests = server.requests
        guard requests.count == 1, let request = requests.first else {
            throw UnmetExpectation(expectation: "one request to reach the server", found: "\(requests.count)")
        }
        return request
    }

    /// Starts a request, and returns when the server has received it.
    func start(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        body: HTTPBody? = nil,
        options: TransportOptions = TransportOptions(),
    ) async throws -> Task<HTTPResponse, any Error> {
        let request = try request(method, path, body: body)
        let before = server.requests.count
        let call = Task { [transport] in try await transport.send(request, options: options) }
        try await server.waitForRequests(before + 1)
        return call
    }

    /// Occupies the server's only connection, so that others connect to it and are never read.
    ///
    /// It needs a server with `connectionsMax: 1`.
    func occupy() async throws -> Task<HTTPResponse, any Error> {
        server.enqueue(.raw([.stall]))
        return try await start(.get, "/occupied", options: TransportOptions(timeouts: .none))
    }
}

extension TransportTimeouts {
    /// Timeouts that no check reaches.
    static let none = TransportTimeouts(connect: .seconds(600), firstByte: .seconds(600), idle: .seconds(600))
}

/// The error of the work; work that returns fails the check.
func failure<Value: Sendable>(
    _ what: String = "an error",
    of work: () async throws -> Value,
) async throws -> any Error {
    let value: Value
    do { value = try await work() } catch { return error }
    throw UnmetExpectation(expectation: what, found: "\(value)")
}

/// Expects the work to throw for one of the reasons.
func expectFailure<Value: Sendable>(
    _ reasons: [FailureReason],
    streamed: Bool = false,
    of work: () async throws -> Value,
) async throws {
    let expectation = reasons.map(\.description).joined(separator: " or ") + (streamed ? " (streamed)" : "")
    let error = try await failure(expectation, of: work)
    guard let error = error as? TransportError, reasons.contains(error.reason) else {
        throw UnmetExpectation(expectation: expectation, found: "\(error)")
    }
}

/// Expects the work to throw `CancellationError`.
func expectCancellation<Value: Sendable>(of work: () async throws -> Value) async throws {
    let error = try await failure("CancellationError", of: work)
    try expect(error is CancellationError, "CancellationError", found: "\(error)")
}

/// Expects the work to end soon, also with an error: what it waits for would take much longer.
///
/// The time in which a busy machine runs no task isn't counted, up to twice the limit; a second task's late wake-ups
/// measure it.
func expectPrompt<Value: Sendable>(
    _ what: String,
    _ work: () async throws -> Value,
) async throws -> Value {
    let limit = TransportConformance.promptLimit
    let lateness = Lock(Duration.zero)
    let sleeper = Task {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            try await Task.sleep(for: .milliseconds(50))
            lateness.withLock { $0 += start.duration(to: .now) - .milliseconds(50) }
        }
    }
    defer { sleeper.cancel() }
    let start = ContinuousClock.now
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
    let duration = start.duration(to: .now)
    let starved = min(lateness.withLock { $0 }, limit * 2)
    try expect(duration - starved < limit, "\(what) within \(limit)", found: "\(duration)")
    return try outcome.get()
}

/// Bytes in which each 4 KiB are numbered, so that missing, repeated or moved parts are detected.
func pattern(bytes count: Int) -> Data {
    let block = Data((0..<4088).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 2) })
    var data = Data(capacity: count + 4096)
    var index: UInt64 = 0
    while data.count < count {
        unsafe withUnsafeBytes(of: index) { unsafe data.append(contentsOf: $0) }
        data.append(block)
        index += 1
    }
    return data.prefix(count)
}

/// A body that counts its pieces and detects the release of its iterator.
final class WatchedPieces: AsyncSequence, Sendable {
    struct SourceError: Error, Equatable {}

    /// Set when the iterator is released.
    fileprivate final class Token: Sendable {
        let ended: Lock<Bool>
        init(_ ended: Lock<Bool>) { self.ended = ended }
        deinit { ended.withLock { $0 = true } }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pieces: WatchedPieces
        fileprivate let token: Token
        private var index = 0

        fileprivate init(_ pieces: WatchedPieces) {
            self.pieces = pieces
            token = Token(pieces.ended)
        }

        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            if index == pieces.failsAt { throw SourceError() }
            guard index < pieces.count else { return nil }
            index += 1
            pieces.pulled.withLock { $0 += 1 }
            return pieces.piece
        }
    }

    private let piece: Data
    private let count: Int
    private let failsAt: Int?
    private let pulled = Lock(0)
    private let ended = Lock(false)

    /// Returns a piece `count` times, or throws instead of the one with the index `failsAt`.
    init(_ piece: Data, count: Int, failsAt: Int? = nil) {
        self.piece = piece
        self.count = count
        self.failsAt = failsAt
    }

    /// All bytes of the body.
    var whole: Data { (0..<count).reduce(into: Data()) { whole, _ in whole.append(piece) } }

    var pulledBytes: Int { pulled.withLock { $0 } * piece.count }
    /// Whether an iterator was made and released.
    var hasEnded: Bool { ended.withLock { $0 } }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
