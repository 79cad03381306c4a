import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

/// Whenever the head of a response came, the error has it, with the beginning of the body.
@Suite(.timeLimit(.minutes(10))) struct EvidenceTests {
    private static let page = "<html><title>Sign in</title></html>"

    private func failure(
        of response: HTTPResponse,
        _ options: ClientOptions = ClientOptions(retryPolicy: .never),
    ) async throws -> APIError<ShopError> {
        let client = APIClient(transport: MockTransport { _ in response }, options: options)
        return try await HikyakuTests.failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.Dishes())
        }
    }

    private static func page(_ status: HTTPStatus = .ok, _ headers: HTTPHeaders) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: HTTPBody(page))
    }

    static let refusals: [(FailureReason, HTTPResponse)] = [
        (.unexpectedPart, page(206, ["Content-Range": "bytes 5-9/100"])),
        (.redirectInvalid, page(302, ["Location": "ftp://a.example"])),
        (.redirectInsecure, page(302, ["Location": "http://a.example/dishes"])),
        (.redirectLoop, page(302, ["Location": "/dishes"])),
        (.unknownContentCoding, page(.ok, ["Content-Encoding": "lzma"])),
        (.malformedContentCoding, page(.ok, ["Content-Encoding": "gzip, gzip, gzip, gzip, gzip"])),
    ]

    @Test(arguments: refusals.indices) func aRefusedResponseIsKept(_ index: Int) async throws {
        let (reason, response) = Self.refusals[index]
        let error = try await failure(of: response)
        #expect(error.reason == reason)
        #expect(error.response?.status == response.status)
        #expect(error.response?.headers == response.headers)
        #expect(error.response?.text == Self.page)
        #expect(error.response?.context.requestType == "Shop.Dishes")
    }

    /// Its own coding can't be read, or it is larger than allowed.
    @Test func whatWasReadOfABadBodyIsKept() async throws {
        let coded = HTTPResponse(status: .ok, headers: ["Content-Encoding": "gzip"], body: HTTPBody("not gzip"))
        let error = try await failure(of: coded)
        #expect(error.reason == .malformedContentCoding && error.response?.status == .ok)
        let large = HTTPResponse(status: .ok, headers: ["X-A": "1"], body: HTTPBody(Data(count: 100_001)))
        let limit = try await failure(of: large, ClientOptions(bodyBytesMax: 100_000))
        #expect(limit.reason == .bodyTooLarge && limit.response?.headers["X-A"] == "1")
        #expect(limit.response?.body.count == BufferedResponse.bodyBytesMax && limit.response?.isBodyCut == true)
    }

    /// The transport has read the head, and a part of the body.
    @Test(arguments: [
        (
            "HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 90\r\n\r\n[{\"id\"", FailureReason.truncatedResponse,
            "[{\"id\"",
        ),
        ("HTTP/1.1 500 Oops\r\nX-A: 1\r\nContent-Length: 90\r\n\r\nfail", .unacceptableStatus, "fail"),
        (
            "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[{\"\r\nzz\r\n", .malformedChunk,
            "[{\"",
        ),
        ("HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 99000\r\n\r\n[", .bodyTooLarge, ""),
    ])
    func aBodyThatBreaksOffLeavesItsHead(_ text: String, _ reason: FailureReason, _ body: String) async throws {
        let server = try MockServer { _ in .raw([.write(text), .close]) }
        defer { server.stop() }
        let options = ClientOptions(bodyBytesMax: 90_000, retryPolicy: .never)
        let client = APIClient(options: options).substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        let error = try await HikyakuTests.failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.Dishes())
        }
        #expect(error.reason == reason)
        #expect(error.response?.headers["X-A"] == "1")
        #expect(error.response?.text == body && error.response?.isBodyCut == true)
        // What is said of the call is still what happened to its connection.
        #expect(
            error.phase == reason.phase
                && error.isRetryable == [.truncatedResponse, .unacceptableStatus].contains(reason)
        )
    }

    /// Who ended a call, and how the error says so.
    enum End: CaseIterable {
        case deadline, cancellation
    }

    /// The body goes on for longer than the call, in the caller's task and in a separate one.
    @Test(arguments: End.allCases, [false, true])
    func aCallThatEndsEarlyLeavesWhatCame(_ end: End, _ hasOwnTask: Bool) async throws {
        // When the third piece is there, the others have been read.
        let pieces = ["HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 90\r\n\r\n[", "{\"id\"", ":"]
        let server = try MockServer { _ in
            .raw(pieces.flatMap { [.write($0), .pause(.milliseconds(20))] } + [.pause(.seconds(60))])
        }
        defer { server.stop() }
        let clock = ManualClock()
        var options = ClientOptions(timeout: .seconds(60), retryPolicy: .never, clock: clock)
        options.givesCallsTasks = hasOwnTask
        let count = Lock(0)
        let client = APIClient(options: options).substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
            .observing { event in
                if case .bytesReceived(let all, _) = event.kind { count.withLock { $0 = all } }
            }
        let call = Task { try await client.send(Shop.Dishes()) }
        #expect(try await holds { count.withLock { $0 == 7 } })
        if end == .deadline { clock.advance(by: .seconds(60)) } else { call.cancel() }
        let error = try #require(await #expect(throws: APIError<ShopError>.self) { try await call.value })
        #expect(error.reason == (end == .deadline ? .deadline : .cancelled))
        #expect(error.response?.status == .ok && error.response?.headers["X-A"] == "1")
        #expect(error.response?.isBodyCut == true)
        #expect(error.response?.text?.hasPrefix("[{\"id\"") == true)
    }

    /// The last response is evidence also while the next attempt is waited for, and none of that attempt.
    @Test func aPauseKeepsTheLastResponse() async throws {
        let clock = ManualClock()
        let transport = MockTransport { _ in .json("{}", status: .serviceUnavailable, headers: ["Retry-After": "5"]) }
        let options = ClientOptions(timeout: .seconds(8), clock: clock)
        let call = Task { try await APIClient(transport: transport, options: options).send(Shop.Dishes()) }
        #expect(try await holds { clock.pendingCount >= 2 })
        call.cancel()
        let error = await #expect(throws: APIError<ShopError>.self) { try await call.value }
        #expect(error?.reason == .cancelled && error?.response?.status == .serviceUnavailable)
    }

    @Test func aCallWithoutAResponseHasNone() async throws {
        let transport = MockTransport()
        transport.enqueue(.failure(TransportError(.connectionReset, "x")))
        let error = try await HikyakuTests.failure { () async throws(APIError<ShopError>) in
            try await APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)).send(Shop.Dishes())
        }
        #expect(error.response == nil)
    }

    // MARK: Streams

    private struct Prices: EventStreamRequest {
        typealias Event = Int
        typealias Failure = ShopError
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/prices" }
        var streamTypes: Set<String> = ["text/event-stream"]
    }

    private func events(
        of response: HTTPResponse,
        _ request: Prices = Prices(),
    ) async throws -> (events: [Int], error: APIError<ShopError>?) {
        // However long a machine takes, the body is waited for.
        let options = ClientOptions(clock: ManualClock())
        let client = APIClient(transport: MockTransport { _ in response }, options: options)
        var found: [Int] = []
        do {
            for try await event in client.bind(request).eventStream() { found.append(event) }
        } catch {
            let sent = await #expect(throws: APIError<ShopError>.self) { try await client.send(request) }
            #expect(sent?.reason == error.reason && sent?.response?.body == error.response?.body)
            return (found, error)
        }
        return (found, nil)
    }

    @Test func anErrorInPlaceOfAStreamIsTheServices() async throws {
        let response = HTTPResponse.json(#"{"message":"invalid key"}"#)
        let error = try #require(await events(of: response).error)
        #expect(error.service(as: ShopError.self) == ShopError(message: "invalid key"), "\(error)")
        #expect(error.response?.status == .ok)
    }

    @Test(arguments: [
        HTTPResponse(status: .ok, headers: ["Content-Type": "text/html"], body: HTTPBody(page)),
        .json(#"{"status":"ok"}"#), HTTPResponse(status: .ok, body: HTTPBody("data: 1\n\n")),
    ])
    func anotherResponseThanAStreamIsKept(_ response: HTTPResponse) async throws {
        let error = try #require(await events(of: response).error)
        #expect(error.reason == .notAnEventStream)
        #expect(error.response?.body == response.body.bytes)
        if error.response?.headers.mediaType?.essence == "application/json" {
            #expect(error.description.contains(#"{"status":"aa"}"#))
        }
    }

    /// A service may send its error under the type that was requested.
    @Test(arguments: [
        ("{\"message\":\"invalid key\"}", true), ("\n {\"message\":\n\n\"invalid key\"}", true),
        ("\u{FEFF}{\"message\":\"invalid key\"}\n", true), ("{\"status\":\"ok\"}", false), ("[1]", false),
        (page, false),
    ])
    func aDocumentUnderTheTypeOfEventsIsNotAStream(_ body: String, _ isFailure: Bool) async throws {
        for type in ["text/event-stream", "application/json"] {
            let response = HTTPResponse(status: .ok, headers: ["Content-Type": type], body: HTTPBody(body))
            let client = APIClient(transport: MockTransport { _ in response })
            let request = Prices(streamTypes: type == "text/event-stream" ? [type] : [])
            let first = await #expect(throws: APIError<ShopError>.self) {
                for try await _ in try await client.send(request) {}
            }
            let second = await #expect(throws: APIError<ShopError>.self) {
                for try await _ in client.bind(request).eventStream() {}
            }
            for error in [first, second] {
                #expect(error?.reason == (isFailure ? .service : .notAnEventStream), "\(String(describing: error))")
                #expect(error?.response?.body == Data(body.utf8) && error?.response?.headers.mediaType?.essence == type)
            }
        }
    }

    /// An event of another kind than the others.
    @Test func anEventThatCannotBeReadIsShown() async throws {
        let headers: HTTPHeaders = ["Content-Type": "text/event-stream"]
        let body = "data: 1\n\nevent: progress\ndata: {\"tool\":\"a\"}\n\n"
        let response = HTTPResponse(status: .ok, headers: headers, body: HTTPBody(body))
        let client = APIClient(transport: MockTransport { _ in response })
        let first = await #expect(throws: APIError<ShopError>.self) {
            for try await _ in try await client.send(Prices()) {}
        }
        let second = await #expect(throws: APIError<ShopError>.self) {
            for try await _ in client.bind(Prices()).eventStream() {}
        }
        for error in [first, second] {
            #expect(error?.response?.text == "{\"tool\":\"a\"}" && error?.phase == .decoding)
            #expect(error?.hint?.contains("The event's name is progress") == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: ["", ":\n\n", "data: 1\n\n{\"message\":\"a\"}\n\n", "x\n\n"])
    func whatMayBeAStreamIsOne(_ body: String) async throws {
        let headers: HTTPHeaders = ["Content-Type": "text/event-stream"]
        let response = HTTPResponse(status: .ok, headers: headers, body: HTTPBody(body))
        let client = APIClient(transport: MockTransport { _ in response })
        var found: [Int] = []
        for try await event in try await client.send(Prices()) { found.append(event) }
        #expect(found == (body.hasPrefix("data") ? [1] : []))
    }

    /// What comes for ever is not waited for.
    @Test func theBeginningOfAnEndlessBodyIsKept() async throws {
        let clock = ManualClock()
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        source.yield(Data("data: 1\n\n".utf8))
        let response = HTTPResponse(status: .ok, headers: ["Content-Type": "text/plain"], body: HTTPBody(pieces))
        let client = APIClient(transport: MockTransport { _ in response }, options: ClientOptions(clock: clock))
        let call = Task { try await client.send(Prices()) }
        #expect(try await holds { clock.pendingCount >= 2 })
        await yieldRepeatedly(1_000)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: APIError<ShopError>.self) { try await call.value }
        #expect(error?.reason == .notAnEventStream)
        #expect(error?.response?.text == "data: 1\n\n" && error?.response?.isBodyCut == true)
        source.finish()
    }

    @Test(arguments: ["text/plain", "application/octet-stream", ""])
    func otherTypesAreReadWhereTheyAreAccepted(_ type: String) async throws {
        let headers: HTTPHeaders = type.isEmpty ? [:] : ["Content-Type": type]
        let client = APIClient(
            transport: MockTransport { _ in HTTPResponse(status: .ok, headers: headers, body: HTTPBody("data: 1\n\n")) }
        )
        for types in [[], ["text/plain", "application/octet-stream"]] as [Set<String>] where types.isEmpty || type != ""
        {
            var found: [Int] = []
            for try await event in try await client.send(Prices(streamTypes: types)) { found.append(event) }
            #expect(found == [1])
        }
    }
}
