import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPOrigin {
    /// The origin of an absolute URL; `nil` where it has no scheme or host.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.bracketedHost?.lowercased() else { return nil }
        self.init(scheme: scheme, host: host, port: url.port)
    }

    /// Whether it is on this machine, where nobody reads along: `localhost`, `127.0.0.0/8` and `::1`, in any spelling.
    ///
    /// [RFC 8252, section 8.3](https://www.rfc-editor.org/rfc/rfc8252#section-8.3)
    package var isLoopback: Bool {
        let host = HostSpelling.normal(host)
        // Four numbers are an address: a name can't end in one.
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || isAddress && numbers[0] == "127"
    }

    /// Whether nobody on the way can read what is sent: over TLS, or to this machine.
    package var isConfidential: Bool { scheme == "https" || isLoopback }
}

extension URL {
    /// The host as it stands in a URL: Foundation leaves the brackets of an IPv6 address out.
    package var bracketedHost: String? {
        guard let host = writtenHost else { return nil }
        return host.hasByte(":") && !host.hasBytePrefix("[") ? "[\(host)]" : host
    }

    /// The host as it stands in the URL's text, without an address's brackets.
    ///
    /// A name beyond ASCII stands there in Punycode, but Foundation gives its letters in percent-encoding.
    package var writtenHost: String? {
        guard let host = host(percentEncoded: true), host.utf8.contains(UInt8(ascii: "%")) else {
            return host(percentEncoded: true)
        }
        return URL(string: absoluteString)?.host(percentEncoded: true) ?? host
    }
}
