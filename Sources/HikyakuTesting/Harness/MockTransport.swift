public import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport that answers by script, and remembers what it was asked.
///
/// ```swift
/// let transport = MockTransport()
/// transport.enqueue(.json(#"[{"id": 1}]"#))
/// let client = APIClient(transport: transport)
/// let items = try await client.send(Items())
/// #expect(transport.requests.first?.url.path() == "/items")
/// ```
/// Enqueued answers come first, in their order; then the closure is asked; without one, a request that nothing is left
/// for fails and says so. For faults of the wire itself, use HikyakuMockServer.
///
/// The first byte, and each piece of a streamed body, have the time that ``TransportTimeouts`` gives them, by the real
/// clock; there is nothing to connect to.
public final class MockTransport: HTTPTransport {
    /// What the transport does with one request.
    public struct Answer: Sendable {
        fileprivate let give: @Sendable () async throws -> HTTPResponse

        /// Returns a response.
        public static func response(_ response: HTTPResponse) -> Answer {
            Answer { response }
        }

        /// Throws an error.
        public static func failure(_ error: any Error) -> Answer {
            Answer { throw error }
        }

        /// Waits before it does the same; within the time that the request has for its first byte.
        public func delayed(by duration: Duration) -> Answer {
            Answer {
                try await Task.sleep(for: duration)
                return try await give()
            }
        }

        /// Never answers; ends when the call is cancelled, or with ``FailureReason/firstByteTimeout``.
        public static let never = Answer {
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    private struct State: Sendable {
        var answers: [Answer] = []
        var requests: [HTTPRequest] = []
        var inFlight: [ObjectIdentifier: MockExchange] = [:]
        var isShutDown = false
    }

    private let state = Lock(State())
    private let respond: (@Sendable (HTTPRequest) async throws -> HTTPResponse)?

    /// Makes a transport.
    ///
    /// - Parameter respond: Answers the requests that no answer was enqueued for.
    public init(_ respond: (@Sendable (HTTPRequest) async throws -> HTTPResponse)? = nil) {
        self.respond = respond
    }

    /// The requests so far, as they came: with credentials and all that the client has added, their bodies in memory.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Adds an answer behind those that are waiting.
    public func enqueue(_ answer: Answer) {
        state.withLock { $0.answers.append(answer) }
    }

    /// Adds a response behind the answers that are waiting.
    public func enqueue(_ response: HTTPResponse) {
        enqueue(.response(response))
    }

    /// `true`, whatever the closure that answers waits for.
    public var endsOnCancellation: Bool { true }

    /// Answers by script, with the body in memory, or pulled from the script's as it is read.
    ///
    /// The request's own body is read first, up to 64 MiB, and recorded in memory.
    ///
    /// - Throws: What the script says, ``TransportError`` when nothing is left to answer with.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        let exchange = try begin(request, options)
        let response = try await exchange.step { [self] in
            try Task.checkCancellation()
            var request = request
            if let body = request.body {
                let bytes = try await body.collect()
                request.body = HTTPBody(bytes)
                exchange.tell(.bytesSent(bytes.count, expected: body.count))
            }
            exchange.tell(.requestSent)
            let sent = request
            var response = try await exchange.withinFirstByte { try await answer(to: sent) }
            exchange.tell(.firstByte)
            response.body = exchange.timed(response.body)
            guard !options.streamsBody else { return response }
            let collected = try await response.collectingBody(within: options)
            exchange.tell(.bytesReceived(collected.body.count ?? 0, expected: response.body.count))
            return collected
        }
        guard options.streamsBody else {
            exchange.finish()
            return response
        }
        var streamed = response
        // As on the wire, they come with the end of the body.
        streamed.trailers = [:]
        streamed.body = HTTPBody(pulling: MockBodySource(response, of: exchange), count: response.body.count)
        return streamed
    }

    /// Notes the exchange until it ends, unless the transport is shut down.
    private func begin(_ request: HTTPRequest, _ options: TransportOptions) throws -> MockExchange {
        let exchange = MockExchange(options) { [state] exchange in
            state.withLock { $0.inFlight[ObjectIdentifier(exchange)] = nil }
        }
        try state.withLock { state throws(TransportError) in
            guard !state.isShutDown else { throw Self.wasShutDown }
            state.inFlight[ObjectIdentifier(exchange)] = exchange
        }
        exchange.tell(.began(request))
        return exchange
    }

    private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        let answer: Answer? = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if let answer { return try await answer.give() }
        if let respond { return try await respond(request) }
        throw TransportError(.transportFailed, "MockTransport has no answer left for \(request)")
    }

    /// Refuses all requests from now on, and ends those that are still without an answer at once: a script that
    /// hasn't answered by then as a rule never does.
    public func shutdown(within grace: Duration) async {
        let unanswered = state.withLock { state in
            state.isShutDown = true
            return state.inFlight.values.map(\.self)
        }
        for exchange in unanswered { exchange.end(Self.wasShutDown) }
    }

    private static let wasShutDown = TransportError(.shutDown, "the transport was shut down")
}
