#if os(Linux)
import HikyakuHTTP

/// A proxy whose parts can be handed to libcurl as they are.
struct ProxySetting: Sendable {
    private let kind: HTTPProxy.Kind
    let exceptions: ProxyExceptions

    /// Refuses what libcurl would read as something else.
    static func checked(_ proxy: HTTPProxy) -> Result<ProxySetting, TransportError> {
        if let problem = problem(in: proxy) { return .failure(TransportError(.proxyFailed, "HTTPProxy: \(problem)")) }
        return .success(ProxySetting(kind: proxy.kind, exceptions: ProxyExceptions(proxy.exceptions)))
    }

    /// The proxy as a URL without credentials; empty for none, `nil` for what the environment says.
    var url: String? {
        switch kind {
        case .environment: return CurlLibrary.hasProxyInEnvironment ? nil : ""
        case .none: return ""
        case .server(let scheme, let host, let port, _):
            let name = Self.unbracketed(host)
            return "\(scheme.rawValue)://\(name.contains(":") ? "[\(name)]" : name):\(port)"
        }
    }

    /// How the proxy is spoken to; `nil` for none, and where the environment says it.
    var scheme: HTTPProxy.Scheme? {
        guard case .server(let scheme, _, _, _) = kind else { return nil }
        return scheme
    }

    var credentials: HTTPProxy.Credentials? {
        guard case .server(_, _, _, let credentials) = kind else { return nil }
        return credentials
    }

    private static func problem(in proxy: HTTPProxy) -> String? {
        guard case .server(_, let host, let port, let credentials) = proxy.kind else { return nil }
        let name = unbracketed(host)
        guard name.isHostName || name.isIPLiteral else { return "the host is no name or address" }
        guard 1...65535 ~= port else { return "the port is not in 1...65535" }
        if let credentials {
            guard credentials.username.isWithoutNUL, credentials.password.reveal().isWithoutNUL,
                !credentials.username.hasByte(":")
            else { return "the credentials hold a NUL, or the name a colon" }
        }
        return nil
    }

    private static func unbracketed(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
#endif
