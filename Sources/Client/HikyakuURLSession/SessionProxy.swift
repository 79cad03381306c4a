import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Network)
import Network
#endif

/// How a session reaches hosts, as far as Apple's platforms have settings for it.
enum SessionProxy: Equatable {
    /// The system's proxies, or those of the configuration.
    case system
    case none
    /// A proxy for all hosts, except for these names and what is below them.
    case server(HTTPProxy.Server, excludedDomains: [String])

    /// - Throws: ``TransportError`` with ``FailureReason/proxyFailed`` for a proxy that can't be set.
    init(_ proxy: HTTPProxy) throws(TransportError) {
        switch proxy.kind {
        case .environment: self = .system
        case .none: self = .none
        case .server(let server):
            if let problem = server.problem { throw SessionCause.proxyOption.error("HTTPProxy: \(problem)") }
            guard [.http, .https, .socks5].contains(server.scheme) else {
                throw SessionCause.proxyOption.error("HTTPProxy: URLSession can't use \(server.scheme.rawValue)")
            }
            guard !proxy.exceptions.contains("*") else {
                self = .none
                return
            }
            if let network = proxy.exceptions.first(where: { $0.contains("/") }) {
                let text = "URLSession can't except a network such as \(network.prefix(100)), only hosts"
                throw SessionCause.proxyOption.error("HTTPProxy: \(text)")
            }
            // A dot at the front means the same as none.
            let domains = proxy.exceptions.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
            self = .server(server, excludedDomains: domains)
        }
    }
}

#if canImport(Network)
extension URLSessionConfiguration {
    func use(_ proxy: SessionProxy) {
        switch proxy {
        case .system: break
        case .none: (proxyConfigurations, connectionProxyDictionary) = ([], [:])
        case .server(let server, let excludedDomains):
            guard let port = NWEndpoint.Port(rawValue: UInt16(clamping: server.port)) else { return }
            let endpoint = NWEndpoint.hostPort(host: NWEndpoint.Host(server.unbracketedHost), port: port)
            var configuration =
                switch server.scheme {
                case .https: ProxyConfiguration(httpCONNECTProxy: endpoint, tlsOptions: NWProtocolTLS.Options())
                case .socks5: ProxyConfiguration(socksv5Proxy: endpoint)
                default: ProxyConfiguration(httpCONNECTProxy: endpoint)
                }
            // A host must not be reached without the proxy because the proxy has failed.
            configuration.allowFailover = false
            configuration.excludedDomains = excludedDomains
            if let credentials = server.credentials {
                configuration.applyCredential(
                    username: credentials.username,
                    password: credentials.password.reveal(),
                )
            }
            proxyConfigurations = [configuration]
        }
    }
}
#endif
