#if os(Linux)
import HikyakuBase
import Testing

@testable import HikyakuHTTP
@testable import HikyakuWire

/// Which proxy holds for which origin, and what it is sent.
struct ProxySettingTests {
    private static func origin(_ scheme: String, _ host: String) -> HTTPOrigin {
        HTTPOrigin(scheme: scheme, host: host, port: nil)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.0/8", "127.0.0.1"), ("*", "api.example"), ("localhost", "localhost"),
        (".localhost", "localhost"), ("LOCALHOST", "localhost"), ("126.0.0.0/7", "127.0.0.1"),
        ("example", "api.example"),
        (".example", "api.example"), ("127.1", "127.0.0.1"), ("127.0.0.1", "127.1"), ("127.0.0.0/8", "0x7f.1"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"), ("localhost.", "localhost"), ("[::1]", "[0:0:0:0:0:0:0:1]"),
        ("fe80::/10", "[fe80::1]"), ("0.0.0.0/0", "9.9.9.9"),
    ])
    func exceptionsAreReachedDirectly(_ exception: String, _ host: String) throws {
        let setting = ProxySetting(.http(host: "proxy.example", port: 1, exceptions: ["a.other", exception]))
        #expect(try setting.server(for: Self.origin("http", host)) == nil)
        #expect(try setting.server(for: Self.origin("https", host)) == nil)
        #expect(
            try setting.server(for: Self.origin("http", "b.other"))?.host == (exception == "*" ? nil : "proxy.example")
        )
    }

    @Test(arguments: ["27.0.0.1", "ocalhost", "127.0.0.0/33", "128.0.0.0/1", "x.localhost", "", "127.0.0.0/x", "/8"])
    func whatLooksLikeAnExceptionIsNone(_ exception: String) throws {
        let setting = ProxySetting(.http(host: "proxy.example", port: 1, exceptions: [exception]))
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            #expect(try setting.server(for: Self.origin("http", host))?.host == "proxy.example")
        }
    }

    @Test(arguments: [
        HTTPProxy.http(host: "a b", port: 80), .http(host: "127.0.0.1/", port: 80), .https(host: "me@x", port: 80),
        .socks5(host: "127.0.0.1", port: 0), .http(host: "127.0.0.1", port: 65_536), .http(host: "", port: 80),
    ])
    func aProxyThatCannotBeIsNotGoneRound(_ proxy: HTTPProxy) {
        for scheme in ["http", "https"] {
            let error = #expect(throws: TransportError.self) {
                try ProxySetting(proxy).server(for: Self.origin(scheme, "api.example"))
            }
            #expect(error?.reason == .proxyFailed)
        }
    }

    @Test func theEnvironmentNamesProxiesBySchemes() throws {
        let variables = [
            "http_proxy": "http://me:sesame@one.example:3128", "HTTPS_PROXY": "socks5h://two.example",
            "no_proxy": "local",
        ]
        let setting = ProxySetting(.environment) { variables[$0] }
        let plain = try #require(try setting.server(for: Self.origin("http", "api.example")))
        #expect(plain.host == "one.example" && plain.authorization == "Basic bWU6c2VzYW1l")
        #expect(try setting.server(for: Self.origin("https", "api.example"))?.scheme == .socks5)
        #expect(try setting.server(for: Self.origin("https", "a.local")) == nil)
        for none in [ProxySetting(.none), ProxySetting(.environment) { _ in nil }] {
            #expect(try none.server(for: Self.origin("http", "api.example")) == nil)
        }
        let broken = ProxySetting(.environment) { $0 == "all_proxy" ? "sock5://user:hunter2@x:1" : nil }
        let error = #expect(throws: TransportError.self) { try broken.server(for: Self.origin("http", "a.example")) }
        #expect(error?.reason == .proxyFailed && error?.message.contains("hunter2") == false)
    }

    @Test func requestsToHTTPAreForwardedByHTTPProxiesAlone() {
        for scheme in HTTPProxy.Scheme.allCases {
            let server = HTTPProxy.Server(scheme: scheme, host: "p", port: 1, credentials: nil)
            #expect(server.forwardsRequests(for: Self.origin("http", "a")) == (scheme == .http || scheme == .https))
            #expect(!server.forwardsRequests(for: Self.origin("https", "a")))
            #expect(server.looksUpNames == (scheme != .socks4 && scheme != .socks5WithAddresses))
            #expect(server.authorization == nil)
        }
    }

    @Test(arguments: [
        ("http://a.example", "http://a.example/"), ("http://a.example/", "http://a.example/"),
        ("http://a.example:80/b?c=d#e", "http://a.example:80/b?c=d"), ("http://a.example?c", "http://a.example/?c"),
        ("http://a.example?c=/d", "http://a.example/?c=/d"), ("http://[::1]:81#x/y", "http://[::1]:81/"),
        ("http://a.example/b//c?d//e", "http://a.example/b//c?d//e"), ("", ""),
    ])
    func aForwardedRequestHasTheWholeURL(_ url: String, _ target: String) {
        #expect(HTTPProxy.Server.target(of: url) == target)
    }
}
#endif
