#if os(Linux)
import Foundation
import Hikyaku
import HikyakuPublicSuffixes
import Testing

@Suite struct PublicSuffixListTests {
    private static let list = PublicSuffixList()

    private static let domains: [(String, Bool)] = [
        ("com", true), ("example.com", false), ("co.uk", true), ("example.co.uk", false), ("uk", true),
        ("github.io", true), ("somebody.github.io", false), ("c.kobe.jp", true),
        ("city.kobe.jp", false), ("ck", true), ("any.ck", true), ("www.ck", false), ("nosuchtld", true),
        ("a.nosuchtld", false), ("xn--55qx5d.cn", true), ("a.xn--55qx5d.cn", false),
    ]

    @Test(arguments: domains)
    func theListKnowsSuffixesWildcardsAndExceptions(domain: String, expected: Bool) {
        #expect(Self.list.isPublicSuffix(domain) == expected)
    }

    @Test func theListIsThere() {
        #expect(Self.list.isLoaded)
    }

    private func scope(_ url: String, after earlier: String? = nil) throws -> CookieScope {
        let urls = try [earlier].compactMap(\.self).map { try #require(URL(string: $0)) }
        return CookieScope(url: try #require(URL(string: url)), method: .post, earlierURLs: urls)
    }

    @Test func noCookieIsTakenForASuffix() throws {
        var jar = CookieJar(publicSuffixes: Self.list)
        let refused = jar.store("a=1; Domain=co.uk", from: try scope("https://a.co.uk/"), at: Date())
        #expect(refused == .publicSuffix)
        #expect(
            jar.store("a=1; Domain=github.io", from: try scope("https://x.github.io/"), at: Date()) == .publicSuffix
        )
        #expect(jar.store("a=1; Domain=a.co.uk", from: try scope("https://b.a.co.uk/"), at: Date()) == nil)
        // On the suffix's own host it is a cookie of that host alone.
        #expect(jar.store("b=1; Domain=github.io", from: try scope("https://github.io/"), at: Date()) == nil)
        #expect(jar.cookies.last?.isHostOnly == true)
    }

    /// What is recognized without the list is in it, wherever a country has such a category at all.
    @Test func theEvidentSuffixesAreThoseOfTheList() {
        let countries = [
            "uk", "au", "nz", "jp", "br", "za", "in", "kr", "mx", "tr", "fr", "at", "th", "il", "ar", "id",
        ]
        let usual = ["co.uk", "com.au", "govt.nz", "ne.jp", "com.br", "co.za", "gov.in", "or.kr", "gob.mx", "gouv.fr"]
        for domain in usual { #expect(EvidentSuffixes().isPublicSuffix(domain) && Self.list.isPublicSuffix(domain)) }
        for country in countries {
            #expect(!EvidentSuffixes().isPublicSuffix("example.\(country)"))
            #expect(!EvidentSuffixes().isPublicSuffix("www.co.\(country)"))
        }
        #expect(!EvidentSuffixes().isPublicSuffix("co.com"))
    }

    @Test func sitesEndAtTheSuffix() throws {
        var jar = CookieJar(publicSuffixes: Self.list)
        jar.store("a=1; SameSite=Strict", from: try scope("https://a.co.uk/"), at: Date())
        let same = try scope("https://a.co.uk/", after: "https://b.a.co.uk/")
        #expect(jar.cookies(for: same, at: Date()).count == 1)
        let other = try scope("https://a.co.uk/", after: "https://b.co.uk/")
        #expect(jar.cookies(for: other, at: Date()).isEmpty)
    }
}
#endif
