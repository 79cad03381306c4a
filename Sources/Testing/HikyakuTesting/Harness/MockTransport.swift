public import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport with scripted responses, which records the requests.
///
/// ```swift
/// let transport = MockTransport()
/// transport.enqueue(.json(#"[{"id": 1, "name": "Ramen"}]"#))
/// let client = APIClient(transport: transport)
/// let dishes = try await client.send(Shop.Dishes())
/// #expect(dishes.count == 1)
/// #expect(transport.requests.first?.url.path() == "/v1/dishes")
/// ```
/// Enqueued answers are used first, in order, and then the closure. Without a closure, a request fails when no answer
/// is left. For faults on the wire, use HikyakuMockServer.
///
/// The timeouts of ``TransportTimeouts`` apply to the first byte and to each piece of a streamed body, by the
/// transport's clock. No connection is opened. A ``FaultTransport`` adds faults.
public final class MockTransport: HTTPTransport {
    /// What the transport does with one request.
    ///
    /// ```swift
    /// let transport = MockTransport()
    /// transport.enqueue(.failure(TransportError(.connectionReset, "planned")))
    /// transport.enqueue(.response(.json("[]")).delayed(by: .seconds(2)))
    /// transport.enqueue(.never)
    /// ```
    public struct Answer: Sendable {
        /// Waits by the clock of the transport.
        fileprivate let give: @Sendable (any HTTPClock) async throws -> HTTPResponse

        /// Returns a response.
        public static func response(_ response: HTTPResponse) -> Answer {
            Answer { _ in response }
        }

        /// Throws an error.
        public static func failure(_ error: any Error) -> Answer {
            Answer { _ in throw error }
        }

        /// Waits first; the wait counts for the timeout of the first byte.
        public func delayed(by duration: Duration) -> Answer {
            Answer { clock in
                try await clock.sleep(until: clock.now.advanced(by: min(duration, .farFuture)))
                return try await give(clock)
            }
        }

        /// Never answers; ends when the call is cancelled, or with ``FailureReason/firstByteTimeout``.
        public static let never = Answer { clock in
            try await ClockWait().run(until: nil, by: clock)
            throw CancellationError()
        }
    }

    private struct State: Sendable {
        var answers: [Answer] = []
        var requests: [HTTPRequest] = []
        var inFlight = SlotTable<MockExchange>()
        var isShutDown = false
    }

    private let state = Lock(State())
    private let clock: any HTTPClock
    private let respond: (@Sendable (HTTPRequest) async throws -> HTTPResponse)?

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - clock: The clock for delays, timeouts and events.
    ///   - respond: Answers the requests for which no answer is enqueued.
    public init(
        clock: any HTTPClock = SystemClock(),
        _ respond: (@Sendable (HTTPRequest) async throws -> HTTPResponse)? = nil,
    ) {
        self.clock = clock
        self.respond = respond
    }

    /// The requests so far, with credentials and everything else that the client has added, and with their bodies in
    /// memory.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Forgets the requests so far and the answers that are left, so that another test can begin.
    ///
    /// Requests in flight, the closure and the clock stay as they are. So wait for the calls of the test before: one
    /// that is late may take the first answer of the next test. A transport that was shut down stays so.
    public func reset() {
        // The answers are released after unlocking.
        _ = state.withLock { state in
            defer { (state.answers, state.requests) = ([], []) }
            return (state.answers, state.requests)
        }
    }

    /// Adds an answer after the enqueued ones.
    public func enqueue(_ answer: Answer) {
        state.withLock { $0.answers.append(answer) }
    }

    /// Adds a response after the enqueued answers.
    public func enqueue(_ response: HTTPResponse) {
        enqueue(.response(response))
    }

    /// `true`, whatever the closure waits for.
    public var endsOnCancellation: Bool { true }

    /// Returns the scripted response, with its body in memory, or streamed from the script's body.
    ///
    /// The request's own body is read first, up to 64 MiB, and recorded in memory.
    ///
    /// - Throws: The script's error; ``TransportError`` if no answer is left.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        let exchange = try begin(request, options)
        let response = try await exchange.step { [self] in
            try Task.checkCancellation()
            var request = request
            if let body = request.body {
                let bytes = try await body.collect()
                request.body = HTTPBody(bytes)
                exchange.emit(.bytesSent(bytes.count, expected: body.count))
            }
            exchange.emit(.requestSent)
            let sent = request
            var response = try await exchange.withinFirstByte { try await answer(to: sent) }
            exchange.emit(.firstByte)
            response.body = exchange.timed(response.body)
            guard !options.streamsBody else { return response }
            let collected = try await response.collectingBody(within: options)
            exchange.emit(.bytesReceived(collected.body.count ?? 0, expected: response.body.count))
            return collected
        }
        guard options.streamsBody else {
            exchange.finish()
            return response
        }
        var streamed = response
        // As on the wire, trailers are received at the end of the body.
        streamed.trailers = [:]
        streamed.body = HTTPBody(pulling: MockBodySource(response, of: exchange), count: response.body.count)
        return streamed
    }

    /// Records the exchange until it ends, unless the transport is shut down.
    private func begin(_ request: HTTPRequest, _ options: TransportOptions) throws -> MockExchange {
        let exchange = MockExchange(options, clock)
        let key = try state.withLock { state throws(TransportError) in
            guard !state.isShutDown else { throw Self.wasShutDown }
            return state.inFlight.insert(exchange)
        }
        exchange.whenEnded { [state] in
            // The exchange is released after unlocking.
            _ = state.withLock { $0.inFlight.remove(key) }
        }
        exchange.emit(.began(request))
        return exchange
    }

    private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        let (answer, number): (Answer?, Int) = state.withLock { state in
            state.requests.append(request)
            return (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.requests.count)
        }
        if let answer { return try await answer.give(clock) }
        if let respond { return try await respond(request) }
        throw TransportError(
            .transportFailed,
            // A client's error has the URL already.
            "MockTransport has no answer left for request number \(number)",
            hint: "Enqueue an answer for each request: transport.enqueue(.json(\"{}\")). Or answer with a closure: "
                + "MockTransport { request in .json(\"{}\") }.",
        )
    }

    /// Rejects all later requests, and ends those in flight at once: a script that hasn't answered by then usually
    /// never does.
    public func shutdown(within grace: Duration) async {
        let unanswered = state.withLock { state in
            state.isShutDown = true
            return state.inFlight.values
        }
        for exchange in unanswered { exchange.end(Self.wasShutDown) }
    }

    private static let wasShutDown = TransportError(.shutDown, "the transport was shut down")
}
