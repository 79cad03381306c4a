#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

private struct SourceFailed: Error, Equatable {
    let number: Int
}

/// Records what a client sends until it closes the connection, and answers nothing.
private final class Recorder: Sendable {
    let server: ByteServer
    private let received: Lock<[UInt8]>
    private let isOver: Lock<Bool>

    init() throws {
        let (received, isOver) = (Lock<[UInt8]>([]), Lock(false))
        server = try ByteServer { connection in
            while let bytes = connection.read(upTo: 65_536) { received.withLock { $0 += bytes } }
            isOver.withLock { $0 = true }
        }
        (self.received, self.isOver) = (received, isOver)
    }

    /// All that came, once the client has closed the connection.
    func text() async throws -> String {
        try #require(try await holds { isOver.withLock(\.self) })
        return received.withLock { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct StreamingRequestFailureTests {
    @Test(arguments: [nil, 12])
    func whatTheSourceThrowsEndsTheCall(_ count: Int?) async throws {
        let recorder = try Recorder()
        defer { recorder.server.stop() }
        let source = TestSource([.piece(Data("begun".utf8)), .failure(SourceFailed(number: 7))])
        let request = HTTPRequest(method: .post, url: try recorder.server.url, body: HTTPBody(source, count: count))
        let transport = WireTransport()
        await #expect(throws: SourceFailed(number: 7)) {
            try await transport.send(request, options: TransportOptions())
        }
        #expect(!(try await recorder.text().hasSuffix("0\r\n\r\n")))
        #expect(source.record.withLock(\.alive) == 0)
    }

    @Test func aSourceThatThrowsAfterTheHeadEndsTheStream() async throws {
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.drain()
        }
        defer { server.stop() }
        let mayFail = AsyncStream<Void>.makeStream()
        let source = TestSource([
            .piece(Data("begun".utf8)), .wait { for await _ in mayFail.stream {} }, .failure(SourceFailed(number: 8)),
        ])
        let request = HTTPRequest(method: .post, url: try server.url, body: HTTPBody(source))
        let response = try await WireTransport().send(request, options: .streaming)
        mayFail.continuation.finish()
        let failure = try await readFailure(response.body)
        #expect(failure.error as? SourceFailed == SourceFailed(number: 8))
    }

    @Test(arguments: [["abc"], ["abc", "defg"], ["abcd", "efgh"], ["abcde", "f"]])
    func aBodyOfAnotherLengthIsNeverAWholeRequest(_ pieces: [String]) async throws {
        let recorder = try Recorder()
        defer { recorder.server.stop() }
        let source = TestSource(pieces.map { .piece(Data($0.utf8)) })
        let request = HTTPRequest(method: .put, url: try recorder.server.url, body: HTTPBody(source, count: 5))
        let error = try await transportError { try await WireTransport().send(request, options: TransportOptions()) }
        #expect(error.reason == .body)
        let sent = try await recorder.text()
        #expect(sent.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false).last?.count ?? 9 < 5)
    }

    @Test func aFileThatShrinksIsNeverAWholeRequest() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 1, count: 100_000).write(to: file)
        let body = try HTTPBody.file(at: file.path)
        try Data(repeating: 1, count: 50_000).write(to: file)
        let wire = try Wire { _ in .text("hi") }
        #expect(try await transportError { try await wire.send(.put, body: body) }.reason == .body)
        #expect(wire.server.requests.isEmpty)
    }

    /// With and without `Connection: close`, with a body up to the connection's end, and while the source is slow or
    /// isn't.
    @Test(
        arguments: [
            "Content-Length: 2\r\n\r\nno", "Connection: close\r\nContent-Length: 2\r\n\r\nno",
            "Connection: close\r\n\r\nno", "Transfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
        ],
        [true, false],
    )
    func anAnswerBeforeTheEndOfTheBodyIsTheResponse(_ rest: String, _ isSlow: Bool) async throws {
        let server = try ByteServer { connection in
            _ = connection.readHead()
            _ = connection.read(upTo: 10)
            connection.write("HTTP/1.1 413 Too Large\r\n" + rest)
            // Without that, the system would break the connection off for what wasn't read, perhaps before the client
            // has seen the response.
            connection.finish()
        }
        defer { server.stop() }
        let source = isSlow ? TestSource([.piece(Data(count: 100)), .stall]) : TestSource.endless()
        for options in [TransportOptions(), .streaming] {
            let request = HTTPRequest(method: .post, url: try server.url, body: HTTPBody(source))
            let response = try await WireTransport().send(request, options: options)
            #expect(response.status == 413)
            #expect(try await response.text() == "no")
            #expect(try await holds { source.record.withLock(\.alive) == 0 })
        }
    }

    @Test(arguments: [true, false], [true, false])
    func aServerThatGoesAmidTheBodyEndsTheCall(_ isSlow: Bool, _ isInOrder: Bool) async throws {
        let server = try ByteServer { connection in
            _ = connection.readHead()
            _ = connection.read(upTo: 10)
            if isInOrder { connection.finish() }
        }
        defer { server.stop() }
        let source = isSlow ? TestSource([.piece(Data(count: 100)), .stall]) : TestSource.endless()
        let request = HTTPRequest(method: .post, url: try server.url, body: HTTPBody(source))
        let error = try await transportError { try await WireTransport().send(request, options: TransportOptions()) }
        #expect([.connectionClosed, .connectionReset].contains(error.reason))
        #expect(try await holds { source.record.withLock(\.alive) == 0 })
    }

    @Test func cancellingDropsTheSource() async throws {
        let wire = try Wire { _ in .text("hi") }
        let source = TestSource([.piece(Data("begun".utf8)), .stall])
        let request = try wire.request(.post, body: HTTPBody(source))
        let task = Task { [transport = wire.transport] in
            try await transport.send(request, options: TransportOptions())
        }
        #expect(try await holds { source.record.withLock(\.pulledBytes) == 5 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { source.record.withLock(\.alive) == 0 })
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
        #expect(wire.server.requests.isEmpty)
    }

    @Test func aShutdownEndsAnUpload() async throws {
        let wire = try Wire { _ in .text("hi") }
        let source = TestSource([.piece(Data("begun".utf8)), .stall])
        let request = try wire.request(.post, body: HTTPBody(source))
        let task = Task { [transport = wire.transport] in
            try await transport.send(request, options: TransportOptions())
        }
        #expect(try await holds { source.record.withLock(\.pulledBytes) == 5 })
        await wire.transport.shutdown(within: .milliseconds(50))
        #expect(try await transportError { try await task.value }.reason == .shutDown)
        #expect(try await holds { source.record.withLock(\.alive) == 0 })
    }
}

