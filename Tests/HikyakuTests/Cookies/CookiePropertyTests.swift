import Foundation
import Hikyaku
import TestSupport
import Testing

/// Random histories, looked at by rules that are written down a second time here.
@Suite struct CookiePropertyTests {
    private static let hosts = [
        "a.example", "b.a.example", "c.b.a.example", "xa.example", "example", "127.0.0.1", "[::1]",
    ]
    private static let paths = ["", "/", "/x", "/x/", "/x/y", "/xy", "/%2F"]
    private static let attributes = [
        "", "Secure", "HttpOnly", "Path=/", "Path=/x", "Path=x", "Domain=a.example", "Domain=.b.a.example",
        "Domain=example", "Domain=127.0.0.1", "Max-Age=5", "Max-Age=0", "Max-Age=-1", "SameSite=Strict", "Domain=",
        "SameSite=None", "Expires=Fri, 15 Jan 2027 08:00:03 GMT", "Max-Age=999999999999999999999", "=", "\u{1}", "é=ü",
    ]
    private static let names = [
        "a=1", "b=2", "__Host-a=3", "__secure-b=4", "", "=", "only", "a==", "é=ü", "a\tb=c", " = x ",
    ]

    @Test(arguments: [UInt64(7), testSeed()])
    func whatIsSentKeepsTheRules(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var jar = CookieJar()
        for step in 0..<Effort.rounds(1500) {
            let now = CookieJarTests.now.addingTimeInterval(Double(step) / 100)
            let url = (generator.pick(["http", "https"]), generator.pick(Self.hosts), generator.pick(Self.paths))
            let scope = try CookieJarTests.scope("\(url.0)://\(url.1)\(url.2)", generator.pick([.get, .post]))
            if Bool.random(using: &generator) {
                let count = Int.random(in: 0...4, using: &generator)
                let parts = [generator.pick(Self.names)] + (0..<count).map { _ in generator.pick(Self.attributes) }
                jar.store(parts.joined(separator: ";"), from: scope, at: now)
                continue
            }
            let before = jar.cookies
            let sent = jar.cookies(for: scope, at: now)
            #expect(jar.cookies == before, "giving back changes nothing, seed \(seed)")
            let expected = before.filter { Self.belongs($0, url, now) }
            #expect(Set(sent) == Set(expected), "step \(step), seed \(seed)")
            let lengths = sent.map(\.path.utf8.count)
            #expect(lengths == lengths.sorted(by: >), "seed \(seed)")
            for cookie in sent { Self.check(cookie, now, seed) }
        }
        #expect(jar.cookies.count <= CookieJar.countMax)
    }

    private static func belongs(_ cookie: Cookie, _ url: (String, String, String), _ now: Date) -> Bool {
        let path = url.2.isEmpty ? "/" : url.2
        let isBelow = url.1.hasSuffix("." + cookie.domain) && !cookie.isHostOnly
        let onPath = path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/")
        return (url.1 == cookie.domain || isBelow) && onPath && (url.0 == "https" || !cookie.isSecure)
            && (cookie.expires.map { $0 > now } ?? true)
    }

    private static func check(_ cookie: Cookie, _ now: Date, _ seed: UInt64) {
        let name = cookie.name.lowercased()
        #expect(
            !name.hasPrefix("__host-") || (cookie.isSecure && cookie.isHostOnly && cookie.path == "/"),
            "seed \(seed)",
        )
        #expect(!name.hasPrefix("__secure-") || cookie.isSecure, "seed \(seed)")
        #expect(cookie.domain != "example" || cookie.isHostOnly, "seed \(seed)")
        #expect(cookie.expires.map { $0 <= now.addingTimeInterval(400 * 86_400) } ?? true, "seed \(seed)")
        #expect(!cookie.value.utf8.contains { $0 == 0x3B || $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "seed \(seed)")
    }

    @Test(arguments: [UInt64(3), testSeed()])
    func noBytesCrashTheParserAndNoneBecomeAnotherField(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scope = try CookieJarTests.scope("https://a.example/")
        for _ in 0..<Effort.rounds(4000) {
            var jar = CookieJar()
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                generator.pick(
                    [UInt8.random(in: 0...255, using: &generator)] + Array("a=; \t,:-0129Max-AgeExpires".utf8)
                )
            }
            jar.store(String(decoding: bytes, as: UTF8.self), from: scope, at: CookieJarTests.now)
            for cookie in jar.cookies {
                let isClean = (cookie.name + cookie.value).utf8.allSatisfy {
                    ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F && $0 != 0x3B
                }
                #expect(isClean, "seed \(seed)")
            }
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }
}
