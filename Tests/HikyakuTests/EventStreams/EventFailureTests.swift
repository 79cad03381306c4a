import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// A failure of the service in an event, or in a line, after others that were right.
struct EventFailureTests {
    struct Delta: Decodable, Sendable, Equatable { let text: String }

    struct Answer: EventStreamRequest {
        typealias Event = Delta
        typealias Failure = ShopError
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/chat" }
        var method: HTTPMethod { .post }
        var reconnection: RetryPolicy { .never }
    }

    /// Its events accept any object.
    struct Loose: EventStreamRequest {
        struct Part: Decodable, Sendable { let text: String? }
        typealias Event = Part
        typealias Failure = ShopError
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/chat" }
        var method: HTTPMethod { .post }

        func failure(in event: ServerSentEvent, decoder: any ResponseDecoder) -> ShopError? {
            event.name == "error" ? try? event.decode(by: decoder) : nil
        }
    }

    private static func client(_ body: String, type: String = "text/event-stream") -> APIClient<Public> {
        APIClient(
            transport: MockTransport { _ in
                HTTPResponse(status: .ok, headers: ["Content-Type": type], body: HTTPBody(body))
            }
        )
    }

    private static let good = "data: {\"text\": \"a\"}\n\n"

    /// A stream that begins a moment after its request.
    @Test func aStreamsPolicyNamesItsTransientStatuses() async throws {
        struct Late: EventStreamRequest {
            typealias Event = Int
            typealias Failure = ShopError
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/late" }
            var statuses: Set<HTTPStatus>?
            var reconnection: RetryPolicy {
                var policy = RetryPolicy(delay: .zero)
                policy.transientStatuses = statuses
                return policy
            }
        }
        for statuses in [[404], nil] as [Set<HTTPStatus>?] {
            let transport = MockTransport()
            transport.enqueue(.response(HTTPResponse(status: .notFound)))
            let headers: HTTPHeaders = ["Content-Type": "text/event-stream"]
            transport.enqueue(.response(HTTPResponse(status: .ok, headers: headers, body: "data: 1\n\n")))
            var found: [Int] = []
            do {
                for try await event in APIClient(transport: transport).bind(Late(statuses: statuses)).eventStream() {
                    found.append(event)
                    break
                }
            } catch {
                #expect(statuses == nil && error.response?.status == .notFound)
            }
            #expect(found == (statuses == nil ? [] : [1]))
        }
    }

