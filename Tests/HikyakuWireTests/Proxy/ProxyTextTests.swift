#if os(Linux)
import HikyakuBase
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// A mark behind a delimiter hides it from Swift, and not from a proxy.
@Suite struct ProxyTextTests {
    @Test(arguments: ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{903}"])
    func aNameWithAColonWouldBeAnotherName(_ mark: String) {
        let credentials = HTTPProxy.Credentials(username: "a:\(mark)b", password: Secret("c"))
        let setting = ProxySetting(.http(host: "p.example", port: 3128, credentials: credentials))
        let origin = HTTPOrigin(scheme: "http", host: "a.example", port: nil)
        #expect(throws: TransportError.self) { try setting.server(for: origin) }
    }

    // Not U+FE0F, which no name has: it is left out where a name is written in ASCII.
    @Test(arguments: ["\u{301}", "\u{200D}", "\u{903}"])
    func exceptionsAreReadByBytes(_ mark: String) {
        #expect(!ProxyExceptions([".\(mark)example"]).contains("a.example"))
        #expect(!ProxyExceptions(["10.0.0.0/\(mark)8"]).contains("10.1.1.1"))
        #expect(ProxyExceptions(["..example"]).contains("a.example"))
    }
}
#endif
