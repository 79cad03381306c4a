import Foundation
import HikyakuHTTP
import HikyakuMockServer
import HikyakuURLSession
import Testing

@Suite(.timeLimit(.minutes(10))) struct URLSessionTransportTests {
    @Test func sendsAGetAndReturnsTheWholeResponse() async throws {
        let wire = try Wire()
        wire.server.enqueue(.json(#"{"id": 1}"#, status: .created).header("X-Kind", "sample"))
        var request = HTTPRequest(url: try wire.url("/items/a%2Fb?page=2&q=%E9%A3%9B%E8%84%9A"))
        request.headers = ["Accept": "application/json", "X-Trace": "t1"]
        let response = try await wire.transport.send(request, options: TransportOptions())
        #expect(response.status == .created)
        #expect(response.headers["x-kind"] == "sample")
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await response.text() == #"{"id": 1}"#)
        let received = try #require(wire.server.requests.first)
        #expect(received.method == .get)
        #expect(received.target == "/items/a%2Fb?page=2&q=%E9%A3%9B%E8%84%9A")
        #expect(received.headers[.accept] == "application/json")
        #expect(received.headers["X-Trace"] == "t1")
        #expect(received.body.isEmpty)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, "PURGE"])
    func sendsABody(method: HTTPMethod) async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("ok"))
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let request = HTTPRequest(
            method: method,
            url: try wire.url("/items"),
            headers: [.contentType: "application/octet-stream"],
            body: HTTPBody(bytes),
        )
        let response = try await wire.transport.send(request, options: TransportOptions())
        #expect(response.status == .ok)
        let received = try #require(wire.server.requests.first)
        #expect(received.method == method)
        #expect(received.body == bytes)
        #expect(received.headers.values(for: .contentType) == ["application/octet-stream"])
    }

    @Test func joinsRepeatedRequestHeaders() async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("ok"))
        var request = HTTPRequest(url: try wire.url("/"))
        request.headers.append("X-Tag", "a")
        request.headers.append("x-tag", "b")
        _ = try await wire.transport.send(request, options: TransportOptions())
        let received = try #require(wire.server.requests.first)
        #expect(received.headers.values(for: "X-Tag") == ["a,b"])
    }

    #if !canImport(Darwin)
    @Test func acceptsNoCodingIfATruncatedBodyIsNotDetected() async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("ok"), .text("ok"))
        _ = try await wire.get("/")
        var request = HTTPRequest(url: try wire.url("/"))
        request.headers = ["Accept-Encoding": "gzip"]
        _ = try await wire.transport.send(request, options: TransportOptions())
        #expect(wire.server.requests.map { $0.headers.values(for: "Accept-Encoding") } == [["identity"], ["gzip"]])
    }

    /// The table of guarantees says so; when this fails, it can say "yes".
    @Test func sendsNothingToAnAddressOfIPv6() async throws {
        let url = try #require(URL(string: "http://[::1]:9/"))
        let error = try await transportError {
            try await URLSessionTransport().send(HTTPRequest(url: url), options: TransportOptions())
        }
        #expect(error.reason == .url)
    }
    #endif

    @Test func keepsRepeatedSetCookieApart() async throws {
        let wire = try Wire()
        let expires = "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"
        wire.server.enqueue(.text("ok").header(.setCookie, expires).header(.setCookie, "b=2; Path=/"))
        let response = try await wire.get("/")
        #expect(response.headers.values(for: .setCookie) == [expires, "b=2; Path=/"])
    }

    @Test func keepsNoCookies() async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("ok").header(.setCookie, "session=1"), .text("ok"))
        _ = try await wire.get("/")
        _ = try await wire.get("/")
        #expect(wire.server.requests.count == 2)
        #expect(wire.server.requests.allSatisfy { !$0.headers.contains(.cookie) })
    }

    @Test func keepsNoCache() async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("1").header("Cache-Control", "max-age=600"), .text("2"))
        #expect(try await wire.get("/").text() == "1")
        #expect(try await wire.get("/").text() == "2")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func deliversARedirectInsteadOfFollowingIt(status: Int) async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("elsewhere", status: HTTPStatus(status)).header(.location, "/new"))
        let response = try await wire.get("/old")
        #expect(response.status == HTTPStatus(status))
        #expect(response.headers[.location] == "/new")
        #expect(try await response.text() == "elsewhere")
        #expect(wire.server.requests.map(\.path) == ["/old"])
    }

    @Test(
        arguments: [
            (401, "WWW-Authenticate", #"Basic realm="shelf""#),
            (401, "WWW-Authenticate", #"Digest realm="shelf", nonce="n", qop="auth""#),
            (401, "WWW-Authenticate", "Bearer"),
            (401, "WWW-Authenticate", ",,="),
            (407, "Proxy-Authenticate", #"Basic realm="shelf""#),
        ]
    )
    func deliversAChallengeInsteadOfAnsweringIt(status: Int, name: String, challenge: String) async throws {
        let wire = try Wire()
        let field = HTTPHeaderName(name)
        wire.server.enqueue(.text("who are you?", status: HTTPStatus(status)).header(field, challenge), .text("ok"))
        let response = try await wire.get("/")
        #expect(response.status == HTTPStatus(status))
        #expect(response.headers[field] == challenge)
        #expect(try await response.text() == "who are you?")
        // The transport is as good as before.
        #expect(try await wire.get("/").status == .ok)
        #expect(wire.server.requests.count == 2)
    }

    @Test(arguments: [HTTPStatus.noContent, .notModified])
    func takesAStatusWithoutABody(status: HTTPStatus) async throws {
        let wire = try Wire()
        wire.server.enqueue(.status(status))
        let response = try await wire.get("/")
        #expect(response.status == status)
        #expect(response.body.count == 0)
    }

    @Test func takesTheHeadOfALargeBody() async throws {
        let wire = try Wire()
        wire.server.enqueue(.bytes(Data(count: 5000)))
        let request = HTTPRequest(method: .head, url: try wire.url("/"))
        let response = try await wire.transport.send(request, options: TransportOptions(bodyBytesMax: 10))
        #expect(response.headers["Content-Length"] == "5000")
        #expect(response.body.count == 0)
    }

    @Test func joinsChunks() async throws {
        let wire = try Wire()
        wire.server.enqueue(MockAnswer().chunked(["one ", "two ", "three"], every: .milliseconds(5)))
        #expect(try await wire.get("/").text() == "one two three")
    }

    @Test func sendsManyAtOnce() async throws {
        let wire = try Wire()
        wire.server.route(.get, "/items/:id") { .text($0.parameters["id"] ?? "") }
        let transport = wire.transport
        let urls = try (0..<50).map { try wire.url("/items/\($0)") }
        let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (index, url) in urls.enumerated() {
                group.addTask {
                    let response = try await transport.send(HTTPRequest(url: url), options: TransportOptions())
                    return (index, try await response.text())
                }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        #expect(texts == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, "\($0)") }))
    }
}
