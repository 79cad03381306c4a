#if os(Linux)
import FoundationEssentials
import HikyakuBase
import HikyakuHTTP

/// One origin and the options for it; made once for all its calls.
final class Site: Sendable {
    let peer: Peer
    let isSecure: Bool
    /// The host with the port, the only part of a URL that errors show: `api.example:443`.
    let hostAndPort: String
    /// The options for the host; an error if they can't be used.
    let rules: Result<HostRules, TransportError>
    /// Whether a proxy forwards the requests, rather than opening a tunnel.
    let isForwarded: Bool

    /// - Parameters:
    ///   - url: A URL of the origin, checked for the wire.
    ///   - key: The result of ``key(of:)`` for it.
    ///   - settings: The transport's options.
    init(_ url: RequestURL, key: String, _ settings: ConnectionSettings) {
        let authority = Substring(url.text.utf8.prefix(url.prefixEnd).dropFirst(url.authority))
        let (host, port) = Self.split(String(authority))
        isSecure = url.isSecure
        let scheme = isSecure ? "https" : "http"
        let origin = HTTPOrigin(scheme: scheme, host: host.asciiLowercased, port: port.map { Int($0) })
        peer = Peer(host, port: UInt16(clamping: origin.port), key: key)
        hostAndPort = origin.hostAndPort
        rules = Result { () throws(TransportError) in try settings.rules(for: origin) }
        isForwarded = (try? rules.get())?.proxy?.forwardsRequests(for: origin) ?? false
    }

    /// The origin that a proxy connects to.
    var origin: HTTPOrigin {
        // A zone has no meaning on another machine.
        let host = peer.verifiedHost.hasByte(":") ? "[\(peer.verifiedHost)]" : peer.verifiedHost
        return HTTPOrigin(scheme: isSecure ? "https" : "http", host: host, port: Int(peer.port))
    }

    var proxy: HTTPProxy.Server? { (try? rules.get())?.proxy }
    /// Whether the connection to the origin or to its proxy uses TLS.
    var usesTLS: Bool { isSecure || proxy?.scheme == .https }

    /// The key of a URL's origin.
    static func key(of url: RequestURL) -> String {
        let prefix = String(Substring(url.text.utf8.prefix(url.prefixEnd)))
        // The name of a zone is case-sensitive.
        let key = prefix.hasByte("%") ? prefix : prefix.asciiLowercased
        let port = "\(url.defaultPort)"
        return key.hasByteSuffix(port) ? String(Substring(key.utf8.dropLast(port.utf8.count))) : key
    }

    /// The error with the names of the origin and of a proxy in its message.
    func error(_ error: TransportError) -> TransportError {
        var error = error
        error.message = "\(place): \(error.message)"
        return error
    }

    private var place: String {
        proxy.map { "\(hostAndPort) through the proxy \($0.host):\($0.port)" } ?? hostAndPort
    }

    func error(_ cause: WireCause, _ text: String, _ underlyingError: WireError? = nil) -> TransportError {
        error(cause.error(text, underlyingError: underlyingError))
    }

    /// The host with the brackets of an address, and the port if there is one.
    private static func split(_ authority: String) -> (host: String, port: UInt16?) {
        let bytes = authority.utf8
        let afterAddress = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        guard let colon = bytes[afterAddress...].lastIndex(of: UInt8(ascii: ":")) else { return (authority, nil) }
        let port = UInt16(String(Substring(bytes[bytes.index(after: colon)...])))
        return (String(Substring(bytes[..<colon])), port)
    }
}

/// The options for a transport's connections, prepared once.
struct ConnectionSettings: Sendable {
    private let proxy: ProxySetting
    private let unverifiedHosts: HostTable<Bool>
    private let pins: HostTable<Result<Set<Data>, TransportError>>
    private let certificates: HostTable<ClientIdentityFiles>
    private let unixSockets: HostTable<String>
    private let addresses: HostTable<[String]>
    private let tlsProblem: TransportError?
    private let wayProblem: TransportError?

