import HikyakuHTTP
import Testing

@testable import HikyakuMockServer

@Suite struct RoutingTests {
    @Test(arguments: [
        ("/", "/", [:]), ("/items", "/items", [:]), ("items", "/items", [:]),
        ("/items/:id", "/items/42", ["id": "42"]),
        ("/items/:id", "/items/a%2F%E9%A3%9B", ["id": "a/飛"]), ("/:a/x/:b", "/1/x/2", ["a": "1", "b": "2"]),
        ("/files/*", "/files/a/b%20c", ["*": "a/b c"]), ("/日本", "/%E6%97%A5%E6%9C%AC", [:]),
        ("/items/", "/items/", [:]),
    ])
    func fits(_ pattern: String, target: String, parameters: [String: String]) {
        #expect(RoutePattern(pattern).match(RequestTarget(target).segments) == parameters)
    }

    @Test(arguments: [
        ("/", "/items"), ("/items", "/"), ("/items", "/items/"), ("/items/", "/items"), ("/items", "/Items"),
        ("/items/:id", "/items/"), ("/items/:id", "/items/1/2"), ("/files/*", "/files"), ("/", "*"),
        ("/a/b", "/a%2Fb"),
    ])
    func doesNotFit(_ pattern: String, target: String) {
        #expect(RoutePattern(pattern).match(RequestTarget(target).segments) == nil)
    }

    @Test func triesTheMoreSpecificPatternFirst() throws {
        let book = AnswerBook(fallback: nil)
        for pattern in ["/*", "/items/:id", "/items/latest", "/items/:other"] {
            book.addRoute(.get, RoutePattern(pattern)) { _ in .text(pattern) }
        }
        #expect(try answer(book, "/items/latest") == "/items/latest")
        #expect(try answer(book, "/items/1") == "/items/:id")
        #expect(try answer(book, "/users/1") == "/*")
    }

    @Test func replacesARouteOfTheSamePattern() throws {
        let book = AnswerBook(fallback: nil)
        book.addRoute(.get, RoutePattern("/a")) { _ in .text("old") }
        book.addRoute(.get, RoutePattern("/a")) { _ in .text("new") }
        #expect(try answer(book, "/a") == "new")
    }

    @Test func distinguishesMethods() throws {
        let book = AnswerBook(fallback: { _ in .text("fallback") })
        book.addRoute(.get, RoutePattern("/a")) { _ in .text("get") }
        book.addRoute(.head, RoutePattern("/b")) { _ in .text("head") }
        book.addRoute(.get, RoutePattern("/b")) { _ in .text("get") }
        #expect(try answer(book, "/a", method: "POST") == "fallback")
        #expect(try answer(book, "/a", method: "HEAD") == "get")
        #expect(try answer(book, "/b", method: "HEAD") == "head")
    }

    @Test(arguments: [
        ("/a?b=c", "/a", "b=c"), ("/a", "/a", ""), ("/a?b?c", "/a", "b?c"), ("http://h:1/a?b", "/a", "b"),
        ("http://h", "/", ""), ("http://h?b", "/", "b"), ("/a://b", "/a://b", ""), ("h:443", "h:443", ""),
    ])
    func takesTheTargetApart(_ target: String, path: String, query: String) {
        let parts = RequestTarget(target)
        #expect(parts.path == path)
        #expect(parts.query == query)
    }

    @Test func readsQueryItemsInOrder() {
        let query = MockQuery(encoded: "b=2&a=1&&b=x%3Dy%26z&flag&c=a=b&broken=%zz%4&plus=a+b%2Bc")
        let expected: MockQuery = [
            "b": "2", "a": "1", "b": "x=y&z", "flag": "", "c": "a=b", "broken": "%zz%4", "plus": "a b+c",
        ]
        #expect(query == expected)
        #expect(query["b"] == "2")
        #expect(query.values(for: "b") == ["2", "x=y&z"])
        #expect(query["none"] == nil)
    }

    @Test func forgetsTheOldestRequestsFirst() throws {
        var record = RequestRecord(countMax: 3)
        for index in 0..<10 { record.append(try request("/\(index)")) }
        #expect(record.all.map(\.path) == ["/7", "/8", "/9"])
    }

    @Test func hidesValuesWhereARequestIsPrinted() throws {
        let bare = try self.request(text: "GET /a?c2VjcmV0&c2VjcmV0Cg==&a%1B%E2%80%AE=1 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect("\(bare)" == "GET /a?…&…&a\u{FFFD}\u{FFFD}=…")
        let text = "GET /a?token=secret HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\n\r\n"
        let request = try request(text: text)
        #expect("\(request)" == "GET /a?token=…")
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("secret"))
    }

    private func answer(_ book: AnswerBook, _ path: String, method: String = "GET") throws -> String {
        let (request, handler) = book.resolve(try request(path, method: method))
        return String(decoding: try handler(request).body, as: UTF8.self)
    }

    private func request(_ target: String, method: String = "GET") throws -> MockRequest {
        try request(text: "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    private func request(text: String) throws -> MockRequest {
        var parser = RequestParser(bodyBytesMax: 0)
        parser.receive(text.utf8)
        guard case .request(let head, let body, let trailers) = try parser.next() else {
            throw RequestDefect("the request isn't whole")
        }
        return MockRequest(head: head, body: body, trailers: trailers, connectionNumber: 1)
    }
}
