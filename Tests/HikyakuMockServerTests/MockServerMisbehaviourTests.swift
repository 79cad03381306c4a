import Testing

@testable import HikyakuMockServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct MockServerMisbehaviourTests {
    @Test func writesRawBytesOneByOne() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\n", pieceBytes: 1), .write([0xFF, 0x0A]), .close]))
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readToEnd() == "HTTP/1.1 200 OK\r\n\u{FFFD}\n")
    }

    @Test func goesOnBehindAScriptThatDoesNotClose() throws {
        let server = try MockServer { _ in .text("next") }
        defer { server.stop() }
        server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")]))
        let client = try RawClient(server)
        #expect(try client.get("/").body == "x")
        #expect(try client.get("/").body == "next")
    }

    @Test func closesWithoutAWord() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.raw([.close]))
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readToEnd() == "")
    }

    @Test func resetsTheConnection() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.raw([.reset]))
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(throws: RawClient.Failure(step: "read", code: ECONNRESET)) { try client.readToEnd() }
    }

    @Test func breaksOffWhereTheLengthIsALie() throws {
        let server = try MockServer { _ in .text("abc").header("Content-Length", "10") }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let expected =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 10\r\n\r\nabc"
        #expect(try client.readToEnd() == expected)
    }

    @Test func noticesThatTheClientLeftAStall() async throws {
        let server = try MockServer { _ in .raw([.write("HTTP/1.1 200 OK\r\n"), .stall]) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.read(through: "\r\n") == "HTTP/1.1 200 OK\r\n")
        #expect(server.openConnectionCount == 1)
        client.close()
        try await server.waitForOpenConnections(0)
    }

    @Test(arguments: [
        MockAnswer.status(.ok).delayed(by: .seconds(60)),
        .raw([.pause(.seconds(60))]),
        .text("abc").dripping(over: .seconds(60)),
    ])
    func noticesThatTheClientLeftAPause(_ answer: MockAnswer) async throws {
        let server = try MockServer { _ in answer }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server.waitForRequests(1)
        client.close()
        try await server.waitForOpenConnections(0)
    }

    @Test func noticesThatTheClientLeftWhileItWrites() async throws {
        let server = try MockServer { _ in .bytes([UInt8](repeating: 0x78, count: 32_000_000)) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.read(through: "\r\n") == "HTTP/1.1 200 OK\r\n")
        #expect(server.openConnectionCount == 1)
        client.close()
        try await server.waitForOpenConnections(0)
    }

    @Test func waitsBeforeADelayedAnswerAndKeepsWhatCameMeanwhile() throws {
        let server = try MockServer { request in .text(request.target) }
        defer { server.stop() }
        server.enqueue(.text("late").delayed(by: .milliseconds(60)))
        let client = try RawClient(server)
        let start = ContinuousClock.now
        client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
        client.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().body == "late")
        #expect(.now - start >= .milliseconds(60))
        #expect(try client.readAnswer().body == "/2")
    }

    @Test func dripsOverTheGivenTime() throws {
        let server = try MockServer { _ in .text("abcdef").dripping(pieceBytes: 2, over: .milliseconds(60)) }
        defer { server.stop() }
        let client = try RawClient(server)
        let start = ContinuousClock.now
        #expect(try client.get("/").body == "abcdef")
        #expect(.now - start >= .milliseconds(60))
    }
}
