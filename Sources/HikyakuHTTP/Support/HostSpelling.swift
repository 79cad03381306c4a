import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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

    /// Spells a host as ``normal(_:)`` does, whoever wrote it down: names beyond ASCII as they stand in a URL, too.
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

    /// What begins an IPv6 address that stands for one of IPv4 (RFC 4291, section 2.5.5.2).
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
