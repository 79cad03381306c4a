import Foundation
import HikyakuHTTP
import Testing

/// A request that was checked once isn't checked again, until anything of it changes.
@Suite struct CheckedRequestTests {
    private static let changes: [@Sendable (inout HTTPRequest) -> Void] = [
        { $0.method = "a b" }, { $0.url = URL(string: "ftp://a.example/") ?? $0.url }, { $0.headers["a b"] = "c" },
        { $0.headers.append("X", "a\r\nb") }, { $0.body = HTTPBody("x") },
    ]

    @Test(arguments: changes.indices) func aChangeIsChecked(index: Int) throws {
        // A method that allows no body.
        var request = HTTPRequest(method: .head, urlText: "https://a.example/p", headers: ["Accept": "*/*"])
        request = try request.checkedForWire()
        #expect(request.isChecked)
        Self.changes[index](&request)
        #expect(!request.isChecked)
        #expect(throws: TransportError.self) { try request.checkForWire() }
    }

    @Test func aFieldOfThePackagesOwnLeavesItChecked() {
        var request = HTTPRequest(method: .get, urlText: "https://a.example/p", headers: [:])
        request.isChecked = true
        request.appendKnownGood(.acceptEncoding, "gzip")
        #expect(request.isChecked)
        #expect(request.headers[.acceptEncoding] == "gzip")
    }

    @Test func theURLIsThatOfTheText() throws {
        var request = HTTPRequest(method: .get, urlText: "https://a.example/p?q=%41", headers: [:])
        #expect(request.url.absoluteString == "https://a.example/p?q=%41")
        request.url = try #require(URL(string: "https://b.example/x"))
        #expect(request.urlText == "https://b.example/x")
    }
}
