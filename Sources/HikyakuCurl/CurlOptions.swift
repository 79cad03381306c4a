#if os(Linux)
/// What a ``CurlTransport`` is made with, each with a default that needs no thought.
public struct CurlOptions: Sendable {
    /// How many requests may be on their way to one origin before others wait, while it speaks HTTP/1.1: at most so
    /// many connections to it are open.
    ///
    /// Default: 64.
    public var connectionsPerHostMax: Int
    /// How many requests may be on their way in all before others wait.
    ///
    /// Default: 1,024.
    public var requestsInFlightMax: Int
    /// How many requests may wait; one more ends with ``HikyakuHTTP/FailureReason/queueFull``.
    ///
    /// Default: 10,000.
    public var queuedRequestsMax: Int

    /// Makes options; what isn't given has its default.
    public init(connectionsPerHostMax: Int = 64, requestsInFlightMax: Int = 1024, queuedRequestsMax: Int = 10_000) {
        self.connectionsPerHostMax = connectionsPerHostMax
        self.requestsInFlightMax = requestsInFlightMax
        self.queuedRequestsMax = queuedRequestsMax
    }
}
#endif
