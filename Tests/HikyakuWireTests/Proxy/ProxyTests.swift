#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let credentials = HTTPProxy.Credentials(username: "me", password: Secret("open:sesame"))
    private static let sent = "Basic " + Data("me:open:sesame".utf8).base64EncodedString()

    private func transport(_ proxy: HTTPProxy) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared) { $0.proxy = proxy }
    }

    // MARK: - HTTP

    @Test func plainRequestsPassAndLeaveTheCredentialsBehind() async throws {
        let proxy = try await ProxyServer { $0.credentials = "me:open:sesame" }
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let transport = try await transport(.http(host: "127.0.0.1", port: proxy.port, credentials: Self.credentials))
        #expect(try await transport.get(try server.url("/path")).text() == "hi")
        #expect(try proxy.log().map(\.headers["proxy-authorization"]) == [Self.sent])
        let received = try #require(server.requests.first)
        #expect(received.headers["Proxy-Authorization"] == nil)
        #expect(!received.rawHeadText.contains(Self.sent))
    }

    @Test func secureRequestsGoThroughATunnelThatKnowsNoMoreThanTheHost() async throws {
        let proxy = try await ProxyServer { $0.credentials = "me:open:sesame" }
        let server = try await TLSServer()
        let transport = try await transport(.http(host: "127.0.0.1", port: proxy.port, credentials: Self.credentials))
        let request = HTTPRequest(
            url: try server.url("localhost", "/secret?token=1"),
            headers: ["Authorization": "Bearer secret"],
        )
        for _ in 0..<2 {
            let response = try await transport.send(request, options: TransportOptions())
            #expect(response.status == .ok)
            #expect(response.headers["X-Proxy"] == nil)
            let report = try JSONDecoder().decode(TLSServer.Report.self, from: try await response.body.collect())
            let names = try #require(report.headers).map { $0[0] }
            #expect(names == ["Host", "Authorization"])
            #expect(report.connection == 1)
        }
        let log = try proxy.log()
        #expect(log.map(\.request) == ["CONNECT localhost:\(server.ports[0]) HTTP/1.1"])
        #expect(log.first?.headers["proxy-authorization"] == Self.sent)
        #expect(log.first?.headers["authorization"] == nil)
    }

    @Test(arguments: [407, 401, 403, 502])
    func aRejectedTunnelIsAFailureOfTheProxy(_ status: Int) async throws {
        let proxy = try await ProxyServer { $0.status = status }
        let transport = try await transport(.http(host: "127.0.0.1", port: proxy.port, credentials: Self.credentials))
        let server = try await TLSServer()
        let error = try await transportError { try await transport.get(try server.url()) }
        #expect(error.reason == .proxyFailed)
        #expect(error.message.contains("CONNECT with \(status)"))
        let isOfLogin = error.hint?.contains("name and a password") == true
        #expect(isOfLogin == [401, 407].contains(status), "\(error.hint ?? "")")
        #expect(!"\(error) \(String(describing: error.underlyingError))".contains("sesame"))
    }

    @Test func wrongCredentialsAreRejectedWith407() async throws {
        let proxy = try await ProxyServer { $0.credentials = "me:other" }
        let transport = try await transport(.http(host: "127.0.0.1", port: proxy.port, credentials: Self.credentials))
        let error = try await transportError { try await transport.get(try await TLSServer().url()) }
        #expect(error.reason == .proxyFailed)
        #expect(error.message.contains("CONNECT with 407"))
    }

    @Test func aProxyThatHangsUpIsAtFault() async throws {
        let proxy = try await ProxyServer { $0.closes = true }
        let transport = try await transport(.http(host: "127.0.0.1", port: proxy.port))
        let server = try await TLSServer()
        #expect(try await transportError { try await transport.get(try server.url()) }.reason == .proxyFailed)
    }

    @Test func aServersFaultBehindAProxyIsTheServers() async throws {
        let proxy = try await ProxyServer()
        let transport = try await transport(.http(host: "127.0.0.1", port: proxy.port))
        let expired = try await TLSServer("expired")
        #expect(try await transportError { try await transport.get(try expired.url()) }.reason == .certificateExpired)
    }

    @Test(arguments: [
        HTTPProxy.http(host: "127.0.0.1", port: 1), .https(host: "127.0.0.1", port: 1),
        .socks5(host: "127.0.0.1", port: 1), .http(host: "x.invalid", port: 80), .http(host: "a b", port: 80),
        .http(host: "127.0.0.1/", port: 80), .http(host: "me@127.0.0.1", port: 80), .http(host: "127.0.0.1", port: 0),
        .http(host: "127.0.0.1", port: 65536), .http(host: "", port: 80),
    ])
    func aProxyThatCannotBeReachedIsNotGoneRound(_ proxy: HTTPProxy) async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let secure = try await TLSServer()
        let transport = try await transport(proxy)
        #expect(try await transportError { try await transport.get(try server.url("/")) }.reason == .proxyFailed)
        #expect(try await transportError { try await transport.get(try secure.url()) }.reason == .proxyFailed)
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.0/8", "*", "localhost", ".localhost", "LOCALHOST", "126.0.0.0/7",
    ])
    func exceptionsAreReachedDirectly(_ exception: String) async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let host = exception.lowercased().contains("localhost") ? "localhost" : "127.0.0.1"
        let url = try #require(URL(string: "http://\(host):\(server.port)/"))
        let transport = try await transport(.http(host: "127.0.0.1", port: 1, exceptions: ["a.example", exception]))
        #expect(try await transport.get(url).text() == "hi")
        let other = try #require(URL(string: "http://[::1]:\(server.port)/"))
        guard exception != "*" else { return }
        #expect(try await transportError { try await transport.get(other) }.reason == .proxyFailed)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.1"), ("127.1", "127.0.0.1"), ("127.0.0.0/8", "0x7f.1"), ("[::ffff:127.0.0.1]", "127.0.0.1"),
        ("localhost.", "localhost"), (".LOCALHOST.", "localhost"),
        ("0:0:0:0:0:0:0:1", "[::1]"), ("[::1]", "[0:0:0:0:0:0:0:1]"),
    ])
    func exceptionsHoldHoweverTheyAreSpelled(_ exception: String, _ host: String) async throws {
        let listener = try PlainListener.onIPv6()
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let port = host.hasPrefix("[") ? listener.port : server.port
        let transport = try await transport(.http(host: "127.0.0.1", port: 1, exceptions: [exception]))
        let url = try #require(URL(string: "http://\(host):\(port)/"))
        #expect(try await transport.get(url).status == .ok)
    }

    @Test(arguments: ["27.0.0.1", "ocalhost", "127.0.0.0/33", "128.0.0.0/1", "x.localhost", ""])
    func whatLooksLikeAnExceptionIsNone(_ exception: String) async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let transport = try await transport(.http(host: "127.0.0.1", port: 1, exceptions: [exception]))
        for host in ["127.0.0.1", "localhost"] {
            let url = try #require(URL(string: "http://\(host):\(server.port)/"))
            #expect(try await transportError { try await transport.get(url) }.reason == .proxyFailed)
        }
    }

    // MARK: - HTTPS

    @Test func aProxyIsSpokenToOverTLS() async throws {
        let proxy = try await ProxyServer(certificate: "server") { $0.credentials = "me:open:sesame" }
        let server = try await TLSServer()
        let plain = try MockServer { _ in .text("hi") }
        defer { plain.stop() }
        let transport = try await transport(.https(host: "localhost", port: proxy.port, credentials: Self.credentials))
        #expect(try await transport.get(try server.url()).status == .ok)
        #expect(try await transport.get(try plain.url("/")).text() == "hi")
        #expect(try proxy.log().count == 2)
    }

    @Test(arguments: ["expired", "wronghost", "untrusted"])
    func aProxyThatIsNotTrustedGetsNothing(_ certificate: String) async throws {
        let proxy = try await ProxyServer(certificate: certificate)
        let server = try await TLSServer()
        let plain = try MockServer { _ in .text("hi") }
        defer { plain.stop() }
        let transport = try await transport(.https(host: "localhost", port: proxy.port, credentials: Self.credentials))
        for url in [try server.url(), try plain.url("/")] {
            let error = try await transportError { try await transport.get(url) }
            #expect(error.reason == .proxyFailed)
            let advice = certificate == "untrusted" ? "trustedAuthorities" : "valid today"
            #expect(error.hint?.contains(advice) == true, "\(error.hint ?? "")")
        }
        #expect(try proxy.log().isEmpty)
    }

    // MARK: - Real ones

    @Test(.enabled(if: Program.areInstalled("tinyproxy")), arguments: [true, false])
    func tinyproxyPassesRequestsOn(isRight: Bool) async throws {
        let port = try freePort()
        let folder = try Program.makeFolder()
        let file = folder.appending(path: "tinyproxy.conf")
        let text = "Port \(port)\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nBasicAuth me sesame\nAllow 127.0.0.1\n"
        try Data(text.utf8).write(to: file)
        let program = try Program([try #require(Program.find("tinyproxy")), "-d", "-c", file.path()], in: folder)
        defer { withExtendedLifetime(program) {} }
        try await waitForListener(on: port)
        let credentials = HTTPProxy.Credentials(username: "me", password: Secret(isRight ? "sesame" : "wrong"))
        let transport = try await transport(.http(host: "127.0.0.1", port: port, credentials: credentials))
        let server = try await TLSServer()
        let plain = try MockServer { _ in .text("hi") }
        defer { plain.stop() }
        if isRight {
            #expect(try await transport.get(try server.url()).status == .ok)
            #expect(try await transport.get(try plain.url("/")).text() == "hi")
            #expect(plain.requests.first?.headers["Proxy-Authorization"] == nil)
        } else {
            #expect(try await transportError { try await transport.get(try server.url()) }.reason == .proxyFailed)
            #expect(plain.requests.isEmpty)
        }
    }

    @Test(.enabled(if: Program.areInstalled("microsocks")), arguments: [true, false])
    func microsocksPassesConnectionsOn(isRight: Bool) async throws {
        let port = try freePort()
        let words = [try #require(Program.find("microsocks")), "-i", "127.0.0.1", "-p", "\(port)"]
        let program = try Program(words + ["-u", "me", "-P", "sesame"])
        defer { withExtendedLifetime(program) {} }
        try await waitForListener(on: port)
        let credentials = HTTPProxy.Credentials(username: "me", password: Secret(isRight ? "sesame" : "wrong"))
        let transport = try await transport(.socks5(host: "127.0.0.1", port: port, credentials: credentials))
        let server = try await TLSServer()
        if isRight {
            #expect(try await transport.get(try server.url("localhost")).status == .ok)
            let closed = try #require(URL(string: "http://127.0.0.1:1/"))
            #expect(try await transportError { try await transport.get(closed) }.reason == .proxyFailed)
            let unknown = try #require(URL(string: "http://x.invalid/"))
            #expect(try await transportError { try await transport.get(unknown) }.reason == .proxyFailed)
        } else {
            #expect(try await transportError { try await transport.get(try server.url()) }.reason == .proxyFailed)
        }
    }

    // MARK: - The environment

    /// Of the kinds that only the environment can name, some are given an address, which is looked up before.
    @Test func aProxyThatHangsKeepsNoPlaceOfACancelledCall() async throws {
        await #expect(processExitsWith: .success) {
            // A call that hangs ends only with the process.
            alarm(120)
            let proxy = try SilentListener()
            setenv("all_proxy", "socks4://127.0.0.1:\(proxy.port)", 1)
            let transport = WireTransport(options: WireOptions(connectionsPerHostMax: 1))
            let request = HTTPRequest(url: try #require(URL(string: "http://localhost:1/")))
            let options = TransportOptions(timeouts: TransportTimeouts(connect: .milliseconds(100)))
            for _ in 0..<3 {
                let error = try await transportError { try await transport.send(request, options: options) }
                #expect(error.reason == .connectTimeout)
            }
            await transport.shutdown(within: .zero)
        }
    }

    /// In a process of its own, which no other test shares the environment with.
    @Test func theEnvironmentsProxyIsUsedUnlessThereIsToBeNone() async throws {
        await #expect(processExitsWith: .success) { try await Self.askEnvironment() }
    }

    private static func askEnvironment() async throws {
        let proxy = try await ProxyServer()
        setenv("http_proxy", "http://me:sesame@127.0.0.1:\(proxy.port)", 1)
        setenv("https_proxy", "http://127.0.0.1:1", 1)
        setenv("no_proxy", "localhost", 1)
        let server = try MockServer { _ in .text("hi") }
        let secure = try await TLSServer()
        let plainURL = try server.url("/")
        let local = try #require(URL(string: "http://localhost:\(server.port)/"))
        let certificates = try await Certificates.shared
        let transport = WireTransport.trusting(certificates) { $0.proxy = .environment }
        #expect(try await transport.get(plainURL).text() == "hi")
        #expect(try proxy.log().count == 1)
        #expect(server.requests.first?.headers["Proxy-Authorization"] == nil)
        #expect(try await transport.get(local).text() == "hi")
        #expect(try proxy.log().count == 1)
        let error = try await transportError { try await transport.get(try secure.url()) }
        #expect(error.reason == .proxyFailed)
        let direct = WireTransport.trusting(certificates) { _ in }
        #expect(try await direct.get(try secure.url()).status == .ok)
        #expect(try await direct.get(plainURL).text() == "hi")
        #expect(try proxy.log().count == 1)
        #expect(server.requests.count == 3)
        // A fault of the host itself, with a proxy that is not used.
        let closed = try #require(URL(string: "http://localhost:1/"))
        #expect(try await transportError { try await transport.get(closed) }.reason == .connectionRefused)
    }

    @Test func aProxyOfTheEnvironmentThatCannotBeUsedIsNamedAndNotShown() async throws {
        await #expect(processExitsWith: .success) { try await Self.askUnusableEnvironment() }
    }

    private static func askUnusableEnvironment() async throws {
        let server = try MockServer { _ in .text("hi") }
        let url = try server.url("/")
        let local = try #require(URL(string: "http://localhost:\(server.port)/"))
        setenv("no_proxy", "localhost", 1)
        for value in [
            "sock5://user:hunter2@127.0.0.1:1", "http://us%00er:hunter2@127.0.0.1:1",
            "http://us%0aer:hunter2@127.0.0.1:1",
            "http://user:hunter2%0d@127.0.0.1:1", "http://us%3aer:hunter2@127.0.0.1:1",
            "http://user:hunter2@127.0.0.1:99999",
            "http://user:hunter2@127.0.0.1:hunter2", "http://user:hunter2@", "http://user:hun ter2@127.0.0.1:1",
            "socks5://user:hunter2@127.0.0.1:1/hunter2", "://user:hunter2@127.0.0.1:1", "http://user:hunter2@[::1",
            "http://user:hunter2@a!b:1", "HTTP+UNIX://user:hunter2@127.0.0.1:1",
        ] {
            for name in ["http_proxy", "all_proxy"] {
                unsetenv("http_proxy")
                setenv(name, value, 1)
                let transport = WireTransport()
                let error = try await transportError { try await transport.get(url) }
                #expect(error.reason == .proxyFailed, "\(value)")
                var text = "\(error) \(String(describing: error.underlyingError))"
                dump(error, to: &text)
                #expect(!text.contains("hunter2") && !text.contains("ter2"))
                #expect(error.message.contains(name))
                // Who needs no proxy is reached.
                #expect(try await transport.get(local).text() == "hi")
            }
        }
        #expect(server.connectionCount == server.requests.count && server.requests.allSatisfy { $0.path == "/" })
    }
}
#endif
