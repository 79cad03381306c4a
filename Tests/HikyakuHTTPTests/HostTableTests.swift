import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@Suite struct HostTableTests {
    @Test(arguments: [
        ("API.Example", "api.example"), ("api.example.", "api.example"), ("api.example..", "api.example"),
        ("127.1", "127.0.0.1"), ("0x7F.1", "127.0.0.1"), ("0X7f000001", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"), ("[::1]", "::1"), ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[2001:DB8::0:1]", "2001:db8::1"), ("[::FFFF:127.0.0.1]", "127.0.0.1"), ("[::ffff:7f00:1]", "127.0.0.1"),
        ("[::127.0.0.1]", "::127.0.0.1"), ("256.0.0.1", "256.0.0.1"), ("1.2.3.4.5", "1.2.3.4.5"), ("08.1", "08.1"),
        ("127.0.0.1 x", "127.0.0.1 x"), ("[x]", "x"), ("", ""), ("...", ""), ("[]", ""),
    ])
    func aHostHasOneSpelling(_ host: String, _ normal: String) {
        #expect(HostSpelling.normal(host) == normal)
    }

    @Test(arguments: ["b\u{FC}cher.example", "B\u{DC}CHER.example.", "xn--bcher-kva.example", "XN--BCHER-KVA.EXAMPLE"])
    func aNameBeyondASCIIIsTheOneInTheURL(_ key: String) throws {
        let url = try #require(URL(string: "https://b\u{FC}cher.example/"))
        let host = try #require(HTTPOrigin(url)?.host)
        #expect(host == "xn--bcher-kva.example")
        #expect(HostTable([key: 1])[host] == 1)
        #expect(HostTable(["*." + key: 1])["a." + host] == 1)
    }

    /// The dot keeps it from being checked by its text alone.
    @Test func aURLWithANameBeyondASCIICanBeSent() throws {
        let url = try #require(URL(string: "https://b\u{FC}cher.example/.well-known/x"))
        #expect(url.absoluteString == "https://xn--bcher-kva.example/.well-known/x")
        #expect(throws: Never.self) { try HTTPRequest(url: url).checkForWire() }
        let encoded = try #require(URL(string: "https://b%C3%BCcher.example/"))
        #expect(throws: TransportError.self) { try HTTPRequest(url: encoded).checkForWire() }
    }

    @Test(arguments: [
        "", ".", "*", "*.", "**.a", "a*.b", "http://a", "a:80", "[::1]:80", "a b", "a/b", "a@b", "a%2eb", "*.[::1]",
        "*.::1", "\u{FC}/x", "\u{FC}@a", "\u{FC}:80", "\u{FC}?", "a\0b",
        ".a", "a..b", "*..b",
    ])
    func aKeyWithoutAHostIsRecognized(_ key: String) {
        let table = HostTable([key: 1, "a": 2])
        #expect(table.unusableKey == key)
        #expect(table["a"] == 2)
    }

    @Test func patternsMatchOneLabelAndExactNamesOverrideThem() {
        let table = HostTable(["*.a.example": 1, "x.a.example": 2, "127.0.0.1": 3, "*.0.0.1": 4])
        let hosts = ["y.a.example", "X.A.example.", "a.example", "z.y.a.example", "127.1", "128.1"]
        #expect(hosts.map { table[$0] } == [1, 2, nil, nil, 3, 4])
        #expect(table.unusableKey == nil)
    }
}
