import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import Testing

/// Streamed bodies through the client, over a real wire.
@Suite(.timeLimit(.minutes(10)))
struct StreamingTests {
    private struct Export: APIRequest {
        typealias Definition = StreamedResponse
        typealias Failure = ShopError
        var environment: APIEnvironment
        var path: RequestPath { "/export" }
        var timeout: Duration?
    }

    private struct Pieces: AsyncSequence, Sendable {
        let texts: [String]

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<String>

            mutating func next() async -> Data? { rest.popFirst().map { Data($0.utf8) } }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: texts[...]) }
    }

    private static let begun = MockAnswer.raw([
        .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegun"), .stall,
    ])

    @Test func aStreamedResponseIsReadPieceByPiece() async throws {
        let server = try MockServer { _ in .text(String(repeating: "x", count: 300_000)) }
        defer { server.stop() }
        let body = try await APIClient().send(Export(environment: APIEnvironment(baseURL: server.baseURL)))
        var count = 0
        for try await piece in body { count += piece.count }
        #expect(count == 300_000)
    }

    @Test func whatReadingABodyThrowsIsTheErrorOfItsCall() async throws {
        let server = try MockServer { _ in .text(String(repeating: "x", count: 300_000)) }
        defer { server.stop() }
        let body = try await APIClient().send(Export(environment: APIEnvironment(baseURL: server.baseURL)))
        let large = await #expect(throws: APIError<ShopError>.self) { try await body.collect(upTo: 1_000) }
        #expect(large?.reason == .bodyTooLarge && large?.response?.status == .ok)
        for try await _ in body {}
        let consumed = await #expect(throws: APIError<ShopError>.self) { for try await _ in body {} }
        #expect(consumed?.reason == .bodyConsumed)
        let again = await #expect(throws: APIError<ShopError>.self) { try await body.collect() }
        #expect(again?.reason == .bodyConsumed)
    }

    /// Beyond the client's own steps: the deadline, and the content coding.
    @Test(arguments: [false, true])
    func trailersAreThereAfterTheEnd(_ isCoded: Bool) async throws {
        // "hello" by gzip, stored.
        let coded: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
            + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
        let content = isCoded ? Data(coded) : Data("hello".utf8)
        var answer = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n".utf8)
        if isCoded { answer += Data("Content-Encoding: gzip\r\n".utf8) }
        answer += Data("\r\n\(String(content.count, radix: 16))\r\n".utf8) + content
        let (head, end) = (answer, Data("\r\n0\r\nX-Sum: 7\r\n\r\n".utf8))
        let server = try MockServer { _ in .raw([.write(head), .write(end)]) }
        defer { server.stop() }
        let environment = APIEnvironment(baseURL: server.baseURL)
        let body = try await APIClient().send(Export(environment: environment, timeout: .seconds(60)))
        #expect(try await body.collect() == Data("hello".utf8))
        #expect(body.trailers["X-Sum"] == "7")
        let whole = try await APIClient().bind(Whole(environment: environment)).response()
        #expect(whole.value == "hello")
        #expect(whole.trailers["X-Sum"] == "7")
    }

    private struct Whole: APIRequest {
        typealias Definition = TextResponse
        var environment: APIEnvironment
        var path: RequestPath { "/export" }
    }

    @Test func aFailureOfTheServiceIsReadAsAWhole() async throws {
        let server = try MockServer { _ in .json(#"{"message":"closed"}"#, status: 503) }
        defer { server.stop() }
        let request = Export(environment: APIEnvironment(baseURL: server.baseURL))
        let error = try await failure { () async throws(APIError<ShopError>) in try await APIClient().send(request) }
        guard case .service(let shop, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(shop == ShopError(message: "closed"))
    }

    @Test func aCopyOfAnIteratorIsAtItsEndToo() async throws {
        let server = try MockServer { _ in .text("all") }
        defer { server.stop() }
        let request = Export(environment: APIEnvironment(baseURL: server.baseURL), timeout: .seconds(60))
        var iterator = try await APIClient().send(request).makeAsyncIterator()
        var copy = iterator
        while try await iterator.next() != nil {}
        #expect(try await copy.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func aStreamThatIsDroppedClosesItsConnection() async throws {
        let server = try MockServer { _ in Self.begun }
        defer { server.stop() }
        let request = Export(environment: APIEnvironment(baseURL: server.baseURL))
        for try await piece in try await APIClient().send(request) {
            #expect(piece == Data("begun".utf8))
            break
        }
        try await server.waitForOpenConnections(0)
    }

    @Test func theDeadlineHoldsUntilTheEndOfTheStream() async throws {
        let clock = ManualClock()
        var options = ClientOptions()
        options.clock = clock
        let server = try MockServer { _ in Self.begun }
        defer { server.stop() }
        let request = Export(environment: APIEnvironment(baseURL: server.baseURL), timeout: .seconds(30))
        let body = try await APIClient(options: options).send(request)
        #expect(body.count == 10)
        let reading = Task {
            var pieces: [Data] = []
            do { for try await piece in body { pieces.append(piece) } } catch {
                return (pieces, error as? APIError<ShopError>)
            }
            return (pieces, nil)
        }
        clock.advance(by: .seconds(29))
        #expect(server.openConnectionCount == 1)
        clock.advance(by: .seconds(1))
        let (pieces, error) = await reading.value
        #expect(error?.reason == .deadline)
        #expect(pieces.count <= 1)
        try await server.waitForOpenConnections(0)
    }

    @Test func aDeadlineThatPassedBeforeTheStreamWasReadIsThrown() async throws {
        let clock = ManualClock()
        var options = ClientOptions()
        options.clock = clock
        let server = try MockServer { _ in Self.begun }
        defer { server.stop() }
        let request = Export(environment: APIEnvironment(baseURL: server.baseURL), timeout: .seconds(30))
        let body = try await APIClient(options: options).send(request)
        clock.advance(by: .seconds(30))
        try await server.waitForOpenConnections(0)
        let error = try await #require(throws: APIError<ShopError>.self) { _ = try await body.collect() }
        #expect(error.reason == .deadline && error.response?.status == .ok)
    }

    @Test func aStreamThatWasReadLeavesNoTimer() async throws {
        let clock = ManualClock()
        var options = ClientOptions()
        options.clock = clock
        let server = try MockServer { _ in .text("whole") }
        defer { server.stop() }
        let request = Export(environment: APIEnvironment(baseURL: server.baseURL), timeout: .seconds(30))
        let body = try await APIClient(options: options).send(request)
        // The stream's own, and that of the calls of its client.
        #expect(clock.pendingCount == 2)
        #expect(try await body.collect() == Data("whole".utf8))
        #expect(clock.pendingCount == 0)
    }

    @Test func aFileAndAStreamAreSent() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("from a file".utf8).write(to: file)
        let server = try MockServer { request in .text(request.bodyText) }
        defer { server.stop() }
        let environment = APIEnvironment(baseURL: server.baseURL)
        let stream = HTTPBody(Pieces(texts: ["from ", "a stream"]))
        for (body, text) in [(RequestBody.file(file.path), "from a file"), (.stream(stream), "from a stream")] {
            let request = AnyRequest(environment: environment, method: .put, body: body)
            #expect(try await APIClient().send(request) == Data(text.utf8))
        }
        #expect(
            server.requests.map { $0.headers[.contentType] } == Array(repeating: "application/octet-stream", count: 2)
        )
        #if os(Linux)
        #expect(server.requests.map { $0.headers[.contentLength] } == ["11", nil])
        #endif
    }

    @Test func aMissingFileIsRejectedBeforeAnythingIsSent() async throws {
        let request = AnyRequest(method: .put, body: .file("/nowhere/at/all"))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await APIClient().send(request)
        }
        #expect(error.reason == .body)
        guard case .invalidRequest = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func sendingAStreamTwiceIsReported() async throws {
        let server = try MockServer { request in .text(request.bodyText) }
        defer { server.stop() }
        let body = HTTPBody(Pieces(texts: ["once"]))
        let request = AnyRequest(
            environment: APIEnvironment(baseURL: server.baseURL),
            method: .post,
            body: .stream(body),
        )
        #expect(try await APIClient().send(request) == Data("once".utf8))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await APIClient().send(request)
        }
        #expect(error.reason == .bodyConsumed)
    }
}
