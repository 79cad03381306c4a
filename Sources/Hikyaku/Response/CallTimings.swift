/// How long the parts of a call took, and what went over the wire.
///
/// Only ``total`` is of the whole call. All else is of the exchange that began last, which is the one that answered
/// unless attempts ran side by side: a redirect or an attempt before it counts in the total alone. What the transport
/// doesn't tell is `nil`, and so is everything but the total for a stub.
public struct CallTimings: Sendable, Hashable {
    /// From the call to the decoded value.
    public var total: Duration
    /// How long the request waited for its turn, because of the transport's limits; `nil` where it came at once.
    public var queued: Duration?
    /// Finding the host's addresses; `nil` over a connection that was kept.
    public var nameLookup: Duration?
    /// From the addresses to an open connection, to the host or its proxy; `nil` over a connection that was kept.
    public var connect: Duration?
    /// The TLS handshake; `nil` without TLS, and over a connection that was kept.
    public var tls: Duration?
    /// From the connection being there to the request's last byte.
    public var request: Duration?
    /// From the request's last byte to the first of the response: as a rule what the service takes, and one round trip.
    public var firstByte: Duration?
    /// From the first byte of the response to its last; `nil` for a streamed body, which comes later.
    public var body: Duration?
    /// Whether the connection was open already.
    public var isConnectionReused: Bool?
    /// The protocol as ALPN names it: `http/1.1` or `h2`.
    public var protocolName: String?
    /// The size of the request's body in bytes; `nil` where none was sent.
    public var bytesSent: Int?
    /// The size of the response's body in bytes as it was on the wire, before content codings are undone; `nil` where
    /// none came.
    public var bytesReceived: Int?

    /// Makes timings of a total; the rest is to be set, in tests of what takes them.
    public init(total: Duration) {
        self.total = total
    }
}

extension CallTimings: CustomStringConvertible {
    /// The parts that are known in milliseconds: `total 12.3 ms, waiting 8.1 ms`.
    public var description: String {
        let parts: [(String, Duration?)] = [
            ("total", total), ("queued", queued), ("name", nameLookup), ("connect", connect), ("TLS", tls),
            ("request", request),
            ("waiting", firstByte), ("body", body),
        ]
        return parts.compactMap { name, duration in duration.map { "\(name) \($0.milliseconds) ms" } }
            .joined(separator: ", ")
    }
}
