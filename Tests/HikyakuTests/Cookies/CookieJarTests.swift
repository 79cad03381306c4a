import Foundation
import Hikyaku
import Testing

/// Vectors written from RFC 6265bis, sections 5.7 and 5.8.
@Suite struct CookieJarTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func scope(_ url: String, _ method: HTTPMethod = .get, after earlier: [String] = []) throws -> CookieScope {
        CookieScope(
            url: try #require(URL(string: url)),
            method: method,
            earlierURLs: try earlier.map { try #require(URL(string: $0)) },
        )
    }

    /// What is sent to a URL, as `name=value` in the order of sending.
    static func sent(
        _ jar: inout CookieJar,
        to url: String,
        _ method: HTTPMethod = .get,
        after earlier: [String] = [],
        later seconds: Double = 0,
    ) throws -> String {
        jar.cookies(for: try scope(url, method, after: earlier), at: now.addingTimeInterval(seconds))
            .map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Who sets what, whether it is taken, and which of some URLs get it.
    private static let deliveries: [(from: String, set: String, CookieRefusal?, gets: [String], doesNot: [String])] = [
        (
            "https://a.example/x/y", "k=v", nil,
            ["https://a.example/x", "https://a.example/x/z", "http://a.example:81/x"],
            ["https://a.example/", "https://a.example/xy", "https://b.a.example/x", "https://example/x"],
        ),
        (
            "https://b.a.example/", "k=v; Domain=a.example", nil, ["https://a.example/", "https://c.b.a.example/"],
            ["https://xa.example/", "https://example/", "https://a.example./"],
        ),
        (
            "https://a.example/", "k=v; Domain=b.a.example", .otherDomain, [],
            ["https://b.a.example/", "https://a.example/"],
        ),
        ("https://a.example/", "k=v; Domain=evil.example", .otherDomain, [], ["https://evil.example/"]),
        ("https://a.example/", "k=v; Domain=.A.Example", nil, ["https://b.a.example/"], []),
        ("https://a.example/", "k=v; Domain=a.example.", .otherDomain, [], ["https://a.example/"]),
        ("https://a.example./", "k=v; Domain=example.", .otherDomain, [], ["https://b.example./"]),
        ("https://a.example./", "k=v", nil, ["https://a.example./"], ["https://a.example/"]),
        ("https://a.com/", "k=v; Domain=com", .publicSuffix, [], ["https://a.com/", "https://b.com/"]),
        ("https://a.co.uk/", "k=v; Domain=co.uk", .publicSuffix, [], ["https://a.co.uk/", "https://b.co.uk/"]),
        ("https://b.a.co.uk/", "k=v; Domain=a.co.uk", nil, ["https://a.co.uk/"], ["https://b.co.uk/"]),
        ("https://login.web.de/", "k=v; Domain=web.de", nil, ["https://web.de/"], []),
        ("https://co.uk/", "k=v; Domain=co.uk", nil, ["https://co.uk/"], ["https://a.co.uk/"]),
        ("https://com/", "k=v; Domain=com", nil, ["https://com/"], ["https://a.com/"]),
        ("http://localhost/", "k=v; Domain=localhost", nil, ["http://localhost:8080/"], ["http://a.localhost/"]),
        (
            "http://127.0.0.1/", "k=v; Domain=127.0.0.1", nil, ["http://127.0.0.1/"],
            ["http://1.127.0.0.1/", "http://0.0.1/"],
        ),
        ("http://127.0.0.1/", "k=v; Domain=0.0.1", .otherDomain, [], ["http://127.0.0.1/"]),
        ("http://[::1]/", "k=v", nil, ["http://[::1]:90/"], ["http://[::2]/"]),
        (
            "https://xn--bcher-kva.example/", "k=v; Domain=xn--bcher-kva.example", nil,
            ["https://a.xn--bcher-kva.example/"], [],
        ),
        ("https://xn--bcher-kva.example/", "k=v; Domain=bücher.example", .otherDomain, [], []),
        ("https://a.example/", "k=v; Secure", nil, ["https://a.example/"], ["http://a.example/"]),
        ("http://a.example/", "k=v; Secure", .insecure, [], ["https://a.example/"]),
        ("HTTPS://A.EXAMPLE/", "k=v; Secure", nil, ["https://a.example/"], []),
        ("https://a.example/x/", "k=v; Path=/", nil, ["https://a.example", "https://a.example/"], []),
        ("https://a.example/x/", "k=v; Path=/other", nil, ["https://a.example/other/1"], ["https://a.example/x/"]),
        ("https://a.example/x/", "k=v; Path=rel", nil, ["https://a.example/x/"], ["https://a.example/rel"]),
        ("https://a.example?/x/y", "k=v", nil, ["https://a.example/"], []),
        ("https://a.example/", "__Secure-k=v; Secure", nil, ["https://a.example/"], []),
        ("https://a.example/", "__Secure-k=v", .prefix, [], ["https://a.example/"]),
        ("https://a.example/", "__sECURE-k=v", .prefix, [], ["https://a.example/"]),
        ("https://a.example/", "__Host-k=v; Secure; Path=/", nil, ["https://a.example/"], ["https://b.a.example/"]),
        ("https://a.example/", "__HOST-k=v; Secure", .prefix, [], ["https://a.example/"]),
        ("https://a.example/", "__Host-k=v; Secure; Path=/x", .prefix, [], ["https://a.example/x"]),
        ("https://a.example/", "__Host-k=v; Secure; Path=/; Domain=a.example", .prefix, [], ["https://a.example/"]),
        ("https://a.example/", "__Host-k=v; Path=/", .prefix, [], ["https://a.example/"]),
        ("https://a.example/", "=__Host-k=v; Secure; Path=/", .prefix, [], ["https://a.example/"]),
        ("https://a.example/", "__host-k; Secure; Path=/", .prefix, [], ["https://a.example/"]),
        ("https://a.example/", "k=v; Max-Age=0", nil, [], ["https://a.example/"]),
        ("https://a.example/", "v", nil, ["https://a.example/"], []),
        ("https://a.example/", "k=\r\nX: y", .controlCharacter, [], ["https://a.example/"]),
    ]

    @Test("5.7.3, 5.8.3", arguments: deliveries.indices)
    func cookiesGoWhereTheyBelong(index: Int) throws {
        let (from, set, refusal, gets, doesNot) = Self.deliveries[index]
        var jar = CookieJar()
        #expect(try jar.store(set, from: Self.scope(from), at: Self.now) == refusal, "\(set)")
        for url in gets { #expect(try !Self.sent(&jar, to: url).isEmpty, "\(url) gets \(set)") }
        for url in doesNot { #expect(try Self.sent(&jar, to: url) == "", "\(url) doesn't get \(set)") }
    }

    @Test func longerPathsComeFirstAndThenTheOlder() throws {
        var jar = CookieJar()
        let scope = try Self.scope("https://a.example/x/y/z")
        for set in ["b=1; Path=/", "a=2; Path=/x", "c=3; Path=/x/y", "d=4; Path=/x", "e=5; Path=/; Domain=a.example"] {
            jar.store(set, from: scope, at: Self.now)
        }
        #expect(try Self.sent(&jar, to: "https://a.example/x/y/") == "c=3; a=2; d=4; b=1; e=5")
        // What is set again keeps its place and the time at which it was made.
        jar.store("b=6; Path=/; Max-Age=60", from: scope, at: Self.now.addingTimeInterval(10))
        #expect(try Self.sent(&jar, to: "https://a.example/x/y/") == "c=3; a=2; d=4; b=6; e=5")
        #expect(jar.cookies.first { $0.name == "b" }?.created == Self.now)
        #expect(jar.cookies.count == 5)
    }

    @Test func aCookieWithoutANameIsItsValue() throws {
        var jar = CookieJar()
        jar.store("=first", from: try Self.scope("https://a.example/"), at: Self.now)
        jar.store("second", from: try Self.scope("https://a.example/"), at: Self.now)
        #expect(try Self.sent(&jar, to: "https://a.example/") == "second")
    }

    @Test func cookiesEndInTime() throws {
        var jar = CookieJar()
        let scope = try Self.scope("https://a.example/")
        jar.store("a=1; Max-Age=10", from: scope, at: Self.now)
        jar.store("b=2", from: scope, at: Self.now)
        #expect(try Self.sent(&jar, to: "https://a.example/", later: 9) == "a=1; b=2")
        #expect(try Self.sent(&jar, to: "https://a.example/", later: 10) == "b=2")
        jar.store("b=; Max-Age=0", from: scope, at: Self.now)
        #expect(try Self.sent(&jar, to: "https://a.example/") == "a=1")
    }

    @Test func anInsecureOriginCannotHideASecureCookie() throws {
        var jar = CookieJar()
        jar.store(
            "k=good; Secure; Path=/in; Domain=a.example",
            from: try Self.scope("https://a.example/"),
            at: Self.now,
        )
        let cases: [(String, String, CookieRefusal?)] = [
            ("http://a.example/in/", "k=evil", .hidesSecure),
            // It has no name, and would be sent as `k=evil`.
            ("http://a.example/in/", "=k=evil", .hidesSecure),
            ("http://a.example/in/", "=k =evil", .hidesSecure),
            ("http://b.a.example/", "k=evil; Path=/in", .hidesSecure),
            ("http://a.example/", "k=evil; Path=/in/deeper", .hidesSecure),
            ("http://a.example/", "k=evil; Path=/in; Max-Age=0", .hidesSecure),
            ("http://a.example/", "k=other; Path=/", nil), ("http://a.example/", "l=1; Path=/in", nil),
            ("https://a.example/", "k=new; Path=/in/x", nil),
        ]
        for (from, set, refusal) in cases {
            #expect(try jar.store(set, from: Self.scope(from), at: Self.now) == refusal, "\(from) \(set)")
        }
        // One that is for a host below hides that of the domain above, too.
        var below = CookieJar()
        below.store("k=good; Secure; Path=/", from: try Self.scope("https://b.a.example/"), at: Self.now)
        let above = try Self.scope("http://a.example/")
        #expect(below.store("k=evil; Domain=a.example; Path=/", from: above, at: Self.now) == .hidesSecure)
    }

    private static let crossings: [(String, HTTPMethod, [String], String)] = [
        ("https://a.example/", .get, [], "s=1; l=2; n=3; d=4"),
        ("https://a.example/", .post, [], "s=1; l=2; n=3; d=4"),
        ("https://a.example/", .post, ["https://login.a.example/", "https://example.example/"], "n=3"),
        ("https://a.example/", .get, ["https://b.test/"], "l=2; n=3; d=4"),
        ("https://a.example/", .post, ["https://b.test/"], "n=3"),
        ("https://a.example/", .head, ["https://b.test/"], "l=2; n=3; d=4"),
        ("https://a.example/", .get, ["https://a.example/", "https://b.test/"], "l=2; n=3; d=4"),
        ("https://a.example/", .get, ["http://a.example/"], "l=2; n=3; d=4"),
        ("https://a.example/", .post, ["https://b.a.example:99/", "https://a.example/"], "s=1; l=2; n=3; d=4"),
    ]

    @Test("5.2 as far as a client goes", arguments: crossings)
    func cookiesOfASiteStayAwayFromOtherSitesRequests(
        url: String,
        method: HTTPMethod,
        earlier: [String],
        expected: String,
    ) throws {
        struct OneSuffix: PublicSuffixes {
            func isPublicSuffix(_ domain: String) -> Bool { domain == "example" || domain == "test" }
        }
        var jar = CookieJar(publicSuffixes: OneSuffix())
        for set in ["s=1; SameSite=Strict", "l=2; SameSite=Lax", "n=3; SameSite=None", "d=4"] {
            jar.store(set, from: try Self.scope("https://a.example/"), at: Self.now)
        }
        #expect(try Self.sent(&jar, to: url, method, after: earlier) == expected)
    }

    @Test func theBoundsAreThoseThatAreDocumented() {
        #expect(CookieJar.domainCountMax == 180)
        #expect(CookieJar.countMax == 3000)
    }

    @Test func aDomainHoldsNoMoreThanItsLimit() throws {
        var jar = CookieJar()
        let scope = try Self.scope("https://a.example/")
        jar.store("secure=1; Secure", from: scope, at: Self.now)
        jar.store("used=1", from: scope, at: Self.now)
        for index in 0..<(CookieJar.domainCountMax - 2) {
            jar.store("k\(index)=1; Path=/\(index)", from: scope, at: Self.now)
        }
        _ = try Self.sent(&jar, to: "https://a.example/none")
        jar.store("one=1", from: scope, at: Self.now)
        #expect(jar.cookies.count == CookieJar.domainCountMax)
        #expect(!jar.cookies.contains { $0.name == "k0" }, "what wasn't used for longest goes first")
        #expect(jar.cookies.contains { $0.name == "secure" } && jar.cookies.contains { $0.name == "used" })
        // Secure ones go last.
        for index in 0..<CookieJar.domainCountMax { jar.store("s\(index)=1; Secure", from: scope, at: Self.now) }
        #expect(jar.cookies.count == CookieJar.domainCountMax)
        #expect(!jar.cookies.contains { !$0.isSecure })
        jar.store("open=1", from: scope, at: Self.now)
        #expect(!jar.cookies.contains { !$0.isSecure }, "one that isn't secure finds no place")
    }

    @Test func whatHasExpiredGoesBeforeAnythingElse() throws {
        var jar = CookieJar()
        let scope = try Self.scope("https://a.example/")
        for index in 1..<CookieJar.domainCountMax { jar.store("k\(index)=1", from: scope, at: Self.now) }
        jar.store("brief=1; Max-Age=1", from: scope, at: Self.now)
        jar.store("new=1", from: scope, at: Self.now.addingTimeInterval(2))
        #expect(jar.cookies.count == CookieJar.domainCountMax)
        #expect(!jar.cookies.contains { $0.name == "brief" })
        #expect(jar.cookies.contains { $0.name == "k1" })
    }

    @Test func theJarHoldsNoMoreThanItsLimit() throws {
        var jar = CookieJar()
        for index in 0...CookieJar.countMax {
            jar.store("k=1", from: try Self.scope("https://h\(index % 3000).d\(index / 3000).example/"), at: Self.now)
        }
        #expect(jar.cookies.count == CookieJar.countMax)
        #expect(try Self.sent(&jar, to: "https://h0.d0.example/") == "")
        #expect(try Self.sent(&jar, to: "https://h0.d1.example/") == "k=1")
    }

    @Test func cookiesOfOnesOwnAreCheckedToo() throws {
        var jar = CookieJar()
        func refusal(_ cookie: Cookie) -> CookieRefusal? {
            do throws(CookieRefusal) {
                try jar.insert(cookie, at: Self.now)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal(Cookie(name: "a", value: "b;c", domain: "a.example")) == .malformed)
        #expect(refusal(Cookie(name: "a=", value: "b", domain: "a.example")) == .malformed)
        #expect(refusal(Cookie(name: "a", value: "b\r\n", domain: "a.example")) == .malformed)
        #expect(refusal(Cookie(name: "a", value: "b", domain: "a.example", path: "x")) == .malformed)
        #expect(refusal(Cookie(name: "a", value: "b", domain: "a/b")) == .otherDomain)
        #expect(refusal(Cookie(name: "a", value: "b", domain: "")) == .otherDomain)
        #expect(refusal(Cookie(name: "a", value: "b", domain: ".a.example")) == .otherDomain)
        #expect(refusal(Cookie(name: "", value: "", domain: "a.example")) == .empty)
        let none = Date(timeIntervalSince1970: .nan)
        #expect(refusal(Cookie(name: "a", value: "b", domain: "a.example", expires: none)) == .malformed)
        #expect(refusal(Cookie(name: "a", value: "b", domain: "A.example", isSecure: false)) == nil)
        #expect(refusal(Cookie(name: "a", value: "b", domain: "[::1]")) == nil)
        #expect(try Self.sent(&jar, to: "http://a.example/") == "a=b")
    }

    @Test func valuesAreNotPrinted() throws {
        var jar = CookieJar()
        jar.store("sid=hunter2", from: try Self.scope("https://a.example/?key=hunter2"), at: Self.now)
        var dumped = "\(jar.cookies) \(try Self.scope("https://a.example/?key=hunter2"))"
        dump(jar.cookies, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(jar.cookies.map(\.description) == ["sid=‹redacted› for a.example/"])
    }
}
