#if os(Linux)
import HikyakuHTTP

/// What a ``WireTransport`` is made with, each with a default that needs no thought.
public struct WireOptions: Sendable {
    /// How many requests may be in flight to one origin before others wait; at most so many connections to it are open.
    ///
    /// Default: 64.
    public var connectionsPerHostMax: Int
    /// How many requests may be in flight in all before others wait; at most so many idle connections are kept.
    ///
    /// Default: 1,024.
    public var requestsInFlightMax: Int
    /// How many requests may wait; one more ends with ``HikyakuHTTP/FailureReason/queueFull``.
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
    /// The proxies; by default those that the environment names.
    public var proxy = HTTPProxy.environment
    /// The paths of Unix domain sockets to which requests go instead of to the network, by host: `["docker":
    /// "/var/run/docker.sock"]` serves `http://docker/info`.
    ///
    /// Hosts are named as in ``HikyakuHTTP/TLSOptions/pins``. Such a host needs no address and no proxy.
    public var unixSockets: [String: String] = [:]
    /// The addresses of hosts that aren't looked up: `["api.example": ["127.0.0.1", "::1"]]`, for tests and for names
    /// that no directory has.
    ///
    /// Certificates are verified against the host's name all the same. Hosts are named as in
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
#endif
