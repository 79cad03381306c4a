#if os(Linux)
import HikyakuHTTP

/// What a transport's options say of its connections, looked at once and ready to be set on handles.
struct ConnectionSettings: Sendable {
    /// Why what the options say can't be used.
    typealias Problem = TransportError

    let trust: Result<Trust, Problem>
    let minimumVersion: TLSOptions.Version
    let offersHTTP2: Bool
    let proxy: ProxySetting

    private let unverifiedHosts: HostTable<Bool>
    private let pins: HostTable<Result<String, Problem>>
    private let certificates: HostTable<TLSOptions.ClientCertificate>
    private let unixSockets: HostTable<Result<String, Problem>>
    private let addresses: HostTable<Result<[String], Problem>>
    private let tlsProblem: Problem?
    private let wayProblem: Problem?
    /// Whether anything holds for some hosts alone.
    let hasHostRules: Bool

    init(_ options: CurlOptions) {
        let tls = options.tls
        trust = Trust.reading(tls.trustedAuthorities)
        minimumVersion = tls.minimumVersion
        offersHTTP2 = options.offersHTTP2
        proxy = ProxySetting(options.proxy)
        unverifiedHosts = HostTable(Dictionary(tls.unverifiedHosts.map { ($0, true) }) { first, _ in first })
        pins = HostTable(tls.pins.mapValues(PublicKeyPins.text))
        certificates = HostTable(tls.clientCertificates)
        unixSockets = HostTable(options.unixSockets.mapValues(UnixSocketPath.checked))
        addresses = HostTable(options.hostAddresses.mapValues(OwnAddresses.checked))
        tlsProblem = Self.problem(
            .tlsFailed,
            of: [
                ("TLSOptions.pins", pins.unusableKey), ("TLSOptions.clientCertificates", certificates.unusableKey),
                ("TLSOptions: a host that isn't verified", unverifiedHosts.unusableKey),
            ],
        )
        wayProblem =
            Self.problem(.hostNotFound, of: [("CurlOptions.hostAddresses", addresses.unusableKey)])
            ?? Self.problem(.connectionFailed, of: [("CurlOptions.unixSockets", unixSockets.unusableKey)])
        let hasTLSRules = !(unverifiedHosts.isEmpty && pins.isEmpty && certificates.isEmpty)
        hasHostRules = hasTLSRules || !unixSockets.isEmpty || !addresses.isEmpty || proxy.isInUse
    }

    /// What to say where something is said of what is no host, and would else silently hold for none.
    private static func problem(_ reason: FailureReason, of keys: [(String, String?)]) -> Problem? {
        for case (let name, let key?) in keys {
            let text = "\(name): \"\(key.prefix(100))\" is no name, address or *.name as it stands in a URL"
            return TransportError(reason, text)
        }
        return nil
    }

    /// What holds for one host, as libcurl has it out of the URL.
    ///
    /// - Throws: An error when what is said of it can't be used, so that nothing weaker takes its place.
    func rules(for origin: HTTPOrigin) throws(Problem) -> HostRules {
        if let problem = origin.scheme == "https" ? tlsProblem ?? wayProblem : wayProblem { throw problem }
        var rules = HostRules()
        rules.unixSocket = try unixSockets[origin.host]?.get()
        if rules.unixSocket == nil { rules.proxy = try proxy.server(for: origin) }
        if let addresses = try addresses[origin.host]?.get() {
            // libcurl's list is one of names, in which a colon ends the name.
            guard !origin.host.contains(":") else {
                throw TransportError(.hostNotFound, "CurlOptions.hostAddresses: an IPv6 address has no other")
            }
            rules.addresses = HostRules.Addresses(host: origin.host, port: origin.port, addresses)
        }
        guard origin.scheme == "https" else { return rules }
        rules.isVerified = unverifiedHosts[origin.host] == nil
        rules.pins = try pins[origin.host]?.get()
        rules.certificate = certificates[origin.host]
        return rules
    }
}

/// What of a transport's options holds for one host alone.
struct HostRules: Equatable {
    /// Where a host is, for one port, since libcurl asks for both.
    struct Addresses: Equatable {
        let host: String
        let port: Int
        let addresses: [String]

        init(host: String, port: Int, _ addresses: [String]) {
            self.host = host
            self.port = port
            self.addresses = addresses
        }
    }

    var isVerified = true
    /// The pins in libcurl's form.
    var pins: String?
    var certificate: TLSOptions.ClientCertificate?
    var unixSocket: String?
    var proxy: HTTPProxy.Server?
    var addresses: Addresses?
}

extension String {
    /// Whether a function of C that reads up to the first NUL reads all of it.
    var isWithoutNUL: Bool { !utf8.contains(0) }
}
#endif
