#if os(Linux)
import Glibc
import HikyakuHTTP

/// Which proxy a request goes through, by the scheme of its URL and its host.
struct ProxySetting: Sendable {
    typealias Problem = TransportError

    /// `nil` for none.
    private let http: Result<HTTPProxy.Server?, Problem>
    private let https: Result<HTTPProxy.Server?, Problem>
    private let exceptions: ProxyExceptions

    init(_ proxy: HTTPProxy) {
        switch proxy.kind {
        case .none:
            self.init(.success(nil), .success(nil), [])
        case .server(let server):
            let problem = server.problem.map { TransportError(.proxyFailed, "HTTPProxy: \($0)") }
            let checked = problem.map { .failure($0) } ?? Result.success(server as HTTPProxy.Server?)
            self.init(checked, checked, proxy.exceptions)
        case .environment:
            let named = EnvironmentProxies { name in getenv(name).map { String(cString: $0) } }
            self.init(named.http, named.https, named.exceptions)
        }
    }

    private init(
        _ http: Result<HTTPProxy.Server?, Problem>,
        _ https: Result<HTTPProxy.Server?, Problem>,
        _ exceptions: [String],
    ) {
        self.http = http
        self.https = https
        self.exceptions = ProxyExceptions(exceptions)
    }

    /// The proxy for an origin; `nil` where it is reached directly.
    ///
    /// - Throws: An error when the proxy that would be used can't be.
    func server(for origin: HTTPOrigin) throws(Problem) -> HTTPProxy.Server? {
        let server = origin.scheme == "https" ? https : http
        if case .success(nil) = server { return nil }
        return exceptions.contains(origin.host) ? nil : try server.get()
    }

    /// Whether any request may go through a proxy.
    var isInUse: Bool {
        if case .success(nil) = http, case .success(nil) = https { return false }
        return true
    }

    /// Whether a proxy may be reached over TLS, whatever the scheme of the request.
    var usesTLS: Bool { [http, https].contains { (try? $0.get())?.scheme == .https } }
}
#endif
