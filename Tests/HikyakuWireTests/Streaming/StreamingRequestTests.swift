#if os(Linux)
import Foundation
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

@Suite(.timeLimit(.minutes(5)))
struct StreamingRequestTests {
    @Test func aStreamOfKnownLengthGoesOutWithIt() async throws {
        let wire = try Wire { request in .text(request.bodyText) }
        let body = HTTPBody(TestSource("one ", "", "two"), count: 7)
        #expect(try await wire.send(.post, body: body).text() == "one two")
        let sent = try #require(wire.server.requests.first)
        let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(wire.server.port)\r\nContent-Length: 7\r\n\r\n"
        #expect(sent.rawHeadText == head)
    }

    @Test func aStreamOfUnknownLengthGoesOutInChunks() async throws {
        let wire = try Wire { request in .text(request.bodyText) }
        #expect(try await wire.send(.put, body: HTTPBody(TestSource("one ", "two"))).text() == "one two")
        let sent = try #require(wire.server.requests.first)
        let head = "PUT / HTTP/1.1\r\nHost: 127.0.0.1:\(wire.server.port)\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(sent.rawHeadText == head)
    }

    @Test(arguments: [0, 1, 300_000, 8 << 20], [true, false])
    func carriesStreamsOfAnySize(_ size: Int, _ isLengthKnown: Bool) async throws {
        let wire = try Wire { request in .bytes(request.body) }
        let content = variedBytes(size)
        let source = TestSource { number in
            let start = number * 70_001
            // A slice, whose indices don't begin at 0.
            return start < size ? .piece(content[start..<min(start + 70_001, size)]) : nil
        }
        for method in [HTTPMethod.post, .put, .delete] {
            let body = HTTPBody(source, count: isLengthKnown ? size : nil)
            let response = try await wire.send(method, body: body)
            #expect(try await response.body.collect() == content)
        }
        #expect(wire.server.connectionCount == 1)
        #expect(source.record.withLock(\.alive) == 0)
    }

    @Test func carriesAFile() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let content = variedBytes(1_000_000)
        try content.write(to: file)
        let wire = try Wire { request in .bytes(request.body) }
        let body = try HTTPBody.file(at: file.path)
        for _ in 0..<2 { #expect(try await wire.send(.put, body: body).body.collect() == content) }
        #expect(wire.server.requests.map { $0.headers[.contentLength] } == ["1000000", "1000000"])
    }

    @Test func aSourceThatTakesItsTimeIsWaitedFor() async throws {
        let wire = try Wire { request in .text(request.bodyText) }
        for count in [6, nil] {
            try await withGrowingTimes { factor in
                let time = Duration.milliseconds(200) * factor
                let options = TransportOptions(timeouts: TransportTimeouts(firstByte: time, idle: time))
                let slow = TestSource([
                    .piece(Data("one".utf8)),
                    .wait { [transport = wire.transport] in try? await transport.waitForTimeout(of: time * 2) },
                    .piece(Data("two".utf8)),
                ])
                let response = try await wire.send(.post, body: HTTPBody(slow, count: count), options: options)
                #expect(try await response.text() == "onetwo")
            }
        }
    }

    @Test func aServerThatTakesNothingHoldsTheSourceBack() async throws {
        let mayRead = DispatchSemaphore(value: 0)
        let server = try ByteServer { connection in
            _ = connection.readHead()
            mayRead.wait()
            connection.drain()
        }
        defer {
            mayRead.signal()
            server.stop()
        }
        let source = TestSource.endless()
        let request = HTTPRequest(method: .post, url: try server.url, body: HTTPBody(source))
        let transport = WireTransport()
        let task = Task { try await transport.send(request, options: TransportOptions()) }
        #expect(try await holds { source.record.withLock(\.pulledBytes) > 0 })
        let pulledBytes = try await settledValue { source.record.withLock(\.pulledBytes) }
        // What lies in the system's buffers and in the stream's.
        #expect(pulledBytes < 32 << 20)
        mayRead.signal()
        #expect(try await holds { source.record.withLock(\.pulledBytes) > pulledBytes + 64 << 20 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { source.record.withLock(\.alive) == 0 && server.openConnectionCount == 0 })
    }

    @Test func theSourceSeesTheTaskLocalValuesOfTheCaller() async throws {
        let wire = try Wire { _ in .text("hi") }
        let source = TestSource("piece")
        try await TestSource.$label.withValue("caller") { _ = try await wire.send(.post, body: HTTPBody(source)) }
        #expect(source.record.withLock(\.taskLocal) == ["caller"])
    }

    @Test func whatCannotBeSentIsNotPulled() async throws {
        let server = try MockServer()
        let url = try server.url("/")
        server.stop()
        let source = TestSource("piece")
        let body = HTTPBody(source)
        let error = try await transportError {
            try await WireTransport().send(
                HTTPRequest(method: .post, url: url, body: body),
                options: TransportOptions(),
            )
        }
        #expect(error.reason == .connectionRefused)
        #expect(source.record.withLock(\.begun) == 0)
        // So it can be sent to another server.
        let wire = try Wire { request in .text(request.bodyText) }
        #expect(try await wire.send(.post, body: body).text() == "piece")
    }

    @Test func bothDirectionsStreamAtOnce() async throws {
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 8388608\r\n\r\n")
            var left = 8_388_608
            while left > 0, let bytes = connection.read(upTo: min(left, 65_536)) {
                connection.write(bytes)
                left -= bytes.count
            }
        }
        defer { server.stop() }
        let content = variedBytes(8_388_608)
        let source = TestSource { number in
            number < 128 ? .piece(content[(number * 65_536)..<((number + 1) * 65_536)]) : nil
        }
        let request = HTTPRequest(method: .post, url: try server.url, body: HTTPBody(source, count: content.count))
        let response = try await WireTransport().send(request, options: .streaming)
        #expect(try await response.body.collect() == content)
    }
}
#endif
