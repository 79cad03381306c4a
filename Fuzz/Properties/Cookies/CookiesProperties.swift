import Foundation

@testable import Hikyaku
@testable import HikyakuBase
@testable import HikyakuEngine
@testable import HikyakuHTTP

/// Stores what services set, a line for each cookie, and finds which requests it is sent with.
func checkCookies(_ input: FuzzInput) {
    let scope = CookieScope(url: input.signInURL)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var jar = CookieJar()
    for line in input.document.split(separator: 0x0A, maxSplits: 40) {
        let text = String(decoding: line, as: UTF8.self)
        let refusal = jar.store(text, from: scope, at: now)
        check(refusal == jar.store(text, from: scope, at: now), "the same cookie is stored and refused: \(text)")
        readDate(text)
    }
    for cookie in jar.cookies { inOrder(cookie, scope, now) }
    sentWhereAllowed(&jar, now)
    isKeptByAnother(jar, now)
}

extension FuzzInput {
    fileprivate var signInURL: URL {
        let texts = [
            "https://shop.example/a/b?c", "http://shop.example/a/", "https://www.shop.co.uk", "https://127.0.0.1/a",
            "https://[::1]/a;b/c", "https://www.shop.example./", "https://co.uk/", "http://localhost:8080/%41/..",
            "http://[fe80::1%25eth0]/a",
        ]
        return URL(string: texts[choice(0, of: texts.count)]) ?? URL(fileURLWithPath: "/")
    }
}

/// What holds for each stored cookie.
private func inOrder(_ cookie: Cookie, _ scope: CookieScope, _ now: Date) {
    check(!cookie.pair.isEmpty && cookie.pair.utf8.count <= CookieRules.pairBytesMax + 1, "a pair of another size")
    check(!cookie.pair.utf8.contains(UInt8(ascii: ";")), "one cookie is sent as two: \(cookie.pair)")
    let field = HTTPHeaders.Field(name: .cookie, value: cookie.pair)
    check((try? field.checkForWire()) != nil, "a cookie can't be sent: \(cookie)")
    let host = scope.host ?? ""
    let isOwn = cookie.domain == host || !cookie.isHostOnly && host.hasSuffix("." + cookie.domain)
    check(isOwn, "\(host) has set a cookie of \(cookie.domain)")
    check(cookie.isHostOnly || !EvidentSuffixes().isPublicSuffix(cookie.domain), "a cookie of all of \(cookie.domain)")
    check(!cookie.isSecure || scope.isSecure, "http has set a secure cookie")
    let sentName = cookie.nameAsSent.lowercased()
    if sentName.hasPrefix("__host-") {
        check(cookie.isSecure && cookie.isHostOnly && cookie.path == "/", "\(cookie) has no right to its name")
    }
    if sentName.hasPrefix("__secure-") { check(cookie.isSecure, "\(cookie) has no right to its name") }
    check(cookie.path.hasPrefix("/") && cookie.path.utf8.count <= 1024, "another path: \(cookie.path)")
    if let expires = cookie.expires {
        check(expires > now && expires <= now + 400 * 86_400, "a cookie expires at \(expires)")
    }
    let shown = "\(cookie)"
    check(!shown.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a description has a control character")
    let (name, domain, path) = (cookie.name, cookie.domain, cookie.path)
    check(shown == "\(Cookie(name: name, value: "other", domain: domain, path: path))", "\(shown) shows the value")
}

/// No cookie goes to a stranger's host, and no secure one over `http`.
private func sentWhereAllowed(_ jar: inout CookieJar, _ now: Date) {
    let strangers = ["https://other.example/a/b", "https://xshop.example/a/b", "https://example/a", "https://uk/"]
    for text in strangers {
        guard let url = URL(string: text) else { continue }
        check(jar.cookies(for: CookieScope(url: url), at: now).isEmpty, "\(text) gets another's cookies")
    }
    for text in ["http://shop.example/a/b", "http://www.shop.co.uk/", "http://127.0.0.1/a"] {
        guard let url = URL(string: text) else { continue }
        let sent = jar.cookies(for: CookieScope(url: url), at: now)
        check(sent.allSatisfy { !$0.isSecure }, "\(text) gets a secure cookie")
        let pairs = sent.map(\.pair).joined(separator: "; ")
        check(pairs.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 }, "a field has a control character")
    }
}

/// What one jar stores, another keeps: a file of cookies is read that way.
private func isKeptByAnother(_ jar: CookieJar, _ now: Date) {
    var other = CookieJar()
    for cookie in jar.cookies {
        do throws(CookieRefusal) { try other.insert(cookie, at: now) } catch {
            violation("a stored cookie is refused as \(error) when it is read again: \(cookie), \(cookie.pair)")
        }
    }
    check(other.cookies == jar.cookies, "other cookies are read than were stored")
}

/// A date that is read can be written, and is read as the same.
private func readDate(_ text: String) {
    guard let date = CookieDate.date(from: text) else { return }
    let seconds = Int64(date.timeIntervalSince1970)
    guard let written = HTTPDate.text(of: seconds) else { return violation("\(text) is a date of no year: \(seconds)") }
    check(CookieDate.date(from: written) == date, "\(text) is read as \(written), and that as another date")
    check(HTTPDate.seconds(in: written, now: 0) == seconds, "\(written) is another date elsewhere")
}
