#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Scheme, host and port: what a credential is bound to.
///
/// [RFC 6454, section 4](https://www.rfc-editor.org/rfc/rfc6454#section-4)
package struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Makes an origin of parts in lower case; without a port, the scheme's own counts.
    package init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == "https" ? 443 : 80)
    }

    /// The origin of an absolute URL; `nil` where it has no scheme or host.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true)?.lowercased() else {
            return nil
        }
        let isBareAddress = host.contains(":") && !host.hasPrefix("[")
        self.init(scheme: scheme, host: isBareAddress ? "[\(host)]" : host, port: url.port)
    }

    package var description: String {
        port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
