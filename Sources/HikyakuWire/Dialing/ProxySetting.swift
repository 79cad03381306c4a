#if os(Linux)
import HikyakuBase
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// Which proxy a request goes through, by the scheme of its URL and its host.
struct ProxySetting: Sendable {
    /// `nil` for none.
    private let http: Result<HTTPProxy.Server?, TransportError>
    private let https: Result<HTTPProxy.Server?, TransportError>
    private let exceptions: ProxyExceptions

    /// - Parameters:
    ///   - proxy: What the transport was given.
    ///   - variable: The value of a variable of the environment.
    init(
        _ proxy: HTTPProxy,
        variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } },
    ) {
        switch proxy.kind {
        case .none:
            (http, https, exceptions) = (.success(nil), .success(nil), ProxyExceptions([]))
        case .server(let server):
            let problem = server.problem.map { TransportError(.proxyFailed, "HTTPProxy: \($0)") }
            http = problem.map { .failure($0) } ?? .success(server)
            https = http
            exceptions = ProxyExceptions(proxy.exceptions)
        case .environment:
            let named = EnvironmentProxies(variable)
            (http, https, exceptions) = (named.http, named.https, ProxyExceptions(named.exceptions))
        }
    }

    /// The proxy for an origin; `nil` where it is reached directly.
    ///
    /// - Throws: An error when the proxy that would be used can't be.
    func server(for origin: HTTPOrigin) throws(TransportError) -> HTTPProxy.Server? {
        let server = origin.scheme == "https" ? https : http
        if case .success(nil) = server { return nil }
        return exceptions.contains(origin.host) ? nil : try server.get()
    }

}

// MARK: - What a proxy is sent

extension HTTPProxy.Server {
    /// Whether it gets the requests for an origin themselves, with whole URLs, rather than a connection to pass on.
    func forwardsRequests(for origin: HTTPOrigin) -> Bool {
        origin.scheme == "http" && (scheme == .http || scheme == .https)
    }

    /// Whether it looks up hosts' names; if not, it is to be given an address.
    var looksUpNames: Bool { scheme != .socks4 && scheme != .socks5WithAddresses }

    /// Whom a connection to it leads to; its key is no origin's.
    var peer: Peer {
        Peer(unbracketedHost, port: UInt16(clamping: port), key: "proxy \(unbracketedHost.asciiLowercased):\(port)")
    }

    /// The value of `Proxy-Authorization` (RFC 7617); `nil` without credentials.
    ///
    /// It belongs in a request that the proxy forwards, and in CONNECT; never in what goes through a tunnel.
    var authorization: String? {
        credentials.map { credentials in
            "Basic " + Data("\(credentials.username):\(credentials.password.reveal())".utf8).base64EncodedString()
        }
    }

    /// What stands on the request line of a request that the proxy forwards (RFC 9112, section 3.2.2).
    static func target(of urlText: String) -> String {
        let url = urlText.byteSplit(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let parts = url.byteSplit(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return String(url) }
        let authority = parts[2].utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let rest = parts[2][authority.endIndex...]
        return "\(parts[0])//\(Substring(authority))" + (rest.hasBytePrefix("/") ? rest : "/\(rest)")
    }

    /// What opens a connection to an origin through the proxy.
    ///
    /// - Parameters:
    ///   - origin: Where the connection is to lead.
    ///   - address: The origin's address, 4 or 16 bytes, where ``looksUpNames`` is false.
    /// - Returns: The handshake, which comes behind TLS where the proxy is spoken to over it.
    /// - Throws: An error with the reason `proxyFailed` for what can't be said in the proxy's protocol.
    func handshake(to origin: HTTPOrigin, address: [UInt8]? = nil) throws(TransportError) -> any ProxyHandshake {
        switch scheme {
        case .http, .https:
            return ConnectHandshake(to: origin, authorization: authorization)
        case .socks5, .socks5WithAddresses:
            return try Socks5Handshake(to: SocksTarget(origin, address: address), credentials)
        case .socks4, .socks4a:
            return try Socks4Handshake(to: SocksTarget(origin, address: address), user: credentials?.username ?? "")
        }
    }
}

// MARK: - Hosts without a proxy

/// Which hosts are reached without the proxy.
struct ProxyExceptions: Sendable {
    private var names: Set<String> = []
    private var networks: [Network] = []
    private var isEmpty = true

    init(_ exceptions: [String]) {
        for exception in exceptions {
            isEmpty = false
            let text = String(Substring(exception.utf8.drop { $0 == UInt8(ascii: ".") }))
            if let network = Network(HostSpelling.normal(text)) ?? Network(exception) {
                networks.append(network)
            } else {
                names.insert(HostSpelling.checked(text) ?? text)
            }
        }
    }

    /// Whether a host, as it stands in a URL, is among them: by its name, one above it, or a network it is in.
    func contains(_ host: String) -> Bool {
        guard !isEmpty else { return false }
        if names.contains("*") { return true }
        let host = HostSpelling.normal(host)
        if let address = Network(host) { return networks.contains { $0.contains(address) } }
        var rest = host[...]
        while !rest.isEmpty {
            if names.contains(String(rest)) { return true }
            rest = rest.firstByteIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? ""
        }
        return false
    }
}

/// Some first bits of an IP address; all of them for the address itself.
private struct Network: Sendable {
    private let bytes: [UInt8]
    private let bitCount: Int

    /// Reads `10.0.0.0/8`, `10.1.2.3`, `fe80::/10`, `::1` and `[::1]`.
    init?(_ text: String) {
        let parts = text.byteSplit(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = IPAddress.bytes(of: String(parts[0])) else { return nil }
        self.bytes = bytes
        guard parts.count == 2 else {
            bitCount = bytes.count * 8
            return
        }
        guard let count = Int(parts[1]), 0...(bytes.count * 8) ~= count else { return nil }
        bitCount = count
    }

    func contains(_ other: Network) -> Bool {
        guard bytes.count == other.bytes.count, other.bitCount >= bitCount else { return false }
        let whole = bitCount / 8
        guard bytes[..<whole] == other.bytes[..<whole] else { return false }
        let mask = ~(UInt8.max >> (bitCount % 8))
        return bitCount % 8 == 0 || bytes[whole] & mask == other.bytes[whole] & mask
    }
}

enum IPAddress {
    /// The 4 or 16 bytes of an address as it is written, with or without brackets; `nil` for what is none.
    static func bytes(of text: String) -> [UInt8]? {
        let isBracketed = text.hasBytePrefix("[") && text.hasByteSuffix("]")
        let text = isBracketed ? String(Substring(text.utf8.dropFirst().dropLast())) : text
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
        return inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes[..<4]) : nil
    }
}
#endif
