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
    ///   - proxy: The transport's option.
    ///   - variable: Returns the value of an environment variable.
    init(
        _ proxy: HTTPProxy,
        variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } },
    ) {
        switch proxy.kind {
        case .none:
            (http, https, exceptions) = (.success(nil), .success(nil), ProxyExceptions([]))
        case .server(let server):
            let problem = server.problem.map { WireCause.proxyOption.error("HTTPProxy: \($0)") }
            http = problem.map { .failure($0) } ?? .success(server)
            https = http
            exceptions = ProxyExceptions(proxy.exceptions)
        case .environment:
            let named = EnvironmentProxies(variable)
            (http, https, exceptions) = (named.http, named.https, ProxyExceptions(named.exceptions))
        }
    }

    /// The proxy for an origin; `nil` if the origin is reached directly.
    ///
    /// - Throws: An error if the proxy for the origin can't be used.
    func server(for origin: HTTPOrigin) throws(TransportError) -> HTTPProxy.Server? {
        let server = origin.scheme == "https" ? https : http
        if case .success(nil) = server { return nil }
        return exceptions.contains(origin.host) ? nil : try server.get()
    }

}

// MARK: - The proxy's protocol

extension HTTPProxy.Server {
    /// Whether it forwards the requests for an origin, which have the whole URL, rather than opening a tunnel.
    func forwardsRequests(for origin: HTTPOrigin) -> Bool {
        origin.scheme == "http" && (scheme == .http || scheme == .https)
    }

    /// Whether it looks up hosts' names; if not, it needs an address.
    var looksUpNames: Bool { scheme != .socks4 && scheme != .socks5WithAddresses }

    /// The peer of a connection to it; its key differs from those of origins.
    var peer: Peer {
        Peer(unbracketedHost, port: UInt16(clamping: port), key: "proxy \(unbracketedHost.asciiLowercased):\(port)")
    }

    /// The value of `Proxy-Authorization` (RFC 7617); `nil` without credentials.
    ///
    /// It is sent with requests that the proxy forwards, and with CONNECT; never through a tunnel.
    var authorization: String? {
        credentials.map { credentials in
            "Basic " + Data("\(credentials.username):\(credentials.password.reveal())".utf8).base64EncodedString()
        }
    }

    /// The request target of a request that the proxy forwards (RFC 9112, section 3.2.2).
    static func target(of urlText: String) -> String {
        let url = urlText.byteSplit(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let parts = url.byteSplit(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return String(url) }
        let authority = parts[2].utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let rest = parts[2][authority.endIndex...]
        return "\(parts[0])//\(Substring(authority))" + (rest.hasBytePrefix("/") ? rest : "/\(rest)")
    }

    /// The handshake that opens a connection to an origin through the proxy, after any TLS handshake with the proxy.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - address: The origin's address, 4 or 16 bytes, if ``looksUpNames`` is false.
    /// - Returns: The handshake.
    /// - Throws: An error with the reason `proxyFailed` for a target that the proxy's protocol can't express.
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

/// The hosts that are reached without the proxy.
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

    /// Whether a host, as in a URL, is among them: by its name, a parent domain, or a network that contains it.
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

/// The prefix of a network; for a single address, all of its bits.
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
#endif
