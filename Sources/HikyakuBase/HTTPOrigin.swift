/// Scheme, host and port: what a credential is bound to.
///
/// [RFC 6454, section 4](https://www.rfc-editor.org/rfc/rfc6454#section-4)
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case, an IPv6 address in brackets.
    public let host: String
    /// The port, which is stated nowhere if it is the scheme's own.
    public let port: Int

    /// Makes an origin of parts in lower case; without a port, the scheme's own counts.
    public init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? Self.defaultPort(isSecure: scheme == "https")
    }

    /// The port of `https` or of `http`.
    @inlinable
    public static func defaultPort(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

    /// What may be said of a URL in any error: `api.example:443`.
    public var hostAndPort: String { "\(host):\(port)" }

    /// Whether the port is the scheme's own.
    public var hasDefaultPort: Bool { port == Self.defaultPort(isSecure: scheme == "https") }

    /// As in a URL, without a port that is the scheme's own (section 6.2).
    public var description: String { hasDefaultPort ? "\(scheme)://\(host)" : "\(scheme)://\(hostAndPort)" }
}
