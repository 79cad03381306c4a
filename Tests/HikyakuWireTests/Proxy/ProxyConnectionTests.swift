#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// What goes over the connection to a proxy, and what becomes of that connection.
@Suite(.enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct ProxyConnectionTests {
    private static let credentials = HTTPProxy.Credentials(username: "me", password: Secret("open:sesame"))
    private static let field = "Basic " + Data("me:open:sesame".utf8).base64EncodedString()
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    private func transport(_ proxy: HTTPProxy) -> WireTransport {
        var options = WireOptions()
        options.proxy = proxy
        return WireTransport(options: options)
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    // MARK: - Forwarded requests

    @Test func aForwardedRequestNamesTheWholeURL() async throws {
        let heads = Lock<[String]>([])
        let proxy = try ByteServer { connection in
            while case let head = connection.readHead(), !head.isEmpty {
                heads.withLock { $0.append(head) }
                connection.write(Self.answer)
            }
        }
        let transport = transport(.http(host: "127.0.0.1", port: proxy.port, credentials: Self.credentials))
        for text in ["http://api.example/a?b=c#d", "http://API.example:8080", "http://[::9]:81/x"] {
            #expect(try await transport.get(try url(text)).text() == "hi")
        }
        let own = HTTPRequest(url: try url("http://api.example/a"), headers: ["proxy-Authorization": "Own"])
        #expect(try await transport.send(own, options: TransportOptions()).text() == "hi")
        let field = "Proxy-Authorization: \(Self.field)\r\n"
        #expect(
            heads.withLock { $0 } == [
                "GET http://api.example/a?b=c HTTP/1.1\r\n\(field)Host: api.example\r\n\r\n",
                "GET http://API.example:8080/ HTTP/1.1\r\n\(field)Host: API.example:8080\r\n\r\n",
                "GET http://[::9]:81/x HTTP/1.1\r\n\(field)Host: [::9]:81\r\n\r\n",
                "GET http://api.example/a HTTP/1.1\r\nHost: api.example\r\nproxy-Authorization: Own\r\n\r\n",
            ]
        )
    }

    @Test func aConnectionToAProxyIsKeptAndRepeatedOver() async throws {
        let proxy = try MockServer { request in .text(request.bodyText) }
        defer { proxy.stop() }
        let transport = transport(.http(host: "127.0.0.1", port: proxy.port, credentials: Self.credentials))
        let request = HTTPRequest(method: .put, url: try url("http://api.example/a"), body: "body")
        for _ in 0..<5 { #expect(try await transport.send(request, options: TransportOptions()).text() == "body") }
        #expect(proxy.connectionCount == 1)
        // The proxy closes the kept connection when the next request comes: it goes over another one, the same.
        proxy.enqueue(.raw([.close]))
        #expect(try await transport.send(request, options: TransportOptions()).text() == "body")
        #expect(proxy.connectionCount == 2)
        #expect(Set(proxy.requests.map(\.rawHeadText)).count == 1)
    }

    /// Only 407 is the proxy's own; any other status may be the service's (RFC 9110, section 15.5.8).
    @Test func theAnswerOfAForwardingProxyIsAResponse() async throws {
        let proxy = try MockServer { request in MockAnswer(status: request.path.hasSuffix("/login") ? 407 : 403) }
        defer { proxy.stop() }
        let transport = transport(.http(host: "127.0.0.1", port: proxy.port))
        #expect(try await transport.get(try url("http://api.example/")).status == 403)
        let error = try await transportError { try await transport.get(try url("http://api.example/login")) }
        #expect(error.reason == .proxyFailed && error.transience == nil)
        let place = "api.example:80 through the proxy 127.0.0.1:\(proxy.port)"
        #expect(error.message == "\(place): the proxy responded with 407")
        #expect(error.hint?.contains("name and a password") == true)
    }

    @Test func aResetByAProxyNamesIt() async throws {
        let proxy = try ByteServer { connection in
            _ = connection.readHead()
            connection.finish()
        }
        let transport = transport(.http(host: "127.0.0.1", port: proxy.port))
        let error = try await transportError { try await transport.get(try url("http://api.example/")) }
        #expect(error.message.hasPrefix("api.example:80 through the proxy 127.0.0.1:\(proxy.port): "))
    }

    // MARK: - Tunnels

    @Test func anAnswerToCONNECTMayComeByteByByte() async throws {
        let server = try await TLSServer()
        let proxy = try ByteServer { connection in
            _ = connection.readHead()
            let answer = "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200\r\nX: y\r\nContent-Length: 5\r\n\r\n"
            guard let client = connection.clientDescriptor() else { return }
            for byte in answer.utf8 {
                guard connection.write([byte]), connection.waitUntilRead(by: client) else { return }
            }
            connection.drain()
        }
        let transport = transport(.http(host: "127.0.0.1", port: proxy.port))
        let request = HTTPRequest(url: try server.url())
        let task = Task { try await transport.send(request, options: TransportOptions()) }
        // The greeting of TLS, after the head.
        #expect(try await holds { proxy.bytesReceived > 300 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: ["", "HTTP/1.1 2", "HTTP/1.1 100 Continue\r\n\r\n"])
    func cancellingDuringTheProxyHandshakeClosesTheConnection(_ begun: String) async throws {
        let proxy = try ByteServer { connection in
            _ = connection.readHead()
            connection.write(begun)
            connection.drain()
        }
        let transport = transport(.http(host: "127.0.0.1", port: proxy.port))
        let request = HTTPRequest(url: try url("https://api.example/"))
        let task = Task { try await transport.send(request, options: TransportOptions()) }
        #expect(try await holds { proxy.bytesReceived > 50 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { proxy.openConnectionCount == 0 })
        let options = TransportOptions(timeouts: TransportTimeouts(connect: .milliseconds(100)))
        let error = try await transportError { try await transport.send(request, options: options) }
        #expect(error.reason == .connectTimeout)
        #expect(try await holds { proxy.openConnectionCount == 0 })
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n\r\nx", "HTTP/1.1 200 OK\r\n", "nonsense\r\n", "HTTP/1.1 407 No\r\n\r\n", "\u{5}\u{0}",
    ])
    func aTunnelThatIsNotOpenFailsWithTheProxysReason(_ answer: String) async throws {
        let proxy = try ByteServer { connection in
            _ = connection.readHead()
            connection.write(answer)
            connection.finish()
        }
        let transport = transport(.http(host: "127.0.0.1", port: proxy.port, credentials: Self.credentials))
        let error = try await transportError { try await transport.get(try url("https://api.example/")) }
        #expect(error.reason == .proxyFailed)
        #expect(error.message.hasPrefix("api.example:443 through the proxy 127.0.0.1:\(proxy.port): "))
        #expect(!"\(error)\(String(describing: error.underlyingError))".contains("sesame"))
        #expect(try await holds { proxy.openConnectionCount == 0 })
    }

    @Test func aTunnelIsSecuredOnceAndReported() async throws {
        let listener = Listener()
        let proxy = try await ProxyServer()
        let server = try await TLSServer()
        let certificates = try await Certificates.shared
        let transport = WireTransport.trusting(certificates) { $0.proxy = .http(host: "127.0.0.1", port: proxy.port) }
        let request = HTTPRequest(url: try server.url())
        for _ in 0..<2 { _ = try await transport.send(request, options: TransportOptions(observer: listener)) }
        #expect(
            listener.words.filter { !$0.hasPrefix("bytes") } == [
                "began GET", "nameFound", "connected", "secured", "ready(new http/1.1)", "requestSent", "firstByte",
                "ended", "began GET", "ready(reused http/1.1)", "requestSent", "firstByte", "ended",
            ]
        )
    }

    /// Each layer fills the one below it, and goes on where that takes more.
    @Test func largeBodiesGoThroughTLSInsideOfTLS() async throws {
        let proxy = try await ProxyServer(certificate: "server")
        let server = try await TLSServer()
        let certificates = try await Certificates.shared
        let transport = WireTransport.trusting(certificates) { $0.proxy = .https(host: "localhost", port: proxy.port) }
        let body = String(repeating: "0123456789abcdef", count: 200_000)
        let request = HTTPRequest(method: .post, url: try server.url(), body: HTTPBody(body))
        for _ in 0..<2 {
            let response = try await transport.send(request, options: TransportOptions())
            let report = try JSONDecoder().decode(TLSServer.Report.self, from: try await response.body.collect())
            #expect(report.body == body)
            #expect(report.connection == 1)
        }
        #expect(try proxy.log().count == 1)
        await transport.shutdown(within: .seconds(5))
    }

    @Test func aSessionIsResumedThroughAProxy() async throws {
        let proxy = try await ProxyServer(certificate: "server")
        let server = try await TLSServer()
        let certificates = try await Certificates.shared
        let transport = WireTransport.trusting(certificates) { $0.proxy = .https(host: "localhost", port: proxy.port) }
        let request = HTTPRequest(url: try server.url(), headers: ["Connection": "close"])
        var resumed: [Bool] = []
        for _ in 0..<3 {
            let response = try await transport.send(request, options: TransportOptions())
            let report = try JSONDecoder().decode(TLSServer.Report.self, from: try await response.body.collect())
            resumed.append(report.resumed)
        }
        #expect(resumed == [false, true, true])
    }

    // MARK: - SOCKS

    /// The kinds that only the environment can name; in a process of its own, which shares it with no other test.
    @Test func eachKindOfSOCKSProxyOpensTheWay() async throws {
        await #expect(processExitsWith: .success) { try await Self.askSOCKS() }
    }

    private static func askSOCKS() async throws {
        let heads = Lock<[[UInt8]]>([])
        // Reads messages of these lengths, and answers each; then it is the origin.
        func proxy(_ steps: [(count: Int, answer: [UInt8])]) throws -> ByteServer {
            try ByteServer { connection in
                for step in steps {
                    var message: [UInt8] = []
                    while message.count < step.count, let byte = connection.read(upTo: 1) { message += byte }
                    heads.withLock { $0.append(message) }
                    connection.write(step.answer)
                }
                guard !connection.readHead().isEmpty else { return }
                connection.write(Self.answer)
                connection.drain()
            }
        }
        let granted5: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        let granted4: [UInt8] = [0, 90, 0, 0, 0, 0, 0, 0]
        let port: [UInt8] = [0x1F, 0x90]
        let name = Array("localhost".utf8)
        for (scheme, steps, expected) in [
            ("socks4", [(9, granted4)], [[4, 1] + port + [127, 0, 0, 1, 0]]),
            ("socks4a", [(19, granted4)], [[4, 1] + port + [0, 0, 0, 1, 0] + name + [0]]),
            ("socks5h", [(3, [5, 0]), (16, granted5)], [[5, 1, 0], [5, 1, 0, 3, 9] + name + port]),
        ] as [(String, [(Int, [UInt8])], [[UInt8]])] {
            heads.withLock { $0 = [] }
            let server = try proxy(steps.map { (count: $0.0, answer: $0.1) })
            setenv("all_proxy", "\(scheme)://127.0.0.1:\(server.port)", 1)
            let transport = WireTransport()
            let response = try await transport.get(try #require(URL(string: "http://localhost:8080/")))
            #expect(try await response.text() == "hi")
            #expect(heads.withLock { $0 } == expected, "\(scheme)")
            await transport.shutdown(within: .zero)
        }
        let server = try proxy([(count: 3, answer: [5, 0]), (count: 10, answer: granted5)])
        setenv("all_proxy", "socks5://127.0.0.1:\(server.port)", 1)
        heads.withLock { $0 = [] }
        var options = WireOptions()
        options.hostAddresses = ["api.example": ["10.1.2.3"]]
        let transport = WireTransport(options: options)
        let response = try await transport.get(try #require(URL(string: "http://api.example:8080/")))
        #expect(try await response.text() == "hi")
        #expect(heads.withLock { $0 } == [[5, 1, 0], [5, 1, 0, 1, 10, 1, 2, 3] + port])
        let unknown = try #require(URL(string: "http://x.invalid/"))
        #expect(try await transportError { try await transport.get(unknown) }.reason == .hostNotFound)
        await transport.shutdown(within: .zero)
    }
}
#endif
