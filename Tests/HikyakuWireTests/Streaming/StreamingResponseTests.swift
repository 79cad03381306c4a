#if os(Linux)
import Foundation
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

extension TransportOptions {
    /// The body is pulled by its reader.
    static var streaming: TransportOptions { TransportOptions(streamsBody: true) }
}

/// What reading a body threw, and what came before.
func readFailure(_ body: HTTPBody) async throws -> (bytes: Data, error: any Error) {
    var bytes = Data()
    do {
        for try await piece in body { bytes.append(piece) }
    } catch {
        return (bytes, error)
    }
    throw ReadToTheEnd()
}

private struct ReadToTheEnd: Error {}

@Suite(.timeLimit(.minutes(5)))
struct StreamingResponseTests {
    @Test func theHeadComesBeforeTheBody() async throws {
        let wire = try Wire()
        wire.server.enqueue(
            .raw([.write("HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 10\r\n\r\nfirst"), .stall])
        )
        let response = try await wire.send(options: .streaming)
        #expect(response.status == .ok)
        #expect(response.headers["X-A"] == "1")
        #expect(response.body.count == 10)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("first".utf8))
    }

    @Test(arguments: [0, 1, 70_000, 5_000_000])
    func aWholeBodyComesInWhateverFraming(_ size: Int) async throws {
        let content = variedBytes(size)
        let wire = try Wire { request in
            switch request.path {
            case "/length": .bytes(content)
            case "/chunked": .bytes(content).chunked()
            default: .raw([.write("HTTP/1.1 200 OK\r\n\r\n"), .write(content), .close])
            }
        }
        for path in ["/length", "/chunked", "/close"] {
            let response = try await wire.send(.get, path, options: .streaming)
            #expect(response.body.count == (path == "/length" ? size : nil))
            #expect(try await response.body.collect() == content)
        }
    }

    /// Where bytes come quickly, the loop waits for many of them, but not for long.
    @Test func whatASilentServerSentQuicklyBeforeIsRead() async throws {
        let (sent, whole) = (8_100_000, 20_000_000)
        let server = try ByteServer { connection in
            while !connection.readHead().isEmpty {
                guard connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(whole)\r\n\r\n") else { return }
                let piece = [UInt8](repeating: 0x61, count: 50_000)
                for _ in 0..<(sent / piece.count) { guard connection.write(piece) else { return } }
                // Until the client has had enough.
                connection.drain()
            }
        }
        defer { server.stop() }
        let transport = WireTransport()
        let timeouts = TransportTimeouts(idle: .seconds(60))
        let options = TransportOptions(streamsBody: true, timeouts: timeouts)
        for _ in 0..<5 {
            let begin = ContinuousClock.now
            let response = try await transport.send(HTTPRequest(url: try server.url), options: options)
            var received = 0
            for try await piece in response.body {
                received += piece.count
                if received == sent { break }
            }
            #expect(received == sent)
            #expect(ContinuousClock.now - begin < .seconds(30))
        }
    }

    @Test func aSmallResponseIsReadAtOnceAfterALargeOne() async throws {
        let server = try ByteServer { connection in
            while case let head = connection.readHead(), !head.isEmpty {
                let count = head.hasPrefix("GET /large") ? 8_000_000 : 10
                guard connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n") else { return }
                var left = count
                while left > 0 {
                    let piece = min(left, 50_000)
                    guard connection.write([UInt8](repeating: 0x61, count: piece)) else { return }
                    left -= piece
                }
            }
        }
        defer { server.stop() }
        let transport = WireTransport()
        let timeouts = TransportTimeouts(firstByte: .seconds(20))
        for _ in 0..<5 {
            for path in ["large", "small", "small"] {
                let url = try server.url.appending(path: path)
                let options = TransportOptions(streamsBody: path == "large", timeouts: timeouts)
                let response = try await transport.send(HTTPRequest(url: url), options: options)
                #expect(try await response.body.collect().count == (path == "large" ? 8_000_000 : 10))
            }
        }
        #expect(server.openConnectionCount == 1)
    }

    @Test func theLimitForCollectedBodiesDoesNotHold() async throws {
        let wire = try Wire { _ in .text(String(repeating: "x", count: 100_000)) }
        let options = TransportOptions(bodyBytesMax: 10, streamsBody: true)
        #expect(try await wire.send(options: options).body.collect().count == 100_000)
    }

    @Test func whatHasNoBodyIsEmpty() async throws {
        let wire = try Wire { request in
            request.path == "/304" ? MockAnswer(status: 304) : request.path == "/204" ? .status(204) : .text("content")
        }
        for (method, path) in [(HTTPMethod.head, "/"), (.get, "/204"), (.get, "/304")] {
            let response = try await wire.send(method, path, options: .streaming)
            #expect(response.body.count == 0)
            #expect(try await response.body.collect().isEmpty)
        }
        #expect(wire.server.connectionCount == 1)
    }

    @Test(arguments: [
        ("Content-Length: 10\r\n\r\nhalf", FailureReason.truncatedResponse),
        ("Content-Length: 10\r\n\r\n", .truncatedResponse),
        ("Transfer-Encoding: chunked\r\n\r\n", .missingLastChunk),
        ("Transfer-Encoding: chunked\r\n\r\n0x0c\r\n", .malformedChunk),
    ])
    func aBodyThatBreaksOffThrowsFromItsIterator(_ text: String, _ reason: FailureReason) async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\n" + text), .close]))
        let response = try await wire.send(options: .streaming)
        let failure = try await readFailure(response.body)
        #expect(Data(text.utf8).hasSuffix(failure.bytes))
        #expect((failure.error as? TransportError)?.reason == reason)
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"

