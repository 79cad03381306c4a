#if os(Linux)
import Foundation

@testable import HikyakuBase
@testable import HikyakuHTTP
@testable import Hikyaku
@testable import HikyakuEngine
@testable import HikyakuWire

/// Reads what is meant to be a URL: references and redirects of services, hosts, requests' own, and those of proxies.
func checkURLs(_ input: FuzzInput) {
    let text = String(decoding: input.document, as: UTF8.self)
    switch input.choices[0] % 5 {
    case 0: resolve(text, input)
    case 1: redirect(text, input)
    case 2: readHost(text)
    case 3: readRequestURL(text)
    default: readProxies(text, input)
    }
}

extension FuzzInput {
    fileprivate var base: String {
        let bases = [
            "https://a.example/b/c?d", "https://a.example", "http://[::1]:8080/b/", "https://a.example/b/c/../d;e",
            "https://a.example:443/%2e%2e/b//c",
        ]
        return bases[choice(1, of: bases.count)]
    }
}

/// A reference has one meaning: resolved, read again and read by Foundation, it leads to the same place.
private func resolve(_ text: String, _ input: FuzzInput) {
    let base = input.choices[2] & 1 == 0 ? input.base : nil
    guard let resolved = URLReference.text(of: text, from: base) else { return }
    check(resolved.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "\(resolved) has what no URL may have")
    check(!resolved.utf8.contains(UInt8(ascii: "#")), "\(resolved) has a fragment")
    check(resolved.utf8.count <= 3 * text.utf8.count + (base ?? "").utf8.count + 8, "\(resolved) is too long")
    let (reference, whole) = (URLReference(text), URLReference(resolved))
    let scheme = reference.scheme ?? base.map { URLReference($0).scheme ?? "" }
    check(whole.scheme.map(String.init) == scheme.map(String.init), "\(text) has got the scheme of \(resolved)")
    let authority = reference.scheme == nil ? base.flatMap { URLReference($0).authority } : nil
    if reference.authority == nil {
        check(
            whole.authority.map(String.init) == authority.map(String.init),
            "\(text) has got the host of \(resolved)",
        )
    }
    check(whole.text == resolved, "\(resolved) is written as \(whole.text)")
    check(URLReference.text(of: resolved, from: base) == resolved, "\(resolved) is resolved once more")
    let segments = whole.path.split(separator: "/").map { $0.lowercased().replacing("%2e", with: ".") }
    // Without a host, a path that begins with two slashes has a dot between what would be its mark and them.
    let isRooted = whole.path.hasPrefix("/") && (whole.authority != nil || !whole.path.hasPrefix("/.//"))
    check(!isRooted || !segments.contains { $0 == "." || $0 == ".." }, "\(resolved) goes back")
    if let url = URL(string: resolved, encodingInvalidCharacters: false) { sameOrigin(resolved, url) }
}

/// What a request may be sent to is the same host to all that read its URL.
private func sameOrigin(_ text: String, _ url: URL) {
    let request = HTTPRequest(url: url)
    guard (try? request.checkForWire()) != nil, let origin = HTTPOrigin(url) else { return }
    check(origin.scheme == "http" || origin.scheme == "https", "\(text) is sent by \(origin.scheme)")
    check(!origin.host.isEmpty && 1...65535 ~= origin.port, "\(text) leads to \(origin)")
    let wire = RequestURL(request.urlText)
    check(wire.isSecure == (origin.scheme == "https"), "\(text) is sent without TLS, or with it")
    let prefix = wire.withPrefix { String(decoding: $0, as: UTF8.self) }.lowercased()
    let spellings = [
        "\(origin.scheme)://\(origin.host)", "\(origin.scheme)://\(origin.host):",
        "\(origin.scheme)://\(origin.hostAndPort)",
    ]
    // A port may have zeros before it.
    let isSame = spellings.contains(prefix) || prefix.replacing(/:0+([0-9])/, with: { ":" + $0.1 }) == spellings[2]
    check(isSame, "\(text) leads to \(origin), and is sent to \(prefix)")
    var target: [UInt8] = []
    if (try? wire.appendTarget(to: &target)) != nil {
        check(target.first == UInt8(ascii: "/") && !target.contains { $0 <= 0x20 }, "\(text) has no target")
    }
    var host: [UInt8] = []
    wire.appendHost(to: &host)
    check(!host.isEmpty && !host.contains { $0 <= 0x20 || $0 == UInt8(ascii: "@") }, "\(text) has no host")
}

