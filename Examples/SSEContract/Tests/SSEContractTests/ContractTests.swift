import Foundation
import Hikyaku
import HikyakuMockServer
import Testing

@testable import SSEContract

/// Drives the service as a test suite does: streams and callbacks are at a server of the test.
@Suite(.timeLimit(.minutes(5))) struct ContractTests {
    /// What a test suite has: a server for streams and callbacks, and the service under test.
    private final class Suite: Sendable {
        let server: MockServer
        let service: ContractService
        let client = APIClient()

        init(streams: @escaping MockServer.Handler) throws {
            server = try MockServer()
            service = try ContractService(port: 0)
            server.route(.get, "/stream", streams)
            server.route("REPORT", "/stream", streams)
            server.route(.post, "/stream", streams)
            server.route(.post, "/callback/:number") { _ in .status(.ok) }
        }

        deinit {
            server.stop()
            service.stop()
        }

        func send(_ method: HTTPMethod, _ url: String, _ json: String? = nil) async throws -> APIResponse<Data> {
            try await client.bind(Sent(url: url, method: method, json: json)).response()
        }

        /// Begins a stream.
        ///
        /// - Returns: Its URL at the service.
        func begin(_ parameters: String = "") async throws -> String {
            let json = """
                {"streamUrl": "\(server.baseURL)/stream", "callbackUrl": "\(server.baseURL)/callback",
                "tag": "test", "initialDelayMs": 0\(parameters)}
                """
            let response = try await send(.post, service.url, json)
            #expect(response.status == .created)
            return try #require(response.headers["Location"])
        }

        /// The messages so far, in their order, when there are `count` of them.
        func messages(_ count: Int) async throws -> [Received] {
            while true {
                let callbacks = server.requests.filter { $0.path.hasPrefix("/callback/") }
                guard callbacks.count < count else {
                    let numbered = try callbacks.map { callback in
                        (try #require(Int(callback.parameters["number"] ?? callback.pathSegments[1])), callback)
                    }
                    let sorted = numbered.sorted { $0.0 < $1.0 }
                    #expect(sorted.map(\.0) == Array(1...sorted.count))
                    return try sorted.map { try $0.1.json(as: Received.self) }
                }
                try await server.waitForRequests(server.requests.count + 1)
            }
        }

        var streamRequests: [MockRequest] { server.requests.filter { $0.path == "/stream" } }

        func streamRequests(_ count: Int) async throws -> [MockRequest] {
            while streamRequests.count < count { try await server.waitForRequests(server.requests.count + 1) }
            return streamRequests
        }
    }

    private struct Received: Decodable, Equatable {
        struct Event: Decodable, Equatable {
            var type: String
            var data: String
            var id: String
        }
        var kind: String
        var event: Event?
        var comment: String?

        static func event(_ data: String, type: String = "message", id: String = "") -> Received {
            Received(kind: "event", event: Event(type: type, data: data, id: id))
        }
    }

    private struct Sent: APIRequest {
        typealias Definition = RawResponse
        let url: String
        let method: HTTPMethod
        let json: String?
        var environment: APIEnvironment { APIEnvironment(baseURL: url) }
        var path: RequestPath { "" }
        var body: RequestBody? { json.map { .text($0, type: "application/json") } }
        func accepts(_ status: HTTPStatus) -> Bool { true }
    }

    private static func stream(_ text: String, then end: MockStep = .stall) -> MockAnswer {
        .raw([
            .write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + text), .pause(.milliseconds(20)), end,
        ])
    }

    @Test func statusReportsTheCapabilities() async throws {
        let suite = try Suite { _ in Self.stream("") }
        let response = try await suite.send(.get, suite.service.url)
        let status = try JSONDecoder().decode([String: [String]].self, from: response.value)
        #expect(status["capabilities"]?.contains("restart") == true)
    }

    @Test func eventsAreReported() async throws {
        let suite = try Suite { _ in Self.stream(": x\ndata: a\ndata: b\n\nevent: e\nid: 7\ndata\n\n") }
        _ = try await suite.begin()
        #expect(try await suite.messages(2) == [.event("a\nb"), .event("", type: "e", id: "7")])
        let request = try #require(suite.streamRequests.first)
        #expect(request.headers["Accept"] == "text/event-stream")
        #expect(request.headers["Cache-Control"] == "no-cache")
        #expect(request.headers["Last-Event-ID"] == nil)
    }

    @Test func aStreamContinuesAfterItsLastEvent() async throws {
        let suite = try Suite { request in
            request.headers["Last-Event-ID"] == nil
                ? Self.stream("id: abc\ndata: 1\n\n", then: .close) : Self.stream("data: 2\n\n")
        }
        _ = try await suite.begin()
        #expect(try await suite.messages(2) == [.event("1", id: "abc"), .event("2", id: "abc")])
        #expect(suite.streamRequests.map { $0.headers["Last-Event-ID"] } == [nil, "abc"])
    }

    @Test(arguments: ["POST", "REPORT"])
    func theRequestIsSentAsTheSuiteWantsAndSentAgain(_ method: String) async throws {
        let suite = try Suite { _ in Self.stream("", then: .reset) }
        let url = try await suite.begin(
            #", "method": "\#(method)", "body": "{}", "lastEventId": "9", "headers": {"content-type": "application/json", "x-a": "b"}"#
        )
        for request in try await suite.streamRequests(2) {
            #expect(request.method == HTTPMethod(method) && request.bodyText == "{}")
            #expect(request.headers["X-A"] == "b" && request.headers["Content-Type"] == "application/json")
            #expect(request.headers["Last-Event-ID"] == "9")
        }
        #expect(try await suite.send(.delete, url).status == .noContent)
    }

    @Test func aSilentStreamIsReportedAndReplaced() async throws {
        let suite = try Suite { _ in Self.stream("data: a\n\n") }
        let url = try await suite.begin(#", "readTimeoutMs": 100"#)
        let messages = try await suite.messages(3)
        #expect(messages.prefix(2).map(\.kind) == ["event", "error"])
        #expect(try await suite.streamRequests(2).count >= 2)
        #expect(try await suite.send(.delete, url).status == .noContent)
    }

    @Test func commandsAreFollowed() async throws {
        let suite = try Suite { _ in Self.stream("data: a\n\n") }
        let url = try await suite.begin()
        _ = try await suite.messages(1)
        #expect(try await suite.send(.post, url, #"{"command": "listen", "listen": {"type": "e"}}"#).status.isSuccess)
        #expect(try await suite.send(.post, url, #"{"command": "restart"}"#).status.isSuccess)
        #expect(try await suite.messages(2) == [.event("a"), .event("a")])
        #expect(try await suite.send(.post, url, #"{"command": "fly"}"#).status == .badRequest)
        #expect(try await suite.send(.delete, url).status == .noContent)
        #expect(try await suite.send(.delete, url).status == .notFound)
        #expect(try await suite.send(.post, suite.service.url, "{}").status == .badRequest)
    }

    @Test func deletingTheServiceEndsIt() async throws {
        let suite = try Suite { _ in Self.stream("") }
        async let end: Void = suite.service.untilStopped()
        #expect(try await suite.send(.delete, suite.service.url).status == .noContent)
        await end
    }
}
