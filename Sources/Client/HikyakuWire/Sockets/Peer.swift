#if os(Linux)
import Glibc
import HikyakuBase
import HikyakuHTTP

/// The other end of a connection: an origin or a proxy.
struct Peer: Sendable {
    /// The host as it is looked up: a name in lower case, or an address in the system's spelling.
    let host: String
    /// The name that a certificate must have: the host without an address's zone.
    let verifiedHost: String
    let port: UInt16
    /// Whether the host is an IP address.
    let isAddress: Bool
    /// One form for all spellings, for an origin scheme, host and port: `http://host` for `HTTP://Host:80/path`.
    let key: String

    /// - Parameters:
    ///   - host: The host as in a URL, an IPv6 address in brackets.
    ///   - port: The port.
    ///   - key: The key of its TLS sessions.
    init(_ host: String, port: UInt16, key: String) {
        let (address, zone) = Self.splitZone(host)
        let normal = HostSpelling.normal(address)
        verifiedHost = normal
        self.host = zone.isEmpty ? normal : "\(normal)%\(zone)"
        (self.port, self.key) = (port, key)
        isAddress = IPAddress.bytes(of: normal) != nil
    }

    /// An address without brackets and zone, and the zone; any other host as it is.
    private static func splitZone(_ host: String) -> (address: String, zone: String) {
        let bytes = host.utf8
        guard bytes.last == UInt8(ascii: "]"), let percent = bytes.firstIndex(of: UInt8(ascii: "%")) else {
            return (host, "")
        }
        // A percent sign is written `%25` in a URL.
        let zone = bytes[percent...].dropFirst(3).dropLast()
        return (String(Substring(bytes[..<percent].dropFirst())), String(Substring(zone)))
    }
}

enum IPAddress {
    /// The 4 or 16 bytes of an address, with or without brackets; `nil` if the text is not an address.
    static func bytes(of text: String) -> [UInt8]? {
        let isBracketed = text.hasBytePrefix("[") && text.hasByteSuffix("]")
        let text = isBracketed ? String(Substring(text.utf8.dropFirst().dropLast())) : text
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
        return inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes[..<4]) : nil
    }
}
#endif
