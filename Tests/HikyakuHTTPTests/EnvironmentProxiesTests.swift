import HikyakuHTTP
import Testing

@Suite struct EnvironmentProxiesTests {
    private static func proxies(_ variables: [String: String]) -> EnvironmentProxies {
        EnvironmentProxies { variables[$0] }
    }

    private static func server(_ value: String) throws -> HTTPProxy.Server? {
        try proxies(["http_proxy": value]).http.get()
    }

    @Test(arguments: [
        ("http_proxy", true, false), ("https_proxy", false, true), ("HTTPS_PROXY", false, true),
        ("HTTP_PROXY", false, false),
        ("all_proxy", true, true), ("ALL_PROXY", true, true),
    ])
    func eachVariableHoldsForItsScheme(_ name: String, _ isForHTTP: Bool, _ isForHTTPS: Bool) throws {
        let proxies = Self.proxies([name: "http://p:1"])
        #expect(try proxies.http.get()?.host == (isForHTTP ? "p" : nil))
        #expect(try proxies.https.get()?.host == (isForHTTPS ? "p" : nil))
    }

    @Test func whatIsMostExactComesFirstAndAnEmptyOneCountsForNothing() throws {
        let proxies = Self.proxies(["http_proxy": "", "all_proxy": "a:1", "https_proxy": "s:1", "HTTPS_PROXY": "u:1"])
        #expect(try proxies.http.get()?.host == "a")
        #expect(try proxies.https.get()?.host == "s")
        #expect(try Self.proxies([:]).http.get() == nil)
    }

    @Test(arguments: [
        ("p", HTTPProxy.Scheme.http, "p", 1080), ("p:3128", .http, "p", 3128), ("http://p:3128/", .http, "p", 3128),
        ("http://p:", .http, "p", 1080), ("HTTPS://p", .https, "p", 443), ("socks://p:1", .socks4, "p", 1),
        ("socks4a://p:1", .socks4a, "p", 1), ("socks5://p:1", .socks5WithAddresses, "p", 1),
        ("socks5h://p:1", .socks5, "p", 1),
        ("http://[::1]:8080", .http, "[::1]", 8080), ("[::1]", .http, "[::1]", 1080),
        ("http://p:1/path?q#f", .http, "p", 1),
    ])
    func aURLIsTakenApart(_ text: String, _ scheme: HTTPProxy.Scheme, _ host: String, _ port: Int) throws {
        let server = try #require(try Self.server(text))
        #expect(server.scheme == scheme)
        #expect(server.host == host)
        #expect(server.port == port)
        #expect(server.credentials == nil)
    }

    @Test(arguments: [
        ("me:open@p", "me", "open"), ("http://me:open:sesame@p:1", "me", "open:sesame"), ("http://me@p", "me", ""),
        ("http://m%65:%73esame@p", "me", "sesame"), ("http://me:100%@p", "me", "100%"),
        ("http://me:a@b@p", "me", "a@b"),
        ("http://me:%C3%A9@p", "me", "é"), ("http://:x@p", "", "x"),
    ])
    func credentialsAreDecoded(_ text: String, _ name: String, _ password: String) throws {
        let server = try #require(try Self.server(text))
        #expect(server.host == "p")
        #expect(server.credentials?.username == name)
        #expect(server.credentials?.password.reveal() == password)
    }

    @Test(arguments: [
        "sock5://me:hunter2@p:1", "://me:hunter2@p", "http://m%00e:hunter2@p", "http://me:hunter2%0a@p",
        "http://me:hunter2@p:x",
        "http://me:hunter2@p:1x", "http://me:hunter2@p:99999999999999999999", "http://me:hunter2%ff@p",
        "http://me:hunter2@p\n",
        "socks5://me:hunter2@p:1/hunter2", "http://me:hunter2@[::1]x", "h\u{301}ttp://me:hunter2@p",
        " http://me:hunter2@p", "http://me:p@hunter2#@p:1", "http://me:1/hunter2@p", "http://me:1?hunter2@p",
    ])
    func whatCannotBeUsedIsNamedAndNotShown(_ text: String) throws {
        let error = #expect(throws: TransportError.self) { try Self.server(text) }
        #expect(error?.reason == .proxyFailed)
        #expect(error?.message.contains("http_proxy") == true)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func exceptionsAreSplitAtCommasAndBlanks() {
        #expect(
            Self.proxies(["no_proxy": "a.example, .b,*;10.0.0.0/8\t::1 "]).exceptions == [
                "a.example", ".b", "*", "10.0.0.0/8", "::1",
            ]
        )
        #expect(Self.proxies(["no_proxy": "", "NO_PROXY": "a"]).exceptions == ["a"])
    }
}
