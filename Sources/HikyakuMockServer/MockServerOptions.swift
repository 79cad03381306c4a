/// The port and the bounds of a ``MockServer``.
public struct MockServerOptions: Sendable, Hashable {
    /// The port to listen on; 0 has the system choose a free one.
    public var port: UInt16
    /// The largest body of a request, in bytes; a larger one is answered with 413.
    public var bodyBytesMax: Int
    /// How many connections are served at once; further ones wait until one of them ends.
    public var connectionsMax: Int
    /// How long a connection may be silent between and inside requests, or take nothing of what is sent, before it is
    /// closed.
    public var idleTimeMax: Duration
    /// How many requests are kept for assertions; older ones are forgotten first.
    public var recordedRequestsMax: Int

    /// Makes options; each has a default.
    public init(
        port: UInt16 = 0,
        bodyBytesMax: Int = 64 * 1024 * 1024,
        connectionsMax: Int = 256,
        idleTimeMax: Duration = .seconds(60),
        recordedRequestsMax: Int = 10_000,
    ) {
        self.port = port
        self.bodyBytesMax = bodyBytesMax
        self.connectionsMax = connectionsMax
        self.idleTimeMax = idleTimeMax
        self.recordedRequestsMax = recordedRequestsMax
    }
}