@Suite(.timeLimit(.minutes(5)))
struct StreamingRetryTests {
    @Test(arguments: [10, 100_000])
    func aBodyThatCanBeReadAgainIsSentAgain(_ size: Int) async throws {
        let wire = try Wire { request in .text("again \(request.body.count)") }
        wire.server.enqueue(.text("first"), .raw([.close]))
        try await wire.send(.put)
        let source = TestSource([.piece(Data(count: size - 1)), .piece(Data(count: 1))])
        let body = HTTPBody(source, isReplayable: true)
        #expect(try await wire.send(.put, body: body).text() == "again \(size)")
        #expect(source.record.withLock(\.begun) == 2)
        #expect(wire.server.requests.map(\.body.count) == [0, size, size])
    }

    @Test(arguments: [(HTTPMethod.put, false), (.post, true)])
    func aBodyThatCannotAndAPostAreNotSentAgain(_ method: HTTPMethod, _ isReplayable: Bool) async throws {
        let wire = try Wire { _ in .text("again") }
        wire.server.enqueue(.text("first"), .raw([.close]))
        try await wire.send(.put)
        let source = TestSource("content")
        let body = HTTPBody(source, isReplayable: isReplayable)
        let error = try await transportError { try await wire.send(method, body: body) }
        #expect(error.reason == .connectionClosed)
        #expect(source.record.withLock(\.begun) == 1)
        #expect(wire.server.requests.map(\.bodyText) == ["", "content"])
    }

    @Test func aPostWhoseKeptConnectionEndsAmidItsBodyIsNotSentAgain() async throws {
        let heads = Lock(0)
        let server = try ByteServer { connection in
            while !connection.readHead().isEmpty {
                let count = heads.withLock { heads in
                    heads += 1
                    return heads
                }
                guard count == 1 else {
                    _ = connection.read(upTo: 10)
                    return connection.finish()
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            }
        }
        defer { server.stop() }
        let transport = WireTransport()
        _ = try await transport.get(try server.url)
        let body = HTTPBody(TestSource.endless(), isReplayable: true)
        let request = HTTPRequest(method: .post, url: try server.url, body: body)
        let error = try await transportError { try await transport.send(request, options: TransportOptions()) }
        #expect([.connectionClosed, .connectionReset].contains(error.reason))
        #expect(heads.withLock(\.self) == 2)
    }
}
#endif
