#if os(Linux)
public import HikyakuHTTP

/// The options of a ``WireTransport``, each with a default that suits most uses.
///
/// ```swift
/// var options = WireOptions(connectionsPerHostMax: 8)
/// options.unixSockets = ["docker": "/var/run/docker.sock"]
/// options.tls.trustedAuthorities = .systemAndFile("/etc/example/root.pem")
/// let client = APIClient(transport: WireTransport(options: options))
/// ```
public struct WireOptions: Sendable {
    /// How many requests may be in flight to one origin before others wait; no more connections to it are open.
    ///
    /// Default: 64.
    public var connectionsPerHostMax: Int
    /// How many requests may be in flight in all before others wait; no more idle connections are kept.
    ///
    /// Default: 1,024.
    public var requestsInFlightMax: Int
    /// How many requests may wait; one more ends with ``HikyakuHTTP/FailureReason/queueFull``.
    ///
    /// Of those for the same origin, the one with the highest task priority is next, and among equals the oldest. Every
    /// fourth is the oldest of all.
    ///
    /// Default: 10,000.
    public var queuedRequestsMax: Int
    /// How long a connection is kept without a request.
    ///
    /// Default: 60 seconds.
    public var idleAgeMax = Duration.seconds(60)

    /// Trusted authorities, pins and client certificates.
    public var tls = TLSOptions()
    /// Whether HTTP/2 is offered to servers over TLS; those that choose it carry several requests on one connection.
    ///
    /// Default: `true`.
    public var offersHTTP2 = true
    /// The proxies; by default those in the environment's variables.
    public var proxy = HTTPProxy.environment
    /// The paths of Unix domain sockets, by host, to which requests go instead of to the network.
    ///
    /// With `["docker": "/var/run/docker.sock"]`, a request to `http://docker/info` goes to that socket.
    ///
    /// Hosts are named as in ``HikyakuHTTP/TLSOptions/pins``. Such a host needs no address and no proxy.
    public var unixSockets: [String: String] = [:]
    /// The addresses of hosts that aren't looked up: `["api.example": ["127.0.0.1", "::1"]]`, for tests and for names
    /// that DNS does not have.
    ///
    /// Certificates are still verified against the host's name. Hosts are named as in
    /// ``HikyakuHTTP/TLSOptions/pins``; one without an address is ``HikyakuHTTP/FailureReason/hostNotFound``. An
    /// address of IPv6 may have a zone, `fe80::1%eth0`. Where a proxy looks up the names, this has no effect.
    public var hostAddresses: [String: [String]] = [:]

    /// Makes options; what isn't given has its default.
    public init(connectionsPerHostMax: Int = 64, requestsInFlightMax: Int = 1024, queuedRequestsMax: Int = 10_000) {
        self.connectionsPerHostMax = connectionsPerHostMax
        self.requestsInFlightMax = requestsInFlightMax
        self.queuedRequestsMax = queuedRequestsMax
    }
}

extension ConnectionSettings {
    init(_ options: WireOptions) {
        self.init(options.tls, options.proxy, unixSockets: options.unixSockets, addresses: options.hostAddresses)
    }
}
#endif
