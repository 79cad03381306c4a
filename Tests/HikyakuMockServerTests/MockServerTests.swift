import HikyakuHTTP
import Testing

@testable import HikyakuMockServer

@Suite struct MockServerTests {
    @Test func answersTwoRequestsOnOneConnection() throws {
        let server = try MockServer { request in .text("\(request.target) on \(request.connectionNumber)") }
        defer { server.stop() }
        let client = try RawClient(server)
        #expect(try client.get("/a").body == "/a on 1")
        #expect(try client.get("/b").body == "/b on 1")
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.target) == ["/a", "/b"])
    }

    @Test func answersPipelinedRequestsInOrder() throws {
        let server = try MockServer { request in .text(request.target) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send(
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxyGET /3"
        )
        #expect(try client.readAnswer().body == "/1")
        #expect(try client.readAnswer().body == "/2")
        client.send(" HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().body == "/3")
    }

    @Test func writesTheWholeScriptedAnswer() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.json(#"{"a":1}"#, status: 201).header("ETag", "\"x\"").closingConnection())
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let expected =
            "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nETag: \"x\"\r\nContent-Length: 7\r\n"
            + "Connection: close\r\n\r\n{\"a\":1}"
        #expect(try client.readToEnd() == expected)
    }

    @Test func recordsWhatCameOverTheWire() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.post, "/items/:id/comments") { _ in .status(.noContent) }
        let client = try RawClient(server)
        let head =
            "POST /items/a%2Fb/comments?q=%E9%A3%9B&q=a+b HTTP/1.1\r\nhost: x\r\nX-Odd:  1 \r\nContent-Length: 3\r\n\r\n"
        client.send(head + "abc")
        #expect(try client.readAnswer().head == "HTTP/1.1 204 No Content\r\n\r\n")
        let request = try #require(server.requests.first)
        #expect(request.rawHeadText == head)
        #expect(request.method == .post)
        #expect(request.path == "/items/a%2Fb/comments")
        #expect(request.pathSegments == ["items", "a/b", "comments"])
        #expect(request.parameters == ["id": "a/b"])
        #expect(request.query == ["q": "飛", "q": "a b"])
        #expect(request.headers["X-Odd"] == "1")
        #expect(request.bodyText == "abc")
    }

    @Test func readsAndWritesChunks() throws {
        let server = try MockServer { request in
            .status(.ok).chunked([request.bodyText, "", request.trailers["X-Sum"] ?? "none"])
        }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n"
        )
        client.send("0\r\nX-Sum: 13\r\n\r\n")
        #expect(try client.readAnswer().body == "abc0123456789|13")
        #expect(try client.get("/").body == "none")
    }

    @Test func answersHeadWithoutABody() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.get, "/") { _ in .text("hello", type: "text/csv") }
        let client = try RawClient(server)
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try client.readAnswer(hasBody: false).head
        #expect(head.contains("Content-Length: 5\r\n") && head.contains("Content-Type: text/csv\r\n"))
        #expect(try client.get("/").body == "hello")
    }

    @Test func sends100ContinueOnRequest() throws {
        let server = try MockServer { request in .text(request.bodyText) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("ok")
        #expect(try client.readAnswer().body == "ok")
    }

    @Test func closesAfterARequestOfHTTP10() throws {
        let server = try MockServer { _ in .status(.ok).chunked(["a", "b"]) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.readToEnd() == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nab")
    }

    @Test func givesTheQueueBeforeRoutes() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.get, "/") { _ in .text("route") }
        server.enqueue(.text("first"), .status(503))
        let client = try RawClient(server)
        #expect(try client.get("/").body == "first")
        #expect(try client.get("/").statusLine == "HTTP/1.1 503 Service Unavailable")
        #expect(try client.get("/").body == "route")
    }

    @Test func namesItsRoutesWhereNoneFits() throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.get, "/items/:id") { _ in .status(.ok) }
        let answer = try RawClient(server).get("/itmes/1?token=t")
        #expect(answer.statusLine == "HTTP/1.1 404 Not Found")
        #expect(
            answer.body == """
                {
                  "title": "MockServer has no answer for GET /itmes/1: the only route does not fit, \
                and the queue is empty",
                  "detail": "Add a route to the server, or enqueue an answer.",
                  "routes": [
                    "GET /items/:id"
                  ]
                }

                """
        )
    }

    @Test func answers500WithTheErrorOfAHandler() throws {
        struct Broken: Error {}
        let server = try MockServer { _ in throw Broken() }
        defer { server.stop() }
        let answer = try RawClient(server).get("/")
        #expect(answer.statusLine == "HTTP/1.1 500 Internal Server Error")
        #expect(answer.body == "the handler threw: Broken()\n")
    }

    @Test func rejectsMalformedRequests() throws {
        let server = try MockServer { _ in .status(.ok) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.hasSuffix("Connection: close\r\n\r\nthe request line is not method, target and version\n"))
        #expect(server.requests.isEmpty)
    }

    @Test func rejectsBodiesAboveTheLimit() throws {
        let server = try MockServer(options: MockServerOptions(bodyBytesMax: 10)) { _ in .status(.ok) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n01234567890")
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    }

    @Test func letsAClientThatIsStillSendingReadTheErrorResponse() throws {
        let server = try MockServer(options: MockServerOptions(bodyBytesMax: 10)) { _ in .status(.ok) }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n")
        client.send(String(repeating: "x", count: 8_000_000))
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    }

    @Test func takesALargeBody() throws {
        let server = try MockServer { request in .text("\(request.body.count)") }
        defer { server.stop() }
        let client = try RawClient(server)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n")
        client.send(String(repeating: "x", count: 5_000_000))
        #expect(try client.readAnswer().body == "5000000")
    }

    @Test func servesFiftyConnectionsAtOnce() async throws {
        let server = try MockServer { request in .text(request.target) }
        defer { server.stop() }
        let clients = try (0..<50).map { _ in try RawClient(server) }
        try await server.waitForOpenConnections(50)
        for (index, client) in clients.enumerated() {
            client.send("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        for (index, client) in clients.enumerated() {
            #expect(try client.readAnswer().body == "/\(index)")
        }
        #expect(server.connectionCount == 50)
    }

    @Test func letsConnectionsAboveTheLimitWait() throws {
        let server = try MockServer(options: MockServerOptions(connectionsMax: 1)) { request in .text(request.target) }
        defer { server.stop() }
        let first = try RawClient(server)
        #expect(try first.get("/1").body == "/1")
        let second = try RawClient(server)
        second.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try first.get("/1").body == "/1")
        #expect(server.connectionCount == 1)
        first.close()
        #expect(try second.readAnswer().body == "/2")
        #expect(server.connectionCount == 2)
    }

    @Test func closesASilentConnection() throws {
        let server = try MockServer(options: MockServerOptions(idleTimeMax: .milliseconds(20)))
        defer { server.stop() }
        #expect(try RawClient(server).readToEnd() == "")
    }

    @Test func reportsWhyItCannotStart() throws {
        let server = try MockServer()
        defer { server.stop() }
        let error = #expect(throws: MockServerError.self) {
            try MockServer(options: MockServerOptions(port: UInt16(server.port)))
        }
        #expect(error?.reason == .startFailed)
        let text = "MockServer can't start: listening on 127.0.0.1:\(server.port) failed: Address already in use"
        #expect(error?.description.hasPrefix(text) == true)
    }
}
