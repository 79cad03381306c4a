import Foundation
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Servers read cookies by bytes, so that a mark is not a way around a rule.
@Suite struct CookieTextTests {
    static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{903}", "\u{1F3FD}", "\u{338}"]
    private static let now = CookieJarTests.now

    @Test(arguments: marks, ["__Host-", "__Secure-", "__hOST-", "__SECURE-"])
    func aPrefixHoldsWhateverComesBehindIt(_ mark: String, _ prefix: String) throws {
        let scope = try CookieJarTests.scope("https://a.b.example/")
        for text in ["\(prefix)\(mark)=v", "\(prefix)\(mark)id=v; Path=/", "\(prefix)\(mark)", "=\(prefix)\(mark)x"] {
            var jar = CookieJar()
            #expect(jar.store(text, from: scope, at: Self.now) == .prefix)
            #expect(jar.cookies.isEmpty)
        }
    }

    @Test(arguments: [
        ("\u{15B}", "s\u{301}"), ("K", "\u{212A}"), ("`", "\u{1FEF}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"),
    ])
    func namesAndPathsOfOtherBytesAreOtherCookies(_ one: String, _ other: String) throws {
        let scope = try CookieJarTests.scope("https://a.example/")
        var jar = CookieJar()
        for text in ["\(one)=1", "\(other)=2", "a=1; Path=/\(one)", "a=2; Path=/\(other)"] {
            #expect(jar.store(text, from: scope, at: Self.now) == nil)
        }
        #expect(jar.cookies.map(\.value) == ["1", "2", "1", "2"])
        // One of http takes the place of no other that is Secure, and another is free.
        var secure = CookieJar()
        #expect(secure.store("\(one)=1; Secure", from: scope, at: Self.now) == nil)
        let open = try CookieJarTests.scope("http://a.example/")
        #expect(secure.store("\(one)=2", from: open, at: Self.now) == .hidesSecure)
        #expect(secure.store("\(other)=2", from: open, at: Self.now) == nil)
    }

    @Test func storesTakeOtherBytesForOtherCookies() throws {
        let cookies = ["\u{15B}", "s\u{301}"].map { Cookie(name: "a", value: $0, domain: "\($0.utf8.count).example") }
        #expect(cookies[0] != cookies[1] && Set(cookies).count == 2)
        let twins = ["\u{15B}", "s\u{301}"].map {
            Cookie(name: $0, value: "v", domain: "a.example", created: Self.now)
        }
        #expect(twins[0] != twins[1])
        let store = MemoryCookieStore(twins, now: { Self.now })
        store.removeAll { $0.name.utf8.count == 2 }
        #expect(store.cookies.map { Array($0.name.utf8) } == [Array("s\u{301}".utf8)])
    }

    @Test(arguments: marks)
    func delimitersOfSetCookieAreFound(_ mark: String) throws {
        let set = try SetCookie("a=\(mark)b;\(mark)x; Path=/\(mark); Max-Age=-1; SAMESITE=Strict")
        #expect(set.name == "a" && set.value.hasSameBytes(as: "\(mark)b"))
        #expect(set.path?.hasSameBytes(as: "/\(mark)") == true)
        #expect(set.sameSite == .strict && set.expires(from: Self.now) == .distantPast)
        #expect(try SetCookie("=\(mark)").value.hasSameBytes(as: mark))
        #expect(Cookie(name: "", value: "n=\(mark)", domain: "a.example").nameAsSent == "n")
    }

    @Test(arguments: marks)
    func aDomainIsMatchedByBytes(_ mark: String) {
        #expect(!CookieRules.domainMatches("a.example", "\(mark)a.example"))
        #expect(!CookieRules.domainMatches("x.\(mark)a.example", "a.example"))
        #expect(CookieRules.domains(of: "b.\(mark)a.example").map { Array($0.utf8) }[1].first == mark.utf8.first)
        #expect(CookieRules.isAddress("[\(mark)::1]") && CookieRules.isAddress("1.2"))
        #expect(CookieRules.defaultPath(of: "/\(mark)/b").hasSameBytes(as: "/\(mark)"))
    }

    /// The request's own cookie wins by the name that a server reads.
    @Test(arguments: marks)
    func ownCookiesAreKnownByTheirBytes(_ mark: String) async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 200) }
        let cookies = ["a", "s\u{301}"].map {
            Cookie(name: $0, value: "stored", domain: "a.example", created: Self.now)
        }
        let store = MemoryCookieStore(cookies, now: { Self.now })
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
        let own = "a=\(mark); \u{15B}=own"
        _ = try await client.send(AnyRequest(headers: [.cookie: own]))
        let sent = try #require(transport.requests.first?.headers[.cookie])
        #expect(sent.hasSameBytes(as: "\(own); s\u{301}=stored"))
    }
}
