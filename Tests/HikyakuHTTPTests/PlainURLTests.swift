import Foundation
import HikyakuBase
import TestSupport
import Testing

@testable import HikyakuHTTP

/// A plain URL gets no further checks, so it must contain nothing that they would reject.
@Suite struct PlainURLTests {
    @Test(arguments: [
        "http://a.example", "https://a.example/", "http://127.0.0.1:8080/items/7",
        "https://a.example/b.c/d~_-?q=1&r=%20/.",
        "http://a:1/", "http://a:65535/", "https://a.example//b",
    ])
    func theUsualFormIsPlain(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(text.isPlainURL)
        try HTTPRequest(url: url).checkForWire()
    }

    @Test(arguments: [
        "https://[::1]/", "HTTPS://a.example/", "https://a.example?q", "https://a.example/%41", "https://a.example/#f",
        "https://a.example/a:b", "https://a.example/?q#f", "https://a.example/.well-known/x",
    ])
    func whatIsUnusualIsLookedAtPartByPart(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(!text.isPlainURL)
        try HTTPRequest(url: url).checkForWire()
    }

    @Test(arguments: [
        "ftp://a.example/", "https:///x", "https://user@a.example/", "https://user:pw@a.example/",
        "http://a.example:0/",
        "http://a.example:65536/", "http://a.example:99999/", "https://a.example/../b", "https://a.example/./b",
        "https://a.example/b/..", "https://a.example/%2e%2E/b", "https://a,b.example/", "/relative",
    ])
    func rejectedURLsAreNotPlain(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(!text.isPlainURL)
        #expect(throws: TransportError.self) { try HTTPRequest(url: url).checkForWire() }
    }

    /// Whatever is made of the parts, what is plain passes the looks at each part, which the transport would take.
    @Test func nothingThatIsPlainHasAPartThatIsNot() {
        let parts = [
            "http://", "https://", "a", ".", "..", "/", ":", "80", "0", "@", "?", "#", "%", "2e", "[", "]", "~",
        ]
        let seed = testSeed()
        print("seed of the plain URLs: \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(20_000) {
            let text =
                "http://"
                + (0..<Int.random(in: 1...6, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? ""
                }.joined()
            guard let url = URL(string: text), text.isPlainURL else { continue }
            let segments = url.path(percentEncoded: true).split(separator: "/")
            let isSound =
                url.user() == nil && url.host()?.isHostName == true && (url.port.map { 1...65535 ~= $0 } ?? true)
                && !segments.contains { $0 == "." || $0 == ".." }
            if !isSound { Issue.record("\(text) was taken for plain") }
        }
    }
}
