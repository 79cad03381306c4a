import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@Suite struct WireRulesTests {
    private static func request(
        _ method: HTTPMethod = .get,
        _ url: String = "https://a.example/",
        _ headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
    ) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: url)), headers: headers, body: body)
    }

    private static func reason(of request: HTTPRequest) -> FailureReason? {
        do {
            try request.checkForWire()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: ["", "GE T", "GET\r\n", "GÉT", "GET\u{0}", "CONNECT"])
    func methodsThatAreNotTokensAreRejected(word: String) throws {
        #expect(Self.reason(of: try Self.request(HTTPMethod(word))) == .method)
    }

    @Test(arguments: [
        "ftp://a.example/", "file:///etc/passwd", "https:///x", "/relative", "https://user:pw@a.example/",
        "https://a.example:65536/", "https://a.example:18446744073709552059/",
        "https://[::1]:99999999999999999999/?a:1",
    ])
    func urlsWithOtherSchemesAreRejected(url: String) throws {
        #expect(Self.reason(of: try Self.request(.get, url)) == .url)
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\nb", "a\rb", "a\u{0}b", "a\u{7F}"])
    func headerValuesThatWouldBreakTheBlockAreRejected(value: String) throws {
        let request = try Self.request(.get, "https://a.example/", ["X-A": value])
        let error = #expect(throws: TransportError.self) { try request.checkForWire() }
        #expect(error?.reason == .header)
        #expect(error?.message.contains("X-A") == true, "the field is named")
        #expect(error?.message.contains("Injected") == false, "its value is not")
    }

    @Test(arguments: ["", "X A", "X:A", "X\r\nB", "Ü", "X\u{0}"])
    func headerNamesThatAreNotTokensAreRejected(name: String) throws {
        #expect(Self.reason(of: try Self.request(.get, "https://a.example/", [HTTPHeaderName(name): "1"])) == .header)
    }

    @Test func whatLooksLikeAPortIsNone() throws {
        for url in ["http://a.example:/x", "http://[::1]/a:b", "http://[::1]:/", "http://a.example/a:b?c:d"] {
            #expect(Self.reason(of: try Self.request(.get, url)) == nil, "\(url)")
        }
    }

    @Test func aNegativeLengthIsRejected() throws {
        let body = HTTPBody(AsyncStream<Data> { $0.finish() }, count: -1)
        #expect(Self.reason(of: try Self.request(.post, body: body)) == .body)
    }

    @Test func aBodyIsRejectedOnlyOnHead() throws {
        #expect(Self.reason(of: try Self.request(.head, body: "a")) == .body)
        #expect(Self.reason(of: try Self.request(.get, body: "a")) == nil)
        #expect(
            Self.reason(of: try Self.request("PROPFIND", "http://[::1]:80/", ["X-A": "\tü é", "!#$%&'*+-.^_`|~": ""]))
                == nil
        )
    }

    @Test(
        arguments: [
            (["Transfer-Encoding": "chunked"], "the transport chooses Transfer-Encoding"),
            (["Expect": "100-go-ahead"], "the only expectation is Expect: 100-continue"),
            (["Expect": "100-continue", "expect": "100-continue"], "the only expectation is Expect: 100-continue"),
            (["Host": ""], "Host must be present once and not empty"),
            (["Host": "a", "host": "a"], "Host must be present once and not empty"),
            (["Content-Length": "2"], "Content-Length differs from the body's length"),
            (["Content-Length": "1", "content-length": "1"], "Content-Length differs from the body's length"),
        ] as [(HTTPHeaders, String)]
    )
    func fieldsOfTheTransportsAreRejected(_ headers: HTTPHeaders, _ message: String) throws {
        let request = try Self.request(.post, "https://a.example/", headers, body: "a")
        let error = #expect(throws: TransportError.self) { try request.checkForWire() }
        #expect(error?.reason == .header)
        #expect(error?.message == message)
    }

    @Test func aFieldOfTheTransportsThatIsRightPasses() throws {
        let headers: HTTPHeaders = ["Host": "b.example", "Content-Length": "1"]
        #expect(Self.reason(of: try Self.request(.post, "https://a.example/", headers, body: "a")) == nil)
        #expect(Self.reason(of: try Self.request(.get, "https://a.example/", ["Content-Length": "0"])) == nil)
    }

    /// RFC 9110, section 10.1.1.
    @Test(arguments: ["a", "", nil] as [HTTPBody?])
    func onlyARequestWithContentHasAnExpectation(_ body: HTTPBody?) throws {
        let request = try Self.request(.post, "https://a.example/", ["Expect": "100-Continue"], body: body)
        #expect(Self.reason(of: request) == (body?.count == 1 ? nil : .header))
    }

    /// In a URL, by itself as a text, and as the key of options.
    @Test(arguments: [".example", ".", "..", "a..example", "a.example..", ".127.0.0.1"])
    func noLabelOfAHostIsEmpty(_ host: String) throws {
        #expect(!host.isHostName && !host.isURLHost && !"https://\(host)/x".isPlainURL)
        #expect(!"https://\(host):443/".isPlainURL)
        let error = #expect(throws: TransportError.self) { try Self.request(.get, "https://\(host)/x").checkForWire() }
        #expect(error?.reason == .url)
        #expect(error?.message == "the URL's host has an invalid character or an empty label")
    }

    @Test(arguments: [
        ("a.example", true), ("a.example.", true), ("a_b-c~", true), ("127.0.0.1", true), ("[::1]", true),
        ("[fe80::1%25eth0]", true), ("", false), ("[]", false), ("[a]", false), ("::1", false), ("[::1", false),
        ("a b", false), ("a\0", false), ("*.example", false), ("a:80", false), ("\u{FC}.example", false),
    ])
    func aHostIsANameOrAnAddress(_ host: String, _ isHost: Bool) {
        #expect(host.isURLHost == isHost)
    }

    /// RFC 6874: the zone of an address is behind an encoded percent sign.
    @Test(arguments: [
        ("fe80::1%25eth0", true), ("fe80::1%25", false), ("fe80::1%eth0", false), ("fe80::1%25eth%30", false),
        ("fe80::g%25eth0", false), ("fe80::1", false), ("a%25eth0", false),
    ])
    func anAddressMayHaveAZone(_ text: String, _ isZoned: Bool) {
        #expect(text.isZonedIPLiteral == isZoned)
    }

    @Test func whatMayBeASecretIsNotRepeated() throws {
        for request in [
            try Self.request("GET hunter2"),
            try Self.request(.get, "https://a.example/", ["Authorization: hunter2": ""]),
        ] {
            let error = #expect(throws: TransportError.self) { try request.checkForWire() }
            #expect(error.map { "\($0)" }?.contains("hunter2") == false)
        }
    }

    @Test func originsCompareWithTheSchemesOwnPort() throws {
        func origin(_ text: String) throws -> HTTPOrigin? { HTTPOrigin(try #require(URL(string: text))) }
        #expect(try origin("https://A.example/x") == origin("HTTPS://a.example:443"))
        #expect(try origin("https://a.example") != origin("http://a.example"))
        #expect(try origin("https://a.example") != origin("https://a.example:8443"))
        #expect(try origin("http://[::1]/") == HTTPOrigin(scheme: "http", host: "[::1]", port: 80))
    }
}
