import Foundation
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite struct RedirectTargetTests {
    /// RFC 3986, section 5.4: what each reference means from `http://a/b/c/d;p?q`; fragments are left out.
    private static let references: [(String, String)] = [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
        // 5.4.2, abnormal ones
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g"),
        ("g#s/../x", "http://a/b/c/g"), ("http:g", "http:g"),
    ]

    @Test("RFC 3986, section 5.4", arguments: references)
    func referencesAreResolvedByTheLetter(reference: String, expected: String) {
        let base = URLReference("http://a/b/c/d;p?q")
        #expect(URLReference(reference).resolved(against: base).text == expected)
    }

    private static let locations: [(String, String?)] = [
        ("//b.example", "https://b.example/"), ("//b.example?x", "https://b.example/?x"),
        ("https://b.example#f", "https://b.example/"), ("?x=1", "https://a.example/p/q?x=1"),
        ("  /s\t", "https://a.example/s"), ("/a b", "https://a.example/a%20b"), ("/é", "https://a.example/%C3%A9"),
        ("/100%", "https://a.example/100%25"), ("/%2F%c3", "https://a.example/%2F%c3"),
        ("/%4", "https://a.example/%254"),
        ("/a?x[0]=1", "https://a.example/a?x%5B0%5D=1"), ("/a?b?c", "https://a.example/a?b?c"),
        ("/x/%2e%2E/y", "https://a.example/y"), ("/x/.%2e", "https://a.example/"), ("//", "https:///"),
        (#"/\b.example"#, "https://a.example/%5Cb.example"), (#"\\b.example"#, "https://a.example/p/%5C%5Cb.example"),
        ("/\u{301}x", "https://a.example/%CC%81x"), ("myapp://cb?code=1", "myapp://cb/?code=1"),
        ("1a:b", "https://a.example/p/1a:b"), ("/a\r\nX: y", nil), ("/a\u{7F}", nil), ("/a\0", nil),
    ]

    @Test(arguments: locations)
    func aLocationIsReadAsBrowsersDo(location: String, expected: String?) throws {
        let base = try #require(URL(string: "https://a.example/p/q?old#f"))
        let location = String(location.trimmingSpaces)
        #expect(RedirectTarget.url(of: location, from: base)?.absoluteString == expected)
    }

    /// Without dot segments, the path would begin like a host.
    @Test(arguments: ["http:/.//b.example/c", "http:/a/..//b.example/c", "myapp:/%2e//b"])
    func aPathNeverBecomesAHost(location: String) throws {
        let base = try #require(URL(string: "https://a.example/p/q"))
        let url = try #require(RedirectTarget.url(of: location, from: base))
        #expect(url.host() ?? "" == "")
        #expect(url.absoluteString.contains(":/.//b"))
        #expect(RedirectTarget.url(of: url.absoluteString, from: base) == url)
    }

    @Test func aBaseWithoutAPathHasTheRoot() throws {
        let base = try #require(URL(string: "https://a.example"))
        #expect(RedirectTarget.url(of: "g", from: base)?.absoluteString == "https://a.example/g")
    }

    @Test(arguments: [UInt64(1), testSeed()])
    func anyLocationGivesAURLWithoutDotSegmentsOrNone(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let base = try #require(URL(string: "https://a.example/p/q"))
        let pieces = [
            "/", ".", "..", "%2e", "%", "?", "#", ":", "@", "//", "http:", "[", "]", "é", "\\", "a", "b.c", ";",
        ]
        for _ in 0..<Effort.rounds(5000) {
            let count = Int.random(in: 0...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard let url = RedirectTarget.url(of: text, from: base) else { continue }
            let segments = url.path(percentEncoded: true).lowercased().split(separator: "/")
            let hasDots = segments.contains { [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."].contains($0) }
            // What isn't hierarchical keeps its dots, and has no host to be sent to.
            #expect(!hasDots || url.host() == nil, "\(text) gave \(url), seed \(seed)")
            #expect(url.fragment() == nil, "\(text) gave \(url), seed \(seed)")
        }
    }
}
