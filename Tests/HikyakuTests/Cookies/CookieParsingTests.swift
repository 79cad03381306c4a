import Foundation
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Vectors written from RFC 6265bis, sections 5.1 and 5.6.
@Suite struct CookieParsingTests {
    private static let dates: [(String, String?)] = [
        ("Wed, 09 Jun 2021 10:18:14 GMT", "2021-06-09T10:18:14Z"),
        ("Wednesday, 09-Jun-21 10:18:14 GMT", "2021-06-09T10:18:14Z"),
        ("Wed Jun  9 10:18:14 2021", "2021-06-09T10:18:14Z"), ("10:18:14 2021 jUNE 9", "2021-06-09T10:18:14Z"),
        ("1:2:3 1 Jan 70", "1970-01-01T01:02:03Z"), ("01-Jan-69 00:00:00", "2069-01-01T00:00:00Z"),
        ("01-Jan-99 00:00:00", "1999-01-01T00:00:00Z"), ("01-Jan-100 00:00:00", nil),
        ("1 Jan 1601 00:00:00", "1601-01-01T00:00:00Z"),
        ("1 Jan 1600 00:00:00", nil), ("29 Feb 2020 00:00:00", "2020-02-29T00:00:00Z"), ("29 Feb 2021 00:00:00", nil),
        ("31 Apr 2021 00:00:00", nil), ("0 Jan 2021 00:00:00", nil), ("32 Jan 2021 00:00:00", nil),
        ("1 Jan 2021 24:00:00", nil), ("1 Jan 2021 00:60:00", nil), ("1 Jan 2021 00:00:60", nil),
        ("1 Jan 2021 00:00", nil),
        ("1 Jan 2021 00:00:00x", "2021-01-01T00:00:00Z"), ("1th Jan 2021x 00:00:00", "2021-01-01T00:00:00Z"),
        ("1 Jan 20215 00:00:00", nil), ("123 Jan 2021 00:00:00", nil), ("1 Jan 2021 000:00:00", nil), ("", nil),
        ("2021-06-09T10:18:14Z", nil), ("1;Jan;2021;00:00:00", "2021-01-01T00:00:00Z"),
        ("Janx 1 2021 1:1:1", "2021-01-01T01:01:01Z"),
        // The first that fits each part counts.
        ("1 2 Jan Feb 21 22 00:00:00 11:11:11", "2021-01-01T00:00:00Z"),
        ("1 Jan Feb 2021 2022 00:00:00 11:11:11", "2021-01-01T00:00:00Z"),
    ]

    @Test("5.1.1", arguments: dates)
    func datesAreReadLeniently(text: String, expected: String?) {
        let date = CookieDate.date(from: text)
        #expect(date.flatMap { InternetDate.text(of: $0, fraction: true) } == expected)
    }

    private static let pairs: [(String, String?, String)] = [
        ("a=b", "a", "b"), ("a=b=c", "a", "b=c"), (" a \t=\t b ; x", "a", "b"), ("a=", "a", ""), ("=b", "", "b"),
        ("b", "", "b"),
        ("a=\"b c\"", "a", "\"b c\""), ("a=b,c=d", "a", "b,c=d"), ("a=b;c=d", "a", "b"), ("a = b c", "a", "b c"),
        ("é=ü", "é", "ü"), ("a=b\u{301}", "a", "b\u{301}"), ("a=;", "a", ""), ("a b=c", "a b", "c"),
        ("a\tb=c", "a\tb", "c"),
        ("=a=b", "", "a=b"), ("", nil, ""), ("=", nil, ""), (";", nil, ""), (" ; a=b", nil, ""),
        ("a=b\0", nil, ""), ("a=b; x=\u{1}", nil, ""), ("a\r\n=b", nil, ""), ("a=b\u{7F}", nil, ""),
        ("a=b\u{B}", nil, ""),
    ]

    @Test("5.6, name and value", arguments: pairs)
    func nameAndValueAreBeforeTheFirstSemicolon(text: String, name: String?, value: String) {
        let parsed = try? SetCookie(text)
        #expect(parsed?.name == name)
        #expect(parsed.map(\.value) ?? "" == value)
    }

