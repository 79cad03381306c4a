// The statuses, methods and headers that answers are made of come along.
@_exported public import HikyakuHTTP

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A real HTTP/1.1 server on loopback, in the test's own process, that answers by script or misbehaves byte by byte.
///
/// ```swift
/// let server = try MockServer()
/// defer { server.stop() }
/// server.route(.get, "/items/:id") { request in .json(#"{"id": "\#(request.parameters["id"] ?? "")"}"#) }
/// server.enqueue(.status(503), .raw([.write("HTTP/1.1 200 OK\r\n"), .reset]))
/// // … call server.baseURL + "/items/42" three times …
/// try await server.waitForRequests(3)
/// #expect(server.requests.map(\.path) == ["/items/42", "/items/42", "/items/42"])
/// ```
/// A request is answered by the first of: the queue (``enqueue(_:)``), the routes (``route(_:_:_:)``), the handler
/// given to ``init(options:fallback:)``, a 404 whose text lists the routes. Handlers run on the connection's thread,
/// those of several connections at once.
///
/// The server speaks plain HTTP with whoever connects to 127.0.0.1, keeps connections open, takes pipelined requests,
/// and answers 400 to what is no proper request. It counts a client that has ended its sending side as gone while an
/// answer pauses or stalls. Each connection costs a thread: it is made for tests, demonstrations and mocks, and not to
/// serve the world.
public final class MockServer: Sendable {
    /// Makes the answer to a request; what it throws is answered as 500 with the error's text.
    public typealias Handler = @Sendable (MockRequest) throws -> MockAnswer

    let core: ServerCore

    /// Starts a server; it listens when this returns.
    ///
    /// - Parameters:
    ///   - options: Port and bounds; by default the system chooses a free port.
    ///   - fallback: Answers what neither the queue nor a route does; `nil` answers 404.
    /// - Throws: ``MockServerError`` with ``MockServerError/Reason/startFailed``.
    public init(options: MockServerOptions = MockServerOptions(), fallback: Handler? = nil) throws(MockServerError) {
        core = try ServerCore(options: options, book: AnswerBook(fallback: fallback))
        try core.start()
    }

    deinit {
        core.stop()
    }

    /// The port of 127.0.0.1 on which the server listens.
    public var port: Int { Int(core.port) }

    /// Where the server is, without a slash at the end: `http://127.0.0.1:40123`.
    public var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Answers requests whose method and path fit.
    ///
    /// A part `:name` of the pattern stands for one segment, and `*` at its end for all that remain; the handler finds
    /// them in ``MockRequest/parameters``. Where several patterns fit, a literal segment wins over a named one, and
    /// that over `*`; then the one that was there first. The same method and pattern again replace the handler. Routes
    /// of GET also answer HEAD.
    ///
    /// - Parameters:
    ///   - method: The method, compared with regard to case.
    ///   - pattern: The path, its literal segments written as they are when decoded.
    ///   - handler: Makes the answer.
    public func route(_ method: HTTPMethod, _ pattern: String, _ handler: @escaping Handler) {
        core.book.addRoute(method, RoutePattern(pattern), handler)
    }

    /// Gives these answers, in this order, to the next requests, whatever they ask.
    public func enqueue(_ answers: MockAnswer...) {
        core.book.enqueue(answers)
    }

    /// Stops listening, closes all connections, and returns when the server's threads have let go of them.
    ///
    /// Stalling and pausing connections end at once; only for a handler that doesn't return it waits, at most five
    /// seconds. What was recorded stays readable. Routes, queue and handlers are dropped. Calling it again does
    /// nothing. It is also called when the last reference to the server goes.
    public func stop() {
        core.stop()
    }
}

// MARK: - What happened

extension MockServer {
    /// The requests received as a whole, in the order in which they came; the last 10,000, unless
    /// ``MockServerOptions/recordedRequestsMax`` says otherwise, and of these no more than fit in 256 MiB.
    public var requests: [MockRequest] { core.journal.requests }

    /// How many connections were taken so far.
    public var connectionCount: Int { core.journal.counts.connections }

    /// How many connections are open now; one that the client closed counts until the server has noticed.
    public var openConnectionCount: Int { core.journal.counts.openConnections }

    /// Returns as soon as at least so many requests were received in all.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - limit: How long to wait at most.
    /// - Returns: ``requests``.
    /// - Throws: ``MockServerError`` with ``MockServerError/Reason/waitTimedOut``; `CancellationError`.
    @discardableResult
    public func waitForRequests(_ count: Int, within limit: Duration = .seconds(20)) async throws -> [MockRequest] {
        try await core.journal.wait(for: "\(count) requests", within: limit) { $0.requests >= count }
        return requests
    }

    /// Returns as soon as exactly so many connections are open.
    ///
    /// - Parameters:
    ///   - count: How many; 0 to see that a cancelled client has closed its socket.
    ///   - limit: How long to wait at most.
    /// - Throws: ``MockServerError`` with ``MockServerError/Reason/waitTimedOut``; `CancellationError`.
    public func waitForOpenConnections(_ count: Int, within limit: Duration = .seconds(20)) async throws {
        try await core.journal.wait(for: "\(count) open connections", within: limit) { $0.openConnections == count }
    }
}

/// The port and the bounds of a ``MockServer``.
public struct MockServerOptions: Sendable, Hashable {
    /// The port to listen on; 0 has the system choose a free one.
    public var port: UInt16
    /// The largest body of a request, in bytes; a larger one is answered with 413.
    public var bodyBytesMax: Int
    /// How many connections are served at once; further ones wait until one of them ends.
    public var connectionsMax: Int
    /// How long a connection may be silent between and inside requests, or take nothing of what is sent, before it is
    /// closed.
    public var idleTimeMax: Duration
    /// How many requests are kept for assertions; older ones are forgotten first.
    public var recordedRequestsMax: Int

    /// Makes options; each has a default.
    public init(
        port: UInt16 = 0,
        bodyBytesMax: Int = 64 * 1024 * 1024,
        connectionsMax: Int = 256,
        idleTimeMax: Duration = .seconds(60),
        recordedRequestsMax: Int = 10_000,
    ) {
        self.port = port
        self.bodyBytesMax = bodyBytesMax
        self.connectionsMax = connectionsMax
        self.idleTimeMax = idleTimeMax
        self.recordedRequestsMax = recordedRequestsMax
    }
}

/// What a ``MockServer`` throws at the test that uses it.
public struct MockServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why, in a form that code can switch over; further members may come.
    public struct Reason: Sendable, Hashable {
        private let code: String

        /// The server can't listen: as a rule the port is taken, or the process has no file descriptor left.
        public static let startFailed = Reason(code: "startFailed")
        /// What was waited for didn't come in time.
        public static let waitTimedOut = Reason(code: "waitTimedOut")
    }

    /// Why.
    public let reason: Reason
    /// The particulars in one line.
    public let message: String
    /// The system's `errno` where it refused something.
    public let systemCode: Int32?

    /// The particulars in one line.
    public var description: String { message }

    static func startFailed(_ step: String, code: Int32) -> MockServerError {
        let text = String(cString: strerror(code))
        return MockServerError(
            reason: .startFailed,
            message: "MockServer can't start: \(step) failed: \(text) (errno \(code))",
            systemCode: code,
        )
    }
}
