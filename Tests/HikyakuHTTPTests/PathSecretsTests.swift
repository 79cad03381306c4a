import Foundation
import HikyakuHTTP
import Testing

@Suite struct PathSecretsTests {
    private func secrets(_ values: String...) -> PathSecrets {
        var secrets = PathSecrets()
        for value in values { secrets.insert(value) }
        return secrets
    }

    @Test(arguments: [
        ("/hooks/hunter2", "/hooks/…"),
        ("/hunter2/a/hunter2hunter2", "/…/a/…"),
        ("/hunter", "/hunter"),
        ("/Hunter2", "/Hunter2"),
        ("hunter2", "…"),
        ("", ""),
    ])
    func eachPlaceIsHidden(_ text: String, _ shown: String) {
        #expect(secrets("hunter2").hidden(in: text) == shown)
    }

    /// A URL in a URL is encoded twice, one in that three times.
    @Test func eachPercentEncodingIsHidden() {
        var text = "a/b?c"
        for _ in 0...5 {
            #expect(secrets("a/b?c").hidden(in: "/x/\(text)/y") == "/x/…/y", "\(text)")
            text = text.utf8.map { $0 == UInt8(ascii: "b") ? "b" : "%" + String($0, radix: 16, uppercase: true) }
                .joined()
        }
        #expect(secrets("a/b").hidden(in: "/%61%2fb") == "/…", "digits in lower case, and letters that need none")
        #expect(secrets("a/b").hidden(in: "/a%252Fb-a%2Fb") == "/…-…", "each of its own round")
    }

    @Test(arguments: ["/100%", "/100%4", "/%zz", "/%4z", "/%%34"])
    func whatIsNotAPercentEncodingIsShownAsItIs(_ text: String) {
        #expect(secrets("hunter2").hidden(in: text) == text)
    }

    @Test func whatIsHiddenTogetherIsOneMark() {
        #expect(secrets("abc", "cde").hidden(in: "/xabcdey/abc/cde") == "/x…y/…/…")
        #expect(secrets("ü").hidden(in: "/gr%C3%BC%C3%9Fe/ü") == "/gr…%C3%9Fe/…")
    }

    @Test func anEmptyValueIsNotASecret() {
        #expect(secrets("").isEmpty)
        #expect(secrets("").hidden(in: "/a") == "/a")
        #expect(PathSecrets().isEmpty && !secrets("a").isEmpty)
    }

    /// Texts count by their bytes: an accent that is a scalar of its own makes another secret.
    @Test func aValueIsKeptOnce() {
        #expect(secrets("a", "b", "a") == secrets("a", "b"))
        #expect(secrets("\u{E9}") != secrets("e\u{301}"))
        var both = secrets("a", "b")
        both.formUnion(secrets("b", "c"))
        #expect(both == secrets("a", "b", "c"))
        #expect(both.hidden(in: "/a/b/c/d") == "/…/…/…/d")
    }

    @Test func aRequestShowsItsPathWithoutThem() throws {
        let request = HTTPRequest(
            method: .post,
            urlText: "https://a.example/hooks/a%2Fb/x?back=/hooks/a%252Fb&a/b=1",
            headers: [:],
            pathSecrets: secrets("a/b"),
        )
        #expect("\(request)" == "POST https://a.example/hooks/…/x?back=…&…=…")
    }
}