    @Test func rejectionsHaveAReason() {
        let long = String(repeating: "a", count: 4093)
        let texts = ["a=\0", "=", "abc=\(long)x", "abc=\(long)"]
        let refusals = texts.map { text -> CookieRefusal? in
            do throws(CookieRefusal) {
                _ = try SetCookie(text)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusals == [.controlCharacter, .empty, .tooLong, nil])
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static let lifetimes: [(String, Double?)] = [
        ("", nil), ("Max-Age=10", 10), ("max-age=10; Max-Age=20", 20), ("Max-Age=10; Max-Age=x", 10),
        ("Max-Age=", nil),
        ("Max-Age=+10", nil), ("Max-Age=1.5", nil), ("Max-Age=1 0", nil), ("Max-Age=-", nil), ("Max-Age=--1", nil),
        ("Max-Age=99999999999999999999999999", 34_560_000), ("Max-Age=34560001", 34_560_000),
        ("Expires=Fri, 15 Jan 2027 08:00:10 GMT", 10), ("Expires=Fri, 15 Jan 2027 08:00:10 GMT; Max-Age=20", 20),
        ("Max-Age=20; Expires=Fri, 15 Jan 2027 08:00:10 GMT", 20), ("Expires=nonsense", nil),
        ("Expires=Fri, 15 Jan 2027 08:00:10 GMT; Expires=nonsense", 10), ("Expires=31 Dec 9999 23:59:59", 34_560_000),
        ("Max-Age = 10 ", 10), ("Max-Age=010", 10),
    ]

    @Test("5.6.1, 5.6.2", arguments: lifetimes)
    func lifetimesAreReadAndCapped(attributes: String, seconds: Double?) throws {
        let parsed = try SetCookie("a=b; " + attributes)
        #expect(parsed.expires(from: Self.now)?.timeIntervalSince(Self.now) == seconds)
    }

    @Test(arguments: ["Max-Age=0", "Max-Age=-1", "Max-Age=-99999999999999999999999999"])
    func anAgeThatIsOverEndsTheCookie(attributes: String) throws {
        #expect(try SetCookie("a=b; " + attributes).expires(from: Self.now) == .distantPast)
    }

    @Test func attributesAreReadInAnyCaseAndTheLastHolds() throws {
        let parsed = try SetCookie(
            "a=b;SECURE;  httponly=x ;; Domain=.Example.COM;path=/x;PATH=/y; SameSite=STRICT; unknown=1; =; SameParty"
        )
        #expect(parsed.isSecure && parsed.isHTTPOnly)
        #expect(parsed.domain == "example.com")
        #expect(parsed.path == "/y")
        #expect(parsed.sameSite == .strict)
        let back = try SetCookie("a=b; Domain=x; Domain=; Path=/x; Path=y; SameSite=Lax; SameSite=odd")
        #expect(back.domain.isEmpty && back.path == nil && back.sameSite == nil)
        #expect(try SetCookie("a=b; Domain=..x").domain == ".x", "one dot is taken away, not two")
        #expect(try SetCookie("a=b; Domain=\u{212A}.x").domain == "\u{212A}.x", "the Kelvin sign is not a K")
    }

    @Test func attributesThatAreTooLongArePassedOver() throws {
        let path = "/" + String(repeating: "a", count: 1023)
        #expect(try SetCookie("a=b; Path=\(path)").path == path)
        #expect(try SetCookie("a=b; Path=/x; Path=\(path)a").path == "/x")
    }

    private static let hosts: [(String, String, Bool)] = [
        ("a.example", "a.example", true), ("b.a.example", "a.example", true), ("ba.example", "a.example", false),
        ("example", "a.example", false), ("127.0.0.1", "127.0.0.1", true), ("1.127.0.0.1", "127.0.0.1", false),
        ("127.0.0.1", "0.0.1", false), ("[::1]", "1]", false), ("a.0x7f", "0x7f", false),
        ("a.example.", "example", false),
    ]

    @Test("5.1.3", arguments: hosts)
    func domainsMatchAtLabels(host: String, domain: String, expected: Bool) {
        #expect(CookieRules.domainMatches(host, domain) == expected)
    }

    private static let paths: [(String, String, Bool)] = [
        ("/", "/", true), ("/a", "/", true), ("/a", "/a", true), ("/a/", "/a", true), ("/a/b", "/a", true),
        ("/ab", "/a", false), ("/a", "/a/", false), ("/a/b", "/a/", true), ("/A", "/a", false),
        ("/a%2Fb", "/a", false),
    ]

    @Test("5.1.4", arguments: paths)
    func pathsMatchAtSlashes(path: String, cookiePath: String, expected: Bool) {
        #expect(CookieRules.pathMatches(path, cookiePath) == expected)
    }

    @Test(
        "5.1.4",
        arguments: [
            ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("", "/"), ("a", "/"),
        ],
    )
    func theDefaultPathIsThatOfTheFolder(path: String, expected: String) {
        #expect(CookieRules.defaultPath(of: path) == expected)
    }
}
