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
    /// The origin of an absolute URL; `nil` if it has no scheme or host.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.bracketedHost?.lowercased() else { return nil }
        self.init(scheme: scheme, host: host, port: url.port)
    }

    /// Whether it is on this machine, so that nobody can intercept requests: `localhost`, `127.0.0.0/8` and `::1`, in
    /// any spelling.
    ///
    /// [RFC 8252, section 8.3](https://www.rfc-editor.org/rfc/rfc8252#section-8.3)
    package var isLoopback: Bool {
        let host = HostSpelling.normal(host)
        // Four numbers are an address: a name can't end in one.
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || isAddress && numbers[0] == "127"
    }

    /// Whether nobody can intercept what is sent: it goes over TLS, or to this machine.
    package var isConfidential: Bool { scheme == "https" || isLoopback }
}

extension URL {
    /// The host as in a URL, with the brackets of an IPv6 address, which Foundation omits.
    package var bracketedHost: String? {
        guard let host = writtenHost else { return nil }
        return host.hasByte(":") && !host.hasBytePrefix("[") ? "[\(host)]" : host
    }

    /// The host as in the URL's text, without an address's brackets.
    ///
    /// The text has a name beyond ASCII in Punycode, but Foundation returns its letters in percent-encoding.
    package var writtenHost: String? {
        guard let host = host(percentEncoded: true), host.utf8.contains(UInt8(ascii: "%")) else {
            return host(percentEncoded: true)
        }
        return URL(string: absoluteString)?.host(percentEncoded: true) ?? host
    }
}

/// The normal spelling of a host, by which hosts are compared.
package enum HostSpelling {
    /// Normalizes a host of a URL: a name to lower case without dots at its end, an address to the system's spelling
    /// without brackets.
    ///
    /// `127.1`, `0x7f.1`, `2130706433` and `[::ffff:127.0.0.1]` all become `127.0.0.1`, to which the system connects
    /// for each of them.
    package static func normal(_ host: String) -> String {
        let text = bare(host)
        return address(text) ?? text
    }

    /// Normalizes a host as ``normal(_:)`` does, and names beyond ASCII to Punycode.
    ///
    /// - Returns: The host; `nil` for a text that can't be the host of a URL.
    package static func checked(_ host: String) -> String? {
        checkedName(host).map { address($0) ?? $0 } ?? address(bare(host))
    }

    /// Normalizes a name, or the end of one, as ``checked(_:)`` does; numbers are not read as an address.
    package static func checkedName(_ name: String) -> String? {
        guard name.utf8.contains(where: { $0 >= 0x80 }) else {
            let text = bare(name)
            return text.isHostName ? text : nil
        }
        // By the same rules as when a URL is made; without Foundation's tables, such names are refused.
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

    /// An IP address in the system's spelling; `nil` if the text is not an address.
    private static func address(_ text: String) -> String? {
        // Unlike getaddrinfo, inet_aton ignores what follows a blank.
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

    /// The prefix of IPv4-mapped IPv6 addresses (RFC 4291, section 2.5.5.2).
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
/// A host is found in any spelling (``HostSpelling``), so that no spelling evades its options. An exact name takes
/// precedence over a pattern.
package struct HostTable<Value> {
    private var values: [String: Value] = [:]
    /// A key that can't match a host, so that its value would never apply.
    package private(set) var unusableKey: String?

    /// Makes a table; if two keys are spellings of one host, the first one in alphabetical order is used.
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

    /// The value for a host, as in a URL.
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
