package import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
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

/// The one spelling of a host, by which hosts are compared.
package enum HostSpelling {
    /// Spells a host as it stands in a URL in the one way: a name in lower case without dots at its end, an address as
    /// the system writes it and without brackets.
    ///
    /// `127.1`, `0x7f.1`, `2130706433` and `[::ffff:127.0.0.1]` are all `127.0.0.1`: the system takes each for it when
    /// a connection is made.
    package static func normal(_ host: String) -> String {
        let text = bare(host)
        return address(text) ?? text
    }

    /// Spells a host as ``normal(_:)`` does: names beyond ASCII as they stand in a URL, too.
    ///
    /// - Returns: `nil` for what no URL has as its host.
    package static func checked(_ host: String) -> String? {
        checkedName(host).map { address($0) ?? $0 } ?? address(bare(host))
    }

    /// Spells a name, or the end of one, as ``checked(_:)`` does; numbers in it are no address.
    package static func checkedName(_ name: String) -> String? {
        guard name.utf8.contains(where: { $0 >= 0x80 }) else {
            let text = bare(name)
            return text.isHostName ? text : nil
        }
        // By the same rules as when a URL is made of it; without Foundation's tables, there are none.
        guard name.utf8.allSatisfy({ $0 >= 0x80 || ASCII.isUnreserved($0) }),
            let written = URL(string: "http://\(name)/")?.writtenHost, written.isHostName
        else { return nil }
        return bare(written)
    }

    private static func bare(_ host: String) -> String {
        let host = host.asciiLowercased
        var bytes = host.utf8[...]
        if bytes.count > 1, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            bytes = bytes.dropFirst().dropLast()
        }
        while bytes.last == UInt8(ascii: ".") { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }

    /// An IP address in the system's spelling; `nil` for what is none.
    private static func address(_ text: String) -> String? {
        // Beyond what getaddrinfo does, inet_aton passes over what follows a blank.
        guard text.isHostName || text.isIPLiteral else { return nil }
        var bytes = in6_addr()
        if inet_pton(AF_INET6, text, &bytes) == 1 {
            return withUnsafeBytes(of: bytes) { ($0.starts(with: mappedPrefix) ? fourBytes($0.dropFirst(12)) : nil) }
                ?? written(&bytes)
        }
        var address = in_addr()
        guard inet_aton(text, &address) != 0 else { return nil }
        return withUnsafeBytes(of: address) { fourBytes($0[...]) }
    }

    /// What begins an IPv6 address that maps one of IPv4 (RFC 4291, section 2.5.5.2).
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    private static func fourBytes(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }

    private static func written(_ address: inout in6_addr) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Values by host: each applies to a host by name or address, or, as `*.api.example`, for all hosts one label below.
///
/// A host is found however it is spelled (``HostSpelling``), so that no spelling escapes what is said of it. An exact
/// name wins over a pattern.
package struct HostTable<Value> {
    private var values: [String: Value] = [:]
    /// A key that matches no host, so that what is said of it would never hold.
    package private(set) var unusableKey: String?

    /// Makes a table; where two keys are spellings of one host, the first in order of text counts.
    package init(_ values: [String: Value] = [:]) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let normal = Self.normal(key: key) else {
                unusableKey = unusableKey ?? key
                continue
            }
            if self.values[normal] == nil { self.values[normal] = value }
        }
    }

    package var isEmpty: Bool { values.isEmpty && unusableKey == nil }

    /// What is said of a host, as it stands in a URL.
    package subscript(host: String) -> Value? {
        guard !values.isEmpty else { return nil }
        let host = HostSpelling.normal(host)
        if let value = values[host] { return value }
        guard let dot = host.firstByteIndex(of: ".") else { return nil }
        return values["*" + host[dot...]]
    }

    private static func normal(key: String) -> String? {
        guard key.hasBytePrefix("*.") else { return HostSpelling.checked(key) }
        return HostSpelling.checkedName(String(Substring(key.utf8.dropFirst(2)))).map { "*." + $0 }
    }
}

extension HostTable: Sendable where Value: Sendable {}
