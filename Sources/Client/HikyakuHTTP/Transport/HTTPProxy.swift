import HikyakuBase

/// The proxy through which a transport reaches the hosts.
///
/// ```swift
/// let proxy = HTTPProxy.http(host: "proxy.example", port: 3128, exceptions: ["localhost", ".internal"])
/// // WireOptions have it on Linux, and URLSessionTransport(tls:proxy:) takes it on Apple's platforms.
/// ```
/// Requests to `https` go through a tunnel (CONNECT), so that the proxy sees only host and port. Requests to `http`
/// are readable to a proxy of the kinds ``http(host:port:credentials:exceptions:)`` and
/// ``https(host:port:credentials:exceptions:)``. A proxy's credentials never go to the hosts. The proxy looks up the
/// hosts' names.
///
/// A proxy that can't be reached, isn't trusted, or refuses to open a connection fails the request with
/// ``FailureReason/proxyFailed``; its response to CONNECT is never returned as the response.
public struct HTTPProxy: Sendable, Hashable {
    /// The client's credentials for a proxy.
    ///
    /// ```swift
    /// let credentials = HTTPProxy.Credentials(username: "reader", password: Secret(password))
    /// let proxy = HTTPProxy.https(host: "proxy.example", port: 443, credentials: credentials)
    /// ```
    public struct Credentials: Sendable, Hashable {
        /// The name, without a colon.
        public var username: String
        /// The password.
        public var password: Secret<String>

        /// Makes credentials of a name and its password.
        public init(username: String, password: Secret<String>) {
            self.username = username
            self.password = password
        }
    }

    package enum Kind: Sendable, Hashable {
        case environment, none
        case server(Server)
    }

    /// One proxy; its parts are checked before it is used.
    package struct Server: Sendable, Hashable {
        package let scheme: Scheme
        package let host: String
        package let port: Int
        package let credentials: Credentials?
    }

    /// The protocol of a proxy; only the environment can name the last three.
    package enum Scheme: String, Sendable, CaseIterable {
        case http, https
        case socks5 = "socks5h"
        case socks4, socks4a
        /// The client looks up the hosts' names.
        case socks5WithAddresses = "socks5"
    }

    package let kind: Kind
    package let exceptions: [String]

    /// The proxies in the environment's variables: `https_proxy`, `http_proxy` and `all_proxy`, except for the hosts in
    /// `no_proxy`; all except `http_proxy` also in upper case.
    ///
    /// They are read when the transport sends its first request. A value is a URL, `http://name:password@host:port`,
    /// with the scheme `http` (the default), `https`, `socks4`, `socks4a`, `socks5` or `socks5h`. An unusable value
    /// fails the requests that would go through the proxy with ``FailureReason/proxyFailed``.
    public static let environment = HTTPProxy(kind: .environment, exceptions: [])

    /// No proxy, regardless of the environment.
    public static let none = HTTPProxy(kind: .none, exceptions: [])

    /// A proxy over plain HTTP, as nearly all are.
    ///
    /// - Parameters:
    ///   - host: Its name or address, without a scheme.
    ///   - port: Where it listens.
    ///   - credentials: Sent by the scheme Basic, readable to anyone who can read the connection to the proxy.
    ///   - exceptions: Hosts that are reached without it: names, which include their subdomains, addresses, and
    ///     networks such as `10.0.0.0/8`; `*` for all.
    /// - Returns: What to set as a transport's proxy.
    public static func http(
        host: String,
        port: Int,
        credentials: Credentials? = nil,
        exceptions: [String] = [],
    ) -> HTTPProxy {
        HTTPProxy(Server(scheme: .http, host: host, port: port, credentials: credentials), exceptions)
    }

    /// A proxy over TLS; its certificate is verified against the same authorities as a server's.
    ///
    /// - Parameters:
    ///   - host: Its name or address, without a scheme.
    ///   - port: Where it listens.
    ///   - credentials: Sent by the scheme Basic, inside of the connection to the proxy.
    ///   - exceptions: Hosts that are reached without it, as for ``http(host:port:credentials:exceptions:)``.
    /// - Returns: What to set as a transport's proxy.
    public static func https(
        host: String,
        port: Int,
        credentials: Credentials? = nil,
        exceptions: [String] = [],
    ) -> HTTPProxy {
        HTTPProxy(Server(scheme: .https, host: host, port: port, credentials: credentials), exceptions)
    }

    /// A SOCKS5 proxy, which forwards connections without reading them, and looks up names (`socks5h`).
    ///
    /// [RFC 1928](https://www.rfc-editor.org/rfc/rfc1928), with credentials as in
    /// [RFC 1929](https://www.rfc-editor.org/rfc/rfc1929).
    ///
    /// - Parameters:
    ///   - host: Its name or address, without a scheme.
    ///   - port: Where it listens.
    ///   - credentials: Sent unencrypted, readable to anyone who can read the connection to the proxy.
    ///   - exceptions: Hosts that are reached without it, as for ``http(host:port:credentials:exceptions:)``.
    /// - Returns: What to set as a transport's proxy.
    public static func socks5(
        host: String,
        port: Int,
        credentials: Credentials? = nil,
        exceptions: [String] = [],
    ) -> HTTPProxy {
        HTTPProxy(Server(scheme: .socks5, host: host, port: port, credentials: credentials), exceptions)
    }
}

extension HTTPProxy {
    private init(_ server: Server, _ exceptions: [String]) {
        self.init(kind: .server(server), exceptions: exceptions)
    }
}

extension HTTPProxy.Server {
    /// Why a transport can't use it, without any part of it; `nil` if it can.
    package var problem: String? {
        let name = unbracketedHost
        guard name.isHostName || name.isIPLiteral else { return "the host is not a name or an address" }
        guard 1...65535 ~= port else { return "the port is not in 1...65535" }
        if let credentials {
            let (name, password) = (credentials.username.utf8, credentials.password.reveal().utf8)
            guard !name.contains(0), !password.contains(0), !name.contains(UInt8(ascii: ":")) else {
                return "the credentials contain a NUL, or the name contains a colon"
            }
        }
        return nil
    }

    /// The host without an IPv6 address's brackets.
    package var unbracketedHost: String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
