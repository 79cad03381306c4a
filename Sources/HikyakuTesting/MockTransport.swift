import Hikyaku

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

        /// Never answers; ends when the call is cancelled.
        public static let never = Answer {
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    private struct State: Sendable {
        var answers: [Answer] = []
        var requests: [HTTPRequest] = []
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

    /// The requests so far, as they came: with credentials and all that the client has added.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Adds an answer behind those that are waiting.
    public func enqueue(_ answer: Answer) {
        state.withLock { $0.answers.append(answer) }
    }

    /// Adds a response behind the answers that are waiting.
    public func enqueue(_ response: HTTPResponse) {
        enqueue(.response(response))
    }

    /// Answers by script.
    ///
    /// - Throws: What the script says, ``TransportError`` when nothing is left to answer with.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let answer: Answer? = try state.withLock { state throws(TransportError) in
            guard !state.isShutDown else { throw TransportError(.shutDown, "the transport was shut down") }
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        let response: HTTPResponse
        if let answer {
            response = try await answer.give()
        } else if let respond {
            response = try await respond(request)
        } else {
            throw TransportError(.transportFailed, "MockTransport has no answer left for \(request)")
        }
        _ = try await response.body.collect(upTo: options.bodyBytesMax)
        return response
    }

    /// Refuses all requests from now on.
    public func shutdown(within grace: Duration) async {
        state.withLock { $0.isShutDown = true }
    }
}

extension HTTPResponse {
    /// A response with a JSON document, for scripts.
    public static func json(_ document: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> HTTPResponse {
        var all: HTTPHeaders = [.contentType: "application/json"]
        all.replace(with: headers)
        return HTTPResponse(status: status, headers: all, body: HTTPBody(document))
    }
}