    @Test(arguments: [1, 3, 1000])
    func trailersComeWithTheEnd(_ pieceBytes: Int) async throws {
        let wire = try Wire()
        let trailers = "X-Sum: 7\r\nX-Sum: 8\r\nContent-Length: 3\r\n\r\n"
        wire.server.enqueue(.raw([.write(Self.chunked + trailers, pieceBytes: pieceBytes)]), .text("next"))
        let response = try await wire.send(options: .streaming)
        var iterator = response.body.makeAsyncIterator()
        while try await iterator.next() != nil { #expect(response.trailers.isEmpty) }
        // A length that comes so late is no more than a field.
        #expect(response.body.trailers.lines == ["X-Sum: 7", "X-Sum: 8", "Content-Length: 3"])
        #expect(response.trailers.lines == response.body.trailers.lines)
        #expect(!response.headers.contains("X-Sum"))
        #expect(try await wire.send().text() == "next")
        #expect(wire.server.connectionCount == 1)
    }

    @Test(
        arguments: [
            ("X-Sum: 7\r\n", .missingLastChunk), ("X-Sum 7\r\n\r\n", .malformedChunk),
            (": 7\r\n\r\n", .malformedChunk), ("X Y: 7\r\n\r\n", .malformedResponse),
            (String(repeating: "X-Sum: 7\r\n", count: 501), .headersTooLarge),
        ] as [(String, FailureReason)]
    )
    func trailersThatCannotBeReadFailTheStream(_ trailers: String, _ reason: FailureReason) async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.write(Self.chunked + trailers), .close]))
        let response = try await wire.send(options: .streaming)
        let failure = try await readFailure(response.body)
        #expect((failure.error as? TransportError)?.reason == reason)
        #expect(response.trailers.isEmpty)
    }

    @Test func aResetThrowsWhatItIs() async throws {
        let wire = try Wire()
        wire.server.enqueue(
            .raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .pause(.milliseconds(100)), .reset])
        )
        let failure = try await readFailure(try await wire.send(options: .streaming).body)
        #expect(failure.bytes == Data("half".utf8))
        #expect((failure.error as? TransportError)?.reason == .connectionReset)
    }

    @Test func aFailureBeforeTheHeadIsThrownBySend() async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.close]))
        let error = try await transportError { try await wire.send(options: .streaming) }
        #expect(error.reason == .connectionClosed)
    }

    @Test func aHeadThatIsMalformedClosesTheConnection() async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 9\r\n\r\n"), .stall]))
        let error = try await transportError { try await wire.send(options: .streaming) }
        #expect(error.reason == .malformedResponse)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func aSilentServerTimesOutAndASlowReaderDoesNot() async throws {
        let options = TransportOptions(streamsBody: true, timeouts: TransportTimeouts(idle: .milliseconds(300)))
        let wire = try Wire()
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .stall]))
        let failure = try await readFailure(try await wire.send(options: options).body)
        #expect((failure.error as? TransportError)?.reason == .idleTimeout)

        let server = try ByteServer.sending(32 << 20)
        defer { server.stop() }
        let request = HTTPRequest(url: try server.url)
        try await withGrowingTimes { factor in
            let idle = Duration.milliseconds(300) * factor
            let options = TransportOptions(streamsBody: true, timeouts: TransportTimeouts(idle: idle))
            var iterator = try await wire.transport.send(request, options: options).body.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            // The reader keeps the transfer paused for longer than the timeout.
            try await wire.transport.waitForTimeout(of: idle * 2)
            while let piece = try await iterator.next() { count += piece.count }
            #expect(count == 32 << 20)
        }
    }

    @Test func aSlowReaderDelaysOnlyItsServer() async throws {
        let size = 256 << 20
        let server = try ByteServer.sending(size)
        defer { server.stop() }
        let wire = try Wire { _ in .text("quick") }
        let response = try await wire.transport.send(HTTPRequest(url: try server.url), options: .streaming)
        var iterator = response.body.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        // What lies in the system's buffers and in the stream's.
        #expect(try await settledValue { server.bytesSent } < 32 << 20)
        #expect(try await wire.send().text() == "quick")
        while let piece = try await iterator.next() { count += piece.count }
        #expect(count == size)
    }

    @Test func manyStreamsGetTheirOwnBytes() async throws {
        let wire = try Wire { request in .text(String(repeating: request.path, count: 60_000)) }
        try await withThrowingTaskGroup { group in
            for number in 0..<64 {
                let request = try wire.request(.get, "/\(number)")
                group.addTask { [transport = wire.transport] in
                    let response = try await transport.send(request, options: .streaming)
                    // Every other one is dropped on the way.
                    if number.isMultiple(of: 2) {
                        #expect(
                            try await response.body.collect()
                                == Data(String(repeating: "/\(number)", count: 60_000).utf8)
                        )
                    } else {
                        var iterator = response.body.makeAsyncIterator()
                        #expect(try await iterator.next()?.starts(with: "/\(number)".utf8) == true)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension Data {
    fileprivate func hasSuffix(_ end: Data) -> Bool { suffix(end.count) == end }
}
#endif
