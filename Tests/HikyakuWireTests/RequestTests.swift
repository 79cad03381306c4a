#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
    @Test func sendsNothingButTheRequestHostAndFraming() async throws {
        let wire = try Wire { _ in .text("hi") }
        try await wire.send(.get, "/a//..b%2Fc/.../d?x=1&y=%20", headers: ["X-One": "1"])
        let sent = try #require(wire.server.requests.first)
        let port = wire.server.port
        #expect(
            sent.rawHeadText
                == "GET /a//..b%2Fc/.../d?x=1&y=%20 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-One: 1\r\n\r\n"
        )
    }

    @Test func rejectsRequestsThatWouldBeMisread() async throws {
        let wire = try Wire { _ in .text("hi") }
        let broken = try await transportError { try await wire.send(headers: ["X-A": "1\r\nX-Injected: 2"]) }
        #expect(broken.reason == .header)
        let framed = try await transportError {
            try await wire.send(.post, headers: ["Content-Length": "9"], body: "a")
        }
        #expect(framed.reason == .header)
        #expect(wire.server.requests.isEmpty)
    }

    @Test func sendsABodyWithItsLengthAndNoOtherField() async throws {
        let wire = try Wire { _ in .text("hi") }
        try await wire.send(.post, body: "a body")
        let sent = try #require(wire.server.requests.first)
        #expect(
            sent.rawHeadText
                == "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(wire.server.port)\r\nContent-Length: 6\r\n\r\n"
        )
        #expect(sent.bodyText == "a body")
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "get", "head", "M-SEARCH"])
    func sendsEachMethodWithAndWithoutABody(_ name: String) async throws {
        let wire = try Wire { request in .text("\(request.method) \(request.bodyText)") }
        let method = HTTPMethod(name)
        #expect(try await wire.send(method).text() == "\(name) ")
        #expect(try await wire.send(method, body: "content").text() == "\(name) content")
        let isContentExpected = ["POST", "PUT", "PATCH"].contains(name)
        #expect(wire.server.requests.map { $0.headers[.contentLength] } == [isContentExpected ? "0" : nil, "7"])
        #expect(wire.server.requests.allSatisfy { $0.headers[.contentType] == nil })
    }

    /// RFC 9112, section 3.2.4.
    @Test func optionsOfTheWholeServerHaveAnAsterisk() async throws {
        let wire = try Wire { _ in .text("ok") }
        var request = try wire.request(.options)
        request.url = try #require(URL(string: wire.server.baseURL))
        _ = try await wire.transport.send(request, options: TransportOptions())
        #expect(wire.server.requests.first?.rawHeadText.hasPrefix("OPTIONS * HTTP/1.1\r\n") == true)
        request.url = try #require(URL(string: wire.server.baseURL + "/"))
        _ = try await wire.transport.send(request, options: TransportOptions())
        #expect(wire.server.requests.last?.rawHeadText.hasPrefix("OPTIONS / HTTP/1.1\r\n") == true)
    }

    /// What a later version adds is in fields (RFC 9110, section 6.2).
    @Test(arguments: ["1.1", "1.2", "1.9"]) func aLaterMinorVersionHasTheSameFraming(_ version: String) async throws {
        let text = "HTTP/\(version) 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        let wire = try Wire { _ in .raw([.write(text), .stall]) }
        #expect(try await wire.send().text() == "ok")
    }

    @Test func traceHasNoBody() async throws {
        let wire = try Wire { _ in .text("ok") }
        let error = try await transportError { try await wire.send(.trace, body: "content") }
        #expect(error.reason == .body && wire.server.requests.isEmpty)
    }

    @Test func headBringsTheLengthAndNoBody() async throws {
        let wire = try Wire { _ in .text("content") }
        let response = try await wire.send(.head)
        #expect(response.status == .ok)
        #expect(response.headers[.contentLength] == "7")
        #expect(response.body.count == 0)
        #expect(wire.server.requests.map(\.method) == [.head])
    }

    @Test func keepsFieldsInOrderRepeatedAndEmpty() async throws {
        let wire = try Wire { _ in .text("hi") }
        var headers: HTTPHeaders = ["x-b": "2", "X-A": "", "Accept": "text/plain"]
        headers.append("X-b", "ü;q=1")
        headers.append("X-Blank", " \t ")
        headers.append(.userAgent, "Test/1")
        try await wire.send(headers: headers)
        let sent = try #require(wire.server.requests.first?.headers)
        #expect(sent.map(\.name.rawName) == ["Host", "x-b", "X-A", "Accept", "X-b", "X-Blank", "User-Agent"])
        #expect(sent.dropFirst().map(\.value) == ["2", "", "text/plain", "ü;q=1", "", "Test/1"])
    }

    @Test func takesAnotherHostAndALengthThatIsTrue() async throws {
        let wire = try Wire { _ in .text("hi") }
        try await wire.send(.post, headers: ["Host": "other.example", "Content-Length": "3"], body: "abc")
        let sent = try #require(wire.server.requests.first)
        #expect(sent.headers.values(for: .host) == ["other.example"])
        #expect(sent.headers.values(for: .contentLength) == ["3"])
        #expect(sent.bodyText == "abc")
    }

    @Test(
        arguments: [
            ["Transfer-Encoding": "chunked"], ["Expect": "100"], ["Content-Length": "4"],
            ["content-length": "3", "Content-Length": "3"], ["Host": ""], ["Host": "a", "host": "b"],
            ["X-A": "a\r\nX-B: b"], ["X A": "a"],
        ] as [HTTPHeaders]
    )
    func rejectsFieldsThatBelongToTheTransport(_ headers: HTTPHeaders) async throws {
        let wire = try Wire { _ in .text("hi") }
        let error = try await transportError { try await wire.send(.post, headers: headers, body: "abc") }
        #expect(error.reason == .header)
        #expect(wire.server.connectionCount == 0)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "http://user:secret@127.0.0.1/", "file:///etc/passwd", "http:///x"])
    func rejectsURLsThatCannotBeSent(_ text: String) async throws {
        let url = try #require(URL(string: text))
        let error = try await transportError { try await WireTransport().get(url) }
        #expect(error.reason == .url)
        #expect(!error.description.contains("secret"))
    }

    @Test(arguments: [1, 32 * 1024, 32 * 1024 + 1, 5 * 1024 * 1024])
    func carriesBodiesOfAnySizeBothWays(_ size: Int) async throws {
        let wire = try Wire { request in .bytes(request.body) }
        // A slice, whose indices don't begin at 0.
        let body = Data((0...size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }).dropFirst()
        let response = try await wire.send(.put, body: HTTPBody(body))
        #expect(try await response.body.collect() == body)
        #expect(wire.server.requests.first?.headers[.contentLength] == String(size))
        #expect(wire.server.requests.first?.headers["Expect"] == nil)
    }
}
#endif