    /// - Parameters:
    ///   - tls: The transport's options for TLS.
    ///   - proxy: Its proxies.
    ///   - unixSockets: The paths of Unix domain sockets, by host.
    ///   - addresses: The addresses of hosts that are not looked up.
    init(_ tls: TLSOptions, _ proxy: HTTPProxy, unixSockets: [String: String], addresses: [String: [String]]) {
        self.proxy = ProxySetting(proxy)
        unverifiedHosts = HostTable(Dictionary(tls.unverifiedHosts.map { ($0, true) }) { first, _ in first })
        pins = HostTable(tls.pins.mapValues(PublicKeyPins.hashes))
        certificates = HostTable(tls.clientCertificates.mapValues { ClientIdentityFiles($0) })
        self.unixSockets = HostTable(unixSockets)
        self.addresses = HostTable(addresses)
        tlsProblem = Self.problem(
            .tlsOption,
            of: [
                ("TLSOptions.pins", pins.unusableKey), ("TLSOptions.clientCertificates", certificates.unusableKey),
                ("TLSOptions: a host that isn't verified", unverifiedHosts.unusableKey),
            ],
        )
        wayProblem =
            Self.problem(.addressOption, of: [("WireOptions.hostAddresses", self.addresses.unusableKey)])
            ?? Self.problem(.socketOption, of: [("WireOptions.unixSockets", self.unixSockets.unusableKey)])
    }

    /// The error for a key that is not a host; ignored silently, its options would apply to no host.
    private static func problem(_ cause: WireCause, of keys: [(String, String?)]) -> TransportError? {
        for case (let name, let key?) in keys {
            let text = "is not a host name, an IP address or a pattern such as *.example.com"
            return cause.error("\(name): \"\(key.prefix(100))\" \(text)")
        }
        return nil
    }

    /// The options for one host.
    ///
    /// - Throws: An error if they can't be used, so that no weaker options are used instead.
    func rules(for origin: HTTPOrigin) throws(TransportError) -> HostRules {
        if let problem = origin.scheme == "https" ? tlsProblem ?? wayProblem : wayProblem { throw problem }
        var rules = HostRules()
        if let path = unixSockets[origin.host] {
            guard let address = SocketAddress(unixPath: path) else {
                let text = "WireOptions.unixSockets: a path has 1 to 107 bytes and no NUL"
                throw WireCause.socketOption.error(text)
            }
            (rules.addresses, rules.unixPath) = ([address], path)
        } else {
            rules.proxy = try proxy.server(for: origin)
        }
        let isLookedUpHere = rules.addresses == nil && rules.proxy?.looksUpNames != true
        if isLookedUpHere, let own = addresses[origin.host] {
            guard !origin.host.hasByte(":") else {
                throw WireCause.addressOption.error("WireOptions.hostAddresses: an IPv6 address has no other")
            }
            rules.addresses = try Self.addresses(own, port: UInt16(clamping: origin.port))
        }
        guard origin.scheme == "https" else { return rules }
        rules.trust.isVerified = unverifiedHosts[origin.host] == nil
        rules.trust.pins = try pins[origin.host]?.get()
        rules.certificate = certificates[origin.host]
        return rules
    }

    private static func addresses(_ texts: [String], port: UInt16) throws(TransportError) -> [SocketAddress] {
        guard !texts.isEmpty else {
            throw WireCause.addressOption.error("WireOptions.hostAddresses: the host has no address")
        }
        var addresses: [SocketAddress] = []
        for text in texts {
            guard isAddress(text), let address = SocketAddress.numeric(text, port: port).first else {
                throw WireCause.addressOption.error("WireOptions.hostAddresses: an entry is not an IP address")
            }
            addresses.append(address)
        }
        return addresses
    }

    /// Whether it is an address in its usual spelling; the system checks a zone.
    private static func isAddress(_ text: String) -> Bool {
        let withoutZone = String(text.byteSplit(separator: "%", maxSplits: 1).first ?? "")
        return IPAddress.bytes(of: text) != nil || IPAddress.bytes(of: withoutZone)?.count == 16
    }
}

/// The options for one host.
struct HostRules: Sendable {
    var trust = PeerTrust()
    var certificate: ClientIdentityFiles?
    /// The host's addresses if the options state them; then the host is not looked up.
    var addresses: [SocketAddress]?
    /// The path of the host's Unix domain socket.
    var unixPath: String?
    /// The proxy through which it is reached.
    var proxy: HTTPProxy.Server?
}
#endif
