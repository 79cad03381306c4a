// Exports statuses, methods and headers, which answers are made of.
@_exported public import HikyakuHTTP

/// A real HTTP/1.1 server on loopback, in the test's process, with scripted answers and faults down to single bytes.
///
/// ```swift
/// let server = try MockServer()
/// defer { server.stop() }
/// server.route(.get, "/dishes/:id") { request in .json(#"{"id": \#(request.parameters["id"] ?? "0")}"#) }
/// server.enqueue(.status(503), .raw([.write("HTTP/1.1 200 OK\r\n"), .reset]))
/// let client = APIClient(options: ClientOptions(retryPolicy: .standard))
///     .substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
/// let dish = try await client.send(Shop.DishByID(id: 42))  // the third attempt succeeds
/// try await server.waitForRequests(3)
/// #expect(server.requests.map(\.path) == ["/dishes/42", "/dishes/42", "/dishes/42"])
/// ```
/// A request is answered by the first of: the queue (``enqueue(_:)``), the routes (``route(_:_:_:)``), the handler
/// given to ``init(options:fallback:)``, a 404 that lists the routes, with a title that clients show. Handlers run on
/// the connection's thread, those of several connections at once.
///
/// The server accepts plain HTTP on 127.0.0.1, keeps connections open, supports pipelining, and answers 400 to an
/// invalid request. While an answer pauses or stalls, a client that has closed its sending side counts as disconnected.
/// Each connection uses a thread: the server is for tests, demonstrations and mocks, not for production.
public final class MockServer: Sendable {
    /// Makes the answer to a request; an error that it throws is answered with 500 and the error's text.
    public typealias Handler = @Sendable (MockRequest) throws -> MockAnswer

    let core: ServerCore

    /// Starts a server; it listens when this returns.
    ///
    /// - Parameters:
    ///   - options: Port and limits; by default the system chooses a free port.
    ///   - fallback: Answers requests for which neither the queue nor a route has an answer; `nil` answers 404.
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

    /// Answers requests whose method and path match.
    ///
    /// A part `:name` of the pattern matches one segment, and `*` at its end all remaining ones; their values are in
    /// ``MockRequest/parameters``. If several patterns match, a literal segment has priority over a named one, and a
    /// named one over `*`; otherwise the first route applies. The same method and pattern again replace the handler.
    /// Routes of GET also answer HEAD.
    ///
    /// - Parameters:
    ///   - method: The method, which is case-sensitive.
    ///   - pattern: The path, with literal segments in their decoded form.
    ///   - handler: Makes the answer.
    public func route(_ method: HTTPMethod, _ pattern: String, _ handler: @escaping Handler) {
        core.book.addRoute(method, RoutePattern(pattern), handler)
    }

    /// Answers the next requests with these answers, in this order, whatever the requests are.
    public func enqueue(_ answers: MockAnswer...) {
        core.book.enqueue(answers)
    }

    /// Stops listening, closes all connections, and returns when the server's threads have ended.
    ///
    /// Stalls and pauses end at once. It waits for a running handler, for at most five seconds. Recorded requests are
    /// kept; routes, queue and handlers are removed. Calling it again does nothing. It is also called when the last
    /// reference to the server is released.
    public func stop() {
        core.stop()
    }
}

// MARK: - What happened

extension MockServer {
    /// The completely received requests, in order; the last 10,000, or ``MockServerOptions/recordedRequestsMax``, and
    /// of these no more than fit in 256 MiB.
    public var requests: [MockRequest] { core.journal.requests }

    /// The number of connections accepted so far.
    public var connectionCount: Int { core.journal.counts.connections }

    /// The number of open connections; one that the client closed counts until the server detects it.
    public var openConnectionCount: Int { core.journal.counts.openConnections }

    /// Returns as soon as at least this number of requests was received.
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

    /// Returns as soon as exactly this number of connections is open.
    ///
    /// - Parameters:
    ///   - count: The number; 0 to check that a cancelled client has closed its socket.
    ///   - limit: How long to wait at most.
    /// - Throws: ``MockServerError`` with ``MockServerError/Reason/waitTimedOut``; `CancellationError`.
    public func waitForOpenConnections(_ count: Int, within limit: Duration = .seconds(20)) async throws {
        try await core.journal.wait(for: "\(count) open connections", within: limit) { $0.openConnections == count }
    }
}

/// The port and the limits of a ``MockServer``.
///
/// ```swift
/// let server = try MockServer(options: MockServerOptions(port: 8080, bodyBytesMax: 1 << 20))
/// ```
public struct MockServerOptions: Sendable, Hashable {
    /// The port to listen on; 0 for a free one that the system chooses.
    public var port: UInt16
    /// The largest body of a request, in bytes; a larger one is answered with 413.
    public var bodyBytesMax: Int
    /// How many connections are served at once; further ones wait until one of them ends.
    public var connectionsMax: Int
    /// How long a connection may be idle, between or within requests or while an answer is sent, before it is closed.
    public var idleTimeMax: Duration
    /// How many requests are kept for assertions; the oldest ones are removed first.
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
