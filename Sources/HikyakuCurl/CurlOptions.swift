#if os(Linux)
import HikyakuHTTP

/// What a ``CurlTransport`` is made with, each with a default that needs no thought.
public struct CurlOptions: Sendable {
    /// How many requests may be on their way to one origin before others wait, while it speaks HTTP/1.1: at most so
    /// many connections to it are open.
    ///
    /// A name's look-up can't be stopped. A request that is cancelled, or whose time is over, while its host's name is
    /// looked up ends at once, but keeps its place here until the system has given up the look-up, and with it the
    /// thread that waits for that. So a resolver that doesn't answer can't make threads pile up: further requests to
    /// the origin wait. Default: 64.
    public var connectionsPerHostMax: Int
    /// How many requests may be on their way in all before others wait.
    ///
    /// So many threads there are at most that look up names; one that lasts longer than its request counts as well
    /// (``connectionsPerHostMax``), unless the name is looked up for a SOCKS proxy. Default: 1,024.
    public var requestsInFlightMax: Int
    /// How many requests may wait; one more ends with ``HikyakuHTTP/FailureReason/queueFull``.
    ///
    /// Default: 10,000.
    public var queuedRequestsMax: Int

    /// Whom the transport trusts over TLS, and as whom it speaks.
    public var tls = TLSOptions()
    /// Whether HTTP/2 is offered over TLS.
    ///
    /// A server that takes it gets up to 100 requests at once over one connection, and further ones wait. Through a
    /// proxy, HTTP/1.1 is spoken. A response that is streamed comes over HTTP/1.1 even so, since libcurl would take up
    /// to 32 MiB of it into memory while its reader is slow and others share the connection. Default: `true`.
    public var offersHTTP2 = true
    /// Through whom hosts are reached; by default through the proxies that the environment names.
    public var proxy = HTTPProxy.environment
    /// The paths of Unix domain sockets to which requests go instead of to the network, by host: `["docker":
    /// "/var/run/docker.sock"]` serves `http://docker/info`.
    ///
    /// Hosts are named as in ``HikyakuHTTP/TLSOptions/pins``. Such a host needs no address, and no proxy is asked.
    public var unixSockets: [String: String] = [:]
    /// The addresses of hosts that aren't looked up: `["api.example": ["127.0.0.1", "::1"]]`, for tests and for names
    /// that stand in no directory.
    ///
    /// Certificates are verified against the host's name all the same. Hosts are named as in
    /// ``HikyakuHTTP/TLSOptions/pins``; one without an address is ``HikyakuHTTP/FailureReason/hostNotFound``. It has no
    /// say where a proxy looks up the names.
    public var hostAddresses: [String: [String]] = [:]

    /// Makes options; what isn't given has its default.
    public init(connectionsPerHostMax: Int = 64, requestsInFlightMax: Int = 1024, queuedRequestsMax: Int = 10_000) {
        self.connectionsPerHostMax = connectionsPerHostMax
        self.requestsInFlightMax = requestsInFlightMax
        self.queuedRequestsMax = queuedRequestsMax
    }
}
#endif
