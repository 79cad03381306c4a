/// Scheme, host and port; a credential is bound to an origin.
///
/// [RFC 6454, section 4](https://www.rfc-editor.org/rfc/rfc6454#section-4)
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case, an IPv6 address in brackets.
    public let host: String
    /// The port, also if it is the scheme's default.
    public let port: Int

    /// Makes an origin of parts in lower case; without a port, it has the scheme's default.
    public init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? Self.defaultPort(isSecure: scheme == "https")
    }

    /// The default port of `https` or of `http`.
    @inlinable
    public static func defaultPort(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

    /// The part of a URL that any error may show: `api.example:443`.
    public var hostAndPort: String { "\(host):\(port)" }

    /// Whether the port is the scheme's default.
    public var hasDefaultPort: Bool { port == Self.defaultPort(isSecure: scheme == "https") }

    /// The origin as in a URL, without a default port (section 6.2).
    public var description: String { hasDefaultPort ? "\(scheme)://\(host)" : "\(scheme)://\(hostAndPort)" }
}
