#if os(Linux)
/// Whether an origin is trusted to answer a request that is sent once more.
///
/// Where kept connections turn out to be dead again and again, each such request is sent twice. So is one that a server
/// refuses because its limit has changed, or because it requires HTTP/1.1. Each of them costs what ten responses have
/// earned. Without trust, no connection of HTTP/1.1 is kept, and over HTTP/2 requests are sent again only by the
/// client's retries.
struct ReuseTrust {
    private static let max = 20
    private static let lossCost = 10
    /// When a server ends, it may take 64 requests with it: for five responses each, nothing is kept then.
    private static let min = -320
    private var level = max

    var isGiven: Bool { level >= Self.lossCost }

    /// Notes a complete response.
    mutating func earn() {
        if level < Self.max { level += 1 }
    }

    /// Notes that a request is sent once more.
    mutating func lose() {
        level = Swift.max(level - Self.lossCost, Self.min)
    }
}
#endif