    @Test(arguments: ["", "event: error\n"], ["", "data: [DONE]\n\n"])
    func anErrorEventEndsTheStreamAsTheFailure(_ name: String, _ end: String) async throws {
        let client = Self.client(Self.good + "\(name)data: {\"message\":\"Overloaded\"}\n\n" + end)
        var texts: [String] = []
        let error = await #expect(throws: APIError<ShopError>.self) {
            for try await delta in client.bind(Answer()).eventStream() { texts.append(delta.text) }
        }
        #expect(texts == ["a"])
        #expect(error?.service(as: ShopError.self) == ShopError(message: "Overloaded"))
        #expect(error?.response?.status == .ok)
        // As in the stream of one connection.
        var events = try await client.send(Answer()).makeAsyncIterator()
        #expect(try await events.next() == Delta(text: "a"))
        let single = await #expect(throws: APIError<ShopError>.self) { try await events.next() }
        #expect(single?.service(as: ShopError.self) == ShopError(message: "Overloaded"))
        #expect(try await events.next() == nil)
    }

    @Test func aFunctionFindsTheFailure() async throws {
        let client = Self.client("data: {}\n\nevent: error\ndata: {\"message\":\"Overloaded\"}\n\n")
        var count = 0
        let error = await #expect(throws: APIError<ShopError>.self) {
            for try await _ in client.bind(Loose()).eventStream() { count += 1 }
        }
        #expect(count == 1 && error?.service(as: ShopError.self) == ShopError(message: "Overloaded"))
    }

    @Test func anotherEventSaysWhereItDiffers() async throws {
        let client = Self.client(Self.good + "data: {\"txt\": 1}\n\n")
        let error = await #expect(throws: APIError<ShopError>.self) {
            for try await _ in client.bind(Answer()).eventStream() {}
        }
        #expect(error?.reason.description == "decoding.missingKey")
        #expect(error?.diagnosis?.found?.contains("\"txt\"") == true)
        #expect(error?.description.contains("0 bytes") == false)
    }

    /// One that never connects again ends where the service does.
    @Test func aStreamWithoutReconnectionEndsWithTheResponse() async throws {
        struct Numbers: EventStreamRequest {
            typealias Event = Int
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/numbers" }
            var reconnection: RetryPolicy { .never }
        }
        var found: [Int] = []
        let client = Self.client("data: 1\n\ndata: 2\n\n")
        for try await number in client.bind(Numbers()).eventStream() { found.append(number) }
        #expect(found == [1, 2])
        for try await _ in Self.client("").bind(Numbers()).eventStream() { Issue.record("there is no event") }
    }

    // MARK: JSON lines

    struct Lines: APIRequest {
        typealias Definition = JSONLinesResponse<Delta>
        typealias Failure = ShopError
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/lines" }
    }

    @Test func linesThrowTheErrorOfTheCall() async throws {
        let good = "{\"text\": \"a\"}\n"
        let cases: [(String, String)] = [
            (good + "[]\n", "decoding.typeMismatch"), (good + "{\"message\":\"Overloaded\"}\n", "service"),
            (good + "\u{FEFF}{}\n", "decoding.byteOrderMark"),
        ]
        for (body, reason) in cases {
            var lines = try await Self.client(body, type: "application/x-ndjson").send(Lines()).makeAsyncIterator()
            #expect(try await lines.next() == Delta(text: "a"))
            let error = await #expect(throws: APIError<ShopError>.self) { try await lines.next() }
            #expect(error?.reason.description == reason, "\(body)")
            #expect(error?.response?.status == .ok && error?.context.requestType == "EventFailureTests.Lines")
        }
    }

    @Test func aBrokenBodyOfLinesIsTheErrorOfTheCall() async throws {
        let transport = MockTransport { _ in
            let body = AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("{\"text\": \"a\"}\n".utf8))
                stream.finish(throwing: TransportError(.connectionReset, "gone"))
            }
            return HTTPResponse(status: .ok, body: HTTPBody(body))
        }
        var lines = try await APIClient(transport: transport).send(Lines()).makeAsyncIterator()
        _ = try await lines.next()
        let error = await #expect(throws: APIError<ShopError>.self) { try await lines.next() }
        #expect(error?.reason == .connectionReset && error?.response?.status == .ok)
    }

    /// Lines of JSON as events, which another connection continues.
    @Test func linesMayBeReadOverSeveralConnections() async throws {
        struct Changes: EventStreamRequest {
            typealias Event = Delta
            typealias Failure = ShopError
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/changes" }
            var headers: HTTPHeaders { ["Accept": "application/x-ndjson"] }
            var streamTypes: Set<String> { ["application/x-ndjson"] }
            var reconnection: RetryPolicy { RetryPolicy(attemptsMax: 3, delay: .zero, budget: nil) }

            func makeParser(lastEventID: String) -> EventStreamParser { EventStreamParser(readingLines: true) }
        }
        let transport = MockTransport()
        for body in [
            "{\"text\": \"a\"}\r\n\n  \n{\"text\": \"b\"}\n", "{\"text\": \"data: c\"}", "{\"message\":\"gone\"}",
        ] {
            let headers: HTTPHeaders = ["Content-Type": "application/x-ndjson"]
            transport.enqueue(HTTPResponse(status: .ok, headers: headers, body: HTTPBody(body)))
        }
        var texts: [String] = []
        let error = await #expect(throws: APIError<ShopError>.self) {
            let client = APIClient(transport: transport)
            for try await delta in client.bind(Changes()).eventStream() { texts.append(delta.text) }
        }
        #expect(texts == ["a", "b", "data: c"])
        #expect(error?.service(as: ShopError.self) == ShopError(message: "gone"))
        #expect(transport.requests.map { $0.headers[.accept] } == Array(repeating: "application/x-ndjson", count: 3))
    }
}
