import HikyakuBase
import Testing

@Suite struct HTTPOriginTests {
    @Test(
        "The scheme's own port is not written (RFC 6454, section 6.2)",
        arguments: [
            ("https", nil, "https://api.example", 443), ("https", 443, "https://api.example", 443),
            ("http", nil, "http://api.example", 80), ("http", 443, "http://api.example:443", 443),
            ("https", 80, "https://api.example:80", 80),
        ] as [(String, Int?, String, Int)],
    )
    func ports(scheme: String, port: Int?, text: String, number: Int) {
        let origin = HTTPOrigin(scheme: scheme, host: "api.example", port: port)
        #expect(origin.description == text)
        #expect(origin.hostAndPort == "api.example:\(number)")
    }
}
