#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// Which URLs share connections.
@Suite struct SiteTests {
    private func key(_ url: String) -> String { Site.key(of: RequestURL(url)) }

    @Test(arguments: [
        ("http://a.example/x", "http://a.example"), ("HTTP://A.example:80", "http://a.example"),
        ("https://a.example:443/?q", "https://a.example"), ("https://a.example:80/", "https://a.example:80"),
        ("http://a.example:443/", "http://a.example:443"), ("http://a.example?q=/", "http://a.example"),
        ("http://a.example#f", "http://a.example"), ("http://[::1]:8080/x", "http://[::1]:8080"),
        ("http://[::1]:80/x", "http://[::1]"),
    ])
    func anOriginHasOneKey(_ url: String, _ key: String) {
        #expect(self.key(url) == key)
    }

    @Test func aLongerPortOrHostIsAnotherOrigin() {
        let urls = [
            "http://a.example/", "http://a.example.org/", "http://a.example:8/", "http://a.example:808/",
            "http://a.example:8080/", "https://a.example/", "http://b.a.example/",
        ]
        #expect(Set(urls.map(key)).count == urls.count)
    }

    /// The loop compares the beginning of one URL with the one before it.
    @Test func whatIsComparedEndsWithTheAuthority() {
        for (url, prefix) in [
            ("http://a.example:80/", "http://a.example:80"), ("http://a.example?q=/", "http://a.example"),
            ("https://[::1]:8080#f", "https://[::1]:8080"),
        ] {
            #expect(RequestURL(url).withPrefix { String(decoding: $0, as: UTF8.self) } == prefix)
        }
    }
}
#endif
