import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@Suite struct HTTPOriginTests {
    private func origin(_ text: String) throws -> HTTPOrigin {
        let url = try #require(URL(string: text))
        return try #require(HTTPOrigin(url))
    }

    @Test(arguments: [
        ("https://A.example/x", "https://a.example", "a.example:443"),
        ("http://a.example", "http://a.example", "a.example:80"),
        ("http://a.example:443", "http://a.example:443", "a.example:443"),
        ("https://a.example:8443", "https://a.example:8443", "a.example:8443"),
        ("https://[::1]/", "https://[::1]", "[::1]:443"),
    ])
    func theSchemesOwnPortIsLeftOutOfItsText(_ url: String, _ text: String, _ hostAndPort: String) throws {
        let origin = try origin(url)
        #expect("\(origin)" == text)
        #expect(origin.hostAndPort == hostAndPort)
    }

    @Test(arguments: ["mailto:a@b.example", "/relative", "https:///x"])
    func aURLWithoutSchemeOrHostHasNone(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(HTTPOrigin(url) == nil)
    }

    @Test(arguments: [
        "http://localhost", "http://LOCALHOST:8080", "http://localhost./", "http://127.0.0.1", "http://127.1",
        "http://127.255.255.254", "http://[::1]:80", "http://[0:0:0:0:0:0:0:1]",
    ])
    func thisMachineIsKnownInAnySpelling(_ text: String) throws {
        let origin = try origin(text)
        #expect(origin.isLoopback)
        #expect(origin.isConfidential, "without TLS, too")
    }

    @Test(arguments: [
        "http://a.example", "http://127.0.0.1.a.example", "http://128.0.0.1", "http://localhost.a.example",
        "http://10.127.0.1", "http://[::2]", "http://127.example",
    ])
    func anotherMachineIsNotThisOne(_ text: String) throws {
        let origin = try origin(text)
        #expect(!origin.isLoopback)
        #expect(!origin.isConfidential)
        #expect(HTTPOrigin(scheme: "https", host: origin.host, port: nil).isConfidential)
    }
}