/// A redirect is followed to the place that is shown, by HTTP alone, and to no place with credentials.
private func redirect(_ text: String, _ input: FuzzInput) {
    guard let base = URL(string: input.base) else { return }
    let request = HTTPRequest(url: base)
    let response = HTTPResponse(status: 302, headers: HTTPHeaders(dictionaryLiteral: (.location, text)))
    let found: URL?
    do throws(TransportError) {
        found = try RedirectTarget.url(of: response, to: request)
    } catch {
        check(error.reason == .redirectInvalid, "\(error)")
        return
    }
    guard let target = found else { return }
    check(target.fragment == nil && target.scheme != nil, "\(target.absoluteString) is not a target")
    let hop = RedirectHop(status: 302, method: .get, from: base, nextMethod: .get, to: target)
    check(!"\(hop)".utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a hop has a control character")
    if let value = target.query(percentEncoded: true)?.split(separator: "=", maxSplits: 1).dropFirst().first,
        value.utf8.count > 8, !value.contains("&"), !target.path(percentEncoded: true).contains(value),
        !(target.bracketedHost ?? "").contains(value), !value.allSatisfy({ $0 == "=" })
    {
        check(!"\(hop)".contains(value), "\(hop) shows a value of the query")
    }
    do throws(TransportError) {
        try hop.check(.follow, target)
    } catch {
        check([.redirectInvalid, .redirectInsecure].contains(error.reason), "\(error)")
        return
    }
    check((try? HTTPRequest(url: target).checkForWire()) != nil, "\(target.absoluteString) is followed, and not sent")
    check(target.user == nil && target.password == nil, "\(target.absoluteString) has credentials")
    check(HTTPOrigin(base)?.scheme == "http" || target.scheme?.lowercased() == "https", "a redirect without TLS")
    sameOrigin(target.absoluteString, target)
}

/// The spelling of a host is final, and so are the keys of tables of hosts.
private func readHost(_ text: String) {
    let normal = HostSpelling.normal(text)
    check(HostSpelling.normal(normal) == normal || !text.isHostName, "\(text) is \(normal), and that another host")
    let table = HostTable([text: 1])
    guard let host = HostSpelling.checked(text) else {
        check(table.unusableKey == text || text.hasPrefix("*."), "\(text) is a key and no host")
        return
    }
    check(HostSpelling.checked(host) == host, "\(text) is \(host), and that another host")
    check(table.unusableKey == nil && table[host] == 1, "\(text) is not found in a table")
    let written = host.contains(":") ? "[\(host)]" : host
    guard let url = URL(string: "https://\(written)/", encodingInvalidCharacters: false) else {
        return violation("\(host) is a host, and of no URL")
    }
    check((try? HTTPRequest(url: url).checkForWire()) != nil, "\(host) is a host, and can't be sent to")
    check(table[url.bracketedHost ?? ""] == 1, "\(url) is another host than \(text)")
    sameOrigin(url.absoluteString, url)
}

/// A quick check of a URL and the thorough one accept the same.
private func readRequestURL(_ text: String) {
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
        check(!text.isPlainURL, "\(text) is plain, and no URL")
        return
    }
    let isAccepted = (try? HTTPRequest(url: url).checkForWire()) != nil
    if text.isPlainURL {
        // A URL that was changed is checked part by part.
        var request = HTTPRequest(url: url)
        request.url = url
        check(isAccepted && (try? request.checkForWire()) != nil, "\(text) is plain, and can't be sent")
    }
    if isAccepted { sameOrigin(url.absoluteString, url) }
}

/// A proxy of the environment is one that can be used, or an error that shows nothing of the variable.
private func readProxies(_ text: String, _ input: FuzzInput) {
    let secret = "sesame-7341"
    let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard !text.contains("7341") else { return }
    let values = [
        "https_proxy": input.choices[1] & 1 == 0 ? lines[0] : "http://me:\(secret)\(lines[0])",
        "all_proxy": lines.dropFirst().first ?? "", "no_proxy": lines.dropFirst(2).first ?? "",
    ]
    let proxies = EnvironmentProxies { values[$0] }
    for outcome in [proxies.http, proxies.https] {
        switch outcome {
        case .success(let server?):
            check(server.problem == nil, "a proxy that can't be used: \(server.problem ?? "")")
            let peer = server.peer
            check(!peer.key.contains("7341") || server.host.contains("7341"), "a password is a part of the host")
            check(!"\(server)".contains(secret) || server.host.contains(secret), "a proxy shows its password")
            if let field = server.authorization {
                check(field.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "credentials that can't be sent")
            }
        case .success(nil): break
        case .failure(let error):
            check(error.reason == .proxyFailed, "\(error)")
            check(!error.message.contains("7341"), "an error shows a password: \(error.message)")
            check(error.message.utf8.count < 200, "an error shows the variable: \(error.message)")
        }
    }
    check(
        proxies.exceptions.allSatisfy { !$0.isEmpty && !$0.contains(",") && !$0.contains(" ") },
        "an exception of two",
    )
    let setting = ProxySetting(.environment) { values[$0] }
    let origin = HTTPOrigin(scheme: "https", host: "api.example", port: nil)
    let isException = ProxyExceptions(proxies.exceptions).contains(origin.host)
    do throws(TransportError) {
        let server = try setting.server(for: origin)
        if isException { check(server == nil, "a host without a proxy has one") }
    } catch {
        check(!isException, "a host without a proxy fails")
    }
}
#endif
